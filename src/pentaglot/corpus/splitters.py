"""Ways to cut a line into words such that joining them gives the line back exactly.

Two conventions mark where spaces were not, or were:

- words are separated by spaces unless a joiner `￭` stands on the side where they touch: `Hello ￭, world ￭!`;
- in scripts without spaces words touch, and `▁` is a word where a space was.

A text may hold these marks itself. Before cutting they are swapped for noncharacters, which `normalise` has removed
from every text and which are therefore free, and swapped back after joining. So are spaces inside a placeable, which is
always one word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Literal, Protocol

from pentaglot.corpus.normalisation import normalise

__all__ = [
    "CLOSE",
    "ESCAPE",
    "INNER_SPACE",
    "JOINER",
    "OPEN",
    "SPACER",
    "UNESCAPE",
    "Change",
    "PlainText",
    "SpaceSplitter",
    "Spans",
    "Splitter",
    "Touching",
    "escaped_line",
    "plain",
    "unescaped",
]

JOINER = "￭"
SPACER = "▁"

# The last two would make pyonmttok take what is between them for one word.
OPEN, CLOSE = "｟", "｠"
_ESCAPES = {JOINER: "\ufdd0", SPACER: "\ufdd1", OPEN: "\ufdd2", CLOSE: "\ufdd3"}
ESCAPE = str.maketrans(_ESCAPES)
INNER_SPACE = "\ufdd4"
UNESCAPE = str.maketrans({escape: character for character, escape in _ESCAPES.items()} | {INNER_SPACE: " "})

Change = Callable[[str], str]
Spans = Callable[[str], list[tuple[int, int]]]  # where a line has placeables

# Which words of a line touch: those with a joiner between them, all (spaces are words), or none.
Touching = Literal["marked", "always", "never"]


def plain(word: str) -> str:
    """A word as a reader knows it, without the marks that say where words touch.

    >>> [plain(word) for word in ("￭,", "(￭", "Haus", "▁", "￭")]
    [',', '(', 'Haus', '␣', '￭']
    """
    return "␣" if word == SPACER else unescaped(word) or word


def unescaped(word: str) -> str:
    """The characters that a word has in the text."""
    return word.replace(JOINER, "").translate(UNESCAPE)


class Splitter(Protocol):
    """One way to cut lines into words and to join them again."""

    # Whether a plain line (see core/corpus/plain.hpp) has just the words of its pieces between spaces.
    by_pieces: bool
    touching: Touching

    def normalise(self, line: str) -> str:
        """What `join(split(line))` gives."""

    def spelt(self, line: str, change: Change | None) -> str:
        """The line with single spaces, in the very characters that its words have, joiners aside."""

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        """The words of many lines; `change` (of case) is applied to each normalised line first."""

    def join(self, words: list[str]) -> str:
        """The line that has these words."""


class SpaceSplitter:
    """For text that is tokenised already: words are separated by spaces or tabs, and nothing is changed."""

    by_pieces = True
    touching: Touching = "never"

    def normalise(self, line: str) -> str:
        return " ".join(self._words(line))

    def spelt(self, line: str, change: Change | None) -> str:
        return self.normalise(line if change is None else change(line))

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        if change is not None:
            lines = [change(line) for line in lines]
        return [self._words(line) for line in lines]

    def join(self, words: list[str]) -> str:
        return " ".join(words)

    @staticmethod
    def _words(line: str) -> list[str]:
        # Not split(): an ideographic or a no-break space inside a word is not ours to cut at.
        return [word for word in line.replace("\t", " ").split(" ") if word]


class PlainText:
    """What splitters of text that is not tokenised yet have in common."""

    def normalise(self, line: str) -> str:
        return normalise(line)

    def spelt(self, line: str, change: Change | None) -> str:
        return escaped_line(line, change)


def escaped_line(line: str, change: Change | None) -> str:
    """A normalised line after a change, with noncharacters for the marks that it holds itself."""
    line = normalise(line)
    return unicodedata.normalize("NFC", line if change is None else change(line)).translate(ESCAPE)
