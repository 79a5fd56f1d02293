"""`NgramUse`: n-grams of target words, or of classes of them, each with a feature, in a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import search as native
from pentaglot._core.corpus import END, START, UNKNOWN, Vocabulary

__all__ = ["NgramUse"]


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
        known = dict(ends)
        for word in (word for ngram in ngrams for word in ngram):
            known.setdefault(word, len(known) + 1)
        numbers = np.zeros(len(vocabulary), np.uint32)
        if classes is None:
            for word, number in known.items():
                place = vocabulary.find(word)
                if place != UNKNOWN and word not in ends:
                    numbers[place] = number
        else:
            for word, group in classes.items():
                place = vocabulary.find(word)
                if place != UNKNOWN and str(group) in known:
                    numbers[place] = known[str(group)]
        order = max([2, *map(len, ngrams)])
        offsets = np.cumsum([0, *map(len, ngrams)]).astype(np.uint64)
        words = np.array([known[word] for ngram in ngrams for word in ngram], np.int32)
        return cls(native.TargetNgrams(order, numbers, offsets, words, ids), order)
