"""The loop for any semiring agrees with the native ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from pentaglot.errors import PentaglotError
from pentaglot.forest import example_forest
from pentaglot.forest.semirings import BOOLEAN, COUNT, Semiring, inside, outside

from .brute import random_forest, seeds

MAX: Semiring[float] = Semiring(-math.inf, 0.0, max, lambda a, b: a + b)


@settings(max_examples=300, deadline=None)
@given(seeds)
def test_agrees_with_native(seed: int) -> None:
    forest = random_forest(seed)
    possible = (~np.isneginf(forest.scores)).tolist()
    for semiring, weights, name in (
        (MAX, forest.scores.tolist(), "max"),
        (COUNT, [int(each) for each in possible], "count"),
    ):
        below = inside(forest.packed, semiring, weights)
        assert np.allclose(below, forest.inside(name))
        assert np.allclose(outside(forest.packed, semiring, weights, below), forest.outside(name))
    assert inside(forest.packed, BOOLEAN, possible) == (forest.inside("count") > 0).tolist()


def test_wrong_number_of_weights() -> None:
    with pytest.raises(PentaglotError, match="2 weights for 6 edges"):
        inside(example_forest().packed, COUNT, [1, 1])
