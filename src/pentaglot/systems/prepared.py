"""Prepares a line for the search, and turns the result into a line again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pentaglot.corpus import Sentence, Tokenizer
from pentaglot.corpus.retokenising import annotated_line, carried_over, places_in
from pentaglot.errors import PentaglotError
from pentaglot.rules import Unit
from pentaglot.rules.sentence_rules import SENTENCE_WORDS
from pentaglot.systems.accelerators import Accelerator
from pentaglot.systems.inline import Inline
from pentaglot.systems.marks import Fixed
from pentaglot.systems.model import Model
from pentaglot.systems.segments import split_words
from pentaglot.systems.standins import StandIns, joiners_work, without_joiners
from pentaglot.systems.word_lattice import WordLattice

__all__ = ["PreparedLine", "PreparedPart", "TypedWords", "words_to_search"]


@dataclass(frozen=True)
class PreparedPart:
    """Words to translate together; those with a fixed translation are units."""

    words: Sentence
    units: dict[int, Unit]
    places: tuple[int, ...] = ()  # of the words in the line as it was typed; empty if it is the line
    linked: bool = False  # whether word links are needed
    lattice: WordLattice | None = None  # of several orders of the words, if more than one is tried

    @property
    def order(self) -> tuple[int, ...]:
        """For each word, its place among those of this part as they were typed; empty if they are in this order."""
        ranks = {place: rank for rank, place in enumerate(sorted(self.places))}
        order = tuple(ranks[place] for place in self.places)
        return () if order == tuple(range(len(order))) else order

    def surfaces(self, joiners: bool, copies: int) -> dict[int, str | None]:
        """The text of the target symbols of units, which follow those of the copies: a stand-in for the first of a
        unit, nothing for the others."""
        written: dict[int, str | None] = {}
        symbol = SENTENCE_WORDS + copies
        for place, unit in sorted(self.units.items()):
            word = self.words[place]
            for number in range(len(unit.target)):
                written[symbol + number] = None if number else word if joiners else without_joiners(word)
            symbol += len(unit.target)
        return written


@dataclass(frozen=True)
class PreparedLine:
    """A line cut into words for the search; turns words of a translation into a line again."""

    line: str
    words: Sentence  # with the layers of the line, if it was annotated
    target_tokenizer: Tokenizer
    stand_ins: StandIns | None
    units: dict[int, Unit]
    inline: Inline | None = None
    accelerator: Accelerator | None = None
    order: tuple[int, ...] = ()  # in which its words are translated; empty if as they were typed
    lattice: WordLattice | None = None  # of several orders, in place of one

    @classmethod
    def read(
        cls, line: str | Sentence, fixed: Sequence[Fixed], source: Tokenizer, target: Tokenizer, *, inline: bool = False
    ) -> PreparedLine:
        """Cuts a line into words, with stand-ins for fixed parts; with `inline`, takes out pairs of tags and
        accelerators. The layers of an annotated line are kept (see `pentaglot.corpus.retokenising`)."""
        if not isinstance(line, str | Sentence):
            raise PentaglotError(f"a line is of the type {type(line).__name__}", hint="give a text or a `Sentence`")
        annotated = None if isinstance(line, str) else annotated_line(line, source)
        line = line if isinstance(line, str) else annotated_line(line, source).line
        placeables = source.recogniser if inline else None
        accelerator, text = None, line
        if placeables is not None and not fixed:
            accelerator, text = Accelerator.taken_out(line, placeables)
        stand_ins, words = StandIns.tokenised(line, fixed, source) if fixed else (None, source.tokenise(text))
        spans = _spans(words, line, text, stand_ins) if annotated is not None else ()
        marks = None
        if placeables is not None and any("<" in word for word in words):
            found, left = Inline.taken_out(words, joined=not joiners_work(source))
            # The line consists only of tags.
            marks, words = (found, left) if left else (None, words)
            spans = [spans[place] for place in found.kept] if left and spans else spans
        units = {} if stand_ins is None else stand_ins.units(words, target)
        sentence = Sentence(words) if annotated is None else carried_over(annotated, words, spans)
        return cls(text, sentence, target, stand_ins, units, marks if marks and marks.pairs else None, accelerator)

    @property
    def ordered(self) -> Sentence | WordLattice:
        """What is translated: its words in another order, or a lattice of several orders."""
        return self.lattice or self._ordered

    @property
    def _ordered(self) -> Sentence:
        return self.words.select(self.order) if self.order else self.words

    @property
    def linked(self) -> bool:
        """Whether the links between the words of the line and its translation are needed."""
        return self.inline is not None or self.accelerator is not None

    @property
    def is_marked(self) -> bool:
        """Whether it has tags, an accelerator or fixed parts that are put back into its translation."""
        return self.linked or self.stand_ins is not None

    def parts(self, longest: int) -> list[PreparedPart]:
        """The line in parts of at most `longest` words."""
        if self.lattice is not None:
            return [PreparedPart(self.words, {}, (), self.linked, self.lattice)]
        words = self._ordered
        order = self.order or tuple(range(len(words)))
        parts, begin = [], 0
        for part in split_words(words, longest) if words else []:
            places = order[begin : begin + len(part)]
            units = {at: self.units[place] for at, place in enumerate(places) if place in self.units}
            parts.append(PreparedPart(part, units, places, self.linked))
            begin += len(part)
        return parts

    def whole(self) -> PreparedPart:
        """The line as one part."""
        return self.parts(max(len(self.words), 1))[0] if self.words else PreparedPart(self.words, {})

    def ordered_by(self, model: Model, longest: int, order_by: Sequence[str] | None = None) -> PreparedLine:
        """The same line, translated in the order of its words that the model chooses, or that of a translation; or in
        several orders at once, unless it has fixed parts or is too long."""
        if not self.words:
            return self
        if order_by is None and not self.units and len(self.words) <= longest:
            orders = model.order_lattice(self.words)
            if orders is not None:
                made = WordLattice.from_orders(orders, self.words).with_metadata(self.words.metadata)
                return replace(self, lattice=made)
        return replace(self, order=model.order(self.words.words, order_by))

    def with_mark_last(
        self, surface: Sequence[str], links: Sequence[tuple[int, ...]]
    ) -> tuple[Sequence[str], Sequence[tuple[int, ...]]]:
        """The words of a translation and their links, with the final punctuation mark moved to the end."""
        edges = self.target_tokenizer.edges
        return (surface, links) if edges is None else edges.with_mark_last(surface, links, self.words, self.line)

    def text(self, surface: Sequence[str], links: Sequence[tuple[int, ...]] = ()) -> str:
        """The words of a translation as a line; `links` are the source words that each translates."""
        if not self.linked or len(links) != len(surface):
            return self._written(surface)
        if self.inline is not None:
            pairs = self.inline.put_back(list(zip(surface, links, strict=True)))
            surface, links = [word for word, _ in pairs], [places for _, places in pairs]
            if not joiners_work(self.target_tokenizer):
                surface = [without_joiners(word) for word in surface]
        if self.accelerator is None:
            return self._written(surface)
        surface = self.accelerator.put_in(surface, links, self.accelerator.place(self.words))
        return self.accelerator.finished(self._written(surface))

    def _written(self, surface: Sequence[str]) -> str:
        text = self.target_tokenizer.detokenise(list(surface))
        if self.stand_ins is None:
            return self.target_tokenizer.recase(text, self.line)
        text = self.stand_ins.restored(text, cased=True)
        return self.stand_ins.restored(self.target_tokenizer.recase(text, self.stand_ins.like))


@dataclass(frozen=True)
class TypedWords:
    """The beginning of a translation as typed by a user."""

    text: str
    words: tuple[str, ...]
    unfinished: bool  # the last word may be unfinished
    ignore_case: bool

    @classmethod
    def read(cls, text: str, tokenizer: Tokenizer) -> TypedWords:
        """A last word without a space after it may be unfinished."""
        words = tuple(tokenizer.tokenise(text))
        return cls(text, words, bool(words) and not text[-1].isspace(), tokenizer.casing != "keep")

    def before(self, text: str, line: PreparedLine, surface: Sequence[str]) -> str:
        """The translation as a line that begins with exactly what was typed. Usually it does anyway: only what
        tokenizer and casing do not preserve has to be put back."""
        typed = self.text if self.unfinished else self.text.rstrip()
        if not self.words or text.startswith(typed):
            return text
        head = line.text(surface[: len(self.words)])
        shared = line.target_tokenizer.detokenise(list(self.words))
        completed = head[len(shared) :] if self.unfinished else ""
        rest = text[len(head) :] if text.startswith(head) else ""
        return typed + completed + rest


def words_to_search(line: str | Sentence, tokenizer: Tokenizer) -> Sentence:
    """The words of a line without what is taken out before a search and put back after it.

    >>> words_to_search("click <b>OK</b> now", Tokenizer("conservative", "keep")).words
    ('click', 'OK', 'now')
    """
    return PreparedLine.read(line, (), tokenizer, tokenizer, inline=True).words


def _spans(words: Sequence[str], line: str, text: str, stand_ins: StandIns | None) -> Sequence[tuple[int, int]]:
    """The spans of words in `text`, which may have the sign of an accelerator that the line lacks."""
    if stand_ins is not None:
        return places_in([stand_ins.restored(word, 0) for word in words], line)
    spans = places_in(words, text)
    if len(text) == len(line):
        return spans
    sign = next(place for place, (one, other) in enumerate(zip(line, f"{text} ", strict=True)) if one != other)
    return [(begin + (begin >= sign), end + (end > sign)) for begin, end in spans]
