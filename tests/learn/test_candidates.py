"""Merging, against dictionaries; arrays that are checked; lists on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learn.problems import Errors, lists_of, random_errors

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.learn import Candidate, KBestLists

features = st.dictionaries(st.sampled_from(["lm", "length", "größe"]), st.sampled_from([-1.0, 0.0, 0.5, 2.0]))
candidate = st.builds(Candidate, st.sampled_from(["", "a", "a b", "猫", "b a"]), features)
rounds = st.integers(1, 3).flatmap(
    lambda sentences: st.lists(st.lists(st.lists(candidate, max_size=5), min_size=sentences, max_size=sentences))
)


def _lengths(texts: list[str], owners: list[int]) -> np.ndarray:
    return np.array([[len(text), owner] for text, owner in zip(texts, owners, strict=True)]).reshape(-1, 2)


@given(rounds, st.sampled_from(["features", "string"]))
def test_merging_is_that_of_dictionaries(found: list[list[list[Candidate]]], identity: str) -> None:
    sentences = len(found[0]) if found else 1
    lists = KBestLists.empty(sentences)
    wanted: list[dict[object, Candidate]] = [{} for _ in range(sentences)]
    for shown in found:
        fresh = lists.novel(shown, _lengths, identity)  # type: ignore[arg-type]
        lists = lists.merged(fresh)
        before = sum(map(len, wanted))
        for candidates, known in zip(shown, wanted, strict=True):
            for each in candidates:
                vector = tuple(sorted((name, value) for name, value in each.features.items() if value))
                known.setdefault((each.text, vector) if identity == "features" else each.text, each)
        assert len(fresh) == sum(map(len, wanted)) - before
    for sentence, known in enumerate(wanted):
        assert lists.texts(sentence) == [each.text for each in known.values()]
    flat = [(sentence, each) for sentence, known in enumerate(wanted) for each in known.values()]
    assert len(lists) == len(flat)
    for number, (sentence, each) in enumerate(flat):
        assert lists.features(number) == {name: value for name, value in each.features.items() if value}
        assert lists.statistics[number].tolist() == [len(each.text), sentence]
    weights = lists.vector({"lm": 0.3, "length": -1.0, "other": 7.0})
    by_name = {"lm": 0.3, "length": -1.0}
    scores = [sum(by_name.get(name, 0.0) * value for name, value in each.features.items()) for _, each in flat]
    assert lists.scores(weights) == pytest.approx(scores)
    best = [
        max((n for n, (owner, _) in enumerate(flat) if owner == sentence), key=lambda n: (scores[n], -n))
        for sentence in range(sentences)
        if wanted[sentence]
    ]
    assert [scores[n] for n in lists.best(weights)] == pytest.approx([scores[n] for n in best])


def test_statistics_are_computed_once() -> None:
    asked: list[list[str]] = []

    def statistics(texts: list[str], owners: list[int]) -> np.ndarray:
        asked.append(texts)
        return np.zeros((len(texts), 1))

    lists = KBestLists.empty(1)
    for shown in (["a", "b", "a"], ["b", "c"], ["c", "a"]):
        lists = lists.merged(lists.novel([[Candidate(text, {"x": 1.0}) for text in shown]], statistics))
    assert asked == [["a", "b"], ["c"], []]


def test_ties_go_to_the_first() -> None:
    found = [[Candidate(f"{n} 0", {"x": 1.0}) for n in range(5)], [], [Candidate("5 0", {}), Candidate("6 0", {})]]
    assert lists_of(found, Errors(), ["", "", ""]).best(np.array([2.0])).tolist() == [0, 5]


def test_on_disk(tmp_path: Path) -> None:
    lists = lists_of(random_errors(1, 3, 4, 2), Errors(), ["x"] * 3)
    lists.save(tmp_path / "lists", {"round": 3})
    again, stored = KBestLists.open(tmp_path / "lists")
    assert stored.facts == {"round": 3} and again.names == lists.names
    assert [again.texts(sentence) for sentence in range(3)] == [lists.texts(sentence) for sentence in range(3)]
    assert np.array_equal(again.scores(np.ones(2)), lists.scores(np.ones(2)))
    more = again.novel(random_errors(1, 3, 6, 2), Errors().segment_statistics)  # type: ignore[arg-type]
    assert len(again.merged(more)) == len(again) + len(more)
    empty = KBestLists.empty(2)
    empty.save(tmp_path / "empty")
    assert len(KBestLists.open(tmp_path / "empty")[0]) == 0
    with pytest.raises(StorageError, match="no k-best lists here"):
        KBestLists.open(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "lists for 0 sentences instead of 1"),
        ([[Candidate("a", {"lm": float("nan")})]], "gave the feature 'lm' the value nan"),
        ([[Candidate("a", {"x": 1.0, "lm": 1e300})]], "gave the feature 'lm' the value 1e\\+300"),
        ([[Candidate("\ud800", {})]], "sentence 1 cannot be encoded"),
    ],
)
def test_what_cannot_be_used_is_named(found: list[list[Candidate]], message: str) -> None:
    with pytest.raises(PentaglotError, match=message):
        KBestLists.empty(1).novel(found, _lengths)


def test_lists_of_other_sentences() -> None:
    one, other = (lists_of(random_errors(1, n, 2, 2), Errors(), ["x"] * n) for n in (1, 2))
    with pytest.raises(PentaglotError, match="cannot be merged"):
        one.merged(other)


def test_rows_are_brought_into_order() -> None:
    offsets, ids, values = core.canonical(
        np.array([0, 4, 4, 6], np.uint64),
        np.array([3, 1, 3, 2, 5, 5], np.uint32),
        np.array([1.0, 2.0, 0.5, 0.0, 1.0, -1.0], np.float32),
    )
    assert offsets.tolist() == [0, 2, 2, 2] and ids.tolist() == [1, 3] and values.tolist() == [2.0, 1.5]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentences": [0, 1]}, "sentences do not fit"),
        ({"sentences": [0, 3, 2]}, "sentences do not fit"),
        ({"offsets": [0, 1, 9]}, "feature vectors do not fit"),
        ({"ids": [0, 5]}, "larger than the number"),
        ({"ids": [0]}, "feature vectors do not fit"),
        ({"values": [1.0, np.inf]}, "not a finite number"),
        ({"statistics": [1.0, 2.0, 3.0]}, "statistics do not fit"),
        ({"offsets": [0, 2, 2], "ids": [1, 0]}, "must rise"),
    ],
)
def test_native_lists_are_checked(change: dict[str, list[float]], message: str) -> None:
    given: dict[str, list[float]] = {
        "sentences": [0, 1, 2], "offsets": [0, 1, 2], "ids": [0, 1], "values": [1.0, 2.0], "statistics": [1.0, 2.0],
    }  # fmt: skip
    kinds = {"sentences": np.uint64, "offsets": np.uint64, "ids": np.uint32, "values": np.float32}
    arrays = {name: np.array(values, kinds.get(name, np.float64)) for name, values in (given | change).items()}
    with pytest.raises(PentaglotError, match=message):
        core.CandidateLists(**arrays, features=2)


def test_thinned_lists_are_even() -> None:
    found = [
        [Candidate(f"{sentence} {number}", {"x": 1.0 + number}) for number in range(size)]
        for sentence, size in enumerate((0, 3, 10))
    ]
    nothing = KBestLists.empty(3)
    lists = nothing.novel(found, lambda texts, owners: np.ones((len(texts), 1)))
    thin = lists.thinned(4)
    assert [thin.texts(sentence) for sentence in range(3)] == [[], ["1 0", "1 1", "1 2"], ["2 0", "2 3", "2 6", "2 9"]]
    assert thin.features(4) == {"x": 4.0}
