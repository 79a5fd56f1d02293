"""The estimate of p(source | target) against counting the target text word by word."""

from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, feature_space

PAIRS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
        st.lists(st.sampled_from("xyz"), min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=8,
)


def _diagonal(source: list[str], target: list[str]) -> list[tuple[int, int]]:
    return [(at, at) for at in range(min(len(source), len(target)))]


def _occurrences(run: list[str], sentences: list[list[str]]) -> int:
    return sum(run == words[at : at + len(run)] for words in sentences for at in range(len(words)))


def _runs(target: list[str]) -> list[list[str]]:
    return [list(words) for gap, words in groupby(target, lambda symbol: symbol.startswith("X")) if not gap]


@pytest.mark.parametrize("sample", [0, 2])
@given(pairs=PAIRS, sentence=st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
def test_against_counting(pairs: list[tuple[list[str], list[str]]], sentence: list[str], sample: int) -> None:
    sources, targets = [list(pair[0]) for pair in pairs], [list(pair[1]) for pair in pairs]
    index = Index.build(Bitext.from_sentences(sources, targets), Alignment.from_links([_diagonal(*p) for p in pairs]))
    space = feature_space()
    rules = IndexRules(index, space, RuleOptions(min_gap=1, sample=sample, fallbacks=())).rules(sentence)
    table = rules.table
    found = table.feature(space.id("inverse_estimate"))
    offsets = table.rule_offsets.tolist()
    for pattern in range(table.patterns):
        for rule in range(offsets[pattern], offsets[pattern + 1]):
            if table.attempts[pattern] == 0:
                assert found[rule] == 0
                continue
            together = float(table.counts[rule]) * int(table.occurrences[pattern]) / int(table.attempts[pattern])
            rarest = min(_occurrences(run, targets) for run in _runs(rules.target_side(rule)))
            assert found[rule] == pytest.approx(math.log(min(1.0, together / rarest)), abs=1e-5)


def test_stored_or_made_when_asked_for(tmp_path: Path) -> None:
    bitext = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    links = Alignment.from_links([[(0, 0), (1, 1)]] * 2)
    columns = []
    for both_sides in (True, False):
        Index.build(bitext, links, both_sides=both_sides).save(tmp_path / "index")
        assert (tmp_path / "index" / "target_suffixes").exists() == both_sides
        space = feature_space()
        rules = IndexRules(Index.open(tmp_path / "index"), space, RuleOptions(max_gaps=0)).rules(["das", "Haus"])
        columns.append(rules.table.feature(space.id("inverse_estimate")))
    assert np.array_equal(*columns)


def test_it_can_be_switched_off() -> None:
    bitext = Bitext.from_sentences([["das"], ["das"]], [["the"], ["the"]])
    space = feature_space()
    index = Index.build(bitext, Alignment.from_links([[(0, 0)], []]))
    rules = IndexRules(index, space, RuleOptions(inverse=False)).rules(["das"])
    assert space.id("inverse_estimate") not in rules.table.feature_ids.tolist()
    rules = IndexRules(index, space, RuleOptions()).rules(["das"])
    assert rules.table.feature(space.id("inverse_estimate")).tolist() == [pytest.approx(math.log(0.5))]
