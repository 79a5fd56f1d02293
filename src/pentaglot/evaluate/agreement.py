"""How well the scores of a metric agree with people (Stanojević 2017, §2.4 and §4.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.evaluate.judgments import Judged

__all__ = [
    "TieRule",
    "expected_wins",
    "hybrid_scores",
    "outcomes",
    "pearson",
    "segment_tau",
    "spearman",
    "system_scores",
    "tau_of_counts",
    "williams",
    "win_ratio",
]

# What to do with pairs that a metric finds equal and people do not: leave them out, count them as wrong (WMT 2012), or
# as half right (WMT 2014). Pairs that people find equal are always left out.
TieRule = Literal["drop", "wrong", "half"]

Scores = NDArray[np.float64]


def segment_tau(scores: Scores, judged: Judged, *, ties: TieRule = "drop") -> float:
    """Kendall's tau: concordant minus discordant pairs, over all pairs."""
    signs = outcomes(scores, judged.preferred)
    counts = np.array([[(signs == sign).sum() for sign in (1, -1, 0)]], np.float64)
    return float(tau_of_counts(counts, ties)[0])


def outcomes(scores: Scores, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of each pair 1 if the first has the higher score, -1 if the second has, 0 if they are equal."""
    return np.sign(scores[pairs[:, 0]] - scores[pairs[:, 1]])


def tau_of_counts(counts: NDArray[np.float64], ties: TieRule) -> NDArray[np.float64]:
    """Kendall's tau from rows of pairs that are right, wrong, and equal."""
    right, wrong, equal = counts.T
    if ties == "wrong":
        wrong, equal = wrong + equal, np.zeros_like(equal)
    counted = right + wrong + (equal if ties == "half" else 0.0)
    return np.where(counted > 0, (right - wrong) / np.maximum(counted, 1.0), 0.0)


def win_ratio(judged: Judged) -> dict[str, float]:
    """For each system, the share of its comparisons that it wins; ties do not count."""
    wins, met = _wins(judged)
    totals = met.sum(axis=1)
    ratios = np.where(totals > 0, wins.sum(axis=1) / np.maximum(totals, 1), np.nan)
    return dict(zip(judged.system_names, ratios.tolist(), strict=True))


def expected_wins(judged: Judged) -> dict[str, float]:
    """For each system, the probability that it beats another one, averaged over the others that it was compared with
    (Bojar and others, 2013)."""
    wins, met = _wins(judged)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(met > 0, wins / met, 0.0)
    opponents = (met > 0).sum(axis=1)
    found = np.where(opponents > 0, shares.sum(axis=1) / np.maximum(opponents, 1), np.nan)
    return dict(zip(judged.system_names, found.tolist(), strict=True))


def _wins(judged: Judged) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    numbers = {name: number for number, name in enumerate(judged.system_names)}
    owners = np.array([numbers[system] for system in judged.systems], np.int64)
    wins = np.zeros((len(numbers), len(numbers)))
    np.add.at(wins, (owners[judged.preferred[:, 0]], owners[judged.preferred[:, 1]]), 1.0)
    return wins, wins + wins.T


def system_scores(scores: Scores, judged: Judged) -> dict[str, float]:
    """The mean score of each system's translations."""
    names = np.array(judged.systems)
    return {name: float(scores[names == name].mean()) for name in judged.system_names}


def pearson(first: Sequence[float] | Scores, second: Sequence[float] | Scores) -> float:
    """Pearson's correlation of two lists of numbers; 0 if one of them is constant.

    >>> round(pearson([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != other.shape or one.size < 2:
        raise PentaglotError(f"{one.size} and {other.size} numbers cannot be correlated")
    one, other = _around_mean(one), _around_mean(other)
    length = math.sqrt(float(one @ one) * float(other @ other))
    return max(-1.0, min(1.0, float(one @ other) / length)) if length > 0 else 0.0


def _around_mean(values: Scores) -> Scores:
    """Numbers less their mean, none above 1 where they are so large that their squares would be infinite."""
    largest = float(np.abs(values).max())
    scaled: Scores = values / largest if largest > 1e100 else values
    centred: Scores = scaled - scaled.mean()
    return centred


def spearman(first: Sequence[float] | Scores, second: Sequence[float] | Scores) -> float:
    """Spearman's correlation: Pearson's of the ranks; equal numbers share the mean of their ranks.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    """
    return round(pearson(mean_ranks(first), mean_ranks(second)), 12)


def mean_ranks(values: Sequence[float] | Scores) -> Scores:
    """The rank of each number, 1 for the smallest; equal ones share the mean of their ranks."""
    array = np.asarray(values, np.float64)
    known, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Scores = (ends - (counts - 1) / 2)[inverse.reshape(array.shape)]
    return means if known.size else array


def williams(first: float, second: float, between: float, size: int) -> float:
    """One-sided p of a metric agreeing better with people than another one (Williams 1959): `first` and `second` are
    their correlations with people, `between` is the correlation between them."""
    from scipy.stats import t

    if size < 4:
        raise PentaglotError(f"Williams' test needs at least 4 values, not {size}")
    rest = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * rest * (size - 1) / (size - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    if below <= 0:
        return 0.0 if first > second else 1.0
    value = (first - second) * math.sqrt((size - 1) * (1 + between) / below)
    return float(t.sf(value, size - 3))


def hybrid_scores(
    judged: Judged, metrics: Mapping[str, Scores], *, hybrids: int = 10_000, seed: int = 12345
) -> tuple[Scores, dict[str, Scores]]:
    """Scores of made-up systems by people and by metrics (hybrid super-sampling, Graham and Liu 2016): each hybrid
    takes every segment from one of two systems, at random, of which people have scored at least one. Needs direct
    scores by people."""
    names, segments = judged.system_names, tuple(dict.fromkeys(judged.segments))
    rows = {name: number for number, name in enumerate(names)}
    columns = {name: number for number, name in enumerate(segments)}
    table = np.full((1 + len(metrics), len(names), len(segments)), np.nan)
    for place, (system, segment) in enumerate(zip(judged.systems, judged.segments, strict=True)):
        values = (judged.direct[place], *(scores[place] for scores in metrics.values()))
        table[:, rows[system], columns[segment]] = values
    table[:, np.isnan(table[0])] = np.nan
    scored = ~np.isnan(table[0])
    if scored.any(axis=1).sum() < 2:
        raise PentaglotError(
            f"'{judged.name}' has direct scores of one system only", hint="hybrids need those of at least two systems"
        )
    random = np.random.default_rng(seed)
    found = np.empty((1 + len(metrics), hybrids))
    for number in range(hybrids):
        chosen = np.zeros(0, np.int64)
        while not chosen.size or not scored[chosen, np.arange(len(segments))].any():
            pair = random.choice(len(names), 2, replace=False)
            chosen = pair[random.integers(0, 2, len(segments))]
        found[:, number] = np.nanmean(table[:, chosen, np.arange(len(segments))], axis=1)
    return found[0], dict(zip(metrics, found[1:], strict=True))
