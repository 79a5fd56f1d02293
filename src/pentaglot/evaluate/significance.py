"""Whether one system is better than another, or only lucky with these sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.evaluate.randomisation import check_comparable
from pentaglot.metrics import Interval, Metric, resampled_totals
from pentaglot.metrics.metric import Statistics
from pentaglot.options import check_number

__all__ = ["Comparison", "holm", "paired_bootstrap"]


@dataclass(frozen=True)
class Comparison:
    """A system compared with a baseline on the same segments."""

    score: float
    baseline: float
    low: float  # 95 % interval of the difference over the samples
    high: float
    better: float  # share of the samples in which the system is better (Koehn 2004)
    p: float  # two-sided: how likely a difference at least as large is if the systems are equally good

    @property
    def difference(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.score - self.baseline

    @classmethod
    def of(
        cls, metric: Metric, score: float, baseline: float, samples: NDArray[np.float64], others: NDArray[np.float64]
    ) -> Comparison:
        """Make a comparison from the scores of both systems and those of their samples."""
        differences = samples - others
        better = differences > 0 if metric.higher_is_better else differences < 0
        # A little tolerance: identical outputs do not differ significantly.
        extreme = np.abs(differences - differences.mean()) >= abs(score - baseline) - 1e-9
        bounds = Interval.of(differences)
        chance = (int(extreme.sum()) + 1) / (len(samples) + 1)
        return cls(score, baseline, bounds.low, bounds.high, float(better.mean()), chance)


def paired_bootstrap(
    metric: Metric,
    system: Iterable[Statistics],
    baseline: Iterable[Statistics],
    *,
    resamples: int = 1000,
    seed: int = 12345,
) -> Comparison:
    """Compare two systems by resampling segments, the same for both (Koehn 2004).

    Each system is given by the statistics of one or more outputs (for several runs of tuning), whose scores are
    averaged. `p` is two-sided: how often the resampled difference is as far from its own mean as the
    difference is from zero.

    >>> from pentaglot.metrics import Ter
    >>> ter, references = Ter(), [["a b c d"] * 100]
    >>> good = ter.statistics(["a b c d"] * 90 + ["a b c e"] * 10, references)
    >>> bad = ter.statistics(["a b c d"] * 60 + ["a b c e"] * 40, references)
    >>> found = paired_bootstrap(ter, [good], [bad])
    >>> found.difference, found.better, found.p < 0.01
    (-7.5, 1.0, True)
    """
    system, baseline = list(system), list(baseline)
    check_comparable(system, baseline)
    check_number("resamples", resamples, 1, 2**31 - 1)
    check_number("seed", seed, 0, 2**63 - 1)
    ours, theirs = (
        np.mean([metric.scores(resampled_totals(each, resamples, seed)) for each in side], axis=0)
        for side in (system, baseline)
    )
    score, base = (float(np.mean([metric.score(each) for each in side])) for side in (system, baseline))
    return Comparison.of(metric, score, base, ours, theirs)


def holm(chances: Iterable[float]) -> list[float]:
    """Correct the p of several tests, so that the chance of any false positive stays that of a single test
    (Holm 1979): the smallest is multiplied by the number of tests, the next by one less, and so on.

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    """
    chances = list(map(float, chances))
    corrected = [0.0] * len(chances)
    largest = 0.0
    for rank, which in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        largest = max(largest, min(1.0, chances[which] * (len(chances) - rank)))
        corrected[which] = largest
    return corrected
