"""How lines of scripts with spaces are cut into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from pentaglot._core.corpus import not_plain
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.splitters import (
    CLOSE,
    ESCAPE,
    INNER_SPACE,
    JOINER,
    OPEN,
    UNESCAPE,
    Change,
    PlainText,
    Spans,
    Touching,
)

__all__ = ["WordSplitter"]

_PARTS = re.compile(r"\w+|\W")
# What pyonmttok would cut words at: the invisible joiners of Persian, Hindi, Sinhala and others, and private
# letters, of scripts that Unicode does not know yet. Symbol fonts have their signs at U+F020 to U+F0FF.
_ODD = "\u200c\u200d\ue000-\uf01f\uf100-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_ODD_LETTER = re.compile(rf"[{_ODD}]")


class WordSplitter(PlainText):
    """For scripts with spaces: pyonmttok with joiners, and a careful way for lines on which it would not be exact."""

    by_pieces = True
    touching: Touching = "marked"

    def __init__(self, mode: str, spans: Spans | None = None, *, odd_words: bool = True) -> None:
        self._mode = mode
        self._spans = spans
        self._odd_words = odd_words  # whether words with odd letters are left whole

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        careful = not_plain(lines)
        if careful:
            lines = lines.copy()
            for number in careful:
                lines[number] = normalise(lines[number])
        if change is not None:
            lines = [change(line) for line in lines]
        for number in careful:
            lines[number] = unicodedata.normalize("NFC", lines[number]).translate(ESCAPE)
        marked = self._marked(lines)
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
        """The lines with placeables or odd words, each of which pyonmttok is told to leave whole."""
        marked = {}
        for number, line in enumerate(lines):
            at, parts = 0, list[str]()
            spans = [] if self._spans is None else self._spans(line)
            if self._odd_words and _ODD_LETTER.search(line) is not None:
                spans = sorted([*spans, *_odd_words(line, spans)])
            for start, end in spans:
                parts += line[at:start], OPEN, line[start:end].replace(" ", INNER_SPACE), CLOSE
                at = end
            if parts:
                marked[number] = "".join(parts) + line[at:]
        return marked

    def join(self, words: list[str]) -> str:
        return self._joined(words).translate(UNESCAPE)

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


def _odd_words(line: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where words with odd letters are, between the places that are taken.

    >>> line = "می\u200cخواهم, \ue000\ue001."
    >>> list(_odd_words(line, [])), list(_odd_words(line, [(0, 9)]))
    ([(0, 8), (10, 12)], [(10, 12)])
    """
    starts, ends = [0, *(end for _, end in taken)], [*(start for start, _ in taken), len(line)]
    for start, end in zip(starts, ends, strict=True):
        for word in _word_pattern().finditer(line, start, end):
            if _ODD_LETTER.search(word[0]) is not None and word[0].strip("\u200c\u200d"):
                yield word.span()


@cache
def _word_pattern() -> re.Pattern[str]:
    marks = (chr(code) for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M")
    return re.compile(rf"[\w{''.join(marks)}{_ODD}]+")


def _unmarked(words: list[str]) -> list[str]:
    """Words without the marks around placeables; these are best without joiners, which their neighbours take over: a
    number is the same number whatever it touches. Only tags keep theirs, so that the words they touch stay the same.

    >>> _unmarked(["｟2｠￭", "-page", "x", "￭｟<b>｠￭", "y"])
    ['2', '￭-page', 'x', '￭<b>￭', 'y']
    """
    marked = [OPEN in word and OPEN + "<" not in word for word in words]
    bare = [word.replace(OPEN, "").replace(CLOSE, "") for word in words]
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
