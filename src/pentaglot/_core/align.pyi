from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Text

NO_POSITION: int
JUMP_CLASSES: int

_Links = tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint8]]

class AlignmentModel(Enum):
    ibm1 = 0
    fast = 1
    hmm = 2

class Symmetrisation(Enum):
    to_target = 0
    to_source = 1
    intersection = 2
    union = 3
    grow_diag = 4
    grow_diag_final = 5
    grow_diag_final_and = 6
    posterior_product = 7
    posterior_mean = 8

class Direction(Enum):
    to_target = 0
    to_source = 1

class Spellings:
    def __init__(self, bytes: NDArray[np.uint8], offsets: NDArray[np.uint64]) -> None: ...

class KnownWords:
    def __init__(self, ids: NDArray[np.uint32], spellings: Spellings) -> None: ...

class TrainingOptions:
    def __init__(
        self,
        *,
        null_probability: float,
        agreement: bool,
        smoothing: float,
        null_smoothing: float,
        spelling: float,
        stem_letters: int,
        stem_strength: float,
        variational: bool,
        jump_uniform: float,
        jump_strength: float,
        longest: int,
        bytes_in_copies: int = ...,
    ) -> None: ...

class Trainer:
    def __init__(
        self,
        source: Text,
        target: Text,
        source_words: int,
        target_words: int,
        source_spellings: Spellings,
        target_spellings: Spellings,
        options: TrainingOptions,
        known: dict[str, NDArray[Any]],
        threads: int,
    ) -> None: ...
    def iterate(self, model: AlignmentModel) -> list[float]: ...
    def set_classes(self, way: Direction, classes: NDArray[np.uint16], count: int) -> None: ...
    def tables(self, least: float) -> dict[str, NDArray[Any]]: ...
    def parameters(self) -> dict[str, NDArray[Any]]: ...
    def words(self, way: Direction) -> int: ...
    @property
    def too_long(self) -> int: ...

class Aligner:
    def __init__(
        self,
        tables: dict[str, NDArray[Any]],
        model: AlignmentModel,
        null_probability: float,
        jump_uniform: float,
        spelling: float,
    ) -> None: ...
    def align(
        self,
        source: Text,
        target: Text,
        source_words: KnownWords,
        target_words: KnownWords,
        method: Symmetrisation,
        threshold: float,
        grow: float,
        complete: float,
        longest: int,
        threads: int,
    ) -> tuple[
        NDArray[np.uint64],
        NDArray[np.uint16],
        NDArray[np.uint16],
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.float64],
        int,
    ]: ...
    def posteriors(
        self,
        source: NDArray[np.uint32],
        target: NDArray[np.uint32],
        source_words: KnownWords,
        target_words: KnownWords,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], list[float]]: ...

def parse_links(text: bytes, base: int) -> _Links: ...
def format_links(offsets: NDArray[np.uint64], source: NDArray[np.uint16], target: NDArray[np.uint16]) -> bytes: ...
def find_extents(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    source_text: Text,
    target_text: Text,
) -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]: ...
def join_links(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    other_offsets: NDArray[np.uint64],
    other_source: NDArray[np.uint16],
    other_target: NDArray[np.uint16],
    method: Symmetrisation,
) -> _Links: ...
def digamma(x: float) -> float: ...
def likeness(one: str, other: str) -> float: ...
def stem_of(spelling: str, letters: int) -> str: ...
def exchange_classes(text: Text, words: int, classes: int, rounds: int) -> NDArray[np.uint16]: ...
