"""The lines of a bitext as they were written, and the places of words in them."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pentaglot import storage
from pentaglot.corpus.kept_lines import KeptLines
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.splitters import JOINER, SPACER, unescaped
from pentaglot.errors import StorageError

__all__ = ["Written", "word_spans"]

_KIND, _VERSION = "written lines", 1
_ARRAYS = {"packed": np.uint8, "ends": np.uint64, "counts": np.uint64}
_DOT_ABOVE = "\u0307"


@dataclass(frozen=True, eq=False)
class Written:
    """The lines of both sides of a bitext as they were read; those that are not known are empty."""

    source: Sequence[str]
    target: Sequence[str]
    files: tuple[str, str] = ("", "")  # the names of the files that they were read from, without their directories

    def pair(self, number: int) -> tuple[str, str]:
        """One line of both sides."""
        return self.source[number], self.target[number]

    def first(self, number: int) -> Written:
        """The first `number` pairs."""
        return Written(_kept(self.source).first(number), _kept(self.target).first(number), self.files)

    def followed_by(self, other: Written) -> Written:
        """These pairs followed by others."""
        source, target = _kept(self.source), _kept(self.target)
        return Written(source.followed_by(_kept(other.source)), target.followed_by(_kept(other.target)), self.files)

    @classmethod
    def unknown(cls, number: int) -> Written:
        """`number` pairs whose lines are not known."""
        lines = KeptLines.of([""] * number)
        return cls(lines, lines)

    def save(self, path: Path) -> None:
        """Writes the lines, packed."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for side, lines in (("source", _kept(self.source)), ("target", _kept(self.target))):
                for name in _ARRAYS:
                    new.add(f"{side}_{name}", getattr(lines, name))
            new.facts.update(pairs=len(self.source), files=list(self.files))

    @classmethod
    def open(
        cls, path: Path, pairs: int, *, verify: bool | None = None, whole_check_bytes: int | None = None
    ) -> Written:
        """Maps what `save` wrote, for a bitext with this many pairs; the rest as in
        `pentaglot.storage.open_directory`."""
        stored = storage.open_directory(
            path, kind=_KIND, version=_VERSION, verify=verify, whole_check_bytes=whole_check_bytes
        )
        files = stored.list_fact("files", str)
        sides = []
        for side in ("source", "target"):
            packed, ends, counts = (stored.array(f"{side}_{name}", kind) for name, kind in _ARRAYS.items())
            sides.append(KeptLines(packed, ends, counts, stored.path / f"{side}_packed.npy"))
        if len(files) != 2 or any(len(lines) != pairs for lines in sides):
            raise StorageError("is damaged: these are not the lines of this text", path=path, hint="build it again")
        return cls(sides[0], sides[1], (files[0], files[1]))


def file_name(path: str | os.PathLike[str]) -> str:
    """The name of a file without its directory; empty for pipes."""
    return Path(path).name if str(path) != "-" and Path(path).is_file() else ""


def word_spans(words: Sequence[str], line: str) -> list[tuple[int, int]] | None:
    """Where the words of a tokenised sentence stand in the line that it was made from, whatever happened to capitals,
    spaces and the encoding of letters; None if it is not that line. A word that is only a space has no letters there.

    >>> word_spans(["das", "￭„￭", "haus", "￭“"], "Das „HAUS“"), word_spans(["das"], "Das Haus")
    ([(0, 3), (4, 5), (5, 9), (9, 10)], None)
    """
    return _plain_spans(words, line) or _any_spans(words, line)


def _plain_spans(words: Sequence[str], line: str) -> list[tuple[int, int]] | None:
    """The same for words that differ from the line only in capitals, as they nearly always do: in a fifth of the
    time."""
    if JOINER in line or SPACER in line or (not line.isascii() and any(map(unicodedata.combining, line))):
        return None
    spans: list[tuple[int, int]] = []
    at = 0
    for word in words:
        letters = unescaped(word)
        while at < len(line) and line[at].isspace():
            at += 1
        end = at + len(letters)
        found = line[at:end]
        if not letters or end > len(line) or (found != letters and found.casefold() != letters.casefold()):
            return None
        spans.append((at, end))
        at = end
    return spans if not line[at:].strip() else None


def _any_spans(words: Sequence[str], line: str) -> list[tuple[int, int]] | None:
    signs = list(_signs(line))
    spans: list[tuple[int, int]] = []
    at, end = 0, 0
    for word in words:
        letters = [letter for letter, _, _ in _signs(unescaped(word))]
        found = signs[at : at + len(letters)]
        if [letter for letter, _, _ in found] != letters or (found and found[0][1] < end):
            return None
        begin = found[0][1] if found else end
        end = found[-1][2] if found else end
        spans.append((begin, end))
        at += len(letters)
    return spans if at == len(signs) else None


def _signs(text: str) -> Iterator[tuple[str, int, int]]:
    """The letters and signs of a text as they are compared, each with the place of the character that it is part of."""
    begin = 0
    while begin < len(text):
        end = begin + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        whole, alone = _compared(text[begin:end]), [_compared(each) for each in text[begin:end]]
        if "".join(alone) == whole:  # as it is but for marks in an unusual order
            for place, signs in enumerate(alone, begin):
                yield from ((sign, place, place + 1) for sign in signs)
        else:
            yield from ((sign, begin, end) for sign in whole)
        begin = end


@lru_cache(4096)
def _compared(character: str) -> str:
    """A character and its marks without what may differ between a line and its words. Where i and ı are two letters,
    each has its own capital; they count as one here, as do their capitals."""
    folded = unicodedata.normalize("NFD", normalise(character)).casefold().replace("ı", "i")
    ignored = (_DOT_ABOVE, JOINER, SPACER)
    return "".join(each for each in unicodedata.normalize("NFD", folded) if not each.isspace() and each not in ignored)


def _kept(lines: Sequence[str]) -> KeptLines:
    return lines if isinstance(lines, KeptLines) else KeptLines.of(lines)
