"""Searches through everything that a grammar derives: the slow twins of the decoders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.search.grammars import (
    DISTORTION,
    GLUE,
    LANGUAGE,
    PHRASE_GAPS,
    REORDERING,
    RULE,
    WEIGHTS,
    Rule,
    language_model,
    language_score,
    log_chance,
)

from pentaglot._core import search as core
from pentaglot._core.forest import Forest as PackedForest
from pentaglot.forest import Forest

Scored = tuple[float, tuple[int, ...]]
Span = tuple[int, int]
Edge = tuple[int, int, int]  # from, to, kind


@dataclass(frozen=True)
class Line:
    """A sentence, and what is known of it."""

    words: tuple[int, ...]
    heads: tuple[int, ...] | None = None
    edges: tuple[Edge, ...] | None = None  # instead of those that the heads make
    allowed: frozenset[Span] | None = None
    labels: frozenset[tuple[int, int, int]] | None = None

    @property
    def native(self) -> core.Input:
        nodes = len(self.words) + 1
        spans = np.zeros((nodes, nodes), np.bool_)
        for begin, end in self.allowed or ():
            spans[begin, end] = True
        return core.sentence(
            np.array(self.words, np.uint32),
            {} if self.heads is None else {"head": np.array(self.heads, np.int32)},
            None if self.edges is None else np.array(self.edges, np.uint32).reshape(-1, 3),
            None if self.allowed is None else spans,
            None if self.labels is None else np.array(sorted(self.labels), np.uint32).reshape(-1, 3),
        )

    def admits(self, begin: int, end: int, label: int) -> bool:
        """Whether the span may be a constituent with this label."""
        allowed = self.allowed is None or (begin, end) in self.allowed
        return allowed and (self.labels is None or (begin, end, label) in self.labels)

    def has(self, rule: Rule, groups: Sequence[Collection[int]]) -> bool:
        """Whether a rule whose symbols stand for these words fits there."""
        if rule.places and tuple(at for group in groups for at in group) != rule.places:
            return False
        if rule.signature is None:
            return True
        edges = self.edges
        if edges is None:
            assert self.heads is not None
            edges = tuple((head, word, 0) for word, head in enumerate(self.heads) if head >= 0)
        found = {
            (one, other, kind)
            for start, end, kind in edges
            for one, group in enumerate(groups)
            for other, more in enumerate(groups)
            if start in group and end in more and one != other
        }
        return found == set(rule.signature)


@dataclass(frozen=True)
class Labels:
    """What parts may have to be put side by side, and to be a translation by themselves."""

    glue: frozenset[int] = frozenset([0])
    start: frozenset[int] = frozenset()

    @property
    def options(self) -> dict[str, tuple[int, ...]]:
        return {"glue_labels": tuple(self.glue), "start_labels": tuple(self.start)}


Values = NDArray[np.float64]  # of all features but the language model
Derived = tuple[Values, tuple[int, ...]]


def _value(feature: int, value: float) -> Values:
    values = np.zeros(len(WEIGHTS))
    values[feature] = value
    return values


def _scored(derived: Derived) -> Scored:
    return float(WEIGHTS @ derived[0]), derived[1]


def chart_derivations(rules: list[Rule], sentence: list[int], max_span: int = 4, min_gap: int = 1) -> Iterator[Scored]:
    """Score (without the language model) and words of every derivation with glue."""
    yield from chart_beginnings(rules, sentence, max_span, min_gap)[-1]


def chart_beginnings(rules: list[Rule], sentence: list[int], max_span: int = 4, min_gap: int = 1) -> list[list[Scored]]:
    """The derivations of the first words of the sentence, for every number of them."""
    rows = derived_by_chart(rules, Line(tuple(sentence)), Labels(), max_span, min_gap)
    return [[_scored(each) for each in row] for row in rows]


def derived_by_chart(
    rules: list[Rule], line: Line, labels: Labels, max_span: int = 4, min_gap: int = 1
) -> list[list[Derived]]:
    """The same with the values of features, of a line about which more may be known."""
    sentence, every_label = line.words, sorted({rule.label for rule in rules})

    @cache
    def parts(begin: int, end: int, label: int) -> list[Derived]:
        found = []
        for rule in rules:
            if rule.label != label or not line.admits(begin, end, label):
                continue
            if end - begin > max_span and not rule.any_length:
                continue
            least = min_gap if len(rule.source) > 1 else 1
            for gaps in fits(rule.source, begin, end, least):
                if not line.has(rule, groups_of(rule.source, begin, gaps)):
                    continue
                fillings = (parts(*gap, rule.label_of(number)) for number, gap in enumerate(gaps))
                for chosen in product(*fillings):
                    words: list[int] = []
                    for symbol in rule.target:
                        words += [symbol] if symbol >= 0 else chosen[-1 - symbol][1]
                    found.append((sum((more for more, _ in chosen), _value(RULE, rule.score)), tuple(words)))
        return found

    def fits(source: tuple[int, ...], begin: int, end: int, least: int) -> list[list[Span]]:
        if not source:
            return [[]] if begin == end else []
        if source[0] >= 0:
            matches = begin < end and sentence[begin] == source[0]
            return fits(source[1:], begin + 1, end, least) if matches else []
        ends = range(begin + least, end + 1)
        return [[(begin, at), *rest] for at in ends for rest in fits(source[1:], at, end, least)]

    @cache
    def prefixes(end: int) -> list[Derived]:
        if end == 0:
            return [(np.zeros(len(WEIGHTS)), ())]
        return [
            (values + _value(GLUE, 1) + more, words + appended)
            for at in range(end)
            for values, words in prefixes(at)
            for label in every_label
            if label in labels.glue
            for more, appended in parts(at, end, label)
        ]

    found = [prefixes(end) for end in range(len(sentence) + 1)]
    if sentence:
        found[-1] = [*found[-1], *(each for label in labels.start for each in parts(0, len(sentence), label))]
    return found


def groups_of(source: tuple[int, ...], begin: int, gaps: Sequence[Span]) -> list[range]:
    """The words that each symbol of a source side stands for."""
    sizes = [gaps[-1 - symbol][1] - gaps[-1 - symbol][0] if symbol < 0 else 1 for symbol in source]
    ends = list(accumulate(sizes, initial=begin))
    return [range(*pair) for pair in pairwise(ends)]


def stack_derivations(rules: list[Rule], sentence: list[int], limit: int, max_span: int = 7) -> Iterator[Scored]:
    """Score (without the language model) and words of every order of phrases within the distortion limit."""
    yield from (each for whole, each in stack_beginnings(rules, sentence, limit, max_span) if whole)


def stack_beginnings(
    rules: list[Rule], sentence: list[int], limit: int, max_span: int = 7
) -> Iterator[tuple[bool, Scored]]:
    """All hypotheses on the way, and whether they are complete (then with the end's own scores)."""
    for whole, each in derived_by_stacks(rules, Line(tuple(sentence)), Labels(), limit, max_span):
        yield whole, _scored(each)


def phrases_of(rules: list[Rule], line: Line, labels: Labels, max_span: int) -> list[tuple[tuple[int, ...], Rule]]:
    """The words that each rule may translate."""
    found = []
    for rule in rules:
        size = len(rule.source)
        if size > max_span and not rule.any_length:
            continue
        chances = [rule.places] if rule.places else [tuple(range(at, at + size)) for at in range(len(line.words))]
        for places in chances:
            if places[-1] >= len(line.words) or tuple(line.words[at] for at in places) != rule.source:
                continue
            begin, end = places[0], places[-1] + 1
            neighbours = end - begin == size
            if neighbours and not line.admits(begin, end, rule.label):
                continue
            suits = rule.label in labels.glue or (size == len(line.words) and rule.label in labels.start)
            if suits and line.has(rule, [(at,) for at in places]):
                found.append((places, rule))
    return found


def derived_by_stacks(
    rules: list[Rule], line: Line, labels: Labels, limit: int, max_span: int = 7
) -> Iterator[tuple[bool, Derived]]:
    """The same with the values of features, of a line about which more may be known."""
    size, phrases = len(line.words), phrases_of(rules, line, labels, max_span)

    def orientation(last: Span, begin: int, end: int) -> int:
        return 0 if begin == last[1] else 1 if end == last[0] else 2

    def ordered(row: tuple[float, ...], which: int, side: int) -> Values:
        return _value(REORDERING[3 * side + which], row[which]) if row else _value(0, 0)

    def extend(
        covered: frozenset[int], last: Span, after: tuple[float, ...], values: Values, words: tuple[int, ...]
    ) -> Iterator[tuple[bool, Derived]]:
        if len(covered) == size:
            yield True, (values + ordered(after, orientation(last, size, size + 1), 1), words)
            return
        yield False, (values, words)
        for places, rule in phrases:
            begin, end, now = places[0], places[-1] + 1, covered | set(places)
            jump, left = abs(begin - last[1]), min(set(range(size + 1)) - now)
            if covered & set(places) or jump > limit or (left < end and end - left > limit):
                continue
            which = orientation(last, begin, end)
            more = _value(RULE, rule.score) + _value(DISTORTION, jump)
            more += _value(PHRASE_GAPS, end - begin - len(places))
            more += ordered(rule.before, which, 0) + ordered(after, which, 1)
            yield from extend(now, (begin, end), rule.after, values + more, words + rule.target)

    nothing = (0.0,) * 3 if rules[0].after else ()
    yield from extend(frozenset(), (0, 0), nothing, np.zeros(len(WEIGHTS)), ())


def agree(forest: Forest, expected: list[Derived]) -> None:
    """The same number of derivations, the same strings, scores and values."""
    assert forest.count() == len(expected)
    scores = sorted((float(WEIGHTS @ values) + language_score(words) for values, words in expected), reverse=True)
    found = forest.kbest(len(expected))
    assert [each.score for each in found] == pytest.approx(scores, abs=1e-4)
    assert Counter(each.words for each in found) == Counter(words for _, words in expected)

    other = [number for number in range(len(WEIGHTS)) if number != LANGUAGE]
    rows = Counter((each.words, tuple(round(each.features.get(number, 0.0), 3) for number in other)) for each in found)
    assert rows == Counter((words, tuple(round(float(values[n]), 3) for n in other)) for values, words in expected)
    for each in found[:3]:
        assert each.features.get(LANGUAGE, 0.0) == pytest.approx(log_chance(language_model(), each.words), abs=1e-4)


def bytes_of(packed: PackedForest) -> bytes:
    """All that can differ between two searches."""
    arrays = (packed.edge_payloads, packed.feature_ids, packed.feature_values, packed.symbols)
    return b"".join(np.asarray(each).tobytes() for each in arrays)
