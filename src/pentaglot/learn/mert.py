"""MERT: minimum error rate training by exact line search (Och, 2003; Lopez 2008, §2.3.2, corrected)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn.forest_lines import ForestSurface, evenly
from pentaglot.learn.tuner import Problem
from pentaglot.options import setting
from pentaglot.parallel import in_order

__all__ = ["Lines", "ListSurface", "Mert", "Surface", "best_step", "positions"]

Numbers = NDArray[np.float64]

# Narrower intervals would not survive the rounding of weights and scores (absolute weights sum to 1).
_NARROW = 1e-7
_MOST_FEATURES = 500


class Lines(Protocol):
    """A point in weight space, and exact search along lines through it."""

    def totals(self) -> Numbers:
        """The total statistics at the point."""

    def sweep(self, direction: Numbers, /) -> tuple[Numbers, Numbers]:
        """Where along the direction statistics change, and the total statistics of each interval, one after the
        other."""

    def move(self, direction: Numbers, step: float, /) -> None:
        """Move the point by so much of a direction."""


class Surface(Protocol):
    """What is climbed: how good weights are for each of some sentences."""

    @property
    def sentences(self) -> int: ...

    def sampled(self, sample: int) -> tuple[Surface, NDArray[np.uint32]]:
        """A surface that is much like this one and takes less time, and its sentences."""

    @property
    def varying(self) -> NDArray[np.uint32]:
        """The features that can change a choice."""

    def at(self, point: Numbers, sentences: NDArray[np.uint32]) -> Lines:
        """A point; only some sentences count."""

    def scores(self, totals: Numbers) -> Numbers:
        """The scores of rows of total statistics, given one after the other; more is better."""


@dataclass(frozen=True, eq=False)
class ListSurface:
    """How good the best candidates of k-best lists are."""

    problem: Problem

    @property
    def sentences(self) -> int:
        return self.problem.lists.sentence_count

    def sampled(self, sample: int) -> tuple[Surface, NDArray[np.uint32]]:
        """At most `sample` candidates of each of at most five times as many sentences. With all candidates of fewer
        sentences, which takes as long, points climb to where only these sentences do well."""
        some = evenly(self.sentences, 5 * sample)
        chosen = np.zeros(self.sentences, np.bool_)
        chosen[some] = True
        lists = self.problem.lists.of_sentences(chosen).thinned(sample)
        return ListSurface(replace(self.problem, lists=lists)), some

    @cached_property
    def varying(self) -> NDArray[np.uint32]:
        return self.problem.lists.native.varying()

    def at(self, point: Numbers, sentences: NDArray[np.uint32]) -> Lines:
        return core.LineSearch(self.problem.lists.native, sentences, point)

    def scores(self, totals: Numbers) -> Numbers:
        return self.problem.scores(totals)


@dataclass(frozen=True)
class Mert:
    """Climbs from the present weights and from random points, along one line after the other.

    Lines go along every feature and in some random directions. The score is the metric's own, of the whole corpus.
    Random points first climb on a sample of the candidates; the best of them, and the present weights, then climb on
    all. Only for models with few features: time and overfitting grow with their number.
    """

    restarts: int = setting(10, "MERT: number of additional random starting points.", minimum=0)
    directions: int = setting(1, "MERT: number of random directions beside those along single features.", minimum=0)
    step: float = setting(0.1, "MERT: how far to go beyond the last boundary of a line.", minimum=1e-6)
    sample: int = setting(
        50,
        "MERT: random points first climb on this many candidates of each of five times as many sentences, or on as "
        "many forests; 0: on all.",
        minimum=0,
    )
    finalists: int = setting(2, "MERT: random points that climb on all candidates.", minimum=1)
    space: Literal["lists", "forests"] = setting(
        "lists", "MERT: learn from the lists of all rounds, or from the whole forests of the last one."
    )
    edges: int = setting(500, "MERT: edges to keep of each forest.", minimum=1)
    least_gain: float = 0.05  # of a pass over all directions, for another one
    threads: int = field(default=1, repr=False)

    def optimise(self, problem: Problem, random: np.random.Generator) -> Numbers:
        surface = self._surface(problem)
        varying = surface.varying
        if len(varying) == 0:
            return problem.weights
        if len(varying) > _MOST_FEATURES:
            raise PentaglotError(
                f"MERT cannot tune {len(varying)} features (at most {_MOST_FEATURES})", hint="use mira"
            )
        return self.climbed(surface, problem.weights, random)

    def _surface(self, problem: Problem) -> Surface:
        if self.space == "lists":
            return ListSurface(problem)
        if problem.forests is None:
            raise OptionError("the decoder gives only lists, no forests", hint="leave out 'space'")
        return ForestSurface(problem, problem.forests(self.edges, 1.0), self.threads)

    def climbed(self, surface: Surface, point: Numbers, random: np.random.Generator) -> Numbers:
        """The best weights found from this point and from random ones."""
        everywhere = np.arange(surface.sentences, dtype=np.uint32)
        points = [random.uniform(-1.0, 1.0, len(point)) for _ in range(self.restarts)]
        streams = random.spawn(self.restarts + 1 + self.finalists)
        if self.sample and self.finalists < self.restarts:
            found = self._all(*surface.sampled(self.sample), points, streams, -np.inf, 10 * self.least_gain)
            best = sorted(range(self.restarts), key=lambda number: -found[number][0])  # stable: the first among equals
            points = [found[number][1] for number in best[: self.finalists]]
            streams = streams[self.restarts :]
        first = self._climb(surface, everywhere, point, streams[0], -np.inf, self.least_gain)
        others = self._all(surface, everywhere, points, streams[1:], first[0], self.least_gain)
        return max([first, *others], key=lambda each: each[0])[1]  # the first among equals

    def _all(
        self,
        surface: Surface,
        sentences: NDArray[np.uint32],
        points: Sequence[Numbers],
        streams: Sequence[np.random.Generator],
        goal: float,
        least_gain: float,
    ) -> list[tuple[float, Numbers]]:
        def climb(number: int) -> tuple[float, Numbers]:
            return self._climb(surface, sentences, points[number], streams[number], goal, least_gain)

        return list(in_order(climb, range(len(points)), self.threads))

    def _climb(
        self,
        surface: Surface,
        sentences: NDArray[np.uint32],
        point: Numbers,
        random: np.random.Generator,
        goal: float,
        least_gain: float,
    ) -> tuple[float, Numbers]:
        """The best weights found from a point, and their score. All passes after one seldom gain half of what it
        did, so a climb that would not reach the goal by that is given up."""
        before, reached = point, -np.inf
        weights = _normalised(point)
        while True:
            lines = surface.at(weights, sentences)
            # Scored anew: what was added up on the way is rounded.
            top = float(surface.scores(lines.totals())[0])
            if not top > reached + least_gain:
                return (top, weights) if top > reached else (reached, before)
            before, reached, gain = weights, top, top - reached
            if top + gain / 2 < goal:
                return top, weights
            for direction in self._directions(surface.varying, len(weights), random):
                boundaries, totals = lines.sweep(direction)
                step, score = best_step(boundaries, surface.scores(totals), self.step)
                if score > top:
                    lines.move(direction, step)
                    weights, top = weights + step * direction, score
            weights = _normalised(weights)

    def _directions(self, varying: NDArray[np.uint32], features: int, random: np.random.Generator) -> Numbers:
        """Every feature alone, and some random directions, in random order."""
        lines = np.zeros((len(varying) + self.directions, features))
        lines[np.arange(len(varying)), varying] = 1.0
        drawn = random.uniform(-1.0, 1.0, (self.directions, len(varying)))
        lines[len(varying) :, varying] = drawn / np.sqrt((drawn**2).sum(axis=1, keepdims=True))
        return np.asarray(random.permutation(lines))


def best_step(boundaries: Numbers, scores: Numbers, beyond: float) -> tuple[float, float]:
    """How far to go along a line with these scores of its intervals, and the score there.

    It is the middle of the best interval; among equals the nearest; in an unbounded one, a point `beyond` its end.

    >>> best_step(np.array([-1.0, 1.0, 2.0]), np.array([1.0, 0.0, 1.0, 0.5]), 0.25)
    (-1.25, 1.0)
    """
    places, widths = positions(boundaries, beyond)
    scores = np.where(widths >= _NARROW, scores, -np.inf)
    best = np.flatnonzero(scores == scores.max())
    nearest = int(best[np.argmin(np.abs(places[best]))])
    return float(places[nearest]), float(scores[nearest])


def positions(boundaries: Numbers, step: float) -> tuple[Numbers, Numbers]:
    """A point in each interval between rising boundaries, and the width of the interval.

    >>> positions(np.array([-1.0, 1.0]), step=0.5)[0].tolist()
    [-1.5, 0.0, 1.5]
    """
    if len(boundaries) == 0:
        return np.zeros(1), np.full(1, np.inf)
    middles = (boundaries[1:] + boundaries[:-1]) / 2
    places = np.concatenate([boundaries[:1] - step, middles, boundaries[-1:] + step])
    return places, np.concatenate([[np.inf], np.diff(boundaries), [np.inf]])


def _normalised(weights: Numbers) -> Numbers:
    """The same direction, scaled so that absolute values sum to 1: the best candidates do not depend on the length."""
    size = float(np.abs(weights).sum())
    return weights / size if size > 0 else weights
