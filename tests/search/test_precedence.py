"""The expected order of words as a feature, against its definition, in all searches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.search.grammars import EVERYTHING, FEATURES, RULE, WEIGHTS, chart_options, stack_options

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot._core.corpus import FIRST_WORD
from pentaglot._core.rules import RuleTable
from pentaglot.forest import Forest

PRECEDENCE = len(WEIGHTS)
ALL = np.array([*WEIGHTS, 0.7])
SIZE = 5
SENTENCE = np.arange(FIRST_WORD, FIRST_WORD + SIZE, dtype=np.uint32)
FIRST_TARGET = 100  # every word of every rule is another one, so that a translation tells its derivation

Chances = NDArray[np.float32]
Span = tuple[int, int]
Valued = tuple[tuple[int, ...], float]  # the words of a translation, and the feature's value
RuleOf = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]  # source, target, links


def chances_of(seed: int) -> Chances:
    upper = np.triu(np.random.default_rng(seed).random((SIZE, SIZE)), 1)
    return (upper + np.tril(1.0 - upper.T, -1)).astype(np.float32)


def loss(chances: Chances, first: int, second: int) -> float:
    """What translating one word before another costs."""
    return max(0.0, float(chances[second, first]) - float(chances[first, second]))


def table_of(rules: list[RuleOf]) -> RuleTable:
    table = RuleTable()
    for source, target, links in rules:
        table.add_pattern(list(source))
        table.add_rule(list(target), links=list(links))
    table.set_feature(RULE, np.zeros(len(rules), np.float32))
    table.check()
    return table


def model() -> core.SearchModel:
    return core.SearchModel(ALL, {**FEATURES, "precedence": PRECEDENCE})


def found_in(packed: object) -> list[Valued]:
    forest = Forest.from_packed(packed, ALL)  # type: ignore[arg-type]
    return sorted((each.words, each.features.get(PRECEDENCE, 0.0)) for each in forest.kbest(EVERYTHING))


def agree(found: list[Valued], wanted: list[Valued]) -> None:
    assert [words for words, _ in found] == [words for words, _ in sorted(wanted)]
    assert [value for _, value in found] == pytest.approx([value for _, value in sorted(wanted)], abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(1, 3)), max_size=4), st.integers(0, 9))
def test_phrases_are_scored_by_the_words_that_are_left(longer: set[tuple[int, int]], seed: int) -> None:
    chances = chances_of(seed)
    spans = sorted({(at, at + 1) for at in range(SIZE)} | {(at, min(at + more, SIZE)) for at, more in longer})
    rules = [(tuple(SENTENCE[a:b].tolist()), (FIRST_TARGET + i,), ((0, 0),)) for i, (a, b) in enumerate(spans)]

    def orders(left: frozenset[int]) -> Iterator[list[int]]:
        if not left:
            yield []
        for number, (begin, end) in enumerate(spans):
            if left.issuperset(range(begin, end)):
                yield from ([number, *rest] for rest in orders(left - set(range(begin, end))))

    def value(order: list[int]) -> float:
        places = [(step, word) for step, number in enumerate(order) for word in range(*spans[number])]
        pairs = ((u, v) for one, u in places for other, v in places if one < other)
        return -sum(loss(chances, u, v) for u, v in pairs)

    packed, *_ = core.search_stacks(
        core.sentence(SENTENCE, precedence=chances), table_of(rules), model(), stack_options(distortion_limit=SIZE)
    )
    wanted = [(tuple(FIRST_TARGET + number for number in order), value(order)) for order in orders(frozenset(range(5)))]
    agree(found_in(packed), wanted)


def rule_sets() -> st.SearchStrategy[list[RuleOf]]:
    """Rules of every word by itself, and some with gaps, their words linked or not."""

    @st.composite
    def drawn(draw: st.DrawFn) -> list[RuleOf]:
        rules: list[RuleOf] = [((word,), (FIRST_TARGET + at,), ((0, 0),)) for at, word in enumerate(SENTENCE.tolist())]
        for number in range(draw(st.integers(1, 4))):
            first = draw(st.integers(0, SIZE - 1))
            gaps = draw(st.integers(1, 2))
            source = [int(SENTENCE[first]), -1] if draw(st.booleans()) else [-1, int(SENTENCE[first])]
            source += [-2] if gaps == 2 and source[-1] > 0 else []
            own = [*(each for each in source if each < 0), 200 + 2 * number, 201 + 2 * number]
            target = draw(st.permutations(own))
            at = next(i for i, each in enumerate(source) if each > 0)
            places = [i for i, each in enumerate(target) if each > 0]
            links = draw(st.sampled_from([(), ((at, places[0]),), tuple((at, place) for place in places)]))
            rules.append((tuple(source), tuple(target), links))
        return rules

    return drawn()


@settings(max_examples=80, deadline=None)
@given(rule_sets(), st.integers(0, 9), st.booleans())
def test_rules_are_scored_by_the_order_of_their_gaps_and_words(rules: list[RuleOf], seed: int, growing: bool) -> None:
    rules = list({source: (source, target, links) for source, target, links in rules}.values())
    chances, words = chances_of(seed), SENTENCE.tolist()

    def fits(source: tuple[int, ...], begin: int, end: int) -> Iterator[list[Span]]:
        if not source:
            if begin == end:
                yield []
            return
        lasts = (
            range(begin + 1, end + 1) if source[0] < 0 else [begin + 1] if words[begin:end][:1] == [source[0]] else []
        )
        for last in lasts:
            yield from ([(begin, last), *rest] for rest in fits(source[1:], last, end))

    def value(rule: RuleOf, spans: list[Span]) -> float:
        source, target, links = rule
        at = {}
        for number, symbol in enumerate(source):
            linked = [place for own, place in links if own == number]
            if symbol < 0:
                at[number] = float(target.index(symbol))
            elif linked:
                at[number] = sum(linked) / len(linked)
        total = 0.0
        for one, other in product(at, at):
            if at[one] < at[other] and (source[one] < 0 or source[other] < 0):
                total -= sum(loss(chances, u, v) for u in range(*spans[one]) for v in range(*spans[other]))
        return total

    def parts(begin: int, end: int) -> list[Valued]:
        found = []
        for rule in rules:
            for spans in fits(rule[0], begin, end):
                gaps = [span for span, symbol in zip(spans, rule[0], strict=True) if symbol < 0]
                for chosen in product(*(parts(*gap) for gap in gaps)):
                    said: list[int] = []
                    for symbol in rule[1]:
                        said += [symbol] if symbol >= 0 else chosen[-1 - symbol][0]
                    found.append((tuple(said), value(rule, spans) + sum(more for _, more in chosen)))
        return found

    def beginnings(end: int) -> list[Valued]:
        if not end:
            return [((), 0.0)]
        return [
            (said + more, one + other - sum(loss(chances, u, v) for u in range(at) for v in range(at, end)))
            for at in range(end)
            for said, one in beginnings(at)
            for more, other in parts(at, end)
        ]

    options = chart_options(max_span=SIZE, growing=growing)
    packed, *_ = core.search_chart(core.sentence(SENTENCE, precedence=chances), table_of(rules), model(), options)
    agree(found_in(packed), beginnings(SIZE))


def test_it_is_there_only_if_it_has_a_weight_and_chances() -> None:
    rules = table_of([((word,), (FIRST_TARGET + at,), ((0, 0),)) for at, word in enumerate(SENTENCE.tolist())])
    without, *_ = core.search_stacks(core.sentence(SENTENCE), rules, model(), stack_options())
    assert PRECEDENCE not in Forest.from_packed(without, ALL).viterbi().features
    named = core.SearchModel(ALL, FEATURES)
    unnamed, *_ = core.search_stacks(core.sentence(SENTENCE, precedence=chances_of(1)), rules, named, stack_options())
    assert PRECEDENCE not in Forest.from_packed(unnamed, ALL).viterbi().features


@pytest.mark.parametrize(
    "chances",
    [np.zeros((2, 2)), np.zeros((5, 4)), np.full((5, 5), 1.5), np.full((5, 5), np.nan), np.full((5, 5), -0.1)],
)
def test_chances_that_are_none(chances: NDArray[np.float64]) -> None:
    with pytest.raises(PentaglotError, match="expected order"):
        core.sentence(SENTENCE, precedence=chances.astype(np.float32))
