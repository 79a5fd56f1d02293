"""The names of features that are made of words, and the words of a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pentaglot.errors import PentaglotError

__all__ = ["GAP", "SIDES", "joined_words", "split_words"]

# What stands between the two sides of a whole rule; no word is empty.
SIDES = ""
# A gap of a rule, such as [1].
GAP = re.compile(r"\[([1-9][0-9]?)\]")

_SIGNS = re.compile(r"[\\^>\[]")
_PART = re.compile(r"(?:\\.|[^\\>])*", re.DOTALL)


def joined_words(words: Sequence[str], gaps: Sequence[bool] = ()) -> str:
    r"""Words as one name; `gaps` says which of them are gaps of a rule and not words.

    >>> joined_words(["das", "[1]", "a>b"]), joined_words(["das", "[1]"], [False, True])
    ('das>\\[1]>a\\>b', 'das>[1]')
    """
    marked = gaps or [False] * len(words)
    return ">".join(word if gap else _SIGNS.sub(r"\\\g<0>", word) for word, gap in zip(words, marked, strict=True))


def split_words(name: str) -> tuple[list[str], list[bool]]:
    r"""The words of a name, and which of them are gaps; the opposite of `joined_words`.

    >>> split_words("das>\\[1]>a\\>b>[1]")
    (['das', '[1]', 'a>b', '[1]'], [False, False, False, True])
    """
    words: list[str] = []
    gaps: list[bool] = []
    at = 0
    while True:
        found = _PART.match(name, at)
        assert found is not None  # it may be empty
        part = found.group()
        gap = GAP.fullmatch(part) is not None
        words.append(part if gap else re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL))
        gaps.append(gap)
        at = found.end()
        if at == len(name):
            return words, gaps
        if name[at] != ">":
            raise PentaglotError(f"'{name}' ends within a word")
        at += 1
