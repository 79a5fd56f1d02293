"""Where the words of a rule stand in a training pair that it was found in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pentaglot._core.rules import extract_occurrence
from pentaglot.corpus import sentence_ids
from pentaglot.index import Index
from pentaglot.rules import RuleOptions, SentenceRules

__all__ = ["readings"]

Span = tuple[int, int]

_MOST_WAYS = 10_000  # to lay scattered words of a rule into a sentence; few sentences have more than ten


def readings(
    index: Index, options: RuleOptions, rules: SentenceRules, pattern: int, rule: int, sentence: int, position: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The places of source and target words, for every way to match the rule in a sentence from a position on."""
    symbols = [rules.loans.source.get(each, each) for each in rules.table.source(pattern).tolist()]
    wanted = [rules.loans.target.get(each, each) for each in rules.table.target(rule).tolist()]
    guess = rules.stand_ins.get(pattern)
    source = sentence_ids(index.bitext.source, sentence).tolist()
    target = sentence_ids(index.bitext.target, sentence).tolist()
    if len(rules.table.places(pattern)):
        yield from _readings_apart(source, target, index.aligned.links(sentence), symbols, wanted, position, options)
        return
    if (symbols, wanted) == (source, target):  # a remembered sentence may be longer than other rules
        yield tuple(range(len(source))), tuple(range(len(target)))
        return
    limits = options.extract_limits
    if guess is not None and guess.kind != "placeables":  # one of the words that it is treated like stands here
        symbols = [symbol for symbol in guess.like if source[position : position + 1] == [symbol]][:1] or symbols
    left, right = symbols[0] < 0, symbols[-1] < 0
    for chunks in _placements(source, _chunks(symbols), position, options):
        links = index.aligned.links(sentence)
        for _, (begin, end), gaps in extract_occurrence(len(source), len(target), links, chunks, left, right, limits):
            spelt, places = _target_side(target, begin, end, [span for _, span in gaps])
            if spelt == wanted or (guess is not None and len(guess.like) > 1 and _contains(wanted, spelt)):
                yield tuple(at for first, last in chunks for at in range(first, last)), places


def _contains(side: list[int], part: list[int]) -> bool:
    """Whether the symbols occur in a side in a row."""
    return any(side[at : at + len(part)] == part for at in range(len(side) - len(part) + 1))


def _chunks(symbols: Sequence[int]) -> list[list[int]]:
    chunks: list[list[int]] = [[]]
    for symbol in symbols:
        if symbol >= 0:
            chunks[-1].append(symbol)
        elif chunks[-1]:
            chunks.append([])
    return [chunk for chunk in chunks if chunk]


def _placements(
    source: list[int], chunks: list[list[int]], position: int, options: RuleOptions
) -> Iterator[list[Span]]:
    """All ways to place the chunks in a sentence, the first of them at a position."""
    if source[position : position + len(chunks[0])] != chunks[0]:
        return
    laid = [[(position, position + len(chunks[0]))]]
    for chunk in chunks[1:]:
        laid = [
            [*before, (begin, begin + len(chunk))]
            for before in laid
            for begin in range(before[-1][1] + options.min_gap, position + options.max_span - len(chunk) + 1)
            if source[begin : begin + len(chunk)] == chunk
        ]
    for placed in laid:
        if all(one[1] < other[0] for one, other in pairwise(placed)):
            yield placed


def _target_side(target: list[int], begin: int, end: int, gaps: list[Span]) -> tuple[list[int], tuple[int, ...]]:
    """The symbols between two places with the gaps as negative numbers, and the places of the words among them."""
    starts = {span[0]: (number, span[1]) for number, span in enumerate(gaps, 1)}
    symbols, places, at = [], [], begin
    while at < end:
        if at in starts:
            number, at = starts[at]
            symbols.append(-number)
        else:
            symbols.append(target[at])
            places.append(at)
            at += 1
    return symbols, tuple(places)


def _readings_apart(
    source: list[int],
    target: list[int],
    links: Sequence[tuple[int, int]],
    symbols: list[int],
    wanted: list[int],
    position: int,
    options: RuleOptions,
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The same for a rule whose words need not be neighbours: all links of its words stay inside the rule. Words that
    are close together come first."""
    ways = [each for each in _scattered(source, symbols, position, options.max_span) if each[0] == position]
    for places in sorted(ways, key=lambda places: (places[-1], places)):
        needed = {at for place, at in links if place in places}
        foreign = {at for place, at in links if place not in places}
        usable = [None if at in foreign else word for at, word in enumerate(target)]
        laid = [each for each in _scattered(usable, wanted, 0, len(target)) if needed <= {*each}]
        if needed and laid:
            yield places, min(laid, key=lambda each: (each[-1] - each[0], each))


def _scattered(words: Sequence[int | None], wanted: list[int], begin: int, longest: int) -> list[tuple[int, ...]]:
    """The ways to find words in this order, side by side or not, among the `longest` words from a place on."""
    where: list[list[int]] = [[] for _ in wanted]
    for at in range(begin, min(len(words), begin + longest)):
        for number, word in enumerate(wanted):
            if words[at] == word:
                where[number].append(at)
    ways: list[tuple[int, ...]] = [(at,) for at in where[0]] if wanted else []
    for places in where[1:]:
        ways = [(*way, at) for way in ways for at in places if at > way[-1]][:_MOST_WAYS]
    return ways
