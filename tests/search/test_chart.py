"""The chart search against a search through all derivations."""

from __future__ import annotations

import threading
from itertools import islice, permutations, product

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
    table_of,
)
from tests.search.twins import chart_derivations

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot._core.base import Cancellation
from pentaglot._core.rules import RuleTable
from pentaglot.forest import Forest

SENTENCES = st.lists(st.sampled_from(WORDS), max_size=5)
LIMITS = st.fixed_dictionaries({"max_span": st.integers(1, 5), "min_gap": st.integers(1, 3)})


def search(rules: list[Rule], sentence: list[int], language: bool, **options: object) -> Forest:
    words = core.sentence(np.array(sentence, np.uint32))
    how = chart_options(**options)
    packed, limited, *_ = core.search_chart(words, table_of(rules), search_model(language), how)
    assert not limited
    return Forest.from_packed(packed, WEIGHTS)


@settings(max_examples=250, deadline=None)
@given(grammars(), SENTENCES, st.booleans(), st.booleans(), LIMITS)
def test_finds_every_derivation(
    rules: list[Rule], sentence: list[int], language: bool, growing: bool, limits: dict[str, int]
) -> None:
    forest = search(rules, sentence, language, growing=growing, **limits)
    assume(forest.count() < 20_000)
    expected = list(chart_derivations(rules, sentence, **limits))
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


def test_a_gap_covers_as_many_words_as_it_must() -> None:
    first, second, third, _ = WORDS
    words = [Rule((word,), (word,), -1.0) for word in WORDS]
    rules = [*words, Rule((second,) * 2, (second,), -1.0), Rule((first, -1, third), (third, -1, first), 5.0)]
    short, long = [first, second, third], [first, second, second, third]
    for gap, moved in ((1, {3, 4}), (2, {4}), (3, set())):
        found = {len(s) for s in (short, long) if search(rules, s, False, min_gap=gap).viterbi().words[0] == third}
        assert found == moved


def test_a_span_binds_rules_without_gaps_too() -> None:
    first, second, *_ = WORDS
    words = [Rule((word,), (word,), -1.0) for word in WORDS]
    for any_length, best in ((False, (first,) * 4), (True, (second,))):
        rules = [*words, Rule((first,) * 4, (second,), 0.0, any_length=any_length)]
        assert search(rules, [first] * 4, False, max_span=3).viterbi().words == best
        assert search(rules, [first] * 4, False, max_span=4).viterbi().words == (second,)


def test_labels_are_heeded() -> None:
    """A gap takes what has its label; glue takes the labels that it may."""
    first, second, *_ = WORDS
    rules = [
        Rule((first,), (first,), -1.0),
        Rule((second,), (second,), -1.0, label=7),
        Rule((-1, second), (second, -1), 0.0, gap_labels=(7,)),
    ]
    assert search(rules, [second, second], False).viterbi().words == (second, second)
    assert search(rules, [second, second], False).count() == 1
    assert search(rules, [second, second], False, glue_labels=[7, 0]).count() == 2
    assert search(rules, [first, second], False, glue_labels=[7, 0]).count() == 1
    with pytest.raises(PentaglotError, match="no rules cover the input"):
        search(rules, [first, second], False)


def test_rules_of_one_gap() -> None:
    """They give a part another label; their target side may have words."""
    first, second, third, _ = WORDS
    rules = [
        Rule((first,), (first,), 0.0, label=1),
        Rule((-1,), (-1, third), 0.0, label=2, gap_labels=(1,)),
        Rule((-1, second), (second, -1), 9.0, gap_labels=(2,)),
        Rule((second,), (second,), 0.0),
    ]
    for growing in (False, True):
        forest = search(rules, [first, second], False, growing=growing, glue_labels=[0, 1, 2])
        assert forest.viterbi().words == (second, first, third)
        assert forest.count() == 3


def test_rules_of_one_gap_that_go_in_a_circle() -> None:
    words = [Rule((WORDS[0],), (WORDS[0],), 0.0)]
    for steps, circle in [([(0, 0)], "0 to 0"), ([(3, 1), (1, 2), (2, 5), (5, 1)], "(1 to 2 to 5 to 1|2 to 5|5 to 1)")]:
        rules = words + [Rule((-1,), (-1,), 0.0, label=made, gap_labels=(of,)) for of, made in steps]
        for growing in (False, True):
            with pytest.raises(PentaglotError, match=f"single gap.*for ever: from .*{circle}"):
                search(rules, [WORDS[0]], False, growing=growing)


def test_tables_that_make_no_sense() -> None:
    table = RuleTable()
    with pytest.raises(PentaglotError, match="needs its label"):
        table.add_pattern([-1, WORDS[0], -2], gap_labels=[1])
    with pytest.raises(PentaglotError, match="a label is a number below"):
        table.add_pattern([WORDS[0]], label=2**31)
    with pytest.raises(PentaglotError, match="only a source side without gaps"):
        table.add_pattern([-1, WORDS[0]], any_length=True)
    for symbols, problem in [
        ([], "empty"),
        ([-1, *WORDS, -3], "out of order"),
        ([*range(-1, -8, -1)], "at most 6 gaps"),
    ]:
        with pytest.raises(PentaglotError, match=problem):
            table.add_pattern(symbols)


def test_unlimited_means_unlimited() -> None:
    """More translations of a word than 16 bits can count, each with a state of its own for the rest of the search."""
    many = list(islice(product(WORDS, repeat=9), 70_000))
    rules = [Rule((WORDS[0],), target, -1.0) for target in many] + [Rule((WORDS[1], -1), (-1,), 0.0)]
    table = table_of(rules)
    for sentence in ([WORDS[0]], [WORDS[1], WORDS[0]]):
        words = core.sentence(np.array(sentence, np.uint32))
        packed, *_ = core.search_chart(words, table, search_model(False), chart_options())
        assert Forest.from_packed(packed, WEIGHTS).count() == len(many)


def test_nothing_is_left_to_the_core() -> None:
    """What people do not say has one default, that of `SearchOptions`."""
    for options in (core.ChartOptions, core.StackOptions):
        with pytest.raises(TypeError):
            options()  # type: ignore[call-arg]


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
    options = chart_options(growing=growing, pop_limit=200, whole_forest=False)
    packed, limited, made, _ = core.search_chart(sentence, table, model, options, hypotheses=300)
    assert limited
    assert len(Forest.from_packed(packed, WEIGHTS).viterbi().words) == 60
    _, free, more, _ = core.search_chart(sentence, table, model, options)
    assert not free and more > made
    assert core.search_chart(sentence, table, model, options, seconds=1e-9)[1]


def test_cancelling() -> None:
    rules = [Rule((word,), (target,), -1.0) for word in WORDS for target in WORDS]
    stop = Cancellation()
    sentence = core.sentence(np.array([WORDS[n % 4] for n in range(250)], np.uint32))
    threading.Timer(0.05, stop.cancel).start()
    with pytest.raises(PentaglotError, match="cancelled"):
        for _ in range(10_000):
            core.search_chart(
                sentence, table_of(rules), search_model(True), chart_options(pop_limit=2000), cancellation=stop
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
