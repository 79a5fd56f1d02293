"""Lengths are compared with what is usual, so that no script is at a disadvantage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.lengths import is_lopsided, lopsided_places, usual_ratio

_LENGTHS = st.lists(st.tuples(st.integers(1, 500), st.integers(1, 500)), min_size=1, max_size=30)


@given(_LENGTHS, st.floats(1, 10), st.floats(0.1, 10))
def test_sides_may_be_swapped(pairs: list[tuple[int, int]], limit: float, usual: float) -> None:
    left, right = zip(*pairs, strict=True)
    assert usual_ratio(left, right) == pytest.approx(1 / usual_ratio(right, left))
    for one, other in pairs:
        # Not where the two sides of the comparison are equal but for rounding.
        if is_lopsided(one, other, limit, usual) != is_lopsided(one, other, limit * (1 + 1e-9), usual):
            continue
        assert is_lopsided(one, other, limit, usual) == is_lopsided(other, one, limit, 1 / usual)


@given(_LENGTHS, st.floats(1, 10), st.floats(0.1, 10))
def test_many_at_once(pairs: list[tuple[int, int]], limit: float, usual: float) -> None:
    left, right = zip(*pairs, strict=True)
    one_by_one = [place for place, pair in enumerate(pairs) if is_lopsided(*pair, limit, usual)]
    assert lopsided_places(left, right, limit, usual) == one_by_one


def test_the_middle_of_many_and_doubt_about_few() -> None:
    assert usual_ratio([], []) == usual_ratio([0, 5], [3, 0]) == 1
    assert usual_ratio([10] * 10_000, [30] * 10_000) == pytest.approx(1 / 3, rel=0.01)
    assert usual_ratio([10] * 1001 + [9000] * 1000, [10] * 2001) == 1, "outliers do not count by their size"
    assert usual_ratio([1], [100]) == pytest.approx(0.01 ** (1 / 11))
    assert not is_lopsided(5, 25, 1) and is_lopsided(5, 26, 1), "20 characters more are always allowed"
