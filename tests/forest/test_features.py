"""Feature spaces: names, bins, conjunctions, and the structure that regularisers ask for."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace


def test_names_and_ids() -> None:
    space = FeatureSpace(["a", "b", "a"])
    assert space.names == ["a", "b"] and space.add("b") == 1 and space.add("c") == 2
    assert "c" in space and "d" not in space and [each.name for each in space] == ["a", "b", "c"]
    with pytest.raises(PentaglotError, match="no feature 'd'"):
        space.id("d")
    with pytest.raises(PentaglotError, match="no feature 3"):
        space.name(3)
    with pytest.raises(PentaglotError, match="needs a name"):
        space.add("")


def test_groups_and_visibility() -> None:
    space = FeatureSpace()
    space.add("lm")
    space.add("domain=news", group="domain", visible=False)
    space.add("domain=talk", group="domain", visible=False)
    assert {name: ids.tolist() for name, ids in space.groups().items()} == {"domain": [1, 2]}
    assert space.visible().tolist() == [True, False, False]
    assert space.orders().tolist() == [1, 1, 1]


def test_neighbours_of_bins_and_of_their_conjunctions() -> None:
    space = FeatureSpace()
    one, other = space.add_bins("p", "abcd"), space.add_bins("q", "xyz")
    assert space.neighbours().tolist() == [one[0:3], one[1:4], other]
    grid = {pair: space.conjoin(pair) for pair in itertools.product(one, other)}
    triples = {tuple(triple) for triple in space.neighbours().tolist() if triple[1] >= 7}
    expected = {(grid[one[i - 1], q], grid[one[i], q], grid[one[i + 1], q]) for i in (1, 2) for q in other} | {
        (grid[p, other[0]], grid[p, other[1]], grid[p, other[2]]) for p in one
    }
    assert triples == expected
    with pytest.raises(PentaglotError, match="names of their own"):
        space.add_bins("p", ["a"])


def test_conjunctions_have_no_order_and_are_flat() -> None:
    space = FeatureSpace(["a", "b", "c"])
    both = space.conjoin([1, 0])
    assert space.conjoin([0, 1]) == both and space.conjoin([0, 0]) == 0
    three = space.conjoin([both, 2])
    assert three == space.conjoin([2, 1, 0]) and space[three].order == 3
    with pytest.raises(PentaglotError, match="at least one"):
        space.conjoin([])


@given(st.lists(st.text("ab^\\", min_size=1, max_size=4), min_size=2, max_size=6, unique=True))
def test_names_of_conjunctions_are_never_shared(names: list[str]) -> None:
    space = FeatureSpace(names)
    seen: dict[str, tuple[int, ...]] = {}
    for size in (2, 3):
        for chosen in itertools.combinations(range(len(names)), size):
            with contextlib.suppress(PentaglotError):  # a simple feature may have the name
                name = space.name(space.conjoin(chosen))
                assert seen.setdefault(name, chosen) == chosen


def test_names_that_could_be_mistaken() -> None:
    space = FeatureSpace(["a^", "b", "a", "^b", "a^b"])
    assert space.name(space.conjoin([0, 1])) != space.name(space.conjoin([2, 3]))
    with pytest.raises(PentaglotError, match="taken by a simple feature"):
        space.conjoin([1, 2])
