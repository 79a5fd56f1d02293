"""The chart search against a search through all derivations."""

from __future__ import annotations

import threading
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search.grammars import (
    WEIGHTS,
    WORDS,
    Rule,
    chart_derivations,
    grammars,
    language_score,
    search_model,
    table_of,
)

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

EVERYTHING = 1_000_000
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=5)


def search(rules: list[Rule], sentence: list[int], language: bool, **options: int) -> Forest:
    settings = {"max_span": 4, "pop_limit": EVERYTHING, "translations": 0, "whole_forest": True} | options
    how = core.ChartOptions(**settings)
    words = core.sentence(np.array(sentence, np.uint32))
    packed, limited, *_ = core.search_chart(words, table_of(rules), search_model(language), how)
    assert not limited
    return Forest.from_packed(packed, WEIGHTS)


@settings(max_examples=250, deadline=None)
@given(grammars(), SENTENCES, st.booleans(), st.booleans())
def test_finds_every_derivation(rules: list[Rule], sentence: list[int], language: bool, growing: bool) -> None:
    forest = search(rules, sentence, language, growing=growing)
    assume(forest.count() < 20_000)
    expected = list(chart_derivations(rules, sentence, 4))
    assert forest.count() == len(expected)
    scores = sorted((score + (language_score(words) if language else 0) for score, words in expected), reverse=True)
    found = [derivation.score for derivation in forest.kbest(min(len(expected), 50))]
    assert found == pytest.approx(scores[:50], abs=1e-4)
    best = forest.viterbi()
    assert language_score(best.words) * language + max(
        score for score, words in expected if words == best.words
    ) == pytest.approx(scores[0], abs=1e-4)


@settings(max_examples=50, deadline=None)
@given(grammars(), SENTENCES)
def test_best_alone_is_the_best(rules: list[Rule], sentence: list[int]) -> None:
    whole = search(rules, sentence, True)
    alone = search(rules, sentence, True, whole_forest=False)
    assert alone.count() == 1
    assert alone.viterbi().score == pytest.approx(whole.viterbi().score, abs=1e-4)
    assert alone.viterbi().words == whole.viterbi().words


@settings(max_examples=80, deadline=None)
@given(grammars(), SENTENCES, st.integers(1, 5), st.booleans(), st.booleans())
def test_fewer_pops_are_never_better(
    rules: list[Rule], sentence: list[int], pops: int, growing: bool, whole: bool
) -> None:
    everything = search(rules, sentence, True)
    hurried = search(rules, sentence, True, pop_limit=pops, growing=growing, whole_forest=whole)
    assert hurried.viterbi().score <= everything.viterbi().score + 1e-4
    # What it says of its score is the score of its words and rules.
    best = hurried.viterbi()
    own = [
        score + language_score(words) for score, words in chart_derivations(rules, sentence, 4) if words == best.words
    ]
    assert min(abs(best.score - score) for score in own) < 1e-4


@settings(max_examples=80, deadline=None)
@given(grammars(), SENTENCES)
def test_growing_without_a_language_model_is_exact(rules: list[Rule], sentence: list[int]) -> None:
    """Then estimates are scores, and the first item that is given away is the best."""
    best = search(rules, sentence, False, growing=True, whole_forest=False).viterbi()
    assert best.score == pytest.approx(search(rules, sentence, False).viterbi().score, abs=1e-4)


@settings(max_examples=100, deadline=None)
@given(grammars(gaps=1), st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2), min_size=1, max_size=4))
def test_a_lattice_is_all_its_sentences(rules: list[Rule], columns: list[tuple[int, int]]) -> None:
    arcs = [(at, at + 1, word) for at, column in enumerate(columns) for word in sorted(set(column))]
    lattice = core.lattice(len(columns) + 1, arcs)
    options = core.ChartOptions(max_span=4, pop_limit=EVERYTHING, translations=0, whole_forest=True)
    packed, *_ = core.search_chart(lattice, table_of(rules), search_model(True), options)
    forest = Forest.from_packed(packed, WEIGHTS)
    sentences = [[]]
    for column in columns:
        sentences = [[*sentence, word] for sentence in sentences for word in sorted(set(column))]
    alone = [search(rules, sentence, True) for sentence in sentences]
    assert forest.viterbi().score == pytest.approx(max(each.viterbi().score for each in alone), abs=1e-4)
    assert forest.count() == sum(each.count() for each in alone)


def test_arcs_that_skip_and_that_lead_astray() -> None:
    rules = [Rule((word,), (word,), -1.0) for word in WORDS]
    first, second, *_ = WORDS
    lattice = core.lattice(3, [(0, 1, first), (1, 2, first), (0, 2, second)])
    options = core.ChartOptions(pop_limit=EVERYTHING, whole_forest=True)
    packed, *_ = core.search_chart(lattice, table_of(rules), search_model(False), options)
    words = [derivation.words for derivation in Forest.from_packed(packed, WEIGHTS).kbest(5)]
    assert words == [(second,), (first, first)]
    for nodes, arcs in [(3, [(0, 1, first)]), (2, [(1, 0, first)]), (2, [(0, 2, first)]), (0, [])]:
        with pytest.raises(PentaglotError, match="lattice"):
            core.lattice(nodes, arcs)


def test_what_no_rule_covers() -> None:
    rules = [Rule((WORDS[0],), (WORDS[0],), 0.0)]
    with pytest.raises(PentaglotError, match="no rules cover the input"):
        search(rules, [WORDS[0], WORDS[1]], False)
    assert search(rules, [], False).viterbi().words == ()


@pytest.mark.parametrize("growing", [False, True])
def test_limits_still_give_an_answer(growing: bool) -> None:
    rules = [Rule((word,), (target,), -abs(word - target) / 2) for word in WORDS for target in WORDS]
    table, model = table_of(rules), search_model(True)
    sentence = core.sentence(np.array([WORDS[n % 4] for n in range(60)], np.uint32))
    options = core.ChartOptions(growing=growing)
    packed, limited, made, _ = core.search_chart(sentence, table, model, options, hypotheses=300)
    assert limited
    assert len(Forest.from_packed(packed, WEIGHTS).viterbi().words) == 60
    _, free, more, _ = core.search_chart(sentence, table, model, options)
    assert not free and more > made
    assert core.search_chart(sentence, table, model, options, seconds=1e-9)[1]


def test_cancelling() -> None:
    rules = [Rule((word,), (target,), -1.0) for word in WORDS for target in WORDS]
    stop = core.Cancellation()
    sentence = core.sentence(np.array([WORDS[n % 4] for n in range(250)], np.uint32))
    threading.Timer(0.05, stop.cancel).start()
    with pytest.raises(PentaglotError, match="cancelled"):
        for _ in range(10_000):
            core.search_chart(
                sentence, table_of(rules), search_model(True), core.ChartOptions(pop_limit=2000), cancellation=stop
            )
    assert stop.cancelled


def _orders(rules: list[Rule], words: int) -> set[tuple[int, ...]]:
    """All translations of so many different words."""
    sentence = list(WORDS)[:words]
    forest = search(rules, sentence, False, max_span=words)
    return {derivation.words for derivation in forest.kbest(forest.count())}


def test_bracketing_grammars_lack_the_two_inside_outside_orders() -> None:
    """Lopez 2008, §2.3.2.1: binary rules cannot make 2413 and 3142; one rule with four gaps can."""
    straight, inverted = Rule((-1, -2), (-1, -2), -1), Rule((-1, -2), (-2, -1), -1)
    words = [Rule((word,), (word,), -1) for word in WORDS]
    one, two, three, four = WORDS
    impossible = {(two, four, one, three), (three, one, four, two)}
    binary = _orders([straight, inverted, *words], 4)
    assert binary == set(permutations(WORDS)) - impossible
    wide = Rule((-1, -2, -3, -4), (-2, -4, -1, -3), -1)
    assert _orders([straight, inverted, wide, *words], 4) == binary | {(two, four, one, three)}


def test_the_derivation_of_the_survey() -> None:
    """Rules H1 to H3 of Lopez 2008, §2.3.2.3, generate its first sentence pair."""
    source = ["虽然", "北", "风", "呼啸", ",", "但", "天空", "依然", "十分", "清澈", "。"]
    target = ["However", ",", "the", "sky", "remained", "clear", "under", "the", "strong", "north", "wind", "."]
    ids = {word: number for number, word in enumerate(dict.fromkeys([*source, *target]), WORDS[0])}

    def rule(left: str, right: str) -> Rule:
        sides = (
            [-int(word[1:]) if word.startswith("X") else ids[word] for word in side.split()] for side in (left, right)
        )
        return Rule(*map(tuple, sides), -1)

    rules = [
        rule("虽然 X1 , 但 X2 。", "However , X2 X1 ."),
        rule("北 风 呼啸", "under the strong north wind"),
        rule("天空 依然 十分 清澈", "the sky remained clear"),
    ]
    forest = search(rules, [ids[word] for word in source], False, max_span=len(source))
    assert forest.viterbi().words == tuple(ids[word] for word in target)
    assert forest.count() == 1
