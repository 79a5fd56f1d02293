"""How far apart the words are that change places in translation.

Between neighbouring languages only words that are near each other do; from a language with the verb at the end of the
sentence to one with the verb early, words at opposite ends do. A search that may not move words that far cannot find
the right order, and one that may move them further finds more wrong ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot.align.alignment import NO_POSITION

__all__ = ["reach"]

_OFTEN = 0.05  # share of the pairs of words
_ENOUGH = 100  # pairs of words; fewer say nothing
_SENTENCES = 10_000  # looked at, evenly spaced


def reach(
    first: NDArray[np.uint16], last: NDArray[np.uint16], offsets: NDArray[np.uint64], *, least: int, most: int
) -> int:
    """The largest distance, from `least` to `most`, up to which linked words of the source text often change places:
    at each distance in between, at least 5 of 100 pairs of words do.

    `first` and `last` are the first and last linked position of every word of a text, as in `Extents`; `offsets` say
    where its sentences begin.

    >>> first = np.array([3, 4, 5, 0, 1, 2, NO_POSITION] * 1000, np.uint16)  # the halves of each sentence are swapped
    >>> reach(first, first, np.arange(0, 7001, 7, np.uint64), least=2, most=9)
    5
    """
    number = np.arange(0, len(offsets) - 1, max(1, (len(offsets) - 1) // _SENTENCES))
    begins, sizes = offsets[number].astype(np.int64), np.diff(offsets)[number].astype(np.int64)
    sentence = np.repeat(np.arange(len(number)), sizes)
    words = np.arange(len(sentence)) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    linked = first[words] != NO_POSITION
    # Twice the middle of the places that a word is linked to.
    middle = first[words].astype(np.int64) + last[words]
    for distance in range(least, most + 1):
        both = linked[distance:] & linked[:-distance] & (sentence[distance:] == sentence[:-distance])
        swapped = both & (middle[distance:] < middle[:-distance])
        if both.sum() < _ENOUGH or swapped.sum() < _OFTEN * both.sum():
            return max(least, distance - 1)
    return most
