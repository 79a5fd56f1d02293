from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.index import AlignedText, LexicalTable, PatternFinder, SourceIndex

_Span = tuple[int, int]

class ExtractLimits:
    def __init__(
        self, max_source_span: int = 10, max_target_span: int = 10, min_gap: int = 2, tight: bool = True
    ) -> None: ...

def extract_occurrence(
    source_size: int,
    target_size: int,
    links: Sequence[tuple[int, int]],
    chunks: Sequence[_Span],
    left_gap: bool,
    right_gap: bool,
    limits: ExtractLimits,
) -> list[tuple[_Span, _Span, list[tuple[_Span, _Span]]]]: ...

class RuleTable:
    def __init__(self) -> None: ...
    @property
    def patterns(self) -> int: ...
    @property
    def rules(self) -> int: ...
    def add_pattern(
        self, symbols: Sequence[int], occurrences: int = 0, attempts: int = 0, successes: int = 0
    ) -> None: ...
    def add_rule(self, symbols: Sequence[int], links: Sequence[tuple[int, int]] = ..., count: float = 1.0) -> None: ...
    def check(self) -> None: ...
    @property
    def rule_offsets(self) -> NDArray[np.uint32]: ...
    @property
    def target_symbols(self) -> NDArray[np.int32]: ...
    @property
    def counts(self) -> NDArray[np.float32]: ...
    @property
    def occurrences(self) -> NDArray[np.uint64]: ...
    @property
    def attempts(self) -> NDArray[np.uint32]: ...
    @property
    def successes(self) -> NDArray[np.uint32]: ...
    @property
    def feature_ids(self) -> NDArray[np.uint32]: ...
    def source(self, pattern: int) -> NDArray[np.int32]: ...
    def target(self, rule: int) -> NDArray[np.int32]: ...
    def links(self, rule: int) -> list[tuple[int, int]]: ...
    def sightings(self, rule: int) -> list[tuple[int, int, int]]: ...
    def feature(self, id: int) -> NDArray[np.float32]: ...
    def set_feature(self, id: int, values: NDArray[np.float32]) -> None: ...
    def set_reordering(self, rows: NDArray[np.float32]) -> None: ...

def collect_rules(
    parts: Sequence[tuple[PatternFinder, AlignedText, NDArray[np.float32] | None, int]],
    lexicon: LexicalTable,
    sentence: NDArray[np.uint32],
    limits: ExtractLimits,
    features: Sequence[int],
    sample: int = 300,
    sightings: int = 3,
    edge_gaps: bool = True,
    reordering: bool = False,
    pool: int = 0,
) -> RuleTable: ...
def join_tables(one: RuleTable, other: RuleTable, merge: bool = False) -> RuleTable: ...
def remember(
    table: RuleTable,
    source: Sequence[int],
    target: Sequence[int],
    links: Sequence[tuple[int, int]],
    count: float,
    where: Sequence[int],
    features: Sequence[int],
) -> None: ...

NO_COPY: int

def add_inverse(table: RuleTable, targets: Sequence[SourceIndex], feature: int) -> None: ...
def add_copies(
    table: RuleTable,
    sentence: NDArray[np.uint32],
    copies: NDArray[np.uint32],
    always: NDArray[np.uint8],
    features: Sequence[int],
) -> None: ...
