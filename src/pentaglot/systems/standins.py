"""Stand-ins: a fixed part of a line goes through tokenising, search and detokenising as one unique word, so that its
translation comes out exactly as given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.casing import first_word
from pentaglot.errors import PentaglotError
from pentaglot.rules import Unit
from pentaglot.systems.marks import Fixed, check_marks

__all__ = ["StandIns", "joiners_work", "without_joiners"]

# Letters of dead scripts (Linear A, Linear B, cuneiform): their words are never cut, and have no capitals. The first
# script that the line itself does not use is taken.
_SCRIPTS = (0x10600, 0x10000, 0x12000)
_LETTERS = 64
_JOINER = "￭"


@dataclass(frozen=True)
class StandIns:
    """A line with stand-in words for the fixed parts."""

    text: str
    parts: dict[str, tuple[str, str]]  # stand-in -> its source text and translation
    cased: frozenset[str] = frozenset()  # those whose translation gets the case of its place

    @classmethod
    def put(cls, line: str, marks: Sequence[Fixed], *, apart: bool = False) -> StandIns:
        """Replaces the marked parts. A word that continues beyond a mark is cut there; `apart` puts spaces around every
        mark."""
        ordered = check_marks(line, marks)
        letters = _unused_letters(line)
        text, parts, position = "", {}, 0
        cased = set()
        for number, mark in enumerate(ordered):
            word = "".join(letters[number // _LETTERS**power % _LETTERS] for power in (2, 1, 0))
            parts[word] = line[mark.start : mark.end], mark.translation.strip()
            if mark.cased:
                cased.add(word)
            before = line[position : mark.start]
            text += before + " " * (apart or before[-1:].isalnum() or (not before and position > 0)) + word
            text += " " * (apart or line[mark.end : mark.end + 1].isalnum())
            position = mark.end
        return cls(text + line[position:], parts, frozenset(cased))

    @classmethod
    def tokenised(cls, line: str, marks: Sequence[Fixed], tokenizer: Tokenizer) -> tuple[StandIns, list[str]]:
        """The same, and the words of the line. If a tokenizer would join other words to a stand-in (`New York-Reise`),
        the mark is set apart."""
        made = cls.put(line, marks)
        words = tokenizer.tokenise(made.text)
        if any(made.in_word(word) and any(map(str.isalnum, made.without(word))) for word in words):
            made = cls.put(line, marks, apart=True)
            words = tokenizer.tokenise(made.text)
        return made, words

    def in_word(self, word: str) -> list[str]:
        """The stand-ins in a word."""
        return [each for each in self.parts if each in word]

    def without(self, word: str) -> str:
        """The rest of a word."""
        for each in self.in_word(word):
            word = word.replace(each, "")
        return word

    def units(self, words: Sequence[str], tokenizer: Tokenizer) -> dict[int, Unit]:
        """The words with stand-ins, by place, with the words of their translations."""
        units = {}
        for place, word in enumerate(words):
            if not self.in_word(word):
                continue
            bare = without_joiners(word)
            target = tuple(tokenizer.tokenise(self.restored(bare)))
            units[place] = Unit(self.restored(bare, 0), target)
        return units

    def restored(self, text: str, side: int = 1, *, cased: bool = False) -> str:
        """A text with the stand-ins, or only those that take the case of their place, replaced by their translations
        (on side 0, by the source)."""
        for word, sides in self.parts.items():
            if not cased or word in self.cased:
                text = text.replace(word, sides[side])
        return text

    @cached_property
    def like(self) -> str:
        """The line that a translation gets its capitals from: a fixed part has the case of its first word, so that a
        line which begins with one in small letters still begins so. Whether a line is in capitals, the rest says."""
        text = self.text
        for word, (source, _) in self.parts.items():
            text = text.replace(word, first_word(source) or word)
        return self.text if self.text.isupper() or text.isupper() else text


def without_joiners(word: str) -> str:
    """A word without the marks that join it to its neighbours."""
    return word.replace(_JOINER, "")


def joiners_work(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer uses the join mark."""
    return tokenizer.detokenise(["a", f"{_JOINER}b"]) == "ab"


def _unused_letters(line: str) -> str:
    for script in _SCRIPTS:
        letters = "".join(chr(script + number) for number in range(_LETTERS))
        if not set(letters) & set(line):
            return letters
    raise PentaglotError("a line in Linear A, Linear B and cuneiform at once cannot have fixed parts")
