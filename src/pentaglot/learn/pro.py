"""PRO: learns to tell the better of two candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.learn.objectives import PairLoss
from pentaglot.learn.penalties import Squared
from pentaglot.learn.penalty import Penalty
from pentaglot.learn.problem import Problem
from pentaglot.learn.solvers import curvature
from pentaglot.learn.solving import further_penalties, penalty_sum, solved
from pentaglot.options import setting

__all__ = ["Pro"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Pro:
    """Pairwise ranking optimisation (Hopkins and May, 2011): draws pairs of candidates of each sentence and learns to
    tell the better one, by logistic regression.

    Either the pairs whose costs differ most are kept (`largest`), each in both orders; or any pairs that differ
    (`uniform`, Clark 2015), which does not favour translations that are far too long. The loss is a sum over pairs, and
    strengths are relative to that.
    """

    samples: int = setting(5000, "PRO: pairs to draw for each sentence.", minimum=1)
    kept: int = setting(50, "PRO: pairs of each sentence to learn from.", minimum=1)
    pairs: Literal["largest", "uniform"] = setting("largest", "PRO: which pairs: those that differ most, or any.")
    gap: float = setting(0.05, "PRO: least difference between the costs of a pair.", minimum=0.0)
    both: bool = setting(True, "PRO: count each pair in both orders.")
    squared: float = setting(0.5, "PRO: strength of squared weights.", minimum=0.0)
    to_last: float = setting(0.0, "PRO: strength of the squared distance from the last round's weights.", minimum=0.0)
    share: float = setting(
        1.0, "PRO: share of the new weights in the result; the last round's have the rest.", minimum=0.0, maximum=1.0
    )
    solver: Literal["auto", "newton", "lbfgs", "adagrad", "proximal"] = setting(
        "auto", "PRO: solver; auto: newton, lbfgs for further smooth penalties, adagrad for those with corners."
    )
    rate: float = setting(0.01, "PRO: step size of AdaGrad.", minimum=0.0)
    steps: int = setting(200, "PRO: steps of the solver.", minimum=1)
    scale_by_step: bool = setting(False, "PRO: let AdaGrad multiply penalty strengths by its step size.")
    penalties: tuple[str, ...] = ()  # see `read_penalty`

    @property
    def gradual(self) -> bool:
        """Whether weights are held near those of the round before."""
        return self.share < 1 or self.to_last > 0

    def optimise(self, problem: Problem, random: np.random.Generator) -> Numbers:
        costs = np.ascontiguousarray(problem.metric.costs(problem.lists.statistics))
        seed = int(random.integers(2**63))
        native = problem.lists.native
        drawn = core.draw_pairs(native, costs, self.samples, self.kept, self.gap, self.pairs == "largest", seed)
        objective = PairLoss(problem.lists, *drawn, 2.0 if self.both else 1.0)
        further = further_penalties(self.penalties, problem)
        penalty = penalty_sum(Squared(self.squared), Squared(self.to_last, problem.weights), *further)
        solver = _usual_solver(penalty) if self.solver == "auto" else self.solver
        found = solved(solver, objective, penalty, problem.weights, self.rate, self.steps, 1, self.scale_by_step)
        return self.share * found + (1 - self.share) * problem.weights


def _usual_solver(penalty: Penalty) -> str:
    if curvature(penalty) is not None:
        return "newton"
    return "lbfgs" if penalty.smooth else "adagrad"
