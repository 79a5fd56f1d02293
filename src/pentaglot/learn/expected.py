"""Expected score: the metric of the expected statistics, maximised by its gradient (Rosti and others, 2010)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.problem import Problem
from pentaglot.metrics import Metric

__all__ = ["ExpectedScore"]

_STEP = 1e-3  # of a statistic, for the slope of the metric: wide enough to smooth the corner of a brevity penalty
_SCALES = np.geomspace(0.3, 30.0, 25)  # how sharply the first weights may choose between candidates


@dataclass(frozen=True)
class ExpectedScore:
    """Treats the candidates of a sentence as a distribution, the softmax of their scores, and maximises the logarithm
    of the metric of their *expected* statistics, for any metric.

    This is smooth, so noise in single sentences matters less than in MERT. Weights are drawn towards the initial ones
    by `strength` times the squared distance, with every feature scaled by how much it varies between candidates: a
    feature that is rare or hardly varies keeps its weight unless changing it helps a lot.
    """

    strength: float = 0.001
    steps: int = 60
    threads: int = field(default=1, repr=False)

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        # Here, not above: it takes half a second and 50 MB, which every command would pay for.
        from scipy.optimize import minimize

        del random  # there is one answer
        spread = problem.lists.native.spread()
        free = spread > 1e-9
        if not free.any():
            return problem.weights
        unit = np.where(free, spread, 1.0)
        anchor = problem.start * self._scale(problem)
        begin = anchor if np.array_equal(problem.weights, problem.start) else problem.weights

        def loss(scaled: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, gradient = self._value(problem, scaled / unit)
            away = scaled - anchor * unit
            return self.strength * float(away @ away) - value, (2 * self.strength * away - gradient / unit) * free

        found = minimize(loss, begin * unit, jac=True, method="L-BFGS-B", options={"maxiter": self.steps})
        return np.asarray(found.x / unit, np.float64)

    def _scale(self, problem: Problem) -> float:
        """How much to stretch the initial weights for a meaningful softmax. Computed on the candidates of all rounds,
        it hardly changes after the first."""
        if not problem.start.any():
            return 1.0
        values = [self._value(problem, problem.start * scale)[0] for scale in _SCALES]
        return float(_SCALES[int(np.argmax(values))])

    def _value(self, problem: Problem, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """The logarithm of the expected score (negative for error metrics) and its gradient."""
        native = problem.lists.native
        expected = native.expected_statistics(weights, self.threads)
        value, slopes = _logarithm(problem.metric, expected)
        return value, native.expected_gradient(weights, slopes, self.threads)


def _logarithm(metric: Metric, statistics: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """The same for a metric's score, with the slope along each statistic by differences, which works for any metric."""
    steps = np.diag(_STEP * np.maximum(np.abs(statistics), 1.0))
    scores = metric.scores(np.concatenate([statistics[None], statistics + steps, statistics - steps]))
    logs = np.log(np.maximum(scores, 1e-9)) * (1.0 if metric.higher_is_better else -1.0)
    count = len(statistics)
    return float(logs[0]), np.ascontiguousarray((logs[1 : count + 1] - logs[count + 1 :]) / (2 * steps.diagonal()))
