"""Patterns as people write them: text with gaps in it.

`X`, `Y`, `Z` (also with a number, `X1`), `...` and `…` stand for a gap of one or more words. A word that looks like a
gap is written with a backslash before it: `\\X`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pentaglot.corpus.spaceless import spaceless
from pentaglot.errors import PentaglotError

__all__ = ["literal", "parse_pattern", "readings"]

_GAP = r"(?:[XYZ][0-9]*|\.\.\.|…)"
# Backslashes may come before a gap, one of which makes it a word; punctuation may follow where a gap stands apart.
_GAP_INSIDE = re.compile(rf"(\\*)({_GAP})")
_GAP_PIECE = re.compile(rf"{_GAP_INSIDE.pattern}[^\w\s\\]*")
_PIECE = re.compile(r"\S+")


def parse_pattern(pattern: str) -> list[str | None]:
    """The text between the gaps of a pattern, None for each gap.

    >>> parse_pattern("nicht nur X, sondern auch \\\\X")
    ['nicht nur', None, ', sondern auch X']
    """
    parts: list[str | None] = []
    text, at = "", 0
    for begin, end, piece in _pieces(pattern):
        text += pattern[at:begin]
        at = end
        if piece is not None:
            text += piece
            continue
        parts += [text.strip(), None] if text.strip() else [None]
        text = ""
    text += pattern[at:]
    parts += [text.strip()] if text.strip() else []
    if not any(parts):
        raise PentaglotError("there is no word to look for", hint="give at least one word besides the gaps")
    if any(one is None and other is None for one, other in pairwise(parts)):
        raise PentaglotError("two gaps stand side by side", hint="one is enough: a gap may hold any number of words")
    return parts


def readings(pattern: str) -> Iterator[tuple[list[str | None], bool]]:
    """What a pattern may mean: first what it says; then, if that finds nothing, the text as it stands, in which an
    ellipsis is not a gap; then with spaces and capitals taken freely. Where a gap would touch the letters beside it,
    the text as it stands comes first: all of it may be one word."""
    parts = parse_pattern(pattern)
    if None in parts and any(_unglued(piece) for piece in pattern.split()):
        yield [pattern.strip()], True
    yield parts, True
    if None in parts:
        yield [pattern.strip()], True
    yield parts, False


def literal(text: str) -> str:
    """The pattern that finds exactly this text, whatever is in it.

    >>> literal("Plan X, oder ... \\\\Y?")
    'Plan \\\\X, oder \\\\... \\\\\\\\Y?'
    >>> parse_pattern(_)
    ['Plan X, oder ... \\\\Y?']
    """

    def escaped(match: re.Match[str]) -> str:
        piece = match[0]
        if _GAP_PIECE.fullmatch(piece):
            return "\\" + piece
        return _GAP_INSIDE.sub(r"\\\g<0>", piece) if _unglued(piece) else piece

    return _PIECE.sub(escaped, text)


def _pieces(pattern: str) -> Iterator[tuple[int, int, str | None]]:
    """Where gaps and escaped gaps stand, and the text that an escaped one stands for."""
    for match in _PIECE.finditer(pattern):
        begin, piece = match.start(), match[0]
        marked = _GAP_PIECE.fullmatch(piece)
        for found in [marked] if marked else _unglued(piece):
            yield begin + found.start(1), begin + found.end(2), (found[1] + found[2])[1:] if found[1] else None


def _unglued(piece: str) -> list[re.Match[str]]:
    """Gaps within a script without spaces, which need no spaces around them.

    >>> [len(_unglued(piece)) for piece in ("彼は…ない", "彼はXない", "aXb", "彼は\\\\Xない")]
    [1, 1, 0, 1]
    """
    found = list(_GAP_INSIDE.finditer(piece))
    beside = [piece[each.start() - 1 : each.start()] for each in found] + [piece[each.end() :][:1] for each in found]
    edges = [edge for edge in beside if edge]
    return found if edges and all(map(spaceless, edges)) else []
