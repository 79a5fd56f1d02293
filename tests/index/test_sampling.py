"""Samples of occurrences: by even stride (specification, 7.6), and by similarity to the input."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import index as native

from .texts import GAP, array, corpora, index_of


def test_sampling() -> None:
    assert native.sample_evenly(10, 4).tolist() == [0, 2, 5, 7]
    assert native.sample_evenly(3, 4).tolist() == [0, 1, 2]
    assert native.sample_evenly(5, 0).tolist() == [0, 1, 2, 3, 4]
    assert native.sample_evenly(0, 4).tolist() == []


def test_samples_of_patterns() -> None:
    index = index_of([[4, 5 + at % 3, 6, 7] for at in range(30)])
    found = native.PatternFinder(index, native.GrammarLimits(10, 5, 2, 1), native.LookupOptions(), None, None).find(
        array([4, 5, 6, 7])
    )
    word, gapped = found.find(array([4])), found.find(array([4, GAP, 7]))
    assert word is not None and gapped is not None
    in_suffix_order = found.sample(word, 0).tolist()
    assert sorted(in_suffix_order) == found.occurrences(word).tolist() != in_suffix_order
    assert found.sample(word, 4).tolist() == [in_suffix_order[at] for at in (0, 7, 15, 22)]
    every = found.occurrences(gapped).reshape(-1, 2)
    assert found.sample(gapped, 4).tolist() == every[[0, 7, 15, 22]].reshape(-1).tolist()


@settings(max_examples=200, deadline=None)
@given(corpora(6), st.lists(st.integers(4, 10), min_size=1, max_size=8), st.integers(1, 4), st.integers(1, 12))
def test_similar_samples(sentences: list[list[int]], sentence: list[int], size: int, pool: int) -> None:
    index = index_of(sentences)
    found = native.PatternFinder(index, native.GrammarLimits(10, 5, 2, 1), native.LookupOptions()).find(array(sentence))
    words = [word for each in sentences for word in each]
    length = len(words) + len(sentences)

    def similarity(position: int) -> float:
        common = set(sentences[index.sentence(position)]) & set(sentence)
        return sum(math.log(length / words.count(word)) for word in common)

    for node in range(1, len(found)):
        if not (found.is_core(node) and found.active(node)):
            continue
        width = int(np.count_nonzero(found.symbols(node) == GAP)) + 1
        even = found.sample(node, max(size, pool)).reshape(-1, width)
        taken = found.sample_similar(node, size, pool, array(sentence)).reshape(-1, width)
        if found.count(node) <= size:
            assert taken.tolist() == found.sample(node, 0).reshape(-1, width).tolist()
            continue
        assert len(taken) == size
        places = [even.tolist().index(each) for each in taken.tolist()]
        assert places == sorted(places), "in the order of the even sample"
        scores = [similarity(int(each[0])) for each in even]
        left = [score for at, score in enumerate(scores) if at not in places]
        assert not left or min(scores[at] for at in places) >= max(left) - 1e-9
