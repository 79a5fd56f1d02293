"""Cuts very long lines into parts that end, where possible, after a punctuation mark."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pentaglot.corpus import Sentence

__all__ = ["ends_of_parts", "split_words"]

_STRONG = frozenset(".!?;。！？；")
_WEAK = frozenset(",:)]}、，：—–-")


def split_words(words: Sequence[str], longest: int) -> list[Sentence]:
    """Cuts a sentence into parts of at most `longest` words, with their layers.

    >>> [part.words for part in split_words("a b . c d e f".split(), 4)]
    [('a', 'b', '.'), ('c', 'd', 'e', 'f')]
    """
    sentence = Sentence.of(words)
    if len(sentence) <= longest:
        return [sentence]
    ends = ends_of_parts([(word,) for word in sentence], longest)
    return [sentence[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def ends_of_parts(endings: Sequence[Collection[str]], longest: int) -> list[int]:
    """Where parts of at most `longest` places end. Each place has the words that may stand there, or none if there can
    be no cut after it; a part may then be longer.

    >>> ends_of_parts([["a"], [], ["b"], ["c"], ["."], ["d"], ["e"]], 3)
    [3, 5, 7]
    """
    ends, begin = [], 0
    while len(endings) - begin > longest:
        begin = _best_end(endings, begin, begin + longest)
        ends.append(begin)
    return [*ends, len(endings)] if begin < len(endings) or not ends else ends


def _best_end(endings: Sequence[Collection[str]], begin: int, limit: int) -> int:
    # In the second half of what fits, so that parts do not get needlessly short.
    for marks in (_STRONG, _WEAK):
        for end in range(limit, begin + (limit - begin) // 2, -1):
            words = endings[end - 1]
            if words and all(any(mark in marks for mark in word[-1:] + word[:1]) for word in words):
                return end
    possible = (end for end in (*range(limit, begin, -1), *range(limit + 1, len(endings))) if endings[end - 1])
    return next(possible, len(endings))
