"""How sure a score is: the same metric on many samples of the segments, drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.metrics.metric import Metric, Statistics

__all__ = ["Interval", "confidence_interval", "resampled_totals"]


@dataclass(frozen=True)
class Interval:
    """The mean of the resampled scores and the bounds that hold the middle part of them (95 % unless asked)."""

    mean: float
    low: float
    high: float
    level: float = 0.95

    @property
    def margin(self) -> float:
        """Half the width, for `score ± margin`."""
        return (self.high - self.low) / 2


def resampled_totals(statistics: Statistics, resamples: int, seed: int) -> Statistics:
    """Sums of statistics over samples of as many segments as there are; one row for each sample.

    The samples are those that sacrebleu draws with the same seed.
    """
    if len(statistics) == 0:
        raise PentaglotError("there are no segments to draw samples from")
    random = np.random.default_rng(seed)
    totals = np.empty((resamples, statistics.shape[1]))
    for row in totals:
        drawn = random.choice(len(statistics), size=len(statistics), replace=True)
        times = np.bincount(drawn, minlength=len(statistics)).astype(np.float64)
        # Not a matrix product: its order of summation could differ with the number of threads.
        np.einsum("s,sw->w", times, statistics, out=row)
    return totals


def confidence_interval(
    metric: Metric, statistics: Statistics, *, resamples: int = 1000, seed: int = 12345, level: float = 0.95
) -> Interval:
    """The bootstrap interval of a score (Koehn, 2004).

    >>> from pentaglot.metrics import Ter
    >>> ter = Ter()
    >>> confidence_interval(ter, ter.statistics(["a b", "c d"] * 50, [["a b", "c e"] * 50]))
    Interval(mean=25.087, low=20.0, high=30.0, level=0.95)
    """
    scores: NDArray[np.float64] = np.sort(metric.scores(resampled_totals(statistics, resamples, seed)))
    outside = int(round(resamples * (1.0 - level) / 2, 6))
    mean = float(scores.sum() / resamples)
    return Interval(mean, float(scores[outside]), float(scores[resamples - outside - 1]), level)
