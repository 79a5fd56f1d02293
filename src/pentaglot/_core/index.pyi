from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Text

GAP: int

def suffix_array(tokens: NDArray[np.uint32]) -> NDArray[np.uint32]: ...
def common_prefixes(tokens: NDArray[np.uint32], suffixes: NDArray[np.uint32]) -> NDArray[np.uint32]: ...
def sentence_marks(tokens: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...
def first_ranks(tokens: NDArray[np.uint32]) -> NDArray[np.uint32]: ...
def add_suffixes(tokens: NDArray[np.uint32], suffixes: NDArray[np.uint32]) -> NDArray[np.uint32]: ...
def remove_suffixes(suffixes: NDArray[np.uint32], begin: int, end: int) -> NDArray[np.uint32]: ...
def sample_evenly(count: int, size: int) -> NDArray[np.uint32]: ...

class GrammarLimits:
    def __init__(
        self,
        max_span: int = 10,
        max_symbols: int = 5,
        max_gaps: int = 2,
        min_gap: int = 1,
        max_chunks: int = 2147483647,
    ) -> None: ...

class LookupOptions:
    def __init__(
        self,
        join: str = "gallop",
        sequences: bool = True,
        collocations: bool = True,
        scan: bool = True,
        threshold: float = 1.0,
    ) -> None: ...

class PatternCache:
    def __init__(self, bytes: int) -> None: ...
    @property
    def bytes(self) -> int: ...

class SourceIndex:
    def __init__(
        self,
        text: Text,
        suffixes: NDArray[np.uint32],
        first_ranks: NDArray[np.uint32],
        ends: NDArray[np.uint64],
        before: NDArray[np.uint32],
    ) -> None: ...
    def find(self, words: NDArray[np.uint32]) -> tuple[int, int]: ...
    def extend(self, begin: int, end: int, depth: int, word: int) -> tuple[int, int]: ...
    def sentence(self, position: int) -> int: ...
    def search(
        self, pattern: NDArray[np.uint32], limits: GrammarLimits, most: int = 0
    ) -> tuple[NDArray[np.uint32], int, bool]: ...
    def search_forms(
        self, chunks: list[list[NDArray[np.uint32]]], limits: GrammarLimits, most: int = 0
    ) -> tuple[NDArray[np.uint32], bool]: ...
    def find_by(self, baseline: str, pattern: NDArray[np.uint32], limits: GrammarLimits) -> NDArray[np.uint32]: ...
    def count_by(self, text: Text, limits: GrammarLimits, baseline: str) -> NDArray[np.uint64]: ...

class PrecomputationSettings:
    def __init__(self, frequent: int, super_frequent: int, max_length: int, max_span: int, min_gap: int) -> None: ...

class Precomputed:
    def __len__(self) -> int: ...

def frequent_sequences(
    index: SourceIndex, common_prefixes: NDArray[np.uint32], most: int, max_length: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]: ...
def precompute(
    index: SourceIndex, common_prefixes: NDArray[np.uint32], settings: PrecomputationSettings, threads: int = 1
) -> dict[str, NDArray[np.generic]]: ...
def precomputed(
    settings: PrecomputationSettings,
    begin: NDArray[np.generic],
    end: NDArray[np.generic],
    length: NDArray[np.generic],
    word_offsets: NDArray[np.generic],
    word_positions: NDArray[np.generic],
    pair_offsets: NDArray[np.generic],
    pair_positions: NDArray[np.generic],
    triple_offsets: NDArray[np.generic],
    triple_positions: NDArray[np.generic],
) -> Precomputed: ...

class SentencePatterns:
    def __len__(self) -> int: ...
    def symbols(self, node: int) -> NDArray[np.uint32]: ...
    def active(self, node: int) -> bool: ...
    def is_core(self, node: int) -> bool: ...
    def count(self, node: int) -> int: ...
    def find(self, pattern: NDArray[np.uint32]) -> int | None: ...
    def occurrences(self, node: int) -> NDArray[np.uint32]: ...
    def sample(self, node: int, size: int) -> NDArray[np.uint32]: ...
    def sample_similar(self, node: int, size: int, pool: int, sentence: NDArray[np.uint32]) -> NDArray[np.uint32]: ...
    def applications(self, node: int) -> list[tuple[int, int]]: ...
    @property
    def counts(self) -> dict[str, int]: ...

class PatternFinder:
    def __init__(
        self,
        index: SourceIndex,
        limits: GrammarLimits,
        options: LookupOptions,
        precomputed: Precomputed | None = None,
        cache: PatternCache | None = None,
    ) -> None: ...
    def find(self, sentence: NDArray[np.uint32]) -> SentencePatterns: ...
    def count_in(self, text: Text, threads: int = 1) -> NDArray[np.uint64]: ...

def licensed_patterns(sentence: NDArray[np.uint32], limits: GrammarLimits, edges: bool = False) -> list[list[int]]: ...

class AlignedText:
    def __init__(
        self,
        source: Text,
        target: Text,
        source_first: NDArray[np.uint16],
        source_last: NDArray[np.uint16],
        target_first: NDArray[np.uint16],
        target_last: NDArray[np.uint16],
        inner_tokens: NDArray[np.uint32],
        inner_places: NDArray[np.uint16],
    ) -> None: ...
    def links(self, sentence: int) -> list[tuple[int, int]]: ...

def arrange_links(
    source: Text,
    target: Text,
    offsets: NDArray[np.uint64],
    source_places: NDArray[np.uint16],
    target_places: NDArray[np.uint16],
) -> tuple[
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint32],
    NDArray[np.uint16],
]: ...

class LexicalTable:
    def __init__(
        self,
        offsets: NDArray[np.uint64],
        targets: NDArray[np.uint32],
        target_given_source: NDArray[np.float32],
        source_given_target: NDArray[np.float32],
        counts: NDArray[np.float32],
        source_totals: NDArray[np.float64],
        target_totals: NDArray[np.float64],
    ) -> None: ...
    def together_with(self, added: LexicalTable) -> LexicalTable: ...
    def find(self, source: int, target: int) -> tuple[float, float]: ...
    def targets(self, source: int) -> NDArray[np.uint32]: ...

def count_words(text: AlignedText, weights: NDArray[np.float32] | None = None) -> dict[str, NDArray[Any]]: ...
