"""MERT: minimum error rate training by exact line search (Och, 2003; Lopez 2008, §2.3.2 as repaired in the spec)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.learn.tuner import Problem
from pentaglot.options import setting

__all__ = ["Mert", "line_search", "positions"]

# Narrower intervals would not survive the rounding of weights and scores (absolute weights sum to 1).
_NARROW = 1e-7
_MOST_FEATURES = 500


@dataclass(frozen=True)
class Mert:
    """Climbs from the present weights and from random points, each time along the best of many lines.

    Lines go along every feature and in some random directions. The score is the metric's own, of the whole corpus.
    Only for models with few features: time and overfitting grow with their number.
    """

    restarts: int = setting(10, "MERT: number of additional random starting points.", minimum=0)
    directions: int = setting(8, "MERT: number of random directions beside those along single features.", minimum=0)
    step: float = setting(0.1, "MERT: how far to go beyond the last boundary of a line.", minimum=1e-6)
    least_gain: float = 1e-4
    threads: int = field(default=1, repr=False)

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        search = core.LineSearch(problem.lists.native)
        varying = search.varying()
        if len(varying) == 0:
            return problem.weights
        if len(varying) > _MOST_FEATURES:
            raise PentaglotError(
                f"MERT cannot tune {len(varying)} features (at most {_MOST_FEATURES})", hint="use mira"
            )
        points = [problem.weights]
        points += [random.uniform(-1.0, 1.0, len(problem.weights)) for _ in range(self.restarts)]
        climbed = [
            self._climb(problem, search, point, stream)
            for point, stream in zip(points, random.spawn(len(points)), strict=True)
        ]
        best = max(range(len(climbed)), key=lambda number: climbed[number][0])  # the first among equals
        return climbed[best][1]

    def _climb(
        self, problem: Problem, search: core.LineSearch, point: NDArray[np.float64], random: np.random.Generator
    ) -> tuple[float, NDArray[np.float64]]:
        weights = _normalised(point)
        score = problem.score(weights)
        while True:
            directions = self._lines(search.varying(), len(weights), random)
            step, line, _ = line_search(problem, search, weights, directions, step=self.step, threads=self.threads)
            moved = _normalised(weights + step * directions[line])
            reached = problem.score(moved)
            if not reached > score + self.least_gain:
                return score, weights
            weights, score = moved, reached

    def _lines(self, varying: NDArray[np.uint32], features: int, random: np.random.Generator) -> NDArray[np.float64]:
        lines = np.zeros((len(varying) + self.directions, features))
        lines[np.arange(len(varying)), varying] = 1.0
        drawn = random.uniform(-1.0, 1.0, (self.directions, len(varying)))
        lines[len(varying) :, varying] = drawn / np.sqrt((drawn**2).sum(axis=1, keepdims=True))
        return lines


def line_search(
    problem: Problem,
    search: core.LineSearch,
    point: NDArray[np.float64],
    directions: NDArray[np.float64],
    *,
    step: float = 0.1,
    threads: int = 1,
) -> tuple[float, int, float]:
    """How far to go from a point, in which of the directions, and the score there (more is better).

    Exact: every interval in which no best candidate changes is scored. The result is the middle of the best one; among
    equals the nearest; in an unbounded one, `step` beyond its end.
    """
    sweeps = search.sweeps(point, np.ascontiguousarray(directions).reshape(-1), threads)
    width = problem.lists.statistics.shape[1]
    scores = problem.metric.scores(np.concatenate([totals.reshape(-1, width) for _, totals in sweeps]))
    if not problem.metric.higher_is_better:
        scores = -scores
    places, widths = (np.concatenate(each) for each in zip(*(positions(b, step) for b, _ in sweeps), strict=True))
    scores = np.where(widths >= _NARROW, scores, -np.inf)
    lines = np.repeat(np.arange(len(sweeps)), [len(boundaries) + 1 for boundaries, _ in sweeps])
    best = int(np.lexsort((np.arange(len(scores)), np.abs(places), -scores))[0])
    return float(places[best]), int(lines[best]), float(scores[best])


def positions(boundaries: NDArray[np.float64], step: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A point in each interval between rising boundaries, and the width of the interval.

    >>> positions(np.array([-1.0, 1.0]), step=0.5)[0].tolist()
    [-1.5, 0.0, 1.5]
    """
    if len(boundaries) == 0:
        return np.zeros(1), np.full(1, np.inf)
    middles = (boundaries[1:] + boundaries[:-1]) / 2
    places = np.concatenate([boundaries[:1] - step, middles, boundaries[-1:] + step])
    return places, np.concatenate([[np.inf], np.diff(boundaries), [np.inf]])


def _normalised(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same direction, scaled so that absolute values sum to 1: the best candidates do not depend on the length."""
    size = float(np.abs(weights).sum())
    return weights / size if size > 0 else weights
