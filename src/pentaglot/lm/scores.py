"""The scores that a language model gives to a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import lm as core
from pentaglot._core.corpus import Text, Vocabulary

__all__ = ["Scores"]


@dataclass(frozen=True)
class Scores:
    """The scores of a text, token by token; each sentence ends with the score of its end.

    `log_probabilities` are to base 10; `lengths` are those of the longest n-grams that were found; sentence number i
    has the tokens from `offsets[i]` up to `offsets[i + 1]`.
    """

    log_probabilities: NDArray[np.float32]
    lengths: NDArray[np.uint8]
    unknown: NDArray[np.bool_]
    offsets: NDArray[np.uint64]

    def sentence_rows(self, text: Text) -> bytes:
        """A row for each sentence of the scored text: log-probability, tokens and unknown words, separated by tabs."""
        return core.sentence_rows(text, *self._arrays)

    def word_rows(self, text: Text, vocabulary: Vocabulary, first: int = 1) -> bytes:
        """A row for each token of the scored text, which has the ids of `vocabulary`: the number of its sentence, from
        `first` on, token, log-probability, length of the n-gram, 1 if it is unknown."""
        return core.word_rows(text, *self._arrays, vocabulary, first)

    @property
    def _arrays(self) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint8]]:
        return self.log_probabilities, self.lengths, self.unknown.view(np.uint8)

    def totals(self) -> NDArray[np.float64]:
        """The log-probability of each sentence."""
        if len(self.offsets) == 1:
            return np.empty(0)
        return np.add.reduceat(self.log_probabilities, self.offsets[:-1].astype(np.intp), dtype=np.float64)
