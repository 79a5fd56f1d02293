"""Limits as the core gets them: the patterns that are found keep to them."""

from __future__ import annotations

import itertools
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core import index as native
from pentaglot._core.index import GAP
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import OptionError
from pentaglot.index import GrammarLimits, Index, LookupOptions, PrecomputationOptions
from pentaglot.options import read_options

SENTENCE = list("abcabxaby")


def test_defaults_are_chiangs_but_for_short_gaps() -> None:
    limits = GrammarLimits()
    assert (limits.max_span, limits.max_symbols, limits.max_gaps, limits.min_gap) == (10, 5, 2, 1)


@given(st.integers(2, 9), st.integers(1, 4))
def test_spans_and_gaps_of_what_is_found(max_span: int, min_gap: int) -> None:
    """Against looking at every pair of an a and a later b."""
    bitext = Bitext.from_sentences([SENTENCE], [["t"]])
    index = Index.build(bitext, Alignment.from_links([[]]), None)
    find = bitext.source_vocabulary.find
    pattern = np.array([find("a"), GAP, find("b")], np.uint32)
    found, width, _ = index.source.search(pattern, GrammarLimits(max_span=max_span, min_gap=min_gap).compiled(), 100)
    expected = [
        [one, other]
        for one, first in enumerate(SENTENCE)
        for other, last in enumerate(SENTENCE)
        if first == "a" and last == "b" and other - one - 1 >= min_gap and other - one + 1 <= max_span
    ]
    assert sorted(found.reshape(-1, width).tolist()) == expected


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        (GrammarLimits, "max_span", 0),
        (GrammarLimits, "max_gaps", -1),
        (GrammarLimits, "min_gap", 0),
        (LookupOptions, "threshold", -1.0),
        (PrecomputationOptions, "frequent", 10_001),
    ],
)
def test_senseless_limits_are_refused(options: type, name: str, value: float) -> None:
    with pytest.raises(OptionError, match=name):
        read_options(options, {name: value}, path=None)


def test_runs_of_words_in_patterns() -> None:
    """Against counting the runs of every pattern that has any number of them."""
    words = np.arange(10, 15, dtype=np.uint32)

    def patterns(chunks: int | None) -> set[tuple[int, ...]]:
        limits = GrammarLimits(max_span=5, max_symbols=5, max_gaps=2, max_chunks=chunks).compiled()
        return {tuple(pattern) for pattern in native.licensed_patterns(words, limits)}

    runs = {pattern: sum(not gap for gap, _ in itertools.groupby(pattern, GAP.__eq__)) for pattern in patterns(None)}
    assert set(runs.values()) == {1, 2, 3}
    for most in (1, 2, 3):
        assert patterns(most) == {pattern for pattern in runs if runs[pattern] <= most}


@pytest.mark.parametrize("join", ["merge", "double_binary", "gallop"])
def test_every_way_of_joining_reaches_the_core(join: Literal["merge", "double_binary", "gallop"]) -> None:
    bitext = Bitext.from_sentences([SENTENCE], [["t"]])
    index = Index.build(bitext, Alignment.from_links([[]]), None)
    ids = np.array([bitext.source_vocabulary.find(word) for word in SENTENCE], np.uint32)
    finder = native.PatternFinder(index.source, GrammarLimits().compiled(), LookupOptions(join=join).compiled())
    found = finder.find(ids)
    node = found.find(np.array([ids[0], GAP, ids[1]], np.uint32))
    assert node is not None
    # From an a to a later b with a word or more between: none of them beside each other.
    assert found.occurrences(node).reshape(-1, 2).tolist() == [[0, 4], [0, 7], [3, 7]]
    with pytest.raises(OptionError, match="join"):
        read_options(LookupOptions, {"join": join + "s"}, path=None)
