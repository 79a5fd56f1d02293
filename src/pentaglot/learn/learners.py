"""Tuners that minimise a loss on k-best lists: any loss, any solver, any penalty."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import OptionError
from pentaglot.learn.losses import Loss, find_loss
from pentaglot.learn.objectives import ForestLoss, ListLoss, Objective, PairLoss
from pentaglot.learn.penalties import NoPenalty, Penalties, Penalty, Squared
from pentaglot.learn.penalty_text import chosen_penalties
from pentaglot.learn.solvers import adagrad, lbfgs, proximal, stochastic
from pentaglot.learn.tuner import Problem
from pentaglot.options import setting

__all__ = ["LossLearner", "Pro", "cross_validated", "solved"]

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
    )
    penalties: tuple[str, ...] = ()  # see `read_penalty`
    threads: int = field(default=1, repr=False)

    def optimise(self, problem: Problem, random: np.random.Generator) -> Numbers:
        del random  # there is one answer
        if self.folds and self.space == "lists":
            return cross_validated(self, problem).optimised(problem)
        return self.optimised(problem)

    def optimised(self, problem: Problem) -> Numbers:
        """New weights with this scale and this strength."""
        loss = _reached(find_loss(self.loss), self.reached)
        objective = self._objective(problem, loss)
        further = _further(self.penalties, problem)
        penalty = _sum(Squared(self.strength / 2, _anchor(self.anchor, problem)), *further)
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
    solver: Literal["auto", "lbfgs", "adagrad", "proximal"] = setting(
        "auto", "PRO: solver; auto: lbfgs, or adagrad for penalties with corners."
    )
    rate: float = setting(0.01, "PRO: step size of AdaGrad.", minimum=0.0)
    steps: int = setting(200, "PRO: steps of the solver.", minimum=1)
    scale_by_step: bool = setting(False, "PRO: let AdaGrad multiply penalty strengths by its step size.")
    penalties: tuple[str, ...] = ()  # see `read_penalty`

    def optimise(self, problem: Problem, random: np.random.Generator) -> Numbers:
        costs = np.ascontiguousarray(problem.metric.costs(problem.lists.statistics))
        seed = int(random.integers(2**63))
        native = problem.lists.native
        drawn = core.draw_pairs(native, costs, self.samples, self.kept, self.gap, self.pairs == "largest", seed)
        objective = PairLoss.of(problem.lists, *drawn, 2.0 if self.both else 1.0)
        further = _further(self.penalties, problem)
        penalty = _sum(Squared(self.squared), Squared(self.to_last, problem.weights), *further)
        solver = ("lbfgs" if penalty.smooth else "adagrad") if self.solver == "auto" else self.solver
        found = solved(solver, objective, penalty, problem.weights, self.rate, self.steps, 1, self.scale_by_step)
        return self.share * found + (1 - self.share) * problem.weights


_SCALES, _STRENGTHS = (0.3, 1.0, 3.0), (0.1, 1.0, 10.0)  # times what they would be


def cross_validated(learner: LossLearner, problem: Problem) -> LossLearner:
    """The learner with the scale of costs (alpha) and the strength of the penalty (C) that do best on sentences that
    were not learnt from: every sentence is in one of its `folds`, and is translated from its list with the weights
    learnt on the others. The score is the metric's, of all sentences together; among equals, the setting nearest to the
    learner's own."""
    if learner.folds < 2 or learner.folds > problem.lists.sentence_count:
        hint = "use 5, and at least as many sentences"
        raise OptionError(f"sentences cannot be cut into {learner.folds} parts to choose settings on", hint=hint)
    usual = find_loss(learner.loss).scale if learner.scale is None else learner.scale
    grid = sorted(itertools.product(_SCALES, _STRENGTHS), key=lambda each: abs(np.log(each[0])) + abs(np.log(each[1])))
    parts = np.arange(problem.lists.sentence_count) % learner.folds

    def judged(scale: float, strength: float) -> float:
        chosen = replace(learner, scale=scale * usual, strength=strength * learner.strength, folds=0)
        best = []
        for part in range(learner.folds):
            others = replace(problem, lists=problem.lists.of_sentences(parts != part))
            left = problem.lists.of_sentences(parts == part)
            best.append(left.statistics[left.best(chosen.optimised(others))])
        score = problem.metric.score(np.concatenate(best))
        return score if problem.metric.higher_is_better else -score

    scale, strength = max(grid, key=lambda each: judged(*each))
    return replace(learner, scale=scale * usual, strength=strength * learner.strength, folds=0)


def solved(
    solver: str,
    objective: Objective,
    penalty: Penalty,
    weights: Numbers,
    rate: float,
    steps: int,
    epochs: int = 1,
    scale_by_step: bool = False,
) -> Numbers:
    """The weights that the named solver finds."""
    if solver in ("cccp", "sgd"):
        freeze = solver == "cccp"
        return stochastic(objective, penalty, weights, rate=rate, steps=steps, epochs=epochs, freeze=freeze)
    if solver == "adagrad":
        return adagrad(objective, penalty, weights, rate=rate, steps=steps, scale_by_step=scale_by_step)
    if solver == "lbfgs":
        return lbfgs(objective, penalty, weights, steps=steps)
    if solver == "proximal":
        return proximal(objective, penalty, weights, steps=steps)
    raise OptionError(f"unknown solver '{solver}'")


def _reached(loss: Loss, reached: bool) -> Loss:
    return Loss(loss.name, loss.up, loss.down, loss.scale, reached)


def _anchor(name: Anchor, problem: Problem) -> Numbers | None:
    return {"start": problem.start, "zero": None, "last": problem.weights}[name]


def _further(penalties: tuple[str, ...], problem: Problem) -> list[Penalty]:
    # The structure of a million features takes a while.
    return chosen_penalties(penalties, problem.structure, problem.features) if penalties else []


def _sum(*parts: Penalty) -> Penalty:
    """The sum of those that are there, or the only one itself."""
    real = [each for each in parts if not isinstance(each, NoPenalty) and getattr(each, "strength", 1.0) != 0.0]
    if not real:
        return NoPenalty()
    return real[0] if len(real) == 1 else Penalties(real)
