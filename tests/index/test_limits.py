"""Limits as the core gets them: the patterns that are found keep to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core.index import GAP
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import OptionError
from pentaglot.index import GrammarLimits, Index, LookupOptions, PrecomputationOptions
from pentaglot.options import read_options

SENTENCE = list("abcabxaby")


def test_defaults_are_chiangs() -> None:
    limits = GrammarLimits()
    assert (limits.max_span, limits.max_symbols, limits.max_gaps, limits.min_gap) == (10, 5, 2, 2)


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


def test_everything_can_be_compiled() -> None:
    GrammarLimits(max_chunks=2).compiled()
    for join in ("merge", "double_binary", "gallop"):
        LookupOptions(join=join).compiled()  # type: ignore[arg-type]
    PrecomputationOptions().compiled()
