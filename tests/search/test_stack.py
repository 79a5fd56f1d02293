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
    chart_options,
    grammars,
    language_score,
    search_model,
    stack_options,
    table_of,
)
from tests.search.twins import stack_derivations

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

SENTENCES = st.lists(st.sampled_from(WORDS), max_size=4)


def search(rules: list[Rule], sentence: list[int], language: bool, **options: float) -> Forest:
    words = core.sentence(np.array(sentence, np.uint32))
    how = stack_options(**options)
    packed, limited, *_ = core.search_stacks(words, table_of(rules), search_model(language), how)
    assert not limited
    return Forest.from_packed(packed, WEIGHTS)


@settings(max_examples=150, deadline=None)
@given(
    st.booleans().flatmap(lambda reorder: grammars(gaps=0, reordering=reorder)),
    SENTENCES,
    st.integers(0, 3),
    st.integers(1, 3),
)
def test_finds_every_order(rules: list[Rule], sentence: list[int], limit: int, max_span: int) -> None:
    forest = search(rules, sentence, True, distortion_limit=limit, max_span=max_span)
    assume(forest.count() < 20_000)
    expected = list(stack_derivations(rules, sentence, limit, max_span))
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
    words = core.sentence(np.array(sentence, np.uint32))
    packed, *_ = core.search_chart(words, table_of(rules), search_model(False), chart_options(max_span=7))
    chart = Forest.from_packed(packed, WEIGHTS)
    assert sorted(each.words for each in chart.kbest(2_000)) == sorted(each.words for each in forest.kbest(2_000))


def test_what_cannot_be_done() -> None:
    rules = [Rule((WORDS[0],), (WORDS[0],), 0.0)]
    with pytest.raises(PentaglotError, match="no phrases cover the input"):
        search(rules, [WORDS[0], WORDS[1]], False)
    assert search(rules, [], False).viterbi().words == ()
    for words in (256, 257, 400):  # small and large sets of covered words
        long = search(rules, [WORDS[0]] * words, False, pop_limit=5, stack_size=5)
        assert len(long.viterbi().words) == words
    with pytest.raises(PentaglotError, match="cannot use rules with gaps"):
        search([*rules, Rule((WORDS[0], -1), (-1,), 0.0)], [WORDS[0]], False)


def test_limits_still_give_an_answer() -> None:
    rules = [Rule((word,), (target,), -abs(word - target) / 2) for word in WORDS for target in WORDS]
    sentence = core.sentence(np.array([WORDS[n % 4] for n in range(60)], np.uint32))
    packed, limited, *_ = core.search_stacks(
        sentence, table_of(rules), search_model(True), stack_options(pop_limit=400, stack_size=200), hypotheses=100
    )
    assert limited
    assert len(Forest.from_packed(packed, WEIGHTS).viterbi().words) == 60
