"""Stratified approximate randomisation: how often chance alone makes two systems as different as they are.

Each output of a segment is assigned to one of two pseudo-systems at random, ten thousand times. If the pseudo-systems
are hardly ever as different as the systems, the difference is not due to chance (Clark 2015, section 3.4; Riezler and
Maxwell 2005). Several runs of each system are assigned one by one, and are shuffled within a segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import evaluate as core
from pentaglot.errors import PentaglotError
from pentaglot.evaluate.battery import Battery
from pentaglot.metrics import Metric
from pentaglot.metrics.metric import Statistics
from pentaglot.options import check_choice, check_number

__all__ = ["Runs", "Ties", "Trials", "approximate_randomisation", "chance_of_mean", "chances", "randomised"]

Ties = Literal["inclusive", "strict"]
Runs = Literal["pooled", "averaged"]

_NUMBERS_AT_ONCE = 1 << 23
_NEAR = 1e-9  # tolerance: sums of the same rows in another order count as the same score
_KEPT = 100_000  # differences of shuffles, for a test of several texts together


@dataclass(frozen=True, eq=False)
class Trials:
    """How much a system differs from another by a metric, and how much pseudo-systems do, shuffle by shuffle."""

    observed: float
    shuffled: NDArray[np.float64]  # of the first shuffles, if there are very many


def approximate_randomisation(
    metric: Metric,
    system: Iterable[Statistics],
    baseline: Iterable[Statistics],
    *,
    shuffles: int = 10_000,
    seed: int = 12345,
    ties: Ties = "inclusive",
    runs: Runs = "pooled",
    threads: int = 1,
) -> float:
    """The two-sided p of a difference: how likely one at least as large is if the outputs of both can be exchanged.

    Both systems are given by the statistics of one or more runs. `ties` says whether a shuffle with exactly the
    same difference counts: if not, as in MultEval, the (zero) difference of identical systems is significant. `runs`
    says whether the statistics of all runs are added up, or their scores averaged.

    >>> from pentaglot.metrics import Ter
    >>> ter, references = Ter(), [["a b c d"] * 100]
    >>> good = ter.statistics(["a b c d"] * 90 + ["a b c e"] * 10, references)
    >>> bad = ter.statistics(["a b c d"] * 60 + ["a b c e"] * 40, references)
    >>> approximate_randomisation(ter, [good], [bad]) < 0.001
    True
    >>> approximate_randomisation(ter, [good], [good]), approximate_randomisation(ter, [good], [good], ties="strict")
    (1.0, 9.999000099990002e-05)
    """
    system, baseline = list(system), list(baseline)
    battery = Battery((metric,), (system[0].shape[1] if system else 0,))
    found = chances(battery, system, baseline, shuffles=shuffles, seed=seed, ties=ties, runs=runs, threads=threads)
    return float(found[0])


def chances(
    battery: Battery,
    system: Iterable[Statistics],
    baseline: Iterable[Statistics],
    *,
    shuffles: int,
    seed: int,
    ties: Ties,
    runs: Runs,
    threads: int = 1,
) -> NDArray[np.float64]:
    """The same for several metrics, which see the same shuffles."""
    options = {"shuffles": shuffles, "seed": seed}
    return randomised(battery, system, baseline, **options, ties=ties, runs=runs, threads=threads)[0]


def randomised(
    battery: Battery,
    system: Iterable[Statistics],
    baseline: Iterable[Statistics],
    *,
    shuffles: int,
    seed: int,
    ties: Ties,
    runs: Runs,
    threads: int = 1,
) -> tuple[NDArray[np.float64], Trials]:
    """The same, and the differences by the first metric that p comes from."""
    system, baseline = list(system), list(baseline)
    check_comparable(system, baseline, equally_often=True)
    check_number("shuffles", shuffles, 1, 2**40)
    check_number("seed", seed, 0, 2**63 - 1)
    check_number("threads", threads, 0, 2**31 - 1)
    check_choice("ties", ties, get_args(Ties))
    check_choice("runs", runs, get_args(Runs))
    both = [np.stack([np.asarray(each, np.float64) for each in side]) for side in (system, baseline)]
    sums = np.stack([side.sum(axis=1) for side in both])  # system, run, statistic
    if runs == "pooled":
        sums = sums.sum(axis=1, keepdims=True)
    observed = _differences(battery, sums[None])[0]
    count = np.zeros(len(battery.metrics), np.int64)
    kept: list[NDArray[np.float64]] = []
    for totals in _shuffled(both, shuffles, seed, runs == "pooled", threads):
        found = _differences(battery, totals)
        count += _as_large(found, observed, ties).sum(axis=0)
        kept.append(found[: max(0, _KEPT - sum(map(len, kept))), 0])
    return (count + 1) / (shuffles + 1), Trials(float(observed[0]), np.concatenate(kept))


def chance_of_mean(trials: Iterable[Trials], *, seed: int = 12345, ties: Ties = "inclusive") -> float:
    """The two-sided p of the mean difference over several texts, such as those of several language pairs: how likely
    one at least as large is if the outputs of both systems can be exchanged in each text.

    >>> random = np.random.default_rng(1)
    >>> texts = [Trials(1.2, random.normal(size=10_000)) for _ in range(9)]  # one by one, p is 0.23
    >>> chance_of_mean(texts) < 0.001
    True
    """
    trials = list(trials)
    if not trials or len({len(each.shuffled) for each in trials}) > 1:
        raise PentaglotError("texts that are tested together need the same number of shuffles")
    check_number("seed", seed, 0, 2**63 - 1)
    check_choice("ties", ties, get_args(Ties))
    # The same numbers may have shuffled all texts, so those of each are put into an order of its own.
    total = np.zeros(len(trials[0].shuffled))
    for text, each in enumerate(trials):
        total += np.random.default_rng([seed, text]).permutation(each.shuffled)
    mean, observed = total / len(trials), np.array(sum(each.observed for each in trials) / len(trials))
    return float((_as_large(mean, observed, ties).sum() + 1) / (len(mean) + 1))


def _as_large(differences: NDArray[np.float64], observed: NDArray[np.float64], ties: Ties) -> NDArray[np.bool_]:
    large: NDArray[np.bool_] = np.abs(differences) > np.abs(observed) + (-_NEAR if ties == "inclusive" else _NEAR)
    return large


def check_comparable(
    system: Sequence[Statistics], baseline: Sequence[Statistics], *, equally_often: bool = False
) -> None:
    """Raise an error if two systems cannot be compared segment by segment."""
    if not system or not baseline:
        raise PentaglotError("there is nothing to compare", hint="each system needs at least one output")
    sizes = {len(each) for each in (*system, *baseline)}
    if len(sizes) > 1:
        raise PentaglotError(f"outputs of {min(sizes)} and of {max(sizes)} segments cannot be compared")
    if 0 in sizes:
        raise PentaglotError("there is nothing to compare", hint="the outputs have no segments")
    if equally_often and len(system) != len(baseline):
        raise PentaglotError(
            f"a system with {len(system)} runs cannot be compared with one with {len(baseline)}",
            hint="give the same number of runs of each",
        )


def _differences(battery: Battery, totals: Statistics) -> NDArray[np.float64]:
    """The difference between the sides of each trial by each metric; `totals` is by trial, side, run and statistic."""
    scores = battery.scores(totals).mean(axis=2)
    differences: NDArray[np.float64] = scores[:, 0] - scores[:, 1]
    return differences


def _shuffled(
    both: list[NDArray[np.float64]], shuffles: int, seed: int, pooled: bool, threads: int
) -> Iterator[Statistics]:
    """The summed statistics of pseudo-systems, a batch of trials at a time."""
    runs, segments, width = both[0].shape
    slots = 1 if pooled else runs
    step = max(512, _NUMBERS_AT_ONCE // (2 * slots * width))
    for begin in range(0, shuffles, step):
        trials = min(step, shuffles - begin)
        found = core.shuffled_totals(
            both[0].ravel(), both[1].ravel(), runs, segments, width, begin, trials, seed, pooled, threads
        )
        yield found.reshape(trials, 2, slots, width)
