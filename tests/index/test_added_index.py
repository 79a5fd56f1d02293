"""The index of added pairs: after any changes it is what would be built from what is left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import index as native
from pentaglot.corpus import Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.index import GrammarLimits
from pentaglot.index.added_index import AddedIndex, extended_vocabulary
from pentaglot.index.added_pair import AddedPair

from .texts import array, text_of

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)


def _suffixes_by_hand(sentences: list[list[int]]) -> list[int]:
    """By words up to the end of the sentence, then by place."""
    keys, begin = [], 0
    for sentence in sentences:
        keys += [([*sentence[at:], 2], begin + at) for at in range(len(sentence) + 1)]
        begin += len(sentence) + 1
    return [position for _, position in sorted(keys)]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.integers(3, 6), max_size=6), max_size=6), st.data())
def test_suffixes(sentences: list[list[int]], data: st.DataObject) -> None:
    tokens = text_of(sentences).tokens
    grown = native.add_suffixes(tokens, array([]))
    assert grown.tolist() == _suffixes_by_hand(sentences)
    first = data.draw(st.integers(0, len(sentences)))
    part = native.add_suffixes(text_of(sentences[:first]).tokens, array([]))
    assert native.add_suffixes(tokens, part).tolist() == grown.tolist()
    if sentences:
        gone = data.draw(st.integers(0, len(sentences) - 1))
        offsets = text_of(sentences).offsets
        left = native.remove_suffixes(grown, int(offsets[gone]), int(offsets[gone + 1]))
        assert left.tolist() == _suffixes_by_hand(sentences[:gone] + sentences[gone + 1 :])


def test_strange_arrays_are_refused() -> None:
    with pytest.raises(PentaglotError, match="do not belong"):
        native.add_suffixes(array([4, 2]), array([0, 9]))
    with pytest.raises(PentaglotError, match="end with a sentence"):
        native.add_suffixes(array([4, 5]), array([]))
    with pytest.raises(PentaglotError, match="not in the text"):
        native.remove_suffixes(array([1, 0]), 1, 9)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.tuples(WORDS, WORDS), st.integers(0, 5)), max_size=12), st.data())
def test_any_changes(changes: list[tuple[list[str], list[str]] | int], data: st.DataObject) -> None:
    grown, left = AddedIndex.empty(Vocabulary(), Vocabulary()), []
    for number, change in enumerate(changes):
        if isinstance(change, int):
            if left:
                gone = left.pop(change % len(left))
                grown = grown.removed(gone.number)
            continue
        source, target = change
        places = [(i, j) for i in range(len(source)) for j in range(len(target))]
        links = data.draw(st.lists(st.sampled_from(places), max_size=10, unique=True))
        left.append(AddedPair(number, tuple(source), tuple(target), tuple(sorted(links))))
        grown = grown.added(left[-1:])
    assert grown.pairs == tuple(left)
    index = grown.index
    for at, pair in enumerate(left):
        assert index.bitext.pair(at) == (list(pair.source), list(pair.target))
        assert index.aligned.links(at) == list(pair.links)
    whole = AddedIndex.empty(index.bitext.source_vocabulary, index.bitext.target_vocabulary).added(left)
    for part, arrays in whole.index.arrays.items():
        for name, values in arrays.items():
            assert np.array_equal(values, index.arrays[part][name]), f"{part} {name}"
    sentence = index.ids(list("abcab"))
    found = index.finder(GrammarLimits(min_gap=1)).find(sentence)
    for node in range(1, len(found)):
        if found.is_core(node):
            truth = index.source.find_by("product", found.symbols(node), GrammarLimits(min_gap=1).compiled())
            assert found.occurrences(node).tolist() == truth.tolist()


def test_the_old_vocabulary_stays() -> None:
    old = Vocabulary()
    old.add("a")
    assert extended_vocabulary(old, [("a",)]) is old
    new = extended_vocabulary(old, [("a", "b"), ("b", "c")])
    assert [new.find(word) for word in "abc"] == [old.find("a"), 5, 6]
    assert (len(old), len(new)) == (5, 7)


def test_a_sentence_of_one_word_repeated() -> None:
    words = ("a",) * 20_000
    grown = AddedIndex.empty(Vocabulary(), Vocabulary()).added([AddedPair(1, words, ("b",), ())])
    assert grown.index.count(["a", "a"]) == 19_999
