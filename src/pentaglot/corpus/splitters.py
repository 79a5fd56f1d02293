"""Ways to cut a line into words such that joining them gives the line back exactly.

Two conventions mark where spaces were not, or were:

- words are separated by spaces unless a joiner `￭` stands on the side where they touch: `Hello ￭, world ￭!`;
- in scripts without spaces words touch, and `▁` is a word where a space was.

A text may hold these marks itself. Before cutting they are swapped for noncharacters, which `normalise` has removed
from every text and which are therefore free, and swapped back after joining. So are spaces inside a placeable, which is
always one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Literal, Protocol

from pentaglot._core.corpus import not_plain
from pentaglot.corpus.normalisation import normalise

__all__ = [
    "INNER_SPACE",
    "JOINER",
    "SPACELESS",
    "SPACER",
    "Change",
    "SpaceSplitter",
    "SpacelessSplitter",
    "Spans",
    "Splitter",
    "Touching",
    "WordSplitter",
    "plain",
    "spaceless",
    "unescaped",
]

JOINER = "￭"
SPACER = "▁"

# The last two would make pyonmttok take what is between them for one word.
_OPEN, _CLOSE = "｟", "｠"
_ESCAPES = {JOINER: "\ufdd0", SPACER: "\ufdd1", _OPEN: "\ufdd2", _CLOSE: "\ufdd3"}
_ESCAPE = str.maketrans(_ESCAPES)
INNER_SPACE = "\ufdd4"
_UNESCAPE = str.maketrans({escape: character for character, escape in _ESCAPES.items()} | {INNER_SPACE: " "})
_PARTS = re.compile(r"\w+|\W")
# Han with its radicals and extensions, kana, Bopomofo, Thai, Lao, Tibetan, Burmese, Khmer.
SPACELESS = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30ff"
    "\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd"
)

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
    return word.replace(JOINER, "").translate(_UNESCAPE)


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


class WordSplitter:
    """For scripts with spaces: pyonmttok with joiners, and a careful way for lines on which it would not be exact."""

    by_pieces = True
    touching: Touching = "marked"

    def __init__(self, mode: str, spans: Spans | None = None) -> None:
        self._mode = mode
        self._spans = spans

    def normalise(self, line: str) -> str:
        return normalise(line)

    def spelt(self, line: str, change: Change | None) -> str:
        return _spelt(line, change)

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        careful = not_plain(lines)
        if careful:
            lines = lines.copy()
            for number in careful:
                lines[number] = normalise(lines[number])
        if change is not None:
            lines = [change(line) for line in lines]
        for number in careful:
            lines[number] = unicodedata.normalize("NFC", lines[number]).translate(_ESCAPE)
        marked = self._marked(lines) if self._spans is not None else {}
        given = [marked.get(number, line) for number, line in enumerate(lines)] if marked else lines
        words: list[list[str]] = self._tokenizer.tokenize_batch(given)[0]
        for number in marked:
            words[number] = _unmarked(words[number])
        for number in {*careful, *marked}:
            joined = self._joined(words[number]).replace(INNER_SPACE, " ")
            if joined != lines[number] or any(" " in word for word in words[number]):
                words[number] = _cut_simply(lines[number])
        return words

    def _marked(self, lines: list[str]) -> dict[int, str]:
        """The lines with placeables, each of which pyonmttok is told to leave whole."""
        assert self._spans is not None
        marked = {}
        for number, line in enumerate(lines):
            at, parts = 0, list[str]()
            for start, end in self._spans(line):
                parts += line[at:start], _OPEN, line[start:end].replace(" ", INNER_SPACE), _CLOSE
                at = end
            if parts:
                marked[number] = "".join(parts) + line[at:]
        return marked

    def join(self, words: list[str]) -> str:
        return self._joined(words).translate(_UNESCAPE)

    @staticmethod
    def _joined(words: list[str]) -> str:
        line = " ".join(words)
        if JOINER in line:
            line = line.replace(" " + JOINER, JOINER).replace(JOINER + " ", JOINER).replace(JOINER, "")
        return line

    @cached_property
    def _tokenizer(self) -> Any:
        import pyonmttok

        return pyonmttok.Tokenizer(self._mode, joiner_annotate=True, no_substitution=True, allow_isolated_marks=True)


class SpacelessSplitter:
    """For scripts without spaces: `segment` cuts the pieces between spaces into words."""

    by_pieces = False  # the spaces are words too
    touching: Touching = "always"

    def __init__(self, segment: Callable[[], Callable[[str], list[str]]], spans: Spans | None = None) -> None:
        self._load = segment
        self._spans = spans

    def normalise(self, line: str) -> str:
        return normalise(line)

    def spelt(self, line: str, change: Change | None) -> str:
        return _spelt(line, change)

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        return [self._words(_spelt(line, change)) for line in lines]

    def join(self, words: list[str]) -> str:
        return "".join(words).replace(SPACER, " ").translate(_UNESCAPE)

    @cached_property
    def _segment(self) -> Callable[[str], list[str]]:
        return self._load()

    def _words(self, line: str) -> list[str]:
        words, at = list[str](), 0
        for start, end in self._spans(line) if self._spans is not None else ():
            words += [*self._cut(line[at:start]), line[start:end].replace(" ", INNER_SPACE)]
            at = end
        return words + self._cut(line[at:])

    def _cut(self, text: str) -> list[str]:
        words: list[str] = []
        for number, piece in enumerate(text.split(" ")):
            if number:
                words.append(SPACER)
            found = [word for word in self._segment(piece) if word] if piece else []
            # A segmenter that changes the text or cuts at spaces is not trusted with this piece.
            if "".join(found) != piece or any(" " in word for word in found):
                found = characters(piece)
            words.extend(found)
        return words


def characters(text: str) -> list[str]:
    """Each character of a script without spaces, with its marks, as a word; letters and digits of other scripts stay
    together.

    >>> characters("第3回IBM会議")
    ['第', '3', '回', 'IBM', '会', '議']
    """
    return _character_pattern().findall(text)


def spaceless(word: str) -> bool:
    """Whether a word is of a script that has no spaces between words, or a punctuation mark of one.

    >>> [spaceless(word) for word in ("会議", "。", "IBM", ".")]
    [True, True, False, False]
    """
    return _spaceless_pattern().search(word) is not None


@cache
def _spaceless_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{SPACELESS}\u3000-\u303f\uff01-\uff65]")


@cache
def _character_pattern() -> re.Pattern[str]:
    scripts = SPACELESS
    # Combining marks, also of scripts with spaces, whose words (Arabic or Hindi in a Chinese text) stay together.
    ranges = ((0x300, 0x1C00), (0x1DC0, 0x1E00), (0x3000, 0x3100), (0xFE00, 0xFE10), (0xE0100, 0xE01F0))
    marks = "".join(
        re.escape(chr(code))
        for low, high in ranges
        for code in range(low, high)
        if unicodedata.category(chr(code))[0] == "M"
    )
    return re.compile(rf"(?![{marks}])[{scripts}][{marks}]*|(?:(?![{scripts}])[\w{marks}])+|.", re.DOTALL)


def _spelt(line: str, change: Change | None) -> str:
    line = normalise(line)
    return unicodedata.normalize("NFC", line if change is None else change(line)).translate(_ESCAPE)


def _unmarked(words: list[str]) -> list[str]:
    """Words without the marks around placeables; these are best without joiners, which their neighbours take over: a
    number is the same number whatever it touches. Only tags keep theirs, so that the words they touch stay the same.

    >>> _unmarked(["｟2｠￭", "-page", "x", "￭｟<b>｠￭", "y"])
    ['2', '￭-page', 'x', '￭<b>￭', 'y']
    """
    marked = [_OPEN in word and _OPEN + "<" not in word for word in words]
    bare = [word.replace(_OPEN, "").replace(_CLOSE, "") for word in words]
    for at, word in enumerate(bare):
        if not marked[at]:
            continue
        if word.startswith(JOINER) and at > 0 and not marked[at - 1]:
            bare[at] = word = word[1:]
            bare[at - 1] += "" if bare[at - 1].endswith(JOINER) else JOINER
        if word.endswith(JOINER) and at + 1 < len(bare) and not marked[at + 1]:
            bare[at] = word[:-1]
            bare[at + 1] = bare[at + 1] if bare[at + 1].startswith(JOINER) else JOINER + bare[at + 1]
    return bare


def _cut_simply(line: str) -> list[str]:
    words = []
    for piece in line.split(" "):
        first, *others = _PARTS.findall(piece) or [""]
        words += [first, *(JOINER + other for other in others)] if piece else []
    return words
