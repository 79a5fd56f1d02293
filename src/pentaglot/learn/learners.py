"""Tuners that minimise a loss on k-best lists: any loss, any solver, any penalty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.learn.cross_validation import check_folds, cross_validated
from pentaglot.learn.forest_loss import ForestLoss
from pentaglot.learn.losses import Loss, find_loss
from pentaglot.learn.objectives import ListLoss, Objective
from pentaglot.learn.penalties import Squared
from pentaglot.learn.problem import Problem
from pentaglot.learn.solving import further_penalties, penalty_sum, solved
from pentaglot.options import setting

__all__ = ["LossLearner"]

Numbers = NDArray[np.float64]
Anchor = Literal["start", "zero", "last"]


@dataclass(frozen=True)
class LossLearner:
    """Minimises the named loss on the lists, starting from the weights of the round before.

    Costs are those of the metric, times `scale` (default: what the thesis found best for the loss). On whole forests,
    costs are an approximation of BLEU that adds up over edges, whatever the metric. The squared penalty
    strength / 2 * |weights - anchor|^2 counts once for all sentences; so does any other `penalty`.
    """

    loss: str = "ramp3"
    solver: Literal["auto", "cccp", "sgd", "adagrad", "lbfgs", "proximal"] = setting(
        "auto", "Losses: solver; auto: cccp, or sgd for soft losses."
    )
    scale: float | None = setting(None, "Losses: factor for costs; each loss has its own default.", minimum=0.0)
    strength: float = setting(1.0, "Losses: how strongly weights are drawn to the anchor (C).", minimum=0.0)
    anchor: Anchor = setting("start", "Losses: what weights are drawn to: the initial ones, zero, or the last round's.")
    rate: float = setting(1e-4, "Losses: step size.", minimum=0.0)
    steps: int = setting(10, "Losses: steps of the solver; with cccp, how often hopes are recomputed.", minimum=1)
    epochs: int = setting(5, "Losses: visits to each sentence per step.", minimum=1)
    scale_by_step: bool = setting(False, "Losses: let AdaGrad multiply penalty strengths by its step size.")
    reached: bool = setting(False, "Losses: learn only from sentences whose reference is among the candidates.")
    space: Literal["lists", "forests"] = setting(
        "lists", "Losses: learn from the lists of all rounds, or from the whole forests of the last one."
    )
    edges: int = setting(2000, "Losses: edges to keep of each forest.", minimum=1)
    folds: int = setting(
        0,
        "Losses: choose scale and strength by cross-validation over this many parts of the sentences; 0: do not.",
        minimum=0,
        check=check_folds,
    )
    penalties: tuple[str, ...] = ()  # see `read_penalty`
    threads: int = field(default=1, repr=False)

    @property
    def gradual(self) -> bool:
        """Whether a round may end before the minimum: the thesis takes a few small steps in each."""
        return self.solver not in ("lbfgs", "proximal")

    def optimise(self, problem: Problem, random: np.random.Generator) -> Numbers:
        del random  # there is one answer
        if self.folds:
            return cross_validated(self, problem).optimised(problem)
        return self.optimised(problem)

    def optimised(self, problem: Problem) -> Numbers:
        """New weights with this scale and this strength."""
        loss = _reached(find_loss(self.loss), self.reached)
        objective = self._objective(problem, loss)
        further = further_penalties(self.penalties, problem)
        penalty = penalty_sum(Squared(self.strength / 2, _anchor(self.anchor, problem)), *further)
        solver = ("sgd" if loss.soft else "cccp") if self.solver == "auto" else self.solver
        return solved(
            solver, objective, penalty, problem.weights, self.rate, self.steps, self.epochs, self.scale_by_step
        )

    def _objective(self, problem: Problem, loss: Loss) -> Objective:
        scale = loss.scale if self.scale is None else self.scale
        if self.space == "lists":
            costs = np.ascontiguousarray(scale * problem.metric.costs(problem.lists.statistics))
            return ListLoss(problem.lists, loss, costs, self.threads)
        if problem.forests is None:
            raise OptionError("the decoder gives only lists, no forests", hint="leave out 'space'")
        return ForestLoss(problem.forests(self.edges, scale), loss, self.threads)


def _reached(loss: Loss, reached: bool) -> Loss:
    return Loss(loss.name, loss.up, loss.down, loss.scale, reached)


def _anchor(name: Anchor, problem: Problem) -> Numbers | None:
    return {"start": problem.start, "zero": None, "last": problem.weights}[name]
