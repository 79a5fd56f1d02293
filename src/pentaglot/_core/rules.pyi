from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.base import Cancellation
from pentaglot._core.corpus import Text, Vocabulary
from pentaglot._core.index import AlignedText, GrammarLimits, LexicalTable, PatternFinder, SourceIndex
from pentaglot._core.lm import LanguageModel

_Span = tuple[int, int]

class ExtractLimits:
    def __init__(
        self,
        max_source_span: int = 10,
        max_target_span: int = 10,
        min_gap: int = 1,
        tight: bool = True,
        max_chunks: int = 7,
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
        self,
        symbols: Sequence[int],
        occurrences: int = 0,
        attempts: int = 0,
        successes: int = 0,
        label: int = 0,
        gap_labels: Sequence[int] = ...,
        any_length: bool = False,
        signature: Sequence[tuple[int, int, int]] | None = None,
        places: Sequence[int] = ...,
    ) -> None: ...
    def add_rule(
        self,
        symbols: Sequence[int],
        links: Sequence[tuple[int, int]] = ...,
        count: float = 1.0,
        sightings: Sequence[tuple[int, int, int]] = ...,
    ) -> None: ...
    def copy(self) -> RuleTable: ...
    def pack(self) -> NDArray[np.uint8]: ...
    @staticmethod
    def unpack(bytes: NDArray[np.uint8]) -> RuleTable: ...
    def check(self) -> None: ...
    @property
    def labels(self) -> NDArray[np.uint32]: ...
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
    def gap_labels(self, pattern: int) -> NDArray[np.uint32]: ...
    def signature(self, pattern: int) -> list[tuple[int, int, int]] | None: ...
    def places(self, pattern: int) -> NDArray[np.uint32]: ...
    def target(self, rule: int) -> NDArray[np.int32]: ...
    def links(self, rule: int) -> list[tuple[int, int]]: ...
    def sightings(self, rule: int) -> list[tuple[int, int, int]]: ...
    def feature(self, id: int) -> NDArray[np.float32]: ...
    def set_feature(self, id: int, values: NDArray[np.float32]) -> None: ...
    @property
    def sparse(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32]]: ...
    def add_sparse(self, offsets: NDArray[np.uint32], ids: NDArray[np.uint32], values: NDArray[np.float32]) -> None: ...
    def features_of(self, rule: int) -> tuple[NDArray[np.uint32], NDArray[np.float32]]: ...
    @property
    def reordering(self) -> NDArray[np.float32]: ...
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
    cancellation: Cancellation | None = None,
) -> RuleTable: ...
def join_tables(one: RuleTable, other: RuleTable, merge: bool = False) -> RuleTable: ...
def keep_placeables(
    table: RuleTable,
    source: NDArray[np.int32],
    source_codes: NDArray[np.uint64],
    target: NDArray[np.int32],
    target_codes: NDArray[np.uint64],
    exempt: int,
) -> None: ...
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
def learn_word_choice(
    source: Text,
    target: Text,
    source_words: int,
    target_words: int,
    penalty: float,
    least_association: float,
    threads: int,
) -> dict[str, NDArray[Any]]: ...
def moved_odds(
    rows: NDArray[np.uint64],
    targets: NDArray[np.uint32],
    weights: NDArray[np.float32],
    biases: NDArray[np.float32],
    priors: NDArray[np.float32],
    sentence: NDArray[np.uint32],
) -> NDArray[np.float32]: ...
def choose_words(
    table: RuleTable,
    rows: NDArray[np.uint64],
    targets: NDArray[np.uint32],
    weights: NDArray[np.float32],
    biases: NDArray[np.float32],
    priors: NDArray[np.float32],
    sentence: NDArray[np.uint32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...

class WordForms:
    def __init__(
        self,
        letters: NDArray[np.uint32],
        offsets: NDArray[np.uint64],
        traits: NDArray[np.uint8],
        first: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    def extended(
        self, letters: NDArray[np.uint32], offsets: NDArray[np.uint64], traits: NDArray[np.uint8]
    ) -> WordForms: ...
    def alike(self, letters: NDArray[np.uint32], traits: int, heeded: int, counts: NDArray[np.uint64]) -> list[int]: ...
    def near(
        self,
        letters: NDArray[np.uint32],
        traits: int,
        heeded: int,
        counts: NDArray[np.uint64],
        least: float,
        band: float,
        beginning: int,
        most: int,
    ) -> list[tuple[int, float]]: ...
    def split(
        self,
        letters: NDArray[np.uint32],
        traits: int,
        heeded: int,
        counts: NDArray[np.uint64],
        shortest: int,
        between: int,
        parts: int,
        seen: int,
    ) -> list[int]: ...

def add_stand_ins(
    table: RuleTable,
    of_words: RuleTable,
    stand_ins: Sequence[tuple[int, Sequence[int], int, float]],
    features: Sequence[int],
) -> list[int]: ...
def lend_rules(
    table: RuleTable,
    source: Sequence[tuple[int, int]],
    target: Sequence[tuple[int, int]],
    exempt: int,
    kind: int,
) -> list[int]: ...

class LetterMixture:
    def __init__(
        self,
        source: NDArray[np.uint32],
        source_offsets: NDArray[np.uint64],
        target: NDArray[np.uint32],
        target_offsets: NDArray[np.uint64],
        apart: NDArray[np.float64],
        classes: NDArray[np.uint32],
        longer: float,
    ) -> None: ...
    def __len__(self) -> int: ...
    def round(self, threads: int) -> float: ...
    def drop_rare(self, least: float) -> None: ...
    @property
    def shares(self) -> NDArray[np.float64]: ...
    @property
    def end(self) -> float: ...
    @property
    def units(self) -> list[tuple[list[int], list[int]]]: ...
    @property
    def chances(self) -> NDArray[np.float64]: ...
    @property
    def posteriors(self) -> NDArray[np.float64]: ...
    def best_cut(self, pair: int) -> list[tuple[int, int]]: ...

class LetterSearch:
    def __init__(
        self,
        source: NDArray[np.uint32],
        source_offsets: NDArray[np.uint64],
        target: NDArray[np.uint32],
        target_offsets: NDArray[np.uint64],
        first: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    def spell(
        self, word: NDArray[np.uint32], language: LanguageModel, most: int, beam: int
    ) -> list[tuple[list[int], float]]: ...

_Run = NDArray[np.uint8]
NO_FEATURE: int
NO_PATTERN: int

class StoredTable:
    def __init__(
        self,
        symbols: NDArray[np.int32],
        children: NDArray[np.uint32],
        patterns: NDArray[np.uint32],
        rule_offsets: NDArray[np.uint32],
        attempts: NDArray[np.uint32],
        successes: NDArray[np.uint32],
        targets: NDArray[np.uint32],
        linkings: NDArray[np.uint32],
        counts: NDArray[np.float32],
        target_pool: NDArray[np.uint8],
        linking_pool: NDArray[np.uint8],
        reordering: NDArray[np.float32],
        columns: list[NDArray[Any]],
    ) -> None: ...
    @property
    def patterns(self) -> int: ...
    @property
    def rules(self) -> int: ...
    def look_up(
        self,
        sentence: NDArray[np.uint32],
        limits: GrammarLimits,
        columns: Sequence[int],
        coherence: int,
        rules: int,
        words: int,
        reordering: bool,
    ) -> RuleTable: ...
    def patterns_of_text(self, text: Text, limits: GrammarLimits) -> NDArray[np.uint8]: ...

class OfflineOptions:
    def __init__(
        self,
        limits: ExtractLimits,
        max_symbols: int,
        max_gaps: int,
        counting: str,
        coherence: bool,
        reordering: bool,
    ) -> None: ...

def extract_runs(
    aligned: AlignedText, ranges: Sequence[tuple[int, int]], options: OfflineOptions, bytes: int, threads: int
) -> list[tuple[list[_Run], list[_Run], int]]: ...
def count_instances(
    aligned: AlignedText, ranges: Sequence[tuple[int, int]], options: OfflineOptions, threads: int
) -> int: ...

class TargetScorer:
    def __init__(self, runs: Sequence[_Run], lexicon: LexicalTable, reordering: bool) -> None: ...
    def next(self, bytes: int) -> tuple[_Run, _Run, _Run] | None: ...

class TargetNumberer:
    def __init__(self, rules: Sequence[_Run], orientations: Sequence[_Run], columns: int) -> None: ...
    def next(self, bytes: int) -> tuple[_Run, _Run, _Run] | None: ...
    @property
    def oriented(self) -> int: ...

class TableBuilder:
    def __init__(
        self, rows: Sequence[_Run], attempts: Sequence[_Run], columns: int, translation: str, reordering: bool
    ) -> None: ...
    def next(
        self, rules: int
    ) -> (
        tuple[
            list[tuple[NDArray[np.int32], NDArray[np.uint32], NDArray[np.uint32]]],
            list[NDArray[np.float32]],
            dict[str, NDArray[Any]],
        ]
        | None
    ): ...

def renumbered(run: _Run, source_ids: NDArray[np.uint32], target_ids: NDArray[np.uint32]) -> _Run: ...
def escaped(word: str) -> str: ...
def unescaped(word: str) -> str: ...

class RuleTaker:
    def __init__(self, table: StoredTable, kept: NDArray[np.uint8]) -> None: ...
    def next(self, bytes: int) -> tuple[_Run, _Run] | None: ...

class TableTextReader:
    def __init__(self, source: Vocabulary, target: Vocabulary, format: str, escapes: bool) -> None: ...
    def feed(self, lines: bytes) -> None: ...
    def take(self) -> _Run: ...
    @property
    def line(self) -> int: ...
    @property
    def rules(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def columns(self) -> int: ...
    @property
    def has_counts(self) -> bool: ...
    @property
    def source_counts(self) -> NDArray[np.uint64]: ...
    @property
    def target_counts(self) -> NDArray[np.uint64]: ...

class TableTextWriter:
    def __init__(
        self,
        table: StoredTable,
        source: Vocabulary,
        target: Vocabulary,
        format: str,
        escapes: bool,
        columns: Sequence[int],
        names: Sequence[str],
        inverse: int,
        counts: Sequence[int],
    ) -> None: ...
    def next(self, bytes: int) -> bytes: ...

BETWEEN_SIDES: int
_Around = tuple[Sequence[int], NDArray[np.uint8], NDArray[np.uint8]]

class Quantity:
    def __init__(
        self, kind: str, first: int = ..., second: int = ..., found: int = ..., collected: bool = False
    ) -> None: ...
    def of_rules(self, table: RuleTable, around: _Around) -> NDArray[np.float32]: ...

def fill_bins(counts: NDArray[np.uint64], bins: int) -> NDArray[np.uint32]: ...

class WordTemplate:
    def __init__(
        self, kind: str, order: int, source_classes: NDArray[np.uint32], target_classes: NDArray[np.uint32]
    ) -> None: ...

class WordCounter:
    def __init__(self, template: WordTemplate) -> None: ...
    def add(self, table: RuleTable) -> None: ...
    def __len__(self) -> int: ...
    def counted(self, least: int, most: int) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint64]]: ...

class Induction:
    def __init__(self) -> None: ...
    def add_bins(
        self,
        quantity: Quantity,
        kind: str,
        edges: NDArray[np.float32],
        centres: NDArray[np.float32],
        ids: NDArray[np.uint32],
    ) -> None: ...
    def add_conjunction(self, sets: Sequence[int], bins: NDArray[np.uint32], ids: NDArray[np.uint32]) -> None: ...
    def add_words(
        self,
        template: WordTemplate,
        offsets: NDArray[np.uint64],
        symbols: NDArray[np.int32],
        ids: NDArray[np.uint32],
    ) -> None: ...
    def apply(self, table: RuleTable, around: _Around) -> None: ...
