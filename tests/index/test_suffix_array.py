"""Suffix arrays: equal to sorting by hand on every kind of text, and the example of Lopez 2008, figure 3.8."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.index import common_prefixes, suffix_array

EXAMPLE = "it makes him and it mars him , it sets him on and it takes him off . #"


def _array(tokens: list[int]) -> np.ndarray:
    return np.array(tokens, np.uint32)


def _sorted_by_hand(tokens: list[int]) -> list[int]:
    return sorted(range(len(tokens)), key=lambda at: tokens[at:])


def _prefixes_by_hand(tokens: list[int], order: list[int]) -> list[int]:
    lengths = [0]
    for one, other in pairwise(order):
        pairs = zip(tokens[one:], tokens[other:], strict=False)
        length = 0
        for a, b in pairs:
            if a != b:
                break
            length += 1
        lengths.append(length)
    return lengths[: len(order)]


@settings(max_examples=1500, deadline=None)
@given(st.integers(1, 6).flatmap(lambda top: st.lists(st.integers(0, top), max_size=60)))
def test_equals_sorting(tokens: list[int]) -> None:
    order = suffix_array(_array(tokens))
    assert order.dtype == np.uint32
    assert order.tolist() == _sorted_by_hand(tokens)
    assert common_prefixes(_array(tokens), order).tolist() == _prefixes_by_hand(tokens, order.tolist())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(2, 12))
def test_repeated_text(period: list[int], times: int) -> None:
    tokens = period * times
    assert suffix_array(_array(tokens)).tolist() == _sorted_by_hand(tokens)


@pytest.mark.parametrize("size", [1000, 50_000])
@pytest.mark.parametrize("alphabet", [2, 300, 40_000])
def test_large_texts(size: int, alphabet: int) -> None:
    """Checked without a second sorter: a permutation whose neighbours are in order, by the ranks one token further."""
    tokens = np.random.default_rng(7).zipf(1.3, size).clip(0, alphabet).astype(np.uint32)
    order = suffix_array(tokens).astype(np.int64)
    ranks = np.full(size + 1, -1)
    ranks[order] = np.arange(size)
    assert np.array_equal(np.sort(order), np.arange(size))
    one, other = order[:-1], order[1:]
    less = (tokens[one] < tokens[other]) | ((tokens[one] == tokens[other]) & (ranks[one + 1] < ranks[other + 1]))
    assert less.all()


def test_example_of_the_thesis() -> None:
    ranking = [*sorted({word for word in EXAMPLE.split() if word.isalpha()}), ",", ".", "#"]
    tokens = _array([ranking.index(word) for word in EXAMPLE.split()])
    order = suffix_array(tokens)
    assert order.tolist() == [3, 12, 2, 15, 10, 6, 0, 4, 8, 13, 1, 5, 16, 11, 9, 14, 7, 17, 18]
    assert common_prefixes(tokens, order).tolist() == [0, 2, 0, 1, 1, 1, 0, 1, 1, 1] + [0] * 9


def test_a_strange_suffix_array_is_refused() -> None:
    tokens = _array([4, 5, 6])
    with pytest.raises(PentaglotError, match="does not belong"):
        common_prefixes(tokens, _array([0, 1]))
    with pytest.raises(PentaglotError, match="does not belong"):
        common_prefixes(tokens, _array([0, 1, 9]))
