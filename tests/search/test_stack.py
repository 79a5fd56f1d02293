"""The stack search against a search through all orders of phrases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search.grammars import (
    WEIGHTS,
    WORDS,
    Rule,
    grammars,
    language_score,
    search_model,
    stack_derivations,
    table_of,
)

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

EVERYTHING = 1_000_000
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=4)


def search(rules: list[Rule], sentence: list[int], language: bool, **options: float) -> Forest:
    settings = {"distortion_limit": 6, "pop_limit": EVERYTHING, "stack_size": EVERYTHING, "translations": 0} | options
    words = core.sentence(np.array(sentence, np.uint32))
    options_object = core.StackOptions(whole_forest=True, **settings)
    packed, limited, *_ = core.search_stacks(words, table_of(rules), search_model(language), options_object)
    assert not limited
    return Forest.from_packed(packed, WEIGHTS)


@settings(max_examples=150, deadline=None)
@given(st.booleans().flatmap(lambda reorder: grammars(gaps=0, reordering=reorder)), SENTENCES, st.integers(0, 3))
def test_finds_every_order(rules: list[Rule], sentence: list[int], limit: int) -> None:
    forest = search(rules, sentence, True, distortion_limit=limit)
    assume(forest.count() < 20_000)
    expected = list(stack_derivations(rules, sentence, limit))
    assert forest.count() == len(expected)
    scores = sorted((score + language_score(words) for score, words in expected), reverse=True)
    found = [derivation.score for derivation in forest.kbest(min(len(expected), 50))]
    assert found == pytest.approx(scores[:50], abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(grammars(gaps=0), SENTENCES, st.integers(1, 6), st.integers(1, 6), st.floats(0.1, 3))
def test_pruning_is_never_better(
    rules: list[Rule], sentence: list[int], pops: int, kept: int, threshold: float
) -> None:
    everything = search(rules, sentence, True)
    pruned = search(rules, sentence, True, pop_limit=pops, stack_size=kept, threshold=threshold)
    assert pruned.viterbi().score <= everything.viterbi().score + 1e-4


@settings(max_examples=60, deadline=None)
@given(grammars(gaps=0), SENTENCES)
def test_in_the_order_of_the_input_both_searches_find_the_same(rules: list[Rule], sentence: list[int]) -> None:
    """A grammar without gaps is a phrase table whose phrases are not moved."""
    forest = search(rules, sentence, False, distortion_limit=0)
    assume(forest.count() < 2_000)
    how = core.ChartOptions(max_span=7, pop_limit=EVERYTHING, translations=0, whole_forest=True)
    words = core.sentence(np.array(sentence, np.uint32))
    packed, *_ = core.search_chart(words, table_of(rules), search_model(False), how)
    chart = Forest.from_packed(packed, WEIGHTS)
    assert sorted(each.words for each in chart.kbest(2_000)) == sorted(each.words for each in forest.kbest(2_000))


def test_a_lattice_is_all_its_sentences() -> None:
    rules = [Rule((word,), (word,), -abs(word - WORDS[1]) / 3) for word in WORDS]
    arcs = [(0, 1, WORDS[0]), (0, 1, WORDS[1]), (1, 2, WORDS[2]), (0, 2, WORDS[3])]
    options = core.StackOptions(pop_limit=EVERYTHING, stack_size=EVERYTHING, whole_forest=True)
    packed, *_ = core.search_stacks(core.lattice(3, arcs), table_of(rules), search_model(True), options)
    forest = Forest.from_packed(packed, WEIGHTS)
    alone = [search(rules, s, True) for s in ([WORDS[0], WORDS[2]], [WORDS[1], WORDS[2]], [WORDS[3]])]
    assert forest.viterbi().score == pytest.approx(max(each.viterbi().score for each in alone), abs=1e-4)
    assert forest.count() == sum(each.count() for each in alone)


def test_what_cannot_be_done() -> None:
    rules = [Rule((WORDS[0],), (WORDS[0],), 0.0)]
    with pytest.raises(PentaglotError, match="no phrases cover the input"):
        search(rules, [WORDS[0], WORDS[1]], False)
    assert search(rules, [], False).viterbi().words == ()
    with pytest.raises(PentaglotError, match="too long for phrase reordering; split it at 256"):
        search(rules, [WORDS[0]] * 257, False, pop_limit=5)
    longest = search(rules, [WORDS[0]] * 256, False, pop_limit=5, stack_size=5)
    assert len(longest.viterbi().words) == 256


def test_limits_still_give_an_answer() -> None:
    rules = [Rule((word,), (target,), -abs(word - target) / 2) for word in WORDS for target in WORDS]
    sentence = core.sentence(np.array([WORDS[n % 4] for n in range(60)], np.uint32))
    packed, limited, *_ = core.search_stacks(
        sentence, table_of(rules), search_model(True), core.StackOptions(), hypotheses=100
    )
    assert limited
    assert len(Forest.from_packed(packed, WEIGHTS).viterbi().words) == 60
