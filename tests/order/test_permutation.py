"""Permutations have one convention, and say what is wrong with what is none."""

from __future__ import annotations

import numpy as np
import pytest
from tests.order.brute import all_permutations

from pentaglot.errors import PentaglotError
from pentaglot.order import Permutation, Permutations


def test_ranks_and_orders_are_inverses() -> None:
    for permutation in all_permutations(5):
        assert [permutation.ranks[word] for word in permutation.order] == list(range(len(permutation)))
        assert Permutation.from_order(permutation.order) == permutation
        assert permutation.inverse.inverse == permutation
        assert permutation.apply(permutation.ranks) == list(range(len(permutation)))
        assert Permutation.read(str(permutation)) == permutation


def test_words_stand_where_their_ranks_say() -> None:
    given = Permutation.read("2413")
    reordered = given.apply(["a", "b", "c", "d"])
    assert [reordered.index(word) for word in "abcd"] == list(given.ranks) == [1, 3, 0, 2]
    assert reordered == ["c", "a", "d", "b"]


@pytest.mark.parametrize("ranks", [(0, 0), (1, 2), (-1, 0), (0, 2)])
def test_what_is_no_permutation(ranks: tuple[int, ...]) -> None:
    with pytest.raises(PentaglotError, match="is not a permutation"):
        Permutation(ranks)


@pytest.mark.parametrize("ranks", [[1, 0], np.array([1, 0]), iter([1, 0]), (np.uint16(1), np.int64(0))])
def test_ranks_may_come_in_any_list(ranks: tuple[int, ...]) -> None:
    given = Permutation(ranks)
    assert given == Permutation((1, 0)) and hash(given) == hash(Permutation((1, 0)))
    assert repr(given) == "Permutation(ranks=(1, 0))"


@pytest.mark.parametrize("ranks", [None, 5, (1.0, 0.0), (1, "0"), "10"])
def test_ranks_are_whole_numbers(ranks: tuple[int, ...]) -> None:
    for make in (Permutation, Permutation.from_order):
        with pytest.raises(PentaglotError, match="is not a permutation; give a list of whole numbers"):
            make(ranks)


def test_links_of_words_that_are_not_there() -> None:
    for word in (-1, 2):
        with pytest.raises(PentaglotError, match=f"{word}-0 links a word that is not there: there are 2"):
            Permutation((1, 0)).move([(0, 0), (word, 0)])


@pytest.mark.parametrize("text", ["2 x", "13", "0 1", "1-2", "1 " + "9" * 5000])
def test_what_does_not_read_as_one(text: str) -> None:
    with pytest.raises(PentaglotError, match="is not a permutation"):
        Permutation.read(text)


def test_ranks_are_read_between_any_spaces() -> None:
    assert Permutation.read("2\t1  3\n") == Permutation.read("213") == Permutation((1, 0, 2))
    assert Permutation.read(" ") == Permutation(())
    with pytest.raises(PentaglotError, match="'1 0' is not a permutation; write its ranks, counted from 1"):
        Permutation.read("1 0")


def test_words_must_be_as_many() -> None:
    with pytest.raises(PentaglotError, match="2 words cannot order 3"):
        Permutation((1, 0)).apply("abc")


def test_many_in_flat_arrays() -> None:
    given = list(all_permutations(3))
    joined = Permutations.join(given)
    assert list(joined) == given and joined[-1] == given[-1]
    assert list(joined[1:-1:2]) == given[1:-1:2]
    with pytest.raises(IndexError):
        joined[len(given)]
