"""How far one metric agrees better with people than another, with an interval: on a test set, and on several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.evaluate.agreement import Scores, TieRule, outcomes, tau_of_counts
from pentaglot.evaluate.judgments import Judged

__all__ = ["TauDifference", "mean_difference", "tau_difference"]


@dataclass(frozen=True)
class TauDifference:
    """Two metrics on the same judgments: the difference of their taus, and its 95 % interval over segments."""

    first: float
    second: float
    low: float
    high: float
    sampled: NDArray[np.float64] = field(repr=False, compare=False, default_factory=lambda: np.empty(0))

    @property
    def difference(self) -> float:
        """How much better the first metric is."""
        return self.first - self.second


def tau_difference(
    first: Scores,
    second: Scores,
    judged: Judged,
    *,
    ties: TieRule = "drop",
    resamples: int = 1000,
    seed: int | Sequence[int] = 12345,
) -> TauDifference:
    """Compare two metrics by a paired bootstrap over segments, each with all its judgments."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(judged.segments))}
    owners = np.array([numbers[judged.segments[better]] for better in judged.preferred[:, 0].tolist()])
    _, owners = np.unique(owners, return_inverse=True)
    size = int(owners.max()) + 1
    random = np.random.default_rng(seed)
    drawn = random.multinomial(size, np.full(size, 1 / size), resamples).astype(np.float64)
    found, sampled = [], []
    for scores in (first, second):
        signs = outcomes(scores, judged.preferred)
        counts = np.stack([np.bincount(owners, signs == sign, size) for sign in (1, -1, 0)], axis=1)
        found.append(float(tau_of_counts(counts.sum(axis=0)[None], ties)[0]))
        sampled.append(tau_of_counts(drawn @ counts, ties))
    apart = sampled[0] - sampled[1]
    low, high = np.percentile(apart, [2.5, 97.5]).tolist()
    return TauDifference(found[0], found[1], low, high, apart)


def mean_difference(differences: Sequence[TauDifference]) -> TauDifference:
    """The mean over test sets that were resampled independently, and the interval of that mean."""
    if not differences:
        raise PentaglotError("there is no test set with rankings to compare metrics on")
    sampled = np.mean([each.sampled for each in differences], axis=0)
    low, high = np.percentile(sampled, [2.5, 97.5]).tolist()
    first, second = (float(np.mean([getattr(each, name) for each in differences])) for name in ("first", "second"))
    return TauDifference(first, second, low, high, sampled)
