"""Where the words of a tokenised sentence stand in the line that it was made from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.splitters import JOINER, SPACER, unescaped

__all__ = ["word_spans"]

_DOT_ABOVE = "\u0307"


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
