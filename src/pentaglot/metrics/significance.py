"""Whether one system is better than another, or only lucky with these sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.metrics.bootstrap import resampled_totals
from pentaglot.metrics.metric import Metric, Statistics

__all__ = ["Comparison", "paired_bootstrap"]


@dataclass(frozen=True)
class Comparison:
    """A system beside a baseline on the same segments."""

    score: float
    baseline: float
    low: float  # bounds of the difference in the middle 95 % of the samples
    high: float
    better: float  # share of the samples in which the system is better (Koehn 2004)
    p: float  # chance of a difference at least as large, either way, if the systems were equally good

    @property
    def difference(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.score - self.baseline


def paired_bootstrap(
    metric: Metric,
    system: Sequence[Statistics],
    baseline: Sequence[Statistics],
    *,
    resamples: int = 1000,
    seed: int = 12345,
) -> Comparison:
    """Compares two systems by resampling segments, the same for both (Koehn 2004).

    Each system is given by the statistics of one or more outputs, of which the scores are averaged: several where it
    was tuned several times. `p` is two-sided: how often the resampled difference is as far from its own mean as the
    difference is from zero.

    >>> from pentaglot.metrics import Ter
    >>> ter, references = Ter(), [["a b c d"] * 100]
    >>> good = ter.statistics(["a b c d"] * 90 + ["a b c e"] * 10, references)
    >>> bad = ter.statistics(["a b c d"] * 60 + ["a b c e"] * 40, references)
    >>> found = paired_bootstrap(ter, [good], [bad])
    >>> found.difference, found.better, found.p < 0.01
    (-7.5, 1.0, True)
    """
    if not system or not baseline:
        raise PentaglotError("there is nothing to compare", hint="each system needs at least one output")
    sizes = {len(each) for each in (*system, *baseline)}
    if len(sizes) > 1:
        raise PentaglotError(f"outputs of {min(sizes)} and of {max(sizes)} segments cannot be compared in pairs")
    ours, theirs = (_mean([_sampled(metric, each, resamples, seed) for each in side]) for side in (system, baseline))
    score, base = (float(np.mean([metric.score(each) for each in side])) for side in (system, baseline))
    differences = ours - theirs
    better = differences > 0 if metric.higher_is_better else differences < 0
    # A hair of tolerance: equal outputs differ by nothing, and that is not significant.
    extreme = np.abs(differences - differences.mean()) >= abs(score - base) - 1e-9
    ordered = np.sort(differences)
    outside = int(round(resamples * 0.025, 6))
    return Comparison(
        score,
        base,
        float(ordered[outside]),
        float(ordered[resamples - outside - 1]),
        float(better.mean()),
        (int(extreme.sum()) + 1) / (resamples + 1),
    )


def _sampled(metric: Metric, statistics: Statistics, resamples: int, seed: int) -> NDArray[np.float64]:
    return metric.scores(resampled_totals(statistics, resamples, seed))


def _mean(scores: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = np.mean(scores, axis=0)
    return mean
