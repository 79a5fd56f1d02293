"""Words of a tokenised sentence as they stand in the text: with their capitals, and apart or touching."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.corpus.splitters import JOINER, plain, spaceless

__all__ = ["as_written", "near"]

_LONG, _BESIDE = 45, 15


def as_written(words: Sequence[str], text: str) -> list[tuple[str, str]]:
    """For each word what stands before it, and the word as it stands in the text; if the text does not consist of
    these words, they are spaced by their own marks and as their scripts do it.

    >>> as_written(["das", "Haus", "￭,", "(￭", "klein"], "Das Haus, (Klein")
    [('', 'Das'), (' ', 'Haus'), ('', ','), (' ', '('), ('', 'Klein')]
    >>> as_written(["das", "Haus", "￭."], "a house")
    [('', 'das'), (' ', 'Haus'), ('', '.')]
    """
    found: list[tuple[str, str]] = []
    at = 0
    for word in words:
        bare = plain(word)
        begin = at
        while begin < len(text) and text[begin].isspace():
            begin += 1
        written = text[begin : begin + len(bare)]
        if written.casefold() != bare.casefold():
            return _spaced(words)
        found.append((" " if begin > at and found else "", written))
        at = begin + len(bare)
    return found if not text[at:].strip() else _spaced(words)


def near(words: Sequence[str], places: Sequence[int]) -> range:
    """The places of a sentence that are shown when some of them matter: all, or of a long one those near them.

    >>> near(["a"] * 20, [7]), near(["a"] * 200, [70, 80])
    (range(0, 20), range(55, 96))
    """
    if len(words) <= _LONG:
        return range(len(words))
    first, last = min(places, default=0), max(places, default=0)
    return range(max(first - _BESIDE, 0), min(last + 1 + _BESIDE, len(words)))


def _spaced(words: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for before, word in zip((JOINER, *words), words, strict=False):
        touching = before.endswith(JOINER) or word.startswith(JOINER) or spaceless(before) or spaceless(word)
        found.append(("" if touching else " ", plain(word)))
    return found
