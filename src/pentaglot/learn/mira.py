"""Batch MIRA: a margin between hope and fear on k-best lists (Cherry and Foster, 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.learn.problem import Problem
from pentaglot.options import setting

__all__ = ["Mira", "drawn_back", "gains"]


@dataclass(frozen=True)
class Mira:
    """Visits the sentences in random order, several times, and moves the weights until the *hope* (high score, good
    translation) beats the *fear* (high score, bad translation) by as much as it is better.

    The weights after all visits are averaged, and drawn back towards the initial weights: `pull` is the share that
    these have in the result. Of all epochs, the one whose weights do best on the lists counts. Any number of
    features.
    """

    strength: float = setting(0.01, "MIRA: the largest step for one sentence (C).", minimum=0.0)
    decay: float = setting(
        0.999, "MIRA: share of the pseudo-corpus that is kept from one sentence to the next.", minimum=0.0, maximum=1.0
    )
    epochs: int = setting(60, "MIRA: visits to each sentence per round.", minimum=1)
    pull: float = setting(
        0.5,
        "MIRA: how far weights are drawn back to the initial ones; 0 if those are poor.",
        minimum=0.0,
        maximum=1.0,
    )

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        learner = core.Mira(problem.lists.native, gains(problem), problem.weights, self.strength, self.decay)
        spread = problem.lists.native.spread()
        best, best_score = problem.weights, -np.inf
        for _ in range(self.epochs):
            learner.epoch(random.permutation(problem.lists.sentence_count).astype(np.uint32))
            found = drawn_back(learner.average(), problem.start, spread, self.pull)
            score = problem.score(found)
            if score > best_score:
                best, best_score = found, score
        return best


def drawn_back(
    weights: NDArray[np.float64], start: NDArray[np.float64], spread: NDArray[np.float64], pull: float
) -> NDArray[np.float64]:
    """Interpolate weights with the initial ones. Only the direction of weights matters to the search, so they are first
    scaled to the length of the initial ones, measured in units of how much features vary between candidates of a
    sentence (features that no candidate has keep their initial weights).

    >>> drawn_back(np.array([4.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, 2.0]), 0.25)
    array([1.5 , 0.25])
    """
    # Not `np.linalg.norm`: of many features, its sums would depend on the number of threads it takes.
    begun, reached = (float(np.sqrt(((each * spread) ** 2).sum())) for each in (start, weights))
    if not begun or not reached:
        return weights
    return (1 - pull) * weights * (begun / reached) + pull * start


def gains(problem: Problem) -> NDArray[np.float64]:
    """The gain of each candidate in words, according to the metric. Empty if the core judges candidates within a
    pseudo-corpus of recent hopes."""
    found = problem.metric.gains(problem.lists.statistics, problem.lengths[problem.lists.owners])
    return np.empty(0) if found is None else np.ascontiguousarray(found)
