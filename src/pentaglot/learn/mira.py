"""Batch MIRA: a margin between hope and fear on k-best lists (Cherry and Foster, 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.learn.tuner import Problem
from pentaglot.metrics import Bleu

__all__ = ["Mira", "gains"]


@dataclass(frozen=True)
class Mira:
    """Visits the sentences in random order, several times, and moves the weights until the *hope* (high score, good
    translation) beats the *fear* (high score, bad translation) by as much as it is better.

    The weights after all visits are averaged; of all epochs the one whose average does best on the lists is taken.
    Any number of features.
    """

    strength: float = 0.01
    decay: float = 0.999
    epochs: int = 60

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        learner = core.Mira(problem.lists.native, gains(problem), problem.weights, self.strength, self.decay)
        best, best_score = problem.weights, -np.inf
        for _ in range(self.epochs):
            learner.epoch(random.permutation(problem.lists.sentence_count).astype(np.uint32))
            average = learner.average()
            score = problem.score(average)
            if score > best_score:
                best, best_score = average, score
        return best


def gains(problem: Problem) -> NDArray[np.float64]:
    """What each candidate is worth in words: the share of its sentence that it gets right, times the length of the
    reference. Empty for BLEU, which the core judges within a pseudo-corpus of recent hopes."""
    if isinstance(problem.metric, Bleu):
        return np.empty(0)
    right = 1.0 - problem.metric.costs(problem.lists.statistics)
    return np.ascontiguousarray(right * problem.lengths[problem.lists.owners])
