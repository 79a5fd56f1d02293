"""How a piece of text, as a person writes it, may be spelt in the words of an index.

A comma is one word where it touches the word before it and another where it stands alone, and a word at the beginning
of a sentence may have lost its capital; a tag or code is one word with all its spaces. So the text is followed through
the suffix array letter by letter: whichever words spell it, and go on to occur in the text, are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import FIRST_WORD
from pentaglot.corpus import Tokenizer
from pentaglot.corpus.spaceless import spaceless
from pentaglot.corpus.splitters import INNER_SPACE, JOINER, SPACER, Touching
from pentaglot.index.index import Index

__all__ = ["PieceSpelling", "spellings_in"]

# Besides the ways in which words are known to touch: they may where punctuation or a script without spaces lets them.
Spacing = Touching | Literal["free"]


@dataclass(frozen=True)
class PieceSpelling:
    """How to read a piece of text: what it may look like, and which words may then stand side by side."""

    readings: tuple[tuple[str, Spacing], ...]

    @classmethod
    def exact(cls, text: str, tokenizer: Tokenizer | None) -> PieceSpelling:
        """Each space counts, and capitals do where the tokenizer has not changed them. Without a tokenizer, words are
        separated by spaces, or by what joiners say."""
        tokenizers = (Tokenizer("none"), Tokenizer()) if tokenizer is None else (tokenizer,)
        return cls(tuple((spelt, each.touching) for each in tokenizers for spelt in each.spellings(text)))

    @classmethod
    def free(cls, text: str, tokenizer: Tokenizer | None) -> PieceSpelling:
        """Punctuation may touch its neighbours or not, and a word that the text does not have is taken with other
        capitals."""
        spelt = dict.fromkeys(spelt for spelt, _ in cls.exact(text, tokenizer).readings)
        return cls(tuple((each, "free") for each in spelt))


@dataclass(frozen=True)
class _Word:
    """A word that spells the text up to `end`."""

    id: int
    end: int
    joins_before: bool
    joins_after: bool


def spellings_in(index: Index, spelling: PieceSpelling) -> list[NDArray[np.uint32]]:
    """All sequences of words of the index's source text that spell a text; each occurs there."""
    found = dict.fromkeys(ids for text, spacing in spelling.readings for ids in _Reader(index, text, spacing).read())
    return [np.array(ids, np.uint32) for ids in found]


class _Reader:
    def __init__(self, index: Index, text: str, spacing: Spacing) -> None:
        self._index = index
        self._find = index.bitext.source_vocabulary.find
        self._text = text
        self._spacing = spacing
        self._words_at: dict[int, list[_Word]] = {}

    def read(self) -> Iterator[tuple[int, ...]]:
        """Goes from word to word, as long as the words so far occur one after the other."""
        source = self._index.source
        waiting: list[tuple[tuple[int, ...], _Word | None, tuple[int, int]]] = []
        if self._text:
            waiting.append(((), None, (0, 0)))
        while waiting:
            ids, last, (begin, end) = waiting.pop()
            for word in reversed(self._next_words(last)):
                longer = (*ids, word.id)
                ranks = (
                    source.extend(begin, end, len(ids), word.id) if ids else source.find(np.array([word.id], np.uint32))
                )
                if ranks[0] == ranks[1]:
                    continue
                if word.end == len(self._text):
                    yield longer
                else:
                    waiting.append((longer, word, ranks))

    def _next_words(self, last: _Word | None) -> list[_Word]:
        at = 0 if last is None else last.end
        if self._text[at] != " ":
            return [word for word in self._words(at) if last is None or self._may_touch(last, word)]
        words = []
        if self._spacing in ("always", "free") and (spacer := self._find(SPACER)) >= FIRST_WORD:
            words.append(_Word(spacer, at + 1, False, False))
        if self._spacing != "always":
            words += [word for word in self._words(at + 1) if last is None or self._may_part(last, word)]
        return words

    def _may_part(self, one: _Word, other: _Word) -> bool:
        return self._spacing != "marked" or not (one.joins_after or other.joins_before)

    def _may_touch(self, one: _Word, other: _Word) -> bool:
        if self._spacing == "always":
            return True
        if self._spacing == "never":
            return False
        if one.joins_after or other.joins_before:
            return True
        beside = self._text[one.end - 1 : one.end + 1]
        return self._spacing == "free" and (spaceless(beside) or not all(map(str.isalnum, beside)))

    def _words(self, begin: int) -> list[_Word]:
        """The words that the text has from here on, in all their forms."""
        known = self._words_at.get(begin)
        if known is None:
            space = self._text.find(" ", begin)
            last = len(self._text) if space < 0 else space
            if self._spacing == "never":
                ends = range(last, last + 1)
            else:
                last = len(self._text) if self._index.has_inner_spaces else last
                ends = range(begin + 1, min(last, begin + self._index.longest_word) + 1)
            known = self._words_at[begin] = [word for end in ends for word in self._forms(begin, end)]
        return known

    def _forms(self, begin: int, end: int) -> Iterator[_Word]:
        piece = self._text[begin:end].replace(" ", INNER_SPACE)
        for form in self._spelt(piece):
            number = self._find(form)
            if number >= FIRST_WORD:
                marked = self._spacing in ("marked", "free")
                yield _Word(number, end, marked and form.startswith(JOINER), marked and form.endswith(JOINER))

    def _spelt(self, piece: str) -> Iterator[str]:
        if self._spacing in ("never", "always"):
            yield piece
            return
        forms = list(_joined(piece))
        if self._spacing == "free" and INNER_SPACE not in piece and not any(self._occurs(form) for form in forms):
            first, rest = piece[:1], piece[1:]
            others = (
                piece.strip(JOINER),
                piece.lower(),
                first.upper() + rest,
                first.upper() + rest.lower(),
                piece.upper(),
            )
            forms = [form for each in dict.fromkeys(others) if each for form in _joined(each)]
        yield from dict.fromkeys(forms)

    def _occurs(self, form: str) -> bool:
        return self._index.count([form]) > 0


def _joined(piece: str) -> Iterator[str]:
    for before in ("", JOINER):
        for after in ("", JOINER):
            yield before + piece + after
