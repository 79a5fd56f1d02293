"""Solvers: algorithm 1 by hand, agreement with each other, and what each refuses."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from tests.learn.problems import Errors, lists_of
from tests.learn.test_losses import random_lists

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import Candidate
from pentaglot.learn.losses import find_loss
from pentaglot.learn.objectives import Descent, ListLoss
from pentaglot.learn.penalties import Absolute, ElasticNet, Largest, Oscar, Partly, Penalties, Squared
from pentaglot.learn.penalty import NoPenalty, Penalty
from pentaglot.learn.solvers import adagrad, lbfgs, proximal, stochastic

Numbers = NDArray[np.float64]


def test_algorithm_1_by_hand() -> None:
    """Gimpel 2012, spec 7.8: the hope is b, the fear c in both steps; then the weights are drawn back to (1, 0)."""
    rows = [("a 0", (2.0, 1.0)), ("b 0", (1.0, 3.0)), ("c 0", (0.0, 2.0))]
    lists = lists_of([[Candidate(text, {"x": x, "y": y}) for text, (x, y) in rows]], Errors(), ["x"])
    start = np.array([1.0, 0.0])
    objective = ListLoss(lists, find_loss("ramp3"), 10 * np.array([0.6, 0.1, 0.9]))
    penalty = Squared(0.5, start)
    for epochs, wanted in ((1, (1.1, 0.1)), (2, (1.19, 0.19))):
        found = stochastic(objective, penalty, start, rate=0.1, steps=1, epochs=epochs, freeze=True)
        assert found == pytest.approx(np.array(wanted))


def test_hopes_stay_frozen_within_a_step() -> None:
    """Here the hope changes after some visits: two steps of one epoch are not one step of two."""
    lists, _, costs = random_lists(3, 6, 9)
    objective, start = ListLoss(lists, find_loss("ramp2"), 3 * costs), np.array([0.5, 0.1, -0.2])
    settings = {"rate": 0.3, "freeze": True}
    frozen = stochastic(objective, NoPenalty(), start, steps=1, epochs=6, **settings)  # type: ignore[arg-type]
    renewed = stochastic(objective, NoPenalty(), start, steps=6, epochs=1, **settings)  # type: ignore[arg-type]
    assert not np.allclose(frozen, renewed)


def test_squares_pull_with_every_sentence_whatever_else_there_is() -> None:
    """Gimpel 2012, algorithm 1: by 1/N a step. All at once, after an epoch, this pull would throw the weights away."""
    lists, _, costs = random_lists(5, 8, 6)
    start, anchor = np.array([0.5, 0.1, -0.2]), np.array([0.1, 0.2, 0.3])
    objective, alone = ListLoss(lists, find_loss("ramp3"), costs), Squared(30.0, anchor)

    def found(penalty: Penalty, freeze: bool) -> Numbers:
        return stochastic(objective, penalty, start, rate=0.1, steps=3, epochs=2, freeze=freeze)

    for freeze in (True, False):
        wanted = found(alone, freeze)
        assert found(Penalties([alone, Absolute(1e-12)]), freeze) == pytest.approx(wanted)
        assert found(Penalties([alone, Squared(0.0), NoPenalty()]), freeze).tolist() == wanted.tolist()
        # Half as strong to this anchor, and half to another one: between both.
        two = Penalties([Squared(15.0, 2 * anchor), Squared(15.0)])
        assert found(two, freeze) == pytest.approx(wanted)


def test_a_twin_in_plain_python() -> None:
    """Many visits, with the pull by one factor for all weights."""
    lists, vectors, costs = random_lists(5, 8, 6)
    start, anchor = np.array([0.5, 0.1, -0.2]), np.array([0.1, 0.2, 0.3])
    found = stochastic(
        ListLoss(lists, find_loss("soft-ramp3"), costs),
        Squared(2.0, anchor),
        start,
        rate=0.1,
        steps=3,
        epochs=2,
        freeze=False,
    )
    weights, ends = start.copy(), lists.sentences.astype(int)
    for _ in range(6):
        for sentence in range(8):
            part = slice(ends[sentence], ends[sentence + 1])
            scores = vectors[part] @ weights
            up, down = np.exp(scores - costs[part]), np.exp(scores + costs[part])
            step = vectors[part].T @ (up / up.sum() - down / down.sum())
            weights = weights - 0.1 * 4.0 * (weights - anchor) / 8 + 0.1 * step
    assert found == pytest.approx(weights, rel=1e-5)


def test_the_convex_procedure_goes_down() -> None:
    """With an inner problem that is solved well, the regularised ramp loss does not rise from step to step."""
    lists, _, costs = random_lists(11, 20, 8)
    objective, penalty = ListLoss(lists, find_loss("ramp3"), costs), Squared(0.5, np.zeros(3))
    weights, values = np.array([1.0, 1.0, 1.0]), []
    for _ in range(6):
        values.append(objective.value_and_gradient(weights)[0] + penalty.value(weights))
        weights = stochastic(objective, penalty, weights, rate=0.002, steps=1, epochs=400, freeze=True)
    assert all(after <= before + 0.02 for before, after in itertools.pairwise(values))
    assert values[-1] < values[0]


@pytest.mark.parametrize("name", ["log", "softmax-margin", "latent-log", "risk"])
def test_smooth_problems_have_one_answer(name: str) -> None:
    lists, _, costs = random_lists(6, 10, 6)
    objective = ListLoss(lists, find_loss(name), costs)
    penalty = Squared(2.0, np.array([0.1, 0.0, -0.3]))
    start = np.zeros(3)
    wanted = lbfgs(objective, penalty, start)
    assert proximal(objective, penalty, start) == pytest.approx(wanted, abs=1e-4)
    assert adagrad(objective, penalty, start, rate=0.3, steps=3000) == pytest.approx(wanted, abs=1e-3)
    near = stochastic(objective, penalty, start, rate=0.002, steps=300, epochs=5, freeze=False)
    assert near == pytest.approx(wanted, abs=0.02)


@dataclass(frozen=True, eq=False)
class Quadratic:
    """|A w - b|^2 / 2: a problem whose answers are known."""

    matrix: Numbers
    wanted: Numbers
    sentences: int = 1

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        rest = self.matrix @ weights - self.wanted
        return float(rest @ rest) / 2, self.matrix.T @ rest

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        raise NotImplementedError


@pytest.mark.parametrize(
    "penalty",
    [Absolute(0.5), ElasticNet(0.5, 0.3), Largest(1.0), Oscar(0.2, 0.3), Penalties([Squared(0.3), Oscar(0.2, 0.3)])],
    ids=lambda penalty: type(penalty).__name__,
)
def test_penalties_with_corners(penalty: Penalty) -> None:
    """Against a generic solver from many points: no other weights are better."""
    random = np.random.default_rng(1)
    problem = Quadratic(random.normal(size=(8, 4)), random.normal(size=8))

    def cost(at: Numbers) -> float:
        return problem.value_and_gradient(at)[0] + penalty.value(at)

    found = proximal(problem, penalty, np.zeros(4))
    best = min(
        minimize(cost, start, method="Nelder-Mead", options={"maxiter": 20000, "xatol": 1e-9, "fatol": 1e-12}).fun
        for start in (np.zeros(4), found, random.normal(size=4))
    )
    assert cost(found) <= best + 1e-7
    near = adagrad(problem, penalty, np.zeros(4), rate=0.5, steps=5000, scale_by_step=True)
    assert cost(near) <= best + 1e-3
    shrunk = adagrad(problem, penalty, np.zeros(4), rate=0.5, steps=5000)
    assert penalty.value(shrunk) < penalty.value(near), "as the thesis has it, every step takes all of it"


def test_other_penalties_take_their_share_after_every_epoch() -> None:
    lists, _, costs = random_lists(7, 10, 6)
    objective, start = ListLoss(lists, find_loss("softmax-margin"), costs), np.array([0.5, 0.5, 0.5])
    free, sparse = (
        stochastic(objective, penalty, start, rate=0.01, steps=200, epochs=2, freeze=False)
        for penalty in (NoPenalty(), Absolute(20.0))
    )
    assert np.abs(sparse).sum() < np.abs(free).sum() and 0.0 in sparse.tolist()


def test_what_is_refused() -> None:
    lists, _, costs = random_lists(8)
    objective = ListLoss(lists, find_loss("risk"), costs)
    with pytest.raises(OptionError, match="smooth penalty; use the solver adagrad"):
        lbfgs(objective, Absolute(1.0), np.zeros(3))
    steep = Quadratic(np.full((1, 1), 1e200), np.zeros(1))
    with np.errstate(all="ignore"), pytest.raises(PentaglotError, match="diverged"):
        adagrad(steep, Squared(1e200), np.full(1, 1e150), steps=3)
    # A penalty that is too strong for the rate: finite weights of 200 digits are no result either.
    with pytest.raises(PentaglotError, match="diverged.*weaker penalties"):
        strong = Partly(Squared(1e5), np.arange(3))
        stochastic(objective, strong, np.ones(3), rate=0.01, steps=30, epochs=1, freeze=False)
