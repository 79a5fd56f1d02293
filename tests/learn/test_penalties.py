"""Penalties against the theses' tables, definitions, finite differences and a generic solver."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, minimize

from pentaglot._core import learn as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.learn.curves import Curves
from pentaglot.learn.group_lasso import GroupLasso
from pentaglot.learn.neighbours import Complexity, LinearNeighbours, MonotoneNeighbours
from pentaglot.learn.penalties import Absolute, ElasticNet, Largest, Oscar, Partly, Penalties, Squared
from pentaglot.learn.penalty import NoPenalty, Penalty

Numbers = NDArray[np.float64]
TRIPLE = np.array([[0, 1, 2]], np.uint32)
CHAIN = np.array([[0, 1, 2], [1, 2, 3], [2, 3, 4]], np.uint32)
vectors = st.lists(st.floats(-3, 3), min_size=1, max_size=8).map(np.array)
strengths = st.floats(0, 1.5)


@pytest.mark.parametrize(
    ("weights", "single", "pairwise", "wanted", "value"),
    [
        ((3, -2.9, 1, 0.05), 0.1, 0.1, (2.6, -2.6, 0.8, 0), 2.275),
        ((3, 2, 1), 0, 0, (3, 2, 1), 0),
        ((3, 2, 1), 0.5, 0, (2.5, 1.5, 0.5), 3.0),
        ((3, 2, 1), 0, 0.5, (2, 1.5, 1), 4.0),
        ((3, 2, 1), 0, 1, (1, 1, 1), 8.0),
        ((1, -0.9), 0, 0.2, (0.85, -0.85), 0.2),
        ((0.5, -0.5, 0.1), 0.1, 0.1, (0.25, -0.25, 0), 0.26),
        ((5, 4, -4, 0.2), 0.1, 0.5, (3.4, 3.15, -3.15, 0.1), 14.82),
        ((0.2, -0.1), 0.3, 0.1, (0, 0), 0.11),
    ],
)
def test_the_table_of_oscar(
    weights: tuple[float, ...], single: float, pairwise: float, wanted: tuple[float, ...], value: float
) -> None:
    """Clark 2015, spec 7.4."""
    oscar = Oscar(single, pairwise)
    given = np.array(weights, np.float64)
    assert oscar.prox(given) == pytest.approx(np.array(wanted), abs=1e-12)
    assert oscar.value(given) == pytest.approx(value)
    pairs = sum(max(abs(a), abs(b)) for a, b in itertools.combinations(weights, 2))
    assert oscar.value(given) == pytest.approx(single * np.abs(given).sum() + pairwise * pairs)


def test_groups_only() -> None:
    """The pairwise part decides what becomes equal, but shrinks nothing; spec 7.4 (a tie: either answer will do)."""
    found = Oscar(0.1, 0.1, group_only=True).prox(np.array([3.0, -2.9, 1.0, 0.05]))
    grouped, apart = np.array([2.85, -2.85, 0.9, 0.0]), np.array([2.9, -2.8, 0.9, 0.0])
    assert found == pytest.approx(grouped) or found == pytest.approx(apart)
    assert Oscar(0.1, 0.2, group_only=True).prox(np.array([3.0, -2.9, 1.0, 0.05])) == pytest.approx(grouped)


@given(vectors, strengths, strengths, st.integers(0, 5))
def test_oscar_is_isotonic_regression(weights: Numbers, single: float, pairwise: float, more: int) -> None:
    """Pool adjacent violators by scipy, then clip. Features that are not here count, too."""
    sizes = np.abs(weights)
    order = np.argsort(-sizes, kind="stable")
    count = len(weights) + more
    shifted = sizes[order] - single - pairwise * (count - 1 - np.arange(len(weights)))
    wanted = np.zeros(len(weights))
    wanted[order] = np.maximum(isotonic_regression(shifted, increasing=False).x, 0.0)
    found = Oscar(single, pairwise, features=count).prox(weights)
    assert np.abs(found) == pytest.approx(np.where(weights == 0, 0.0, wanted), abs=1e-9)
    assert bool((found * weights >= 0).all())
    padded = Oscar(single, pairwise).prox(np.append(weights, np.zeros(more)))
    assert padded[: len(weights)] == pytest.approx(found) and not padded[len(weights) :].any()


@given(vectors, strengths, strengths, st.integers(1, 8))
def test_oscar_with_more_weights_than_features(weights: Numbers, single: float, pairwise: float, count: int) -> None:
    """The number of features stays as it is: the pairwise part ends with it, and never grows with the weights."""
    sizes = np.abs(weights)
    order = np.argsort(-sizes, kind="stable")
    strength = single + pairwise * np.maximum(count - 1 - np.arange(len(weights)), 0)
    wanted = np.zeros(len(weights))
    wanted[order] = np.maximum(isotonic_regression(sizes[order] - strength, increasing=False).x, 0.0)
    oscar = Oscar(single, pairwise, features=count)
    found = oscar.prox(weights)
    assert np.abs(found) == pytest.approx(np.where(weights == 0, 0.0, wanted), abs=1e-9)
    assert bool((found * weights >= 0).all())
    assert oscar.value(weights) == pytest.approx(float((strength * sizes[order]).sum()))


@pytest.mark.parametrize("least", [1e-13, 1e-300, 5e-324])
def test_oscar_knows_the_larger_of_two_weights_that_are_nearly_equal(least: float) -> None:
    """Without strength it changes nothing; it would level what it took in the wrong order."""
    random = np.random.default_rng(1)
    begin = 1.0 if least > 1e-20 else 0.0
    weights = (begin + random.permutation(20_000) * least) * random.choice([-1, 1], 20_000)
    assert Oscar(0.0, 0.0).prox(weights).tolist() == weights.tolist()
    assert Oscar(0.0, 1e-18).prox(weights) == pytest.approx(weights, rel=0, abs=1e-13)


def test_groups_only_with_more_weights_than_features() -> None:
    given = np.array([3.0, 0.5, -2.9, 1.0, 0.05])
    assert Oscar(0.1, 0.0, 2, group_only=True).prox(given) == pytest.approx(np.array([2.9, 0.4, -2.8, 0.9, 0.0]))
    grouped = Oscar(0.1, 0.2, 1, group_only=True).prox(given)
    assert grouped == pytest.approx(np.array([2.85, 0.4, -2.85, 0.9, 0.0]))


def _all(size: int) -> list[Penalty]:
    half = size // 2
    return [
        Absolute(0.3),
        ElasticNet(0.3, 0.2),
        Largest(0.5),
        Oscar(0.1, 0.2),
        GroupLasso([np.arange(half), np.arange(half, size)], [0.4, 0.7]),
    ]


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=4).map(np.array), st.floats(0.1, 2.0))
def test_prox_by_its_definition(weights: Numbers, step: float) -> None:
    """No point near it is better, nor any that a generic solver finds."""
    for penalty in _all(len(weights)):
        corner = Absolute(0.3) if isinstance(penalty, ElasticNet) else penalty

        def cost(at: Numbers, corner: Penalty = corner) -> float:
            return float(((at - weights) ** 2).sum() / 2 + step * corner.value(at))

        found = penalty.prox(weights, step)
        near = [found + 1e-4 * np.array(move) for move in itertools.product((-1, 0, 1), repeat=len(weights))]
        assert cost(found) <= min(map(cost, near)) + 1e-12
        assert cost(found) <= minimize(cost, weights, method="Nelder-Mead", options={"maxiter": 200}).fun + 1e-9


@given(vectors, vectors)
def test_prox_brings_weights_nearer(one: Numbers, other: Numbers) -> None:
    size = min(len(one), len(other))
    for penalty in _all(size):
        found = penalty.prox(one[:size]) - penalty.prox(other[:size])
        assert np.linalg.norm(found) <= np.linalg.norm(one[:size] - other[:size]) + 1e-9


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=8).map(np.array), strengths)
def test_curves_are_a_fit(rows: Numbers, strength: float) -> None:
    """What is left of the weights after a least-squares fit of the first ones."""
    start, weights = (np.ascontiguousarray(column) for column in rows.T)
    assume(np.linalg.norm(start) > 1e-3 or not start.any())
    left = weights - start * np.linalg.lstsq(start[:, None], weights, rcond=None)[0]
    around = np.concatenate([[9.0], weights, [-9.0]])
    curves = Curves(strength, [np.arange(1, len(around) - 1)], np.concatenate([[1.0], start, [2.0]]))
    assert curves.value(around) == pytest.approx(strength * float(left @ left), abs=1e-6)
    assert curves.gradient(around) == pytest.approx(np.concatenate([[0], 2 * strength * left, [0]]), abs=1e-6)
    assert curves.gradient(np.concatenate([[0.0], 3 * start, [0.0]])) == pytest.approx(np.zeros(len(around)), abs=1e-9)


@pytest.mark.parametrize(
    ("triple", "linear", "monotone", "gradient"),
    [
        ((0, 0.5, 1), 0, 0, (0, 0, 0)),
        ((0, 0.25, 1), 0.0625, 0.002850, (0.040505, -0.061608, 0.021103)),
        ((1, 0.25, 0), 0.0625, 0.002850, (0.021103, -0.061608, 0.040505)),
        ((0, 0, 1), 0.25, 0.084107, (0.539257, -0.707472, 0.168215)),
        ((0, 1, 1), 0.25, 0.084107, (-0.168215, 0.707472, -0.539257)),
        ((0, 1.5, 1), 1.0, 0.863690, (-0.610500, 2.233759, -1.623258)),
        ((0, 2, 1), 2.25, 2.205822, (-1.295581, 3.116063, -1.820482)),
        ((0, 1, 0), 1.0, 1.0, (-1, 2, -1)),
        ((1, 1, 1), 0.0, 0.0, (0, 0, 0)),
    ],
)
def test_the_table_of_neighbours(
    triple: tuple[float, ...], linear: float, monotone: float, gradient: tuple[float, ...]
) -> None:
    """Clark 2015, spec 7.5."""
    weights = np.array(triple, np.float64)
    one, other = LinearNeighbours(1.0, TRIPLE), MonotoneNeighbours(1.0, TRIPLE)
    assert one.value(weights) == pytest.approx(linear, abs=1e-6)
    assert other.value(weights) == pytest.approx(monotone, abs=1e-6)
    assert other.gradient(weights) == pytest.approx(np.array(gradient), abs=2e-6)
    centre = MonotoneNeighbours(1.0, TRIPLE, centre_only=True).gradient(weights)
    assert centre == pytest.approx(np.array([0, gradient[1], 0]), abs=2e-6)


@given(st.integers(0, 2**30))
def test_gradients_are_differences(seed: int) -> None:
    weights = np.random.default_rng(seed).normal(size=5)
    anchor = np.arange(5.0)
    for penalty in (
        Squared(0.3),
        Squared(0.3, anchor),
        Complexity(0.7, np.array([1, 2, 1, 3, 1], np.uint32)),
        LinearNeighbours(0.4, CHAIN),
        MonotoneNeighbours(0.4, CHAIN),
        MonotoneNeighbours(0.4, CHAIN, power=1.0),
        Penalties([Squared(0.3, anchor), LinearNeighbours(0.4, CHAIN)]),
        Curves(0.6, [np.arange(3), np.array([3, 4])], np.array([-3.0, -1.0, 0.5, 0.0, 0.0])),
        NoPenalty(),
    ):
        assert penalty.smooth and penalty.prox(weights) is weights
        moves = 1e-6 * np.eye(5)
        slopes = [(penalty.value(weights + move) - penalty.value(weights - move)) / 2e-6 for move in moves]
        assert penalty.gradient(weights) == pytest.approx(np.array(slopes), abs=1e-4, rel=1e-4)
    for neighbours in (LinearNeighbours(1.0, CHAIN), MonotoneNeighbours(1.0, CHAIN)):
        assert neighbours.gradient(weights).sum() == pytest.approx(0.0, abs=1e-9)
        assert neighbours.value(weights + 3.0) == pytest.approx(neighbours.value(weights))
    assert MonotoneNeighbours(1.0, CHAIN).value(weights) <= LinearNeighbours(1.0, CHAIN).value(weights) + 1e-12


@pytest.mark.parametrize("power", [0.0, 0.3, 0.5, 2.0, 20.0])
def test_neighbours_of_any_power_without_warnings(power: float) -> None:
    """Also where all weights are equal, as they are in the beginning."""
    for weights in (np.zeros(5), np.array([0.0, 1.0, 0.0, 0.5, 1.0])):
        with np.errstate(all="raise"):
            found = MonotoneNeighbours(1.0, CHAIN, power).gradient(weights)
        assert np.isfinite(found).all() and (weights.any() or not found.any())


def test_limits_of_neighbours() -> None:
    """With fixed ends the linear penalty makes a straight line; the monotone one a sequence that never turns."""
    wanted = np.array([0.0, 3.0, -1.0, 2.5, 4.0])

    def fit(penalty: Penalty, start: Numbers) -> Numbers:
        def cost(inner: Numbers) -> tuple[float, Numbers]:
            weights = np.concatenate([[0.0], inner, [4.0]])
            away = weights - wanted
            return 0.001 * float(away @ away) + penalty.value(weights), (0.002 * away + penalty.gradient(weights))[1:-1]

        return np.concatenate([[0.0], minimize(cost, start, jac=True, method="L-BFGS-B").x, [4.0]])

    straight = fit(LinearNeighbours(1e3, CHAIN), wanted[1:-1])
    assert straight == pytest.approx(np.arange(5.0), abs=1e-3)
    assert bool((np.diff(fit(MonotoneNeighbours(1e3, CHAIN), straight[1:-1] + 0.1)) > -1e-3).all())


def test_tensor_neighbours() -> None:
    """Conjunctions of 4 x 5 bins have (4 - 2) * 5 + 4 * (5 - 2) triples; an inner cell is the middle of two."""
    space = FeatureSpace()
    rows, columns = space.add_bins("a", list("wxyz")), space.add_bins("b", list("12345"))
    cells = {(i, j): space.conjoin([r, c], ordered=False) for i, r in enumerate(rows) for j, c in enumerate(columns)}
    triples = space.neighbours()
    of_cells = triples[np.isin(triples[:, 1], list(cells.values()))]
    assert len(of_cells) == 2 * 5 + 4 * 3
    middles = of_cells[:, 1].tolist()
    assert middles.count(cells[1, 1]) == 2 and middles.count(cells[0, 1]) == 1 and middles.count(cells[0, 0]) == 0
    weights = np.zeros(len(space))
    for (i, j), cell in cells.items():
        weights[cell] = 2.0 * i - j
    assert LinearNeighbours(1.0, of_cells).value(weights) == pytest.approx(0.0)
    assert Complexity(1.0, space.orders()).value(weights) == pytest.approx(float((weights**2).sum()))


def test_a_group_alone() -> None:
    """One feature in each group is l1; a single group is the length of the weights."""
    weights = np.array([1.0, -2.0, 0.1])
    singles = GroupLasso([np.array([at]) for at in range(3)], [0.3] * 3)
    assert singles.prox(weights) == pytest.approx(Absolute(0.3).prox(weights))
    assert singles.value(weights) == pytest.approx(Absolute(0.3).value(weights))
    assert GroupLasso([np.arange(3)], [2.0]).value(weights) == pytest.approx(2.0 * np.linalg.norm(weights))
    assert not GroupLasso([np.arange(3)], [9.0]).prox(weights).any()


_LARGE = """
import numpy as np
from pentaglot.learn.curves import Curves
from pentaglot.learn.group_lasso import GroupLasso
from pentaglot.learn.neighbours import Complexity, LinearNeighbours
from pentaglot.learn.penalties import ElasticNet, Squared

weights = np.random.default_rng(0).normal(size=300_000)
triples = (np.arange(len(weights) - 2)[:, None] + np.arange(3)).astype(np.uint32)
group = GroupLasso([np.arange(len(weights))], [1.0])
smooth = Complexity(1.0, np.full(len(weights), 2, np.uint32)), LinearNeighbours(1.0, triples), Squared(1.0)
curves = Curves(1.0, [np.arange(len(weights))], 3.0 * weights + 1.0)
print(curves.value(weights), curves.gradient(weights)[:9].tolist())
print([each.value(weights) for each in (*smooth, ElasticNet(1.0, 1.0), group)], group.prox(weights)[:3].tolist())
"""


def test_the_same_with_any_number_of_threads_in_libraries() -> None:
    """A library for linear algebra may add up long arrays with as many threads as there are."""
    found = [
        subprocess.run(
            [sys.executable, "-c", _LARGE],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    ]
    assert found[0] and len(set(found)) == 1


def test_what_does_not_fit() -> None:
    with pytest.raises(OptionError, match="two penalties that are not smooth"):
        Penalties([Absolute(1.0), Largest(1.0)])
    with pytest.raises(OptionError, match="a feature is in two groups"):
        GroupLasso([np.array([0, 1]), np.array([1])], [1.0, 1.0])
    with pytest.raises(OptionError, match="1 groups of features but 2 strengths"):
        GroupLasso([np.array([0])], [1.0, 1.0])
    with pytest.raises(PentaglotError, match="not a finite number"):
        core.oscar_prox(np.array([np.nan]), 0.1, 0.1, 2, False)
    with pytest.raises(PentaglotError, match="negative or not a finite number"):
        core.oscar_prox(np.zeros(1), -0.1, 0.1, 2, False)


@pytest.mark.parametrize("step", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0)])
def test_a_step_is_any_number(step: float) -> None:
    weights = np.array([3.0, -5.0, 1.0])
    for penalty in (Largest(0.5), Oscar(0.25, 0.125), GroupLasso([np.arange(3)], [0.5]), Absolute(0.5)):
        wanted = penalty.prox(weights, 2.0).tolist()
        assert penalty.prox(weights, step).tolist() == wanted
        assert Partly(penalty, np.arange(3)).prox(weights, step).tolist() == wanted
    for tied in (Largest(0.5), Oscar(0.25, 0.125)):
        with pytest.raises(OptionError, match="ties weights together needs the same step size"):
            tied.prox(weights, np.ones(3))
