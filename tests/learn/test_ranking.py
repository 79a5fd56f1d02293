"""Pairs of candidates: the loss by definition, Newton's step by linear algebra, and the minimum of other solvers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import KBestLists
from pentaglot.learn.objectives import PairLoss
from pentaglot.learn.penalties import Absolute, Penalties, Squared
from pentaglot.learn.penalty import NoPenalty
from pentaglot.learn.solvers import lbfgs, newton

Numbers = NDArray[np.float64]


def pairs_of(features: int, seed: int = 1, rows: int = 60, number: int = 80) -> tuple[PairLoss, Numbers]:
    """A loss of pairs that count twice, and the differences of their features."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, features)).astype(np.float32)
    matrix[random.random(matrix.shape) < 0.7] = 0.0
    matrix[:, -1] = 2.0  # differs in no pair
    places = [np.flatnonzero(row) for row in matrix]
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in places])]).astype(np.uint64)
    ends = np.array([0, rows], np.uint64)
    values = np.concatenate([row[place] for row, place in zip(matrix, places, strict=True)])
    lists = KBestLists(
        tuple(f"feature{name}" for name in range(features)), ends, np.empty(0, np.uint8),
        np.zeros(rows + 1, np.uint64), offsets, np.concatenate(places).astype(np.uint32), values, np.ones((rows, 1)),
    )  # fmt: skip
    better, worse = (random.integers(0, rows, number).astype(np.uint64) for _ in range(2))
    wide = matrix.astype(np.float64)
    return PairLoss(lists, better, worse, 2.0), wide[better.astype(int)] - wide[worse.astype(int)]


def test_value_and_gradient() -> None:
    loss, differences = pairs_of(9)
    weights = np.random.default_rng(2).normal(size=9)
    value, gradient = loss.value_and_gradient(weights)
    margins = differences @ weights
    assert value == pytest.approx(2 * np.log1p(np.exp(-margins)).sum())
    assert gradient == pytest.approx(-2 * differences.T @ (1 / (1 + np.exp(margins))))
    far, _ = loss.value_and_gradient(1e4 * weights)
    assert far == pytest.approx(2 * np.maximum(0, -1e4 * margins).sum(), rel=1e-3), "nothing overflows"


@pytest.mark.parametrize("features", [9, 400])
def test_newtons_step(features: int) -> None:
    """Of few features by all second derivatives, of many by conjugate gradients."""
    loss, differences = pairs_of(features)
    random = np.random.default_rng(3)
    weights, gradient = random.normal(size=features), random.normal(size=features)
    wrong = 1 / (1 + np.exp(differences @ weights))
    second = 2 * differences.T @ ((wrong * (1 - wrong))[:, None] * differences) + 0.5 * np.eye(features)
    found = loss.newton_step(weights, gradient, 0.5, 1e-9)
    assert found == pytest.approx(np.linalg.solve(second, gradient), rel=1e-6, abs=1e-7)
    rough = loss.newton_step(weights, gradient, 0.5, 0.5)
    assert (np.abs(rough - found).max() > 1e-6) == (features > 200), "as near as was asked for"


@pytest.mark.parametrize("features", [9, 400])
def test_the_minimum(features: int) -> None:
    loss, _ = pairs_of(features)
    anchor = np.linspace(-1, 1, features)
    penalty = Penalties([Squared(0.3), Squared(0.2, anchor)])

    def both(at: Numbers) -> tuple[float, Numbers]:
        value, gradient = loss.value_and_gradient(at)
        return value + penalty.value(at), gradient + penalty.gradient(at)

    for start in (np.zeros(features), np.full(features, 30.0)):
        found = newton(loss, penalty, start)
        wanted = minimize(both, start, jac=True, method="BFGS", options={"gtol": 1e-9}).x
        assert found == pytest.approx(wanted, abs=1e-4)
        assert both(found)[0] <= both(lbfgs(loss, penalty, start))[0] + 1e-6
    assert newton(loss, penalty, anchor, steps=1).tolist() != newton(loss, penalty, anchor, steps=2).tolist()


def test_what_does_not_fit() -> None:
    loss, _ = pairs_of(9)
    for penalty in (NoPenalty(), Absolute(0.1), Penalties([Squared(0.1), Absolute(0.1)])):
        with pytest.raises(OptionError, match="pairs and a squared penalty"):
            newton(loss, penalty, np.zeros(9))
    with pytest.raises(PentaglotError, match="no such candidate"):
        PairLoss(loss.lists, np.array([99], np.uint64), np.array([0], np.uint64)).value_and_gradient(np.zeros(9))
    with pytest.raises(PentaglotError, match="better and a worse"):
        PairLoss(loss.lists, np.array([1], np.uint64), np.empty(0, np.uint64)).value_and_gradient(np.zeros(9))
    with pytest.raises(PentaglotError, match="as many weights"):
        loss.value_and_gradient(np.zeros(8))
    with pytest.raises(PentaglotError, match="not positive"):
        loss.newton_step(np.zeros(9), np.zeros(9), 0.0, 0.1)
    nothing = PairLoss(loss.lists, np.empty(0, np.uint64), np.empty(0, np.uint64))
    assert nothing.value_and_gradient(np.ones(9))[0] == 0.0
    assert newton(nothing, Squared(0.5), np.ones(9)) == pytest.approx(np.zeros(9))
