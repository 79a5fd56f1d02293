"""Small random grammars, and searches through everything they derive: the slow twins of the decoders."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from pentaglot._core.corpus import END, FIRST_WORD
from pentaglot._core.rules import RuleTable
from pentaglot._core.search import SearchModel
from pentaglot.corpus import encode
from pentaglot.lm import BuildOptions, LanguageModel, build

LANGUAGE, GLUE, DISTORTION, RULE = 0, 1, 2, 3
WEIGHTS = np.array([0.4, -0.3, -0.2, 1.0, 0.5, 0.3, 0.2, 0.7, 0.1, 0.25])
REORDERING = (4, 5, 6, 7, 8, 9)
WORDS = range(FIRST_WORD, FIRST_WORD + 4)  # on both sides


@dataclass(frozen=True)
class Rule:
    source: tuple[int, ...]  # words, and -1, -2 for gaps
    target: tuple[int, ...]
    score: float
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()


@cache
def language_model() -> LanguageModel:
    """Of order 3, over words whose ids are those of `WORDS`."""
    sentences = ["a b c", "a b", "c a d", "b b a c", "d a b a", "c c", "a d d b c", "b a"]
    text, vocabulary = encode([sentence.split() for sentence in sentences])
    logging.disable()
    try:
        return build(text, vocabulary, BuildOptions(order=3))
    finally:
        logging.disable(logging.NOTSET)


def search_model(with_language: bool) -> SearchModel:
    language = language_model().native if with_language else None
    ids = np.arange(FIRST_WORD + 4, dtype=np.uint32)
    return SearchModel(WEIGHTS, language, ids, LANGUAGE, GLUE, DISTORTION, REORDERING)


def language_score(words: tuple[int, ...]) -> float:
    """The weighted score of a whole sentence, word by word."""
    model = language_model().native
    state, total = model.begin_sentence(), 0.0
    for word in (*words, END):
        score, state = model.score(state, word)
        total += score
    return float(WEIGHTS[LANGUAGE] * np.log(10) * total)


def table_of(rules: list[Rule]) -> RuleTable:
    table = RuleTable()
    by_source: dict[tuple[int, ...], list[Rule]] = {}
    for rule in rules:
        by_source.setdefault(rule.source, []).append(rule)
    ordered: list[Rule] = []
    for source, group in by_source.items():
        table.add_pattern(list(source))
        for rule in group:
            table.add_rule(list(rule.target))
            ordered.append(rule)
    table.set_feature(RULE, np.array([rule.score for rule in ordered], np.float32))
    if ordered[0].before:
        table.set_reordering(np.array([rule.before + rule.after for rule in ordered], np.float32))
    table.check()
    return table


@st.composite
def grammars(draw: st.DrawFn, gaps: int = 2, reordering: bool = False) -> list[Rule]:
    """A few rules, among them at least one for each word."""
    scores = st.integers(-8, 0).map(lambda n: n / 4)
    words = st.sampled_from(WORDS)

    def finished(source: tuple[int, ...], target: tuple[int, ...]) -> Rule:
        rows = [tuple(draw(scores) for _ in range(3)) for _ in range(2)] if reordering else [(), ()]
        return Rule(source, target, draw(scores), rows[0], rows[1])

    rules = [finished((word,), (draw(words),)) for word in WORDS]
    for _ in range(draw(st.integers(0, 5))):
        count = draw(st.integers(0, gaps))
        chunks = [draw(st.lists(words, min_size=1, max_size=2)) for _ in range(max(1, count))]
        source: list[int] = []
        for number, chunk in enumerate(chunks):
            source += [*chunk, -1 - number] if number < count else chunk
        if count and draw(st.booleans()):  # the gap before the first words
            source = [-1, *chunks[0], *([-2, *chunks[1]] if count > 1 else [])]
        target = draw(st.permutations([*draw(st.lists(words, max_size=2)), *(-1 - gap for gap in range(count))]))
        rules.append(finished(tuple(source), tuple(target)))
    unique = {(rule.source, rule.target): rule for rule in rules}
    return list(unique.values())


Scored = tuple[float, tuple[int, ...]]


def chart_derivations(rules: list[Rule], sentence: list[int], max_span: int) -> Iterator[Scored]:
    """Score (without the language model) and words of every derivation with glue."""
    yield from chart_beginnings(rules, sentence, max_span)[-1]


def chart_beginnings(rules: list[Rule], sentence: list[int], max_span: int) -> list[list[Scored]]:
    """The derivations of the first words of the sentence, for every number of them."""

    @cache
    def parts(begin: int, end: int) -> list[tuple[float, tuple[int, ...]]]:
        found = []
        for rule in rules if end - begin <= max_span else []:
            for gaps in fits(rule.source, begin, end):
                for chosen in product(*(parts(*gap) for gap in gaps)):
                    words: list[int] = []
                    for symbol in rule.target:
                        words += [symbol] if symbol >= 0 else chosen[-1 - symbol][1]
                    found.append((rule.score + sum(score for score, _ in chosen), tuple(words)))
        return found

    def fits(source: tuple[int, ...], begin: int, end: int) -> list[list[tuple[int, int]]]:
        if not source:
            return [[]] if begin == end else []
        if source[0] >= 0:
            matches = begin < end and sentence[begin] == source[0]
            return fits(source[1:], begin + 1, end) if matches else []
        return [[(begin, at), *rest] for at in range(begin + 1, end + 1) for rest in fits(source[1:], at, end)]

    @cache
    def prefixes(end: int) -> list[tuple[float, tuple[int, ...]]]:
        if end == 0:
            return [(0.0, ())]
        return [
            (score + WEIGHTS[GLUE] + more, words + appended)
            for at in range(end)
            for score, words in prefixes(at)
            for more, appended in parts(at, end)
        ]

    return [prefixes(end) for end in range(len(sentence) + 1)]


def stack_derivations(rules: list[Rule], sentence: list[int], limit: int) -> Iterator[Scored]:
    """Score (without the language model) and words of every order of phrases within the distortion limit."""
    yield from (each for whole, each in stack_beginnings(rules, sentence, limit) if whole)


def stack_beginnings(rules: list[Rule], sentence: list[int], limit: int) -> Iterator[tuple[bool, Scored]]:
    """All hypotheses on the way, and whether they are complete (then with the end's own scores)."""
    phrases = [
        (begin, begin + len(rule.source), rule)
        for rule in rules
        for begin in range(len(sentence))
        if tuple(sentence[begin : begin + len(rule.source)]) == rule.source
    ]

    def orientation(last: tuple[int, int], begin: int, end: int) -> int:
        return 0 if begin == last[1] else 1 if end == last[0] else 2

    def weighted(row: tuple[float, ...], which: int, side: int) -> float:
        return float(WEIGHTS[REORDERING[3 * side + which]] * row[which]) if row else 0.0

    def extend(
        covered: frozenset[int], last: tuple[int, int], after: tuple[float, ...], score: float, words: tuple[int, ...]
    ) -> Iterator[tuple[bool, Scored]]:
        if len(covered) == len(sentence):
            yield True, (score + weighted(after, orientation(last, len(sentence), len(sentence) + 1), 1), words)
            return
        yield False, (score, words)
        gap = min(set(range(len(sentence))) - covered)
        for begin, end, rule in phrases:
            jump = abs(begin - last[1])
            if covered & set(range(begin, end)) or jump > limit or (begin > gap and end - gap > limit):
                continue
            which = orientation(last, begin, end)
            more = rule.score + WEIGHTS[DISTORTION] * jump + weighted(rule.before, which, 0) + weighted(after, which, 1)
            yield from extend(
                covered | set(range(begin, end)), (begin, end), rule.after, score + more, words + rule.target
            )

    yield from extend(frozenset(), (0, 0), (0.0,) * 3 if rules[0].after else (), 0.0, ())
