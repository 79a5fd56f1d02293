from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Text
from pentaglot._core.forest import Forest

WAS_GLUED: int
WAS_CUT: int

_Tree = tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint32]]

class Pick(Enum):
    leftmost = 0
    rightmost = 1
    strongest = 2
    average = 3

class Side(Enum):
    left = 0
    right = 1

class Trees(Enum):
    all = 0
    left = 1
    right = 2

def word_ranks(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    strengths: NDArray[np.float32],
    lengths: NDArray[np.uint32],
    pick: Pick,
    attach: Side,
    threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]: ...
def minimal_phrases(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    lengths: NDArray[np.uint32],
    threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]: ...
def largest_arities(offsets: NDArray[np.uint64], ranks: NDArray[np.uint16], threads: int) -> NDArray[np.uint16]: ...
def canonical_tree(ranks: NDArray[np.uint16], linear: bool) -> _Tree: ...
def flat_tree(ranks: NDArray[np.uint16]) -> _Tree: ...
def branching_tree(ranks: NDArray[np.uint16], side: Side) -> _Tree: ...
def permutation_forest(
    ranks: NDArray[np.uint16],
    loose: NDArray[np.uint8],
    begins: NDArray[np.uint16],
    trees: Trees,
    attachments: Sequence[tuple[Side, bool]],
) -> Forest: ...

class Grammar:
    def __init__(
        self,
        states: NDArray[np.uint32],
        lexicon_offsets: NDArray[np.uint64],
        lexicon_slots: NDArray[np.uint8],
        slots: NDArray[np.float32],
        words: NDArray[np.float32],
        word_terminals: NDArray[np.uint32],
        word_factors: NDArray[np.float32],
        phrase_offsets: NDArray[np.uint64],
        phrase_words: NDArray[np.uint32],
        unseen: float,
    ) -> None: ...

class TrainingSentences:
    def __init__(
        self,
        text: Text,
        offsets: NDArray[np.uint64],
        source: NDArray[np.uint16],
        target: NDArray[np.uint16],
        least_words: int,
        most_words: int,
        most_children: int,
        opaque: bool,
        trees: Trees,
        attachments: Sequence[tuple[Side, bool]],
        threads: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def kept(self) -> NDArray[np.uint32]: ...
    @property
    def too_short_or_long(self) -> int: ...
    @property
    def without_links(self) -> int: ...
    @property
    def too_complex(self) -> int: ...
    @property
    def opaque(self) -> int: ...
    def word_counts(self, vocabulary: int, alone: bool) -> NDArray[np.uint32]: ...
    def assign(
        self, word_terminals: NDArray[np.uint32], factors: NDArray[np.float32], first: int, cutoff: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...
    def edge_counts(
        self, terminals: int, threads: int
    ) -> tuple[NDArray[np.float64], NDArray[np.uint64], NDArray[np.uint8], NDArray[np.float64]]: ...
    def expected_counts(
        self, grammar: Grammar, first: int, last: int, hard: bool, threads: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float, int]: ...

class Parse:
    def __init__(
        self,
        grammar: Grammar,
        sentence: NDArray[np.uint32],
        best: bool,
        allowed: NDArray[np.uint16],
        gaps: NDArray[np.uint8],
    ) -> None: ...
    @property
    def pieces(self) -> list[tuple[int, int]]: ...
    @property
    def glued(self) -> bool: ...
    @property
    def log_probability(self) -> float: ...
    def precedence(self, reach: int = 0, far: float = 0.0) -> NDArray[np.float64]: ...
    def posteriors(self) -> NDArray[np.float32]: ...
    def forest(self, least: float) -> Forest: ...
    def divisions(
        self, least: float
    ) -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.float32]]: ...
    def draw(self, count: int, seed: int) -> tuple[NDArray[np.uint16], NDArray[np.uint32]]: ...
    def tree(
        self,
    ) -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint16]]: ...

class OrderChoice(Enum):
    expected = 0
    drawn = 1
    best_tree = 2

def preorder(
    grammar: Grammar,
    unsplit: Grammar,
    text: Text,
    gaps: NDArray[np.uint8],
    choice: OrderChoice,
    samples: int,
    seed: int,
    longest: int,
    least_gain: float,
    least: float,
    reach: int,
    far: float,
    threads: int,
) -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64]]: ...
def likely_nodes(
    unsplit: Grammar, sentence: NDArray[np.uint32], least: float, gaps: NDArray[np.uint8]
) -> NDArray[np.uint16]: ...
def best_binary_order(words: int, turned: NDArray[np.float64]) -> NDArray[np.uint16]: ...
def expected_losses(words: int, turned: NDArray[np.float64], orders: NDArray[np.uint16]) -> NDArray[np.float64]: ...
