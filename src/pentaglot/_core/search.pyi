from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.forest import Forest
from pentaglot._core.lm import LanguageModel
from pentaglot._core.rules import RuleTable

class Input:
    @property
    def nodes(self) -> int: ...

def sentence(words: NDArray[np.uint32]) -> Input: ...
def lattice(nodes: int, words: Sequence[tuple[int, int, int]], scores: Sequence[float] = ...) -> Input: ...

class TargetConstraint:
    def __init__(self, words: Sequence[Sequence[int]], open_end: bool = False) -> None: ...

class SearchModel:
    def __init__(
        self,
        weights: NDArray[np.float64],
        language: LanguageModel | None,
        language_ids: NDArray[np.uint32],
        language_feature: int,
        glue_feature: int,
        distortion_feature: int,
        reordering_features: Sequence[int],
        input_feature: int = 4294967295,
    ) -> None: ...

class Cancellation:
    def __init__(self) -> None: ...
    def cancel(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class ChartOptions:
    def __init__(
        self,
        max_span: int = 10,
        pop_limit: int = 200,
        translations: int = 30,
        whole_forest: bool = False,
        growing: bool = False,
    ) -> None: ...

class StackOptions:
    def __init__(
        self,
        max_span: int = 7,
        distortion_limit: int = 6,
        pop_limit: int = 400,
        stack_size: int = 200,
        threshold: float = 0.0,
        translations: int = 20,
        whole_forest: bool = False,
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
    further_ids: NDArray[np.uint32] | None = None,
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
    further_ids: NDArray[np.uint32] | None = None,
) -> tuple[Forest | None, bool, int, int]: ...
