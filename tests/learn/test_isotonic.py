"""The nearly-isotonic penalty against its dual, solved by SciPy, and against isotonic regression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, lsq_linear

from pentaglot.errors import OptionError
from pentaglot.learn.isotonic import NearlyIsotonic, chains_of
from pentaglot.learn.isotonic_rows import isotonic_prox

Numbers = NDArray[np.float64]
rows = st.lists(st.floats(-3, 3), min_size=1, max_size=12).map(np.array)
strengths = st.floats(0, 2)


def _by_the_dual(row: Numbers, falls: float, rises: float) -> Numbers:
    """w = v - D'u, with u the point of a box for which D'u is nearest to v; D takes differences."""
    differences = np.diff(np.eye(len(row)), axis=0)
    if not len(differences) or falls + rises == 0:
        return row
    box = np.full(len(differences), -falls), np.full(len(differences), rises)
    widened = (box[0] - 1e-12, box[1] + 1e-12)  # SciPy wants room
    found = lsq_linear(differences.T, row, bounds=widened, tol=1e-14, max_iter=500)
    return row - differences.T @ found.x


@settings(max_examples=150, deadline=None)
@given(rows, strengths, strengths)
def test_the_operator_solves_the_dual(row: Numbers, falls: float, rises: float) -> None:
    assert isotonic_prox(row, falls, rises) == pytest.approx(_by_the_dual(row, falls, rises), abs=2e-5)


@given(rows)
def test_a_large_strength_is_isotonic_regression(row: Numbers) -> None:
    wanted = isotonic_regression(row).x
    assert isotonic_prox(row, 1e3, 0.0) == pytest.approx(wanted, abs=1e-9)
    assert isotonic_prox(row, 0.0, 1e3) == pytest.approx(isotonic_regression(row, increasing=False).x, abs=1e-9)
    assert isotonic_prox(row, 0.0, 0.0) == pytest.approx(row, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(rows, strengths, st.sampled_from(["rising", "falling", "either"]))
def test_no_point_nearby_is_better(row: Numbers, strength: float, direction: str) -> None:
    penalty = NearlyIsotonic(strength, [np.arange(len(row))], direction)  # type: ignore[arg-type]
    found = penalty.prox(row)

    def cost(at: Numbers) -> float:
        return float(((at - row) ** 2).sum()) / 2 + penalty.value(at)

    random = np.random.default_rng(1)
    for scale in (1e-3, 0.1, 1.0):
        for _ in range(20):
            assert cost(found) <= cost(found + random.normal(0, scale, len(row))) + 1e-9


def test_value_and_chains() -> None:
    weights = np.array([9.0, 1.0, 3.0, 2.0, 5.0, 4.0, 4.0])
    chains = chains_of(np.array([[1, 2, 3], [4, 5, 6]]))
    assert [each.tolist() for each in chains] == [[1, 2, 3], [4, 5, 6]]
    assert NearlyIsotonic(2.0, chains, "rising").value(weights) == 2 * (1 + 1)
    assert NearlyIsotonic(2.0, chains, "falling").value(weights) == 2 * (2 + 0)
    assert NearlyIsotonic(2.0, chains).value(weights) == 2 * (1 + 0)
    moved = NearlyIsotonic(100.0, chains).prox(weights)
    assert (
        moved[0] == 9.0 and moved[[1, 2, 3]] == pytest.approx([1, 2.5, 2.5]) and moved[[4, 5, 6]].tolist() == [5, 4, 4]
    )
    with pytest.raises(OptionError, match="same step size"):
        NearlyIsotonic(1.0, chains).prox(weights, np.ones(7))
