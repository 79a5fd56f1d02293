"""Very long lines are translated in parts that end, where possible, after a punctuation mark."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["split_words"]

_STRONG = frozenset(".!?;。！？；")
_WEAK = frozenset(",:)]}、，：—–-")


def split_words(words: Sequence[str], longest: int) -> list[list[str]]:
    """Cuts a sentence into parts of at most `longest` words.

    >>> split_words("a b . c d e f".split(), 4)
    [['a', 'b', '.'], ['c', 'd', 'e', 'f']]
    """
    parts, begin = [], 0
    while len(words) - begin > longest:
        end = _best_end(words, begin, begin + longest)
        parts.append(list(words[begin:end]))
        begin = end
    return [*parts, list(words[begin:])] if begin < len(words) or not parts else parts


def _best_end(words: Sequence[str], begin: int, limit: int) -> int:
    # In the second half of what fits, so that parts do not get needlessly short.
    for marks in (_STRONG, _WEAK):
        for end in range(limit, begin + (limit - begin) // 2, -1):
            if any(mark in marks for mark in words[end - 1][-1:] + words[end - 1][:1]):
                return end
    return limit
