"""`WordClasses`: a feature for every pair of neighbouring classes of target words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace

__all__ = ["WordClasses"]

_MOST = 9_997  # ten thousand with the three that are not word classes


@dataclass(frozen=True, eq=False)
class WordClasses:
    """The names of the classes of target words, and the class number of every word. Words without a class have class 0.

    >>> from pentaglot.corpus import encode
    >>> _, words = encode([["the", "old", "house"]])
    >>> classes = WordClasses.over(words, {"the": "D", "house": "N"})
    >>> classes.names, [int(classes.numbers[words.find(word)]) for word in ("the", "old", "house")]
    (('?', 'D', 'N'), [1, 0, 2])
    >>> space = FeatureSpace()
    >>> space.name(classes.features(space)[1, 2])
    'next_classes=D_N'
    """

    names: tuple[str, ...]
    numbers: NDArray[np.uint32]

    @classmethod
    def over(cls, vocabulary: Vocabulary, classes: Mapping[str, str]) -> WordClasses:
        """From a mapping of words to classes."""
        names = ("?", *sorted(set(classes.values()) - {"?"}))
        if len(names) > _MOST:
            raise PentaglotError(f"there are {len(names):,} classes of words; at most {_MOST:,} are allowed")
        number = {name: at for at, name in enumerate(names)}
        numbers = np.zeros(len(vocabulary), np.uint32)
        words = vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))
        numbers[FIRST_WORD:] = [number[classes.get(word, "?")] for word in words]
        return cls(names, numbers)

    def features(self, space: FeatureSpace) -> NDArray[np.uint32]:
        """The feature of every pair of neighbours, by row and column; the last two are the beginning and the end of a
        sentence."""
        names = (*self.names, "<s>", "</s>")
        ids = [[space.add(f"next_classes={one}_{other}", group="classes") for other in names] for one in names]
        return np.array(ids, np.uint32)
