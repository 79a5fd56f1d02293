"""`NgramUse`: n-grams of target words, or of classes of them, each with a feature, in a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import search as native
from pentaglot._core.corpus import END, START, UNKNOWN, Vocabulary

__all__ = ["NgramUse", "TriggerUse"]


@dataclass(frozen=True, eq=False)
class NgramUse:
    """N-grams that a search counts wherever they stand, also across rules.

    >>> from pentaglot.corpus import encode
    >>> _, words = encode([["the", "old", "house"]])
    >>> NgramUse.over(words, [["<s>", "the"], ["old", "house"]], np.array([7, 8], np.uint32)).order
    2
    """

    native: native.TargetNgrams
    order: int

    @classmethod
    def over(
        cls,
        vocabulary: Vocabulary,
        ngrams: Sequence[Sequence[str]],
        ids: NDArray[np.uint32],
        classes: Mapping[str, int] | None = None,
    ) -> NgramUse:
        """N-grams of the words of a vocabulary, or of `classes` of words, and the ids of their features."""
        ends = {vocabulary.word(START): native.NGRAM_START, vocabulary.word(END): native.NGRAM_END}
        known, numbers = _numbered(vocabulary, ngrams, classes, ends)
        order = max([2, *map(len, ngrams)])
        offsets = np.cumsum([0, *map(len, ngrams)]).astype(np.uint64)
        words = np.array([known[word] for ngram in ngrams for word in ngram], np.int32)
        return cls(native.TargetNgrams(order, numbers, offsets, words, ids), order)


@dataclass(frozen=True, eq=False)
class TriggerUse:
    """Pairs of target words that a search counts wherever the first stands anywhere before the second."""

    native: native.TriggerPairs

    @classmethod
    def over(
        cls,
        vocabulary: Vocabulary,
        pairs: Sequence[Sequence[str]],
        ids: NDArray[np.uint32],
        classes: Mapping[str, int] | None = None,
    ) -> TriggerUse:
        """Pairs of words of a vocabulary, or of `classes` of words, and the ids of their features."""
        known, numbers = _numbered(vocabulary, pairs, classes, {})
        sides = [np.array([known[pair[side]] for pair in pairs], np.uint32) for side in (0, 1)]
        return cls(native.TriggerPairs(numbers, sides[0], sides[1], ids))


def _numbered(
    vocabulary: Vocabulary,
    sequences: Sequence[Sequence[str]],
    classes: Mapping[str, int] | None,
    ends: Mapping[str, int],
) -> tuple[dict[str, int], NDArray[np.uint32]]:
    """Numbers for the words of sequences, and those of all words of a vocabulary: 0 for words that are in none."""
    known = dict(ends)
    for word in (word for sequence in sequences for word in sequence):
        known.setdefault(word, len(known) + 1)
    numbers = np.zeros(len(vocabulary), np.uint32)
    named = {word: word for word in known} if classes is None else {word: str(of) for word, of in classes.items()}
    for word, name in named.items():
        place = vocabulary.find(word)
        if place != UNKNOWN and name in known and name not in ends:
            numbers[place] = known[name]
    return known, numbers
