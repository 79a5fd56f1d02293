"""Small random grammars, and how they are searched without pruning."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from hypothesis import strategies as st

from pentaglot._core.corpus import END, FIRST_WORD
from pentaglot._core.rules import RuleTable
from pentaglot._core.search import ChartOptions, SearchModel, StackOptions
from pentaglot.corpus import encode
from pentaglot.lm import BuildOptions, LanguageModel, build
from pentaglot.rules.features import REORDERING_FEATURES

LANGUAGE, GLUE, DISTORTION, RULE = 0, 1, 2, 3
WEIGHTS = np.array([0.4, -0.3, -0.2, 1.0, 0.5, 0.3, 0.2, 0.7, 0.1, 0.25, 0.6, -0.15])
REORDERING = (4, 5, 6, 7, 8, 9)
INPUT, PHRASE_GAPS = 10, 11
WORDS = range(FIRST_WORD, FIRST_WORD + 4)  # on both sides


@dataclass(frozen=True)
class Rule:
    source: tuple[int, ...]  # words, and -1, -2 for gaps
    target: tuple[int, ...]
    score: float
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    label: int = 0  # what it makes
    gap_labels: tuple[int, ...] = ()  # all 0 if there are none
    any_length: bool = False
    signature: tuple[tuple[int, int, int], ...] | None = None
    places: tuple[int, ...] = ()

    @property
    def pattern(self) -> tuple[object, ...]:
        return self.source, self.label, self.gap_labels, self.any_length, self.signature, self.places

    def label_of(self, gap: int) -> int:
        return self.gap_labels[gap] if self.gap_labels else 0


SENTENCES = ("a b c", "a b", "c a d", "b b a c", "d a b a", "c c", "a d d b c", "b a")


@cache
def language_model(order: int = 3, sentences: tuple[str, ...] = SENTENCES) -> LanguageModel:
    """Over words whose ids are those of `WORDS`, if these are the sentences."""
    text, vocabulary = encode([sentence.split() for sentence in sentences])
    logging.disable()
    try:
        return build(text, vocabulary, BuildOptions(order=order))
    finally:
        logging.disable(logging.NOTSET)


EVERYTHING = 1_000_000


X_ALONE = {"glue_labels": (0,), "start_labels": ()}


def chart_options(**changes: object) -> ChartOptions:
    """Nothing is pruned, all is kept, unless said otherwise."""
    options = {"max_span": 4, "min_gap": 1, "pop_limit": EVERYTHING, "translations": 0, "growing": False}
    return ChartOptions(**{**options, "whole_forest": True, **X_ALONE, **changes})  # type: ignore[arg-type]


def stack_options(**changes: object) -> StackOptions:
    """The same for stacks."""
    options = {"max_span": 7, "distortion_limit": 6, "pop_limit": EVERYTHING, "stack_size": EVERYTHING}
    unpruned = {"threshold": 0.0, "translations": 0, "whole_forest": True}
    return StackOptions(**{**options, **unpruned, **X_ALONE, **changes})  # type: ignore[arg-type]


FEATURES = {"glue": GLUE, "distortion": DISTORTION, "input": INPUT, "phrase_gaps": PHRASE_GAPS} | dict(
    zip(REORDERING_FEATURES, REORDERING, strict=True)
)
IDS = np.arange(FIRST_WORD + 4, dtype=np.uint32)
NO_FEATURE = 2**32 - 1


def search_model(with_language: bool) -> SearchModel:
    languages = [(language_model().native, IDS, LANGUAGE, NO_FEATURE)] if with_language else []
    return SearchModel(WEIGHTS, FEATURES, languages)


def language_score(words: tuple[int, ...]) -> float:
    """The weighted score of a whole sentence, word by word."""
    return float(WEIGHTS[LANGUAGE]) * log_chance(language_model(), words)


def log_chance(language: LanguageModel, words: Sequence[int]) -> float:
    """The natural logarithm of the chance of a whole sentence, word by word; words are ids of the model."""
    state, total = language.native.begin_sentence(), 0.0
    for word in (*words, END):
        score, state = language.native.score(state, word)
        total += score
    return float(np.log(10) * total)


def table_of(rules: list[Rule]) -> RuleTable:
    table = RuleTable()
    by_pattern: dict[tuple[object, ...], list[Rule]] = {}
    for rule in rules:
        by_pattern.setdefault(rule.pattern, []).append(rule)
    ordered: list[Rule] = []
    for group in by_pattern.values():
        first = group[0]
        table.add_pattern(
            list(first.source),
            label=first.label,
            gap_labels=first.gap_labels,
            any_length=first.any_length,
            signature=first.signature,
            places=first.places,
        )
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


@st.composite
def labelled_grammars(draw: st.DrawFn) -> list[Rule]:
    """The same with labels, with rules of any length, and with rules that are one gap. Words have label 0, or 1."""
    labels = st.integers(0, 2)
    rules = []
    for rule in draw(grammars()):
        gaps = sum(symbol < 0 for symbol in rule.source)
        label = draw(labels) if len(rule.source) > 1 else draw(st.integers(0, 1))
        gap_labels = tuple(draw(labels) for _ in range(gaps))
        rules.append(replace(rule, label=label, gap_labels=gap_labels, any_length=not gaps and draw(st.booleans())))
    order = draw(st.permutations(range(3)))
    for _ in range(draw(st.integers(0, 4))):
        lower = draw(st.integers(0, 1))
        made, of = order[draw(st.integers(lower + 1, 2))], order[lower]
        target = draw(st.permutations([-1, *draw(st.lists(st.sampled_from(WORDS), max_size=1))]))
        rules.append(Rule((-1,), tuple(target), draw(st.integers(-8, 0)) / 4, label=made, gap_labels=(of,)))
    return list({(rule.pattern, rule.target): rule for rule in rules}.values())
