from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.base import Cancellation
from pentaglot._core.forest import Forest
from pentaglot._core.lm import LanguageModel
from pentaglot._core.rules import RuleTable

class Input:
    @property
    def nodes(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    def column(self, name: str) -> NDArray[np.int32]: ...

def sentence(
    words: NDArray[np.uint32],
    columns: Mapping[str, NDArray[np.int32]] = ...,
    edges: NDArray[np.uint32] | None = None,
    spans: NDArray[np.bool_] | None = None,
    span_labels: NDArray[np.uint32] | None = None,
    precedence: NDArray[np.float32] | None = None,
) -> Input: ...
def lattice(
    nodes: int,
    words: Sequence[tuple[int, int, int]],
    scores: Sequence[float] = ...,
    columns: Mapping[str, NDArray[np.int32]] = ...,
    spans: NDArray[np.bool_] | None = None,
    span_labels: NDArray[np.uint32] | None = None,
    score_feature: str = "input",
) -> Input: ...

class TargetConstraint:
    def __init__(self, words: Sequence[Sequence[int]], open_end: bool = False) -> None: ...

class SearchModel:
    def __init__(
        self,
        weights: NDArray[np.float64],
        features: Mapping[str, int],
        languages: Sequence[tuple[LanguageModel, NDArray[np.uint32], int, int]] = ...,
        class_pairs: tuple[NDArray[np.uint32], NDArray[np.uint32], int] | None = None,
        conjoined: Sequence[tuple[int, int]] = ...,
        ngrams: Sequence[TargetNgrams] = ...,
        triggers: Sequence[TriggerPairs] = ...,
    ) -> None: ...

class TriggerPairs:
    def __init__(
        self,
        numbers: NDArray[np.uint32],
        firsts: NDArray[np.uint32],
        seconds: NDArray[np.uint32],
        ids: NDArray[np.uint32],
    ) -> None: ...

NGRAM_START: int
NGRAM_END: int

class TargetNgrams:
    def __init__(
        self,
        order: int,
        numbers: NDArray[np.uint32],
        offsets: NDArray[np.uint64],
        words: NDArray[np.int32],
        ids: NDArray[np.uint32],
    ) -> None: ...

class ChartOptions:
    def __init__(
        self,
        max_span: int,
        min_gap: int,
        pop_limit: int,
        translations: int,
        growing: bool,
        whole_forest: bool,
        glue_labels: Sequence[int],
        start_labels: Sequence[int],
    ) -> None: ...

class StackOptions:
    def __init__(
        self,
        max_span: int,
        distortion_limit: int,
        pop_limit: int,
        stack_size: int,
        threshold: float,
        translations: int,
        whole_forest: bool,
        glue_labels: Sequence[int],
        start_labels: Sequence[int],
    ) -> None: ...

def search_chart(
    input: Input,
    table: RuleTable,
    model: SearchModel,
    options: ChartOptions,
    seconds: float = 0.0,
    hypotheses: int = 0,
    cancellation: Cancellation | None = None,
    constraint: TargetConstraint | None = None,
    further_ids: Sequence[NDArray[np.uint32]] = ...,
    across: bool = True,
) -> tuple[Forest | None, bool, int, int]: ...
def search_stacks(
    input: Input,
    table: RuleTable,
    model: SearchModel,
    options: StackOptions,
    seconds: float = 0.0,
    hypotheses: int = 0,
    cancellation: Cancellation | None = None,
    constraint: TargetConstraint | None = None,
    further_ids: Sequence[NDArray[np.uint32]] = ...,
    across: bool = True,
) -> tuple[Forest | None, bool, int, int]: ...
def rescored(
    forest: Forest,
    scores: NDArray[np.float64],
    model: SearchModel,
    pops: int,
    cancellation: Cancellation | None = None,
) -> Forest: ...
