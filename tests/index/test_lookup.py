"""Lookup with gaps: on random corpora every method and every optimisation gives what brute force gives; and the worked
examples of Lopez 2008 (specification, 7.1 to 7.4)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import index as native
from pentaglot.errors import PentaglotError

from .texts import (
    EXAMPLE,
    GAP,
    INPUT,
    array,
    corpora,
    example_ids,
    index_of,
    limits,
    occurrences_by_hand,
    precomputed_for,
    text_of,
)

IDS = example_ids()
TEXT = [[IDS[word] for word in EXAMPLE.split()]]
PLAIN = native.LookupOptions("merge", False, False, False)
OPTIONS = [
    native.LookupOptions(join, sequences, collocations, scan, threshold)
    for join, threshold in (("merge", 1.0), ("double_binary", 1.0), ("double_binary", 0.05), ("gallop", 0.05))
    for sequences, collocations, scan in itertools.product((False, True), repeat=3)
]


def _pattern(words: str) -> list[int]:
    return [GAP if word == "X" else IDS[word] for word in words.split()]


def _tuples(flat: np.ndarray, width: int) -> list[tuple[int, ...]]:
    return [tuple(each) for each in flat.reshape(-1, width).tolist()]


def _found(index: native.SourceIndex, words: str, span: int, gap: int) -> list[tuple[int, ...]]:
    flat, width, complete = index.search(array(_pattern(words)), native.GrammarLimits(span, 9, 9, gap))
    assert complete
    return _tuples(flat, width)


@settings(max_examples=250, deadline=None)
@given(corpora(), st.lists(st.integers(4, 12), max_size=8), limits(), st.data())
def test_everything_agrees_with_brute_force(
    sentences: list[list[int]], sentence: list[int], bounds: tuple[int, int, int, int], data: st.DataObject
) -> None:
    span, _, _, gap = bounds
    compiled = native.GrammarLimits(*bounds)
    index = index_of(sentences)
    window = data.draw(
        st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(1, 4), st.sampled_from([6, 12]), st.integers(1, 2))
    )
    precomputed = precomputed_for(sentences, index, window)
    cache = native.PatternCache(data.draw(st.sampled_from([0, 4000, 1_000_000])))
    patterns = native.licensed_patterns(array(sentence), compiled)
    truth = {tuple(pattern): occurrences_by_hand(sentences, pattern, span, gap) for pattern in patterns}
    for pattern, expected in truth.items():
        for baseline in ("product", "tree", "sentences"):
            assert index.find_by(baseline, array(pattern), compiled).tolist() == expected
        assert index.search(array(pattern), compiled)[0].tolist() == expected
    for options in OPTIONS:
        found = native.PatternFinder(index, compiled, options, precomputed, cache).find(array(sentence))
        for pattern, expected in truth.items():
            node = found.find(array(pattern))
            assert ([] if node is None else found.occurrences(node).tolist()) == expected
            assert (node is not None and found.active(node)) == bool(expected)


@settings(max_examples=150, deadline=None)
@given(corpora(), st.lists(st.integers(4, 8), max_size=9), limits(), st.integers(1, 3))
def test_the_tree_is_the_tree_of_licensed_patterns(
    sentences: list[list[int]], sentence: list[int], bounds: tuple[int, int, int, int], chunks: int
) -> None:
    compiled = native.GrammarLimits(*bounds, chunks)
    found = native.PatternFinder(index_of(sentences), compiled, PLAIN).find(array(sentence))
    licensed = {tuple(pattern) for pattern in native.licensed_patterns(array(sentence), compiled, edges=True)}
    for node in range(1, len(found)):
        pattern = tuple(found.symbols(node).tolist())
        assert found.find(array(pattern)) == node
        assert pattern == (GAP,) or pattern in licensed
        inner = [symbol for symbol, group in itertools.groupby(pattern)]
        assert inner.count(GAP) == pattern.count(GAP), "no two gaps side by side"
        if found.is_core(node) and found.active(node):
            for begin, end in found.applications(node):
                assert sentence[begin] == pattern[0] and sentence[end - 1] == pattern[-1]
                assert end - begin <= bounds[0]
            if GAP not in pattern:
                places = [at for at in range(len(sentence)) if tuple(sentence[at : at + len(pattern)]) == pattern]
                assert [begin for begin, _ in found.applications(node)] == places
            assert found.applications(node)


@settings(max_examples=300, deadline=None)
@given(corpora(5), st.lists(st.integers(4, 9), min_size=1, max_size=5))
def test_contiguous(sentences: list[list[int]], words: list[int]) -> None:
    index = index_of(sentences)
    tokens = text_of(sentences).tokens.tolist()
    begin, end = index.find(array(words))
    order = native.suffix_array(array(tokens))
    expected = [at for at in range(len(tokens)) if tokens[at : at + len(words)] == words]
    assert sorted(order[begin:end].tolist()) == expected
    grown = index.find(array(words[:1]))
    for depth, word in enumerate(words[1:], start=1):
        grown = index.extend(*grown, depth, word)
    assert grown[1] - grown[0] == len(expected)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=20))
def test_sentence_numbers(lengths: list[int]) -> None:
    index = index_of([[4] * length for length in lengths])
    expected = [number for number, length in enumerate(lengths) for _ in range(length + 1)]
    assert [index.sentence(at) for at in range(len(expected))] == expected


def test_special_ids_match_nothing() -> None:
    index = index_of([[4, 5], [4, 5]])
    for special in range(4):
        assert index.find(array([special])) == (0, 0)
        found = native.PatternFinder(index, native.GrammarLimits(), PLAIN).find(array([4, special, 5]))
        assert not found.active(found.find(array([special])))
    with pytest.raises(PentaglotError, match="an invalid word id"):
        native.PatternFinder(index, native.GrammarLimits(), PLAIN).find(array([4, GAP]))


def test_threads_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    sentences = [rng.zipf(1.5, 12).clip(1, 40).astype(int) + 3 for _ in range(200)]
    index = index_of([list(map(int, sentence)) for sentence in sentences])
    text = text_of([list(map(int, sentence)) for sentence in sentences[:60]])
    precomputed = precomputed_for([list(map(int, s)) for s in sentences], index, (20, 4, 3, 10, 2))
    reference = index.count_by(text, native.GrammarLimits(), "sentences")
    for threads, budget in itertools.product((1, 2, 8), (0, 10_000, 10_000_000)):
        cache = native.PatternCache(budget) if budget else None
        finder = native.PatternFinder(index, native.GrammarLimits(), native.LookupOptions(), precomputed, cache)
        assert np.array_equal(finder.count_in(text, threads), reference)
        assert cache is None or cache.bytes <= budget


@pytest.mark.parametrize(
    ("pattern", "span", "gap", "expected"),
    [
        ("him X it", 1000, 1, [(2, 4), (2, 8), (2, 13), (6, 8), (6, 13), (10, 13)]),
        ("him X it", 10, 1, [(2, 4), (2, 8), (6, 8), (6, 13), (10, 13)]),
        ("him X it", 10, 2, [(2, 8), (6, 13), (10, 13)]),
        ("it X him X it", 10, 1, [(0, 2, 4), (0, 2, 8), (0, 6, 8), (4, 6, 8), (4, 6, 13), (4, 10, 13), (8, 10, 13)]),
        (
            "him X it X him", 10, 1,
            [(2, 4, 6), (2, 4, 10), (2, 8, 10), (6, 8, 10), (6, 8, 15), (6, 13, 15), (10, 13, 15)],
        ),
        ("it X and X him", 10, 1, [(0, 3, 6), (8, 12, 15)]),
        ("him and it X him", 10, 1, [(2, 6), (2, 10)]),
        ("it X him and it", 10, 1, [(0, 2)]),
        ("it X him", 10, 1, [(0, 2), (0, 6), (4, 6), (4, 10), (8, 10), (8, 15), (13, 15)]),
        ("and X him", 10, 1, [(3, 6), (3, 10), (12, 15)]),
        ("and it X it", 10, 1, [(3, 8)]),
        ("him X and it", 10, 1, [(6, 12), (10, 12)]),
        ("it X it", 10, 1, [(0, 4), (0, 8), (4, 8), (4, 13), (8, 13)]),
        ("and X and", 10, 1, [(3, 12)]),
    ],
)  # fmt: skip
def test_examples_of_the_thesis(pattern: str, span: int, gap: int, expected: list[tuple[int, ...]]) -> None:
    index = index_of(TEXT)
    assert _found(index, pattern, span, gap) == expected
    bounds = native.GrammarLimits(span, 9, 9, gap)
    width = len(expected[0])
    for baseline in ("product", "tree", "sentences"):
        assert _tuples(index.find_by(baseline, array(_pattern(pattern)), bounds), width) == expected


@pytest.mark.parametrize(
    ("gap", "licensed", "without_edges", "nodes", "joins", "pruned", "active"),
    [(1, 174, 84, 78, 17, 22, 23), (2, 97, 55, 54, 8, 13, 14)],
)
def test_whole_tree_of_the_thesis(
    gap: int, licensed: int, without_edges: int, nodes: int, joins: int, pruned: int, active: int
) -> None:
    bounds = native.GrammarLimits(10, 5, 2, gap)
    sentence = array([IDS[word] for word in INPUT.split()])
    assert len(native.licensed_patterns(sentence, bounds, edges=True)) == licensed
    assert len(native.licensed_patterns(sentence, bounds)) == without_edges
    found = native.PatternFinder(index_of(TEXT), bounds, PLAIN).find(sentence)
    assert len(found) - 1 == nodes
    assert (found.counts["joins"], found.counts["gapped"], found.counts["pruned"]) == (joins, joins, pruned)
    assert sum(found.active(node) and found.is_core(node) for node in range(len(found))) == active


def test_enumeration_of_the_thesis() -> None:
    sentence = array([IDS[word] for word in INPUT.split()])
    assert len(native.licensed_patterns(sentence, native.GrammarLimits(99, 99, 0, 1))) == 26
    assert len(native.licensed_patterns(sentence, native.GrammarLimits(99, 99, 99, 1))) == 123
    assert len(native.licensed_patterns(sentence, native.GrammarLimits(99, 99, 2, 1))) == 122


def test_blow_up_of_the_thesis() -> None:
    index = index_of([[4, 5, 4, 5, 7, 6, 7, 6, 7]])  # a b a b d c d c d
    flat, width, _ = index.search(array([4, 5, GAP, 6, 7]), native.GrammarLimits(9, 9, 9, 1))
    assert _tuples(flat, width) == [(0, 5), (0, 7), (2, 5), (2, 7)]


def test_search_stops_when_enough_is_found() -> None:
    index = index_of([[4] * 30])
    flat, width, complete = index.search(array([4, GAP, 4, GAP, 4]), native.GrammarLimits(30, 9, 9, 1), 100)
    assert (len(flat) // width, complete) == (100, False)
    flat, _, complete = index.search(array([4]), native.GrammarLimits(30, 9, 9, 1), 30)
    assert (len(flat), complete) == (30, True)


@pytest.mark.parametrize("pattern", [[], [GAP], [GAP, 4], [4, GAP], [4, GAP, GAP, 4]])
def test_impossible_patterns_are_refused(pattern: list[int]) -> None:
    with pytest.raises(PentaglotError, match="words at both ends"):
        index_of([[4, 4]]).search(array(pattern), native.GrammarLimits())


def test_impossible_limits_are_refused() -> None:
    with pytest.raises(PentaglotError, match="no pattern"):
        native.GrammarLimits(0)
    with pytest.raises(PentaglotError, match="at least one word"):
        native.GrammarLimits(10, 5, 2, 0)
