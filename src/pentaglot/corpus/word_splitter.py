"""How lines of scripts with spaces are cut into words."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
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


class WordSplitter(PlainText):
    """For scripts with spaces: pyonmttok with joiners, and a careful way for lines on which it would not be exact."""

    by_pieces = True
    touching: Touching = "marked"

    def __init__(self, mode: str, spans: Spans | None = None) -> None:
        self._mode = mode
        self._spans = spans

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
