"""MERT: minimum error rate training by exact line search (Och, 2003; Lopez 2008, §2.3.2, corrected)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn.forest_lines import ForestSurface
from pentaglot.learn.line_steps import best_step
from pentaglot.learn.mira import drawn_back
from pentaglot.learn.problem import Problem
from pentaglot.learn.surfaces import ListSurface, Surface
from pentaglot.options import setting
from pentaglot.parallel import in_order

__all__ = ["Mert"]

Numbers = NDArray[np.float64]

_MOST_FEATURES = 500


@dataclass(frozen=True)
class Mert:
    """Climbs from the present weights and from random points, along one line after the other.

    Lines go along every feature and in some random directions. The score is the metric's own, of the whole corpus.
    Random points first climb on a sample of the candidates; the best of them, and the present weights, then climb on
    all. What is found is made as long as the initial weights. Only for models with few features: time and overfitting
    grow with their number.
    """

    restarts: int = setting(8, "MERT: number of additional random starting points.", minimum=0)
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
        decides = np.zeros(len(problem.weights), np.bool_)
        decides[varying] = True
        found = self.climbed(surface, np.where(decides, problem.weights, 0.0), random)
        # The length means nothing to the lists, but weights that are not tuned must keep their place among the others.
        found = drawn_back(found, problem.start, problem.lists.native.spread(), 0.0)
        return np.where(decides, found, problem.weights)

    def _surface(self, problem: Problem) -> Surface:
        if self.space == "lists":
            return ListSurface(problem)
        if problem.forests is None:
            raise OptionError("the decoder gives only lists, no forests", hint="leave out 'space'")
        return ForestSurface(problem, problem.forests(self.edges, 1.0), self.threads)

    def climbed(self, surface: Surface, point: Numbers, random: np.random.Generator) -> Numbers:
        """The best weights found from this point and from random ones."""
        everywhere = np.arange(surface.sentences, dtype=np.uint32)
        points = [np.zeros(len(point)) for _ in range(self.restarts)]
        for each in points:
            each[surface.varying] = random.uniform(-1.0, 1.0, len(point))[surface.varying]
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


def _normalised(weights: Numbers) -> Numbers:
    """The same direction, scaled so that absolute values sum to 1: the best candidates do not depend on the length."""
    size = float(np.abs(weights).sum())
    return weights / size if size > 0 else weights
