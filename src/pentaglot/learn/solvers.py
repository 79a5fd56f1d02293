"""Solvers: find weights that minimise a sum over sentences plus a penalty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn.objectives import Objective, PairLoss
from pentaglot.learn.penalties import Penalties, Squared
from pentaglot.learn.penalty import NoPenalty, Penalty

__all__ = ["adagrad", "curvature", "lbfgs", "needs_smooth", "needs_squares", "newton", "proximal", "stochastic"]

Numbers = NDArray[np.float64]
_LARGEST = 1e12  # weight that the search takes
_CLOSE = 0.1  # how near Newton's steps come to their goal: the next one sees to the rest


def stochastic(
    objective: Objective,
    penalty: Penalty,
    weights: Numbers,
    *,
    rate: float,
    steps: int,
    epochs: int,
    freeze: bool,
) -> Numbers:
    """Visits the sentences in order, `steps` times `epochs` times, and moves against the gradient of each by `rate`
    (Gimpel 2012, algorithm 2). With `freeze`, hopes are computed once in each step and kept until the next (algorithm
    1, a concave-convex procedure). Nothing is random.

    Squared penalties on all weights are applied with every sentence, any others after every epoch.
    """
    order = np.arange(objective.sentences, dtype=np.uint32)
    squared, others = _parted(penalty)
    anchor = np.zeros(len(weights)) if squared.anchor is None else squared.anchor
    walk = objective.descent(weights, anchor, rate, 2.0 * squared.strength)
    for _ in range(steps):
        if freeze:
            walk.freeze()
        for _ in range(epochs):
            walk.epoch(order)
            if others.parts:
                reached = walk.weights()
                walk.move(np.ascontiguousarray(others.prox(reached - rate * others.gradient(reached), rate)))
    return _usable(walk.weights())


def _parted(penalty: Penalty) -> tuple[Squared, Penalties]:
    """The squared penalties on all weights as one, and the others. Two of them are one between their anchors."""
    parts = penalty.parts if isinstance(penalty, Penalties) else [penalty]
    squared = [each for each in parts if isinstance(each, Squared) and each.strength > 0]
    others = Penalties([each for each in parts if not isinstance(each, (Squared, NoPenalty))])
    if len(squared) < 2:
        return squared[0] if squared else Squared(0.0), others
    strength = sum(each.strength for each in squared)
    pulls = [each.strength / strength * each.anchor for each in squared if each.anchor is not None]
    return Squared(strength, sum(pulls[1:], pulls[0]) if pulls else None), others


def adagrad(
    objective: Objective,
    penalty: Penalty,
    weights: Numbers,
    *,
    rate: float = 0.01,
    steps: int = 100,
    scale_by_step: bool = False,
) -> Numbers:
    """AdaGrad: steps against the gradient of all sentences, for each weight by `rate` over the length of its gradients
    so far; after every step the proximal operator of the penalty (Duchi and others, 2011; Clark 2015, figure 5.5). The
    thesis uses strengths as they are in every step; `scale_by_step` multiplies them by the step size, as textbooks do.
    If the penalty ties weights together, all of them then have the same step size, as the proximal operator needs."""
    found, squares = weights.copy(), np.zeros(len(weights))
    for _ in range(steps):
        gradient = objective.value_and_gradient(found)[1] + penalty.gradient(found)
        squares += gradient**2
        sums = squares if penalty.separable or not scale_by_step else np.full(len(found), squares.mean())
        step = np.where(sums > 0, rate / np.sqrt(np.maximum(sums, 1e-300)), 0.0)
        found = found - step * gradient
        if not scale_by_step:
            found = np.ascontiguousarray(penalty.prox(found))
        elif len(found):
            found = np.ascontiguousarray(penalty.prox(found, step if penalty.separable else float(step[0])))
    return _usable(found)


def lbfgs(objective: Objective, penalty: Penalty, weights: Numbers, *, steps: int = 200, history: int = 100) -> Numbers:
    """L-BFGS on the sum and a smooth penalty."""
    # Here, not above: it takes half a second and 50 MB, which every command would pay for.
    from scipy.optimize import minimize

    needs_smooth(penalty)

    def both(at: Numbers) -> tuple[float, Numbers]:
        value, gradient = objective.value_and_gradient(np.ascontiguousarray(at))
        return value + penalty.value(at), gradient + penalty.gradient(at)

    found = minimize(both, weights, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": history})
    return _usable(np.asarray(found.x, np.float64))


def newton(
    objective: Objective, penalty: Penalty, weights: Numbers, *, steps: int = 200, tolerance: float = 1e-7
) -> Numbers:
    """Newton's method on pairs and a squared penalty, until a step gains no more than `tolerance` of the sum. It finds
    the same minimum as L-BFGS in a tenth of the steps."""
    bent = needs_squares(penalty)
    if not isinstance(objective, PairLoss):
        raise OptionError("Newton's method needs pairs and a squared penalty", hint="use the solver lbfgs")

    def both(at: Numbers) -> tuple[float, Numbers]:
        value, gradient = objective.value_and_gradient(np.ascontiguousarray(at))
        return value + penalty.value(at), gradient + penalty.gradient(at)

    found = weights.copy()
    value, gradient = both(found)
    for _ in range(steps):
        step = objective.newton_step(found, gradient, bent, _CLOSE)
        gain, length = _dot(step, gradient), 1.0
        moved = found - step
        other, slope = both(moved)
        while not other <= value - 1e-4 * length * gain and length > 1e-10:
            length /= 2
            moved = found - length * step
            other, slope = both(moved)
        if not other < value:
            break
        found, value, gradient = moved, other, slope
        if gain <= tolerance * max(1.0, abs(value)):
            break
    return _usable(found)


def needs_smooth(penalty: Penalty) -> None:
    """Raises an error if L-BFGS cannot take a penalty."""
    if not penalty.smooth:
        raise OptionError("L-BFGS needs a smooth penalty", hint="use the solver adagrad")


def needs_squares(penalty: Penalty) -> float:
    """The curvature of a penalty; raises an error if Newton's method cannot take it."""
    found = curvature(penalty)
    if found is None:
        hint = f"use the solver {'lbfgs' if penalty.smooth else 'adagrad'}"
        raise OptionError("Newton's method needs pairs and a squared penalty", hint=hint)
    return found


def curvature(penalty: Penalty) -> float | None:
    """The second derivative of a squared penalty along every weight; None for any other one.

    >>> curvature(Squared(0.5)), curvature(Penalties([Squared(0.5), Squared(1.0, np.ones(2))]))
    (1.0, 3.0)
    """
    if isinstance(penalty, Squared):
        return 2.0 * penalty.strength if penalty.strength > 0 else None
    if isinstance(penalty, Penalties):
        parts = [curvature(each) for each in penalty.parts]
        known = [each for each in parts if each is not None]
        return sum(known) if known and len(known) == len(parts) else None
    return None


def _dot(one: Numbers, other: Numbers) -> float:
    """The same number however many threads a library for linear algebra takes."""
    return float((one * other).sum())


def proximal(
    objective: Objective, penalty: Penalty, weights: Numbers, *, steps: int = 1000, tolerance: float = 1e-10
) -> Numbers:
    """Proximal gradient descent with momentum and backtracking (Beck and Teboulle, 2009): slow, but
    exact for any convex sum and penalty."""

    def both(at: Numbers) -> tuple[float, Numbers]:
        value, gradient = objective.value_and_gradient(np.ascontiguousarray(at))
        return value + penalty.smooth_value(at), gradient + penalty.gradient(at)

    found, ahead, momentum, step = weights.copy(), weights.copy(), 1.0, 1.0
    for _ in range(steps):
        value, gradient = both(ahead)
        step *= 2.0
        while True:
            moved = np.ascontiguousarray(penalty.prox(ahead - step * gradient, step))
            change = moved - ahead
            bound = value + _dot(gradient, change) + _dot(change, change) / (2 * step)
            if both(moved)[0] <= bound + 1e-12 * max(1.0, abs(bound)) or step < 1e-20:
                break
            step /= 2.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        # Drop momentum that leads uphill.
        turned = _dot(ahead - moved, moved - found) > 0
        ahead = moved if turned else moved + (momentum - 1) / following * (moved - found)
        momentum = 1.0 if turned else following
        if np.abs(moved - found).max(initial=0.0) <= tolerance and np.abs(change).max(initial=0.0) <= tolerance:
            return _usable(moved)
        found = moved
    return _usable(found)


def _usable(weights: Numbers) -> Numbers:
    if not bool((np.abs(weights) <= _LARGEST).all()):
        hint = "use a smaller rate, or weaker penalties"
        raise PentaglotError(
            "learning diverged: a weight is not a finite number, or too large to search with", hint=hint
        )
    return weights
