"""Constrained searches against a search through all derivations: what must be said, and what must come first."""

from __future__ import annotations

from collections.abc import Sequence

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
from tests.search.twins import Scored, chart_beginnings, stack_beginnings

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

CHOICES = st.lists(st.sets(st.sampled_from(WORDS), min_size=1, max_size=2).map(sorted), max_size=4)
Case = tuple[str, list[Rule], list[int]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    search = draw(st.sampled_from(["chart", "stack"]))
    reordering = draw(st.booleans()) if search == "stack" else False
    rules = draw(grammars(gaps=2 if search == "chart" else 0, reordering=reordering))
    return search, rules, draw(st.lists(st.sampled_from(WORDS), max_size=4))


def everything(case: Case) -> tuple[list[Scored], list[tuple[int, ...]]]:
    """All derivations, and the words of all beginnings of one."""
    search, rules, sentence = case
    if search == "chart":
        rows = chart_beginnings(rules, sentence, 4)
        return rows[-1], [words for row in rows for _, words in row]
    found = list(stack_beginnings(rules, sentence, 3))
    return [each for whole, each in found if whole], [words for _, (_, words) in found]


def run(case: Case, choices: Sequence[Sequence[int]], open_end: bool, **options: int) -> tuple[Forest | None, int]:
    search, rules, sentence = case
    words = core.sentence(np.array(sentence, np.uint32))
    constraint = core.TargetConstraint([list(each) for each in choices], open_end)
    if search == "chart":
        chart = chart_options(**options)
        found = core.search_chart(words, table_of(rules), search_model(True), chart, constraint=constraint)
    else:
        stacks = stack_options(distortion_limit=3, **options)
        found = core.search_stacks(words, table_of(rules), search_model(True), stacks, constraint=constraint)
    return None if found[0] is None else Forest.from_packed(found[0], WEIGHTS), found[3]


def obeys(words: tuple[int, ...], choices: Sequence[Sequence[int]], open_end: bool) -> bool:
    """Whether words go along with the constraint as far as they go."""
    fits = all(word in choice for word, choice in zip(words, choices, strict=False))
    return fits and (open_end or len(words) <= len(choices))


@settings(max_examples=300, deadline=None)
@given(cases(), CHOICES, st.booleans(), st.randoms(use_true_random=False))
def test_finds_every_derivation_that_obeys(case: Case, choices: list[list[int]], open_end: bool, dice) -> None:  # type: ignore[no-untyped-def]
    derivations, beginnings = everything(case)
    assume(len(derivations) < 5_000)
    if derivations and dice.random() < 0.8:  # mostly something that can be said
        words = dice.choice(derivations)[1]
        choices = [[word] for word in words[: dice.randrange(len(words) + 1) if open_end else len(words)]]
    expected = [
        (score, words) for score, words in derivations if len(words) >= len(choices) and obeys(words, choices, open_end)
    ]
    forest, reached = run(case, choices, open_end)
    assert reached == max(min(len(words), len(choices)) for words in beginnings if obeys(words, choices, open_end))
    if not expected:
        assert forest is None
        return
    assert forest is not None
    assert forest.count() == len(expected)
    scores = sorted((score + language_score(words) for score, words in expected), reverse=True)
    found = forest.kbest(min(len(expected), 30))
    assert [each.score for each in found] == pytest.approx(scores[:30], abs=1e-4)
    assert all(len(each.words) >= len(choices) and obeys(each.words, choices, open_end) for each in found)


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(0, 3), st.integers(1, 3))
def test_small_beams_still_obey(case: Case, size: int, pops: int) -> None:
    derivations, _ = everything(case)
    assume(0 < len(derivations) < 5_000)
    choices = [[word] for word in max(derivations)[1][:size]]
    forest, _ = run(case, choices, True, pop_limit=pops)
    best, _ = run(case, choices, True)
    if forest is not None:  # phrases may have been pruned that were needed in the end
        assert best is not None
        assert forest.viterbi().score <= best.viterbi().score + 1e-4
        assert obeys(forest.viterbi().words, choices, True)


def test_one_word_for_each_place_is_enough_rules() -> None:
    """What the constraint rules out does not use up the number of translations."""
    rules = [Rule((WORDS[0],), (word,), -float(number)) for number, word in enumerate(WORDS)]
    for search in ("chart", "stack"):
        forest, _ = run((search, rules, [WORDS[0]] * 3), [[WORDS[3]], [WORDS[2]]], True, translations=1)
        assert forest is not None
        assert forest.viterbi().words[:2] == (WORDS[3], WORDS[2])


def test_too_long() -> None:
    with pytest.raises(PentaglotError, match="at most 65,534 words"):
        core.TargetConstraint([[WORDS[0]]] * 65_535, True)
