"""Solvers by name, and sums of penalties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureStructure
from pentaglot.learn.objectives import Objective
from pentaglot.learn.penalties import Penalties, Squared
from pentaglot.learn.penalty import NoPenalty, Penalty
from pentaglot.learn.penalty_text import chosen_penalties
from pentaglot.learn.problem import Problem
from pentaglot.learn.solvers import adagrad, lbfgs, needs_smooth, needs_squares, newton, proximal, stochastic

__all__ = ["check_penalties", "further_penalties", "penalty_sum", "solved"]

Numbers = NDArray[np.float64]


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
    if solver == "newton":
        return newton(objective, penalty, weights, steps=steps)
    if solver == "lbfgs":
        return lbfgs(objective, penalty, weights, steps=steps)
    if solver == "proximal":
        return proximal(objective, penalty, weights, steps=steps)
    raise OptionError(f"unknown solver '{solver}'")


def further_penalties(penalties: tuple[str, ...], problem: Problem) -> list[Penalty]:
    # The structure of a million features takes a while.
    return chosen_penalties(penalties, problem.structure, problem.features, problem.start) if penalties else []


def check_penalties(penalties: tuple[str, ...], structure: FeatureStructure, solver: str) -> None:
    """Raises the error that these penalties would raise after the first round: for an unknown group, for two that
    cannot be used together, or for one that the solver cannot take."""
    if not penalties:
        return
    whole = penalty_sum(Squared(1.0), *chosen_penalties(penalties, structure, len(structure.names)))
    if solver == "newton":
        needs_squares(whole)
    if solver == "lbfgs":
        needs_smooth(whole)


def penalty_sum(*parts: Penalty) -> Penalty:
    """The sum of those that are there, or the only one itself."""
    real = [each for each in parts if not isinstance(each, NoPenalty) and getattr(each, "strength", 1.0) != 0.0]
    if not real:
        return NoPenalty()
    return real[0] if len(real) == 1 else Penalties(real)
