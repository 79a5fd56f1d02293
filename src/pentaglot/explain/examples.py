"""Where rules come from: training sentences with the words of a rule marked on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pentaglot._core.rules import extract_occurrence
from pentaglot.corpus import sentence_ids
from pentaglot.index import Index
from pentaglot.rules import RuleOptions, RuleSource, SentenceRules

__all__ = ["Example", "Examples"]

Span = tuple[int, int]


@dataclass(frozen=True)
class Example:
    """A training pair that a rule was found in, and the places of the rule's own words in it."""

    corpus: str  # empty for the main text, "added" for pairs added since, else the name of a further corpus
    sentence: int  # its line, from 1; or the number that it was given when it was added
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_places: tuple[int, ...]
    target_places: tuple[int, ...]
    source_line: str = ""  # as it was written, if that is known
    target_line: str = ""
    file: str = ""  # the name of the file that the source line was read from, if that is known

    @property
    def label(self) -> str:
        """The name of the pair, for display."""
        if self.file:
            return f"line {self.sentence:,} of {self.file}" + (f", {self.corpus}" if self.corpus else "")
        named = f"pair {self.sentence:,} of {self.corpus}" if self.corpus else f"training pair {self.sentence:,}"
        return f"added pair {self.sentence:,}" if self.corpus == "added" else named


class Examples:
    """Finds training pairs of the rules of a sentence. A table does not store where its rules were seen; they are then
    looked up in the index beside it, if there is one."""

    def __init__(self, rules: SentenceRules, index: RuleSource) -> None:
        self._rules = rules
        self._options = index.options
        self._places: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, int]] | None = None
        self._indexed = rules
        if rules.view is None:
            self._indexed = found = index.rules(rules.words)
            self._places = {
                (tuple(found.source_side(pattern)), tuple(found.target_side(rule))): (pattern, rule)
                for pattern in range(found.table.patterns)
                for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
            }

    def of(self, pattern: int, rule: int) -> tuple[Example, ...]:
        """The training pairs of a rule, with its words marked."""
        if self._places is not None:
            sides = tuple(self._rules.source_side(pattern)), tuple(self._rules.target_side(rule))
            if sides not in self._places:
                return ()
            pattern, rule = self._places[sides]
        return tuple(_examples_of(self._options, self._indexed, pattern, rule))


def _examples_of(options: RuleOptions, rules: SentenceRules, pattern: int, rule: int) -> list[Example]:
    """The stored sightings of a rule, each with its words marked."""
    found: list[Example] = []
    view = rules.view
    if view is None:
        return found
    for corpus, sentence, position in rules.table.sightings(rule):
        index = view.indexes[corpus]
        source, target = index.typed_pair(sentence)
        typed = index.typed_places(sentence)
        number = view.pair_number(corpus, sentence)
        for source_places, target_places in _readings(index, options, rules, pattern, rule, sentence, position):
            words = tuple(source), tuple(target)
            source_places = tuple(sorted(typed[place] for place in source_places))
            lines, file = index.written(sentence), index.file_of(sentence)
            found.append(Example(view.names[corpus], number, *words, source_places, target_places, *lines, file))
            break
    return found


def _readings(
    index: Index, options: RuleOptions, rules: SentenceRules, pattern: int, rule: int, sentence: int, position: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The places of source and target words, for every way to match the rule in a sentence from a position on."""
    symbols = rules.table.source(pattern).tolist()
    wanted = rules.table.target(rule).tolist()
    guess = rules.stand_ins.get(pattern)
    source = sentence_ids(index.bitext.source, sentence).tolist()
    target = sentence_ids(index.bitext.target, sentence).tolist()
    if (symbols, wanted) == (source, target):  # a remembered sentence may be longer than other rules
        yield tuple(range(len(source))), tuple(range(len(target)))
        return
    limits = options.extract_limits
    if guess is not None:  # one of the words that it is treated like stands here
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
