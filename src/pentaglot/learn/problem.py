"""What an optimiser sees in one round of tuning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import FeatureSpace, FeatureStructure
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.priced_forest import ForestSpace
from pentaglot.metrics import Metric

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """What an optimiser sees in one round: the lists, and how good their candidates are."""

    lists: KBestLists
    metric: Metric
    lengths: NDArray[np.float64]  # words in the (first) reference of each sentence
    weights: NDArray[np.float64]  # of the last decoding
    start: NDArray[np.float64]  # initial weights, for optimisers that stay close to them
    features: int = 0  # number after the first round: for penalties that must not grow with the lists
    known: Callable[[], FeatureStructure] | None = None  # what the decoder knows of features; None: nothing

    # Forests under these weights, of at most this many edges, with costs times a factor. None if the decoder gives only
    # lists.
    forests: Callable[[int, float], ForestSpace] | None = None
    # The metric's statistics of translations, given the numbers of their sentences.
    statistics: Callable[[list[str], list[int]], NDArray[np.float64]] | None = None

    @property
    def structure(self) -> FeatureStructure:
        """The neighbours, orders and groups of the features of the lists."""
        known = FeatureStructure.of(FeatureSpace()) if self.known is None else self.known()
        return known.over(self.lists.names)

    def score(self, weights: NDArray[np.float64]) -> float:
        """The score of weights on the lists; more is better, whatever the metric."""
        found = self.lists.score(self.metric, weights)
        return found if self.metric.higher_is_better else -found

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of rows of total statistics, given one after the other; more is better."""
        found = self.metric.scores(totals.reshape(-1, self.lists.statistics.shape[1]))
        return found if self.metric.higher_is_better else -found
