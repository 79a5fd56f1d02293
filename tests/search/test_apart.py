"""Phrases whose words are not adjacent, labels and signatures: the stack search against all orders of phrases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search.grammars import (
    DISTORTION,
    PHRASE_GAPS,
    WEIGHTS,
    WORDS,
    Rule,
    chart_options,
    language_score,
    search_model,
    stack_options,
    table_of,
)
from tests.search.lines import stack_cases
from tests.search.twins import Derived, Labels, Line, agree, bytes_of, derived_by_stacks

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

Case = tuple[list[Rule], Line, Labels]


def run(case: Case, language: bool = True, constraint: core.TargetConstraint | None = None, **options: object):  # type: ignore[no-untyped-def]
    rules, line, labels = case
    how = stack_options(**labels.options, **options)
    return core.search_stacks(line.native, table_of(rules), search_model(language), how, constraint=constraint)


def derived(case: Case, limit: int, max_span: int = 7) -> list[Derived]:
    return [each for whole, each in derived_by_stacks(*case, limit, max_span) if whole]


@settings(max_examples=500, deadline=None)
@given(stack_cases(), st.integers(0, 5), st.integers(1, 4))
def test_finds_every_order(case: Case, limit: int, max_span: int) -> None:
    expected = derived(case, limit, max_span)
    assume(len(expected) < 3_000)
    options = {"distortion_limit": limit, "max_span": max_span}
    if not expected:
        with pytest.raises(PentaglotError, match="no phrases cover the input"):
            run(case, **options)
        return
    agree(Forest.from_packed(run(case, **options)[0], WEIGHTS), expected)


@settings(max_examples=150, deadline=None)
@given(stack_cases(), st.booleans(), st.randoms(use_true_random=False))
def test_constrained(case: Case, open_end: bool, dice) -> None:  # type: ignore[no-untyped-def]
    every = derived(case, 4)
    assume(0 < len(every) < 2_000)
    words = dice.choice(every)[1]
    must = words[: dice.randrange(len(words) + 1)] if open_end else words
    expected = [each for each in every if each[1][: len(must)] == must and (open_end or each[1] == must)]
    constraint = core.TargetConstraint([[word] for word in must], open_end)
    packed, limited, _, reached = run(case, True, constraint, distortion_limit=4)
    assert not limited and reached == len(must)
    agree(Forest.from_packed(packed, WEIGHTS), expected)


@settings(max_examples=100, deadline=None)
@given(stack_cases(), st.integers(1, 4), st.integers(1, 4))
def test_pruning_keeps_scores_true(case: Case, pops: int, kept: int) -> None:
    expected = derived(case, 4)
    assume(0 < len(expected) < 2_000)
    try:
        packed, *_ = run(case, distortion_limit=4, pop_limit=pops, stack_size=kept)
    except PentaglotError:  # a word without a phrase of its own may be left over
        assume(False)
    best = Forest.from_packed(packed, WEIGHTS).viterbi()
    own = [float(WEIGHTS @ values) + language_score(words) for values, words in expected if words == best.words]
    assert min(abs(best.score - score) for score in own) < 1e-4


FIRST, SECOND, THIRD, FOURTH = WORDS


def found(rules: list[Rule], line: Line, **options: object) -> Forest:
    return Forest.from_packed(run((rules, line, Labels()), False, **options)[0], WEIGHTS)


def test_distortion_with_gaps() -> None:
    """Li 2016, 7.7: units {0,1}, {2,6}, {3,4,5} of the world cup have jumps and gaps (0,0), (0,3), (4,0)."""
    words = tuple(range(FIRST, FIRST + 7))
    units = [(0, 1), (2, 6), (3, 4, 5)]
    rules = [
        Rule(tuple(words[at] for at in places), (100 + number,), 0.0, places=places)
        for number, places in enumerate(units)
    ]
    forest = found(rules, Line(words), distortion_limit=6)
    ways = {each.words: each for each in forest.kbest(forest.count())}
    best = ways[100, 101, 102]
    assert (best.features[DISTORTION], best.features[PHRASE_GAPS]) == (4.0, 3.0)
    payloads = [payload for payload in best.payloads.tolist() if payload & 0xFFFFFFFF < len(rules)]
    spans = {payload & 0xFFFFFFFF: (payload >> 32 & 0xFFFF, payload >> 48) for payload in payloads}
    assert spans == {0: (0, 2), 1: (2, 7), 2: (3, 6)}


def test_words_that_only_such_a_phrase_covers() -> None:
    """The rest has a cost, and what would leave such a word over is not begun, however small the stacks are."""
    rules = [Rule((word,), (word,), 5.0) for word in (FIRST, SECOND, THIRD)]
    rules.append(Rule((FIRST, FOURTH), (FOURTH,), -9.0, places=(0, 3)))
    for size in (1, 2, 100):
        forest = found(rules, Line(tuple(WORDS)), pop_limit=size, stack_size=size)
        assert sorted(forest.viterbi().words) == [SECOND, THIRD, FOURTH]


def test_the_chart_refuses_them() -> None:
    words = Line((FIRST, SECOND, THIRD)).native
    for places, fits in (((0, 1), True), ((0, 2), False)):
        rules = [Rule((word,), (word,), 0.0) for word in WORDS]
        rules.append(Rule((FIRST, list(WORDS)[places[1]]), (FOURTH,), 9.0, places=places))
        for growing in (False, True):
            options = chart_options(growing=growing)
            if fits:
                packed, *_ = core.search_chart(words, table_of(rules), search_model(False), options)
                assert Forest.from_packed(packed, WEIGHTS).viterbi().words == (FOURTH, THIRD)
                continue
            with pytest.raises(PentaglotError, match="the words of pattern 4 are not adjacent; only the stack search"):
                core.search_chart(words, table_of(rules), search_model(False), options)


def test_long_inputs_with_words_far_apart() -> None:
    for size in (255, 256, 257, 300):
        rules = [Rule((FIRST,), (FIRST,), -1.0), Rule((FIRST, FIRST), (SECOND,), 50.0, places=(0, size - 1))]
        forest = found(rules, Line((FIRST,) * size), pop_limit=5, stack_size=5, distortion_limit=400)
        assert sorted(forest.viterbi().words) == [FIRST] * (size - 2) + [SECOND]


def test_many_threads_give_the_same_bytes() -> None:
    rng = np.random.default_rng(7)
    tasks = []
    for _ in range(60):
        words = tuple(int(word) for word in rng.choice(list(WORDS), 8))
        rules = [Rule((word,), (int(rng.choice(WORDS)),), -float(rng.integers(0, 4))) for word in WORDS]
        for _ in range(10):
            places = tuple(sorted(int(at) for at in rng.choice(8, int(rng.integers(2, 4)), replace=False)))
            rules.append(Rule(tuple(words[at] for at in places), (int(rng.choice(WORDS)),), 0.5, places=places))
        unique = list({(rule.pattern, rule.target): rule for rule in rules}.values())
        tasks.append((unique, Line(words), Labels()))

    def packed(case: Case) -> bytes:
        return bytes_of(run(case, pop_limit=30, stack_size=20)[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(packed, tasks)) == [packed(case) for case in tasks]
