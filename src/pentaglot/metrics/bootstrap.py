"""Confidence intervals of scores, from many samples of the segments drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.metrics.metric import Metric, Statistics

__all__ = ["Interval", "confidence_interval", "resampled_totals"]

_AT_ONCE = 64


@dataclass(frozen=True)
class Interval:
    """The mean of the resampled scores, and the bounds of the middle part of them (95 % by default)."""

    mean: float
    low: float
    high: float
    level: float = 0.95

    @classmethod
    def of(cls, scores: NDArray[np.float64], level: float = 0.95) -> Interval:
        """The interval of these resampled scores."""
        ordered = np.sort(scores)
        outside = int(round(len(ordered) * (1.0 - level) / 2, 6))
        mean = float(ordered.sum() / len(ordered))
        return cls(mean, float(ordered[outside]), float(ordered[len(ordered) - outside - 1]), level)

    @property
    def margin(self) -> float:
        """Half the width, for `score ± margin`."""
        return (self.high - self.low) / 2


def resampled_totals(statistics: Statistics, resamples: int, seed: int) -> Statistics:
    """Sums of statistics over samples of the segments, each as large as the original; one row per sample.

    The samples are those that sacrebleu draws with the same seed.
    """
    if len(statistics) == 0:
        raise PentaglotError("there are no segments to draw samples from")
    random = np.random.default_rng(seed)
    segments = len(statistics)
    totals = np.empty((resamples, statistics.shape[1]))
    # Sums of whole numbers are exact, whatever the order in which a matrix product adds them up; sums of
    # others could differ with the number of threads.
    whole = bool(np.array_equal(statistics, np.rint(statistics)))
    for begin in range(0, resamples, _AT_ONCE):
        rows = totals[begin : begin + _AT_ONCE]
        drawn = (random.choice(segments, size=segments, replace=True) for _ in rows)
        times = np.stack([np.bincount(each, minlength=segments) for each in drawn]).astype(np.float64)
        if whole:
            np.matmul(times, statistics, out=rows)
        else:
            np.einsum("rs,sw->rw", times, statistics, out=rows)
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
    return Interval.of(metric.scores(resampled_totals(statistics, resamples, seed)), level)
