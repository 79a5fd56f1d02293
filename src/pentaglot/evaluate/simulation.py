"""How many runs a comparison needs: the range of p over other runs of the same systems.

Runs are drawn repeatedly from a pool of runs of each system, and each draw is tested (Clark 2015, section 3.3, table
3.2). If the range of p is wide, so few runs prove nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pentaglot.errors import OptionError
from pentaglot.evaluate.battery import Battery
from pentaglot.evaluate.randomisation import Runs, Ties, chances
from pentaglot.metrics.metric import Statistics
from pentaglot.options import check_number
from pentaglot.progress import SILENT, Progress
from pentaglot.wording import number_of

__all__ = ["PRange", "check_counts", "simulate"]

SHUFFLES = 1000


@dataclass(frozen=True)
class PRange:
    """The p of draws of `runs` runs: the middle 95 % of them, and their median."""

    system: str
    baseline: str
    runs: int
    draws: int
    low: float
    median: float
    high: float
    shuffles: int = SHUFFLES  # of each draw


def check_counts(counts: Sequence[int], runs: int) -> None:
    """Raise an error if more runs are to be drawn than there are."""
    for count in counts:
        if not 1 <= count <= runs:
            hint = "draw at least one" if count < 1 else "give more runs of each system"
            raise OptionError(f"{number_of(count, 'run')} cannot be drawn from a pool of {runs}", hint=hint)


def simulate(
    battery: Battery,
    system: Iterable[Statistics],
    baseline: Iterable[Statistics],
    counts: Iterable[int],
    *,
    names: tuple[str, str] = ("system", "baseline"),
    draws: int = 250,
    shuffles: int = SHUFFLES,
    seed: int = 12345,
    ties: Ties = "inclusive",
    runs: Runs = "pooled",
    threads: int = 1,
    progress: Progress = SILENT,
) -> list[list[PRange]]:
    """The range of p for each number of runs, for each metric of the battery.

    >>> from pentaglot.metrics import Ter
    >>> random, ter = np.random.default_rng(1), Ter()
    >>> def output(errors):
    ...     return np.stack([random.binomial(10, errors, 200), np.full(200, 10)], axis=1).astype(float)
    >>> ours, theirs = [output(0.30) for _ in range(8)], [output(0.33) for _ in range(8)]
    >>> [[one, five]] = simulate(Battery((ter,), (2,)), ours, theirs, [1, 5], draws=40, shuffles=200)
    >>> one.high > five.high
    True
    """
    system, baseline, counts = list(system), list(baseline), list(counts)
    check_number("draws", draws, 1, 10**6)
    check_counts(counts, min(len(system), len(baseline)))
    random = np.random.default_rng(seed)
    found: list[list[PRange]] = [[] for _ in battery.metrics]
    with progress.task("simulating", total=len(counts) * draws, unit="draws") as task:
        for count in counts:
            drawn = []
            for draw in range(draws):
                sides = [[side[each] for each in random.permutation(len(side))[:count]] for side in (system, baseline)]
                own = (seed + draw) % 2**63
                drawn.append(
                    chances(battery, *sides, shuffles=shuffles, seed=own, ties=ties, runs=runs, threads=threads)
                )
                task.advance()
            quantiles = np.quantile(np.array(drawn), (0.025, 0.5, 0.975), axis=0).T.tolist()
            for which, (low, median, high) in enumerate(quantiles):
                found[which].append(PRange(*names, count, draws, low, median, high, shuffles))
    return found
