"""Candidates as arrays: the numbers that names of features get, and what is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.learn import Candidate, CandidateArrays, KBestLists
from pentaglot.learn.found import arrays_of
from pentaglot.learn.numbering import Numbering

names = st.sampled_from(["lm", "length", "größe", "a", "b"])
features = st.dictionaries(names, st.sampled_from([-1.0, 0.0, 0.1, 2.0]))
sentences = st.lists(st.lists(st.builds(Candidate, st.sampled_from(["", "a", "a b", "猫"]), features), max_size=4))


def _numbers(texts: list[str], owners: list[int]) -> np.ndarray:
    return np.array([[len(text), owner] for text, owner in zip(texts, owners, strict=True)]).reshape(-1, 2)


def _shuffled(found: CandidateArrays, order: list[int]) -> CandidateArrays:
    """The same candidates with their names in another order, more of them than are used."""
    named = (*(found.names[each] for each in order), "nobody's")
    places = np.argsort(np.array(order, np.int64))
    return dataclasses.replace(found, names=named, feature_ids=places[found.feature_ids].astype(np.uint32))


@given(sentences, st.randoms())
def test_it_makes_no_difference_how_candidates_come(found: list[list[Candidate]], chance: object) -> None:
    nothing = KBestLists.empty(len(found))
    one = nothing.novel(found, _numbers)
    other = nothing.novel([arrays_of(each) for each in found], _numbers)
    assert one.names == other.names == tuple(dict.fromkeys(n for each in found for c in each for n in c.features))
    for name in ("sentences", "text", "text_offsets", "feature_offsets", "feature_ids", "feature_values", "statistics"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    mixed = [_shuffled(arrays_of(each), _permutation(each, chance)) for each in found]
    third = nothing.novel(mixed, _numbers)
    assert [third.features(n) for n in range(len(third))] == [one.features(n) for n in range(len(one))]
    assert [third.texts(n) for n in range(len(found))] == [one.texts(n) for n in range(len(found))]


def _permutation(candidates: list[Candidate], chance: object) -> list[int]:
    order = list(range(len({name for each in candidates for name in each.features})))
    chance.shuffle(order)  # type: ignore[attr-defined]
    return order


def test_new_names_are_numbered_by_candidate_and_then_by_place() -> None:
    shown = CandidateArrays(
        ("c", "b", "a", "never"),
        np.frombuffer(b"xy", np.uint8),
        np.array([0, 1, 2], np.uint64),
        np.array([0, 2, 5], np.uint64),
        np.array([2, 1, 0, 1, 2], np.uint32),
        np.array([1.0, 2.0, 3.0, 4.0, 0.0]),
    )
    numbering = Numbering(("a",))
    found = numbering.renumbered(shown)
    assert numbering.names == ("a", "b", "c")
    assert found.feature_ids.tolist() == [0, 1, 1, 2] and found.feature_values.tolist() == [1.0, 2.0, 4.0, 3.0]
    assert found.feature_offsets.tolist() == [0, 2, 4], "what is zero is left out"


def test_bad_arrays_are_refused() -> None:
    good = arrays_of([Candidate("猫", {"lm": 1.0}), Candidate("b", {"lm": 2.0})])
    wrong = [
        ({"names": ()}, "without a name"),
        ({"feature_values": np.array([1.0, np.nan])}, "'lm' the value nan"),
        ({"feature_values": np.array([1e39, 1.0])}, "'lm' the value 1e"),
        ({"feature_offsets": np.array([0, 1, 9], np.uint64)}, "do not fit"),
        ({"text_offsets": np.array([0, 3, 9], np.uint64)}, "do not fit"),
        ({"text_offsets": np.array([0, 1, 4], np.uint64)}, "not valid UTF-8"),
        ({"text_offsets": np.array([0, 4, 3, 4], np.uint64)}, "do not fit"),
        ({"feature_offsets": np.array([0, 2], np.uint64)}, "texts and feature vectors"),
    ]
    for change, message in wrong:
        broken = dataclasses.replace(good, **change)  # type: ignore[arg-type]
        with pytest.raises(PentaglotError, match=message):
            KBestLists.empty(1).novel([broken], _numbers)
    with pytest.raises(PentaglotError, match="sentence 2 cannot be encoded"):
        KBestLists.empty(2).novel([[], [Candidate("\ud800", {})]], _numbers)
