"""Which words of the texts become words of a language model."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Text, Vocabulary
from pentaglot.errors import PentaglotError

__all__ = ["KeptWords"]

# Words reserved in ARPA files.
_RESERVED = ("<s>", "</s>", "<unk>", "<UNK>")
_UNSEEN = np.uint32(0xFFFFFFFF)


class KeptWords:
    """Which words of the texts are words of the model, numbered as they come."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.kept = Vocabulary()
        self._vocabulary = vocabulary
        self._allowed: set[str] | None = None
        self._map = np.arange(FIRST_WORD, dtype=np.uint32)
        self.reserved: set[str] = set()  # words of the texts that cannot be words of a model

    def allow(self, words: Iterable[str]) -> None:
        """Other words become unknown."""
        self._allowed = set(words) if self._allowed is None else self._allowed & set(words)

    def allow_most_frequent(self, texts: Iterable[Text], number: int) -> None:
        """Only so many words of those that are allowed, by how often the texts have them."""
        counts = np.zeros(len(self._vocabulary), np.int64)
        for text in texts:
            seen = np.bincount(text.tokens, minlength=len(self._vocabulary))
            counts = np.pad(counts, (0, max(0, len(seen) - len(counts))))
            counts[: len(seen)] += seen
        spelled = self._vocabulary.words(np.arange(FIRST_WORD, len(counts), dtype=np.uint32))
        candidates = [
            (-int(count), word)
            for word, count in zip(spelled, counts[FIRST_WORD:], strict=True)
            if count and word not in _RESERVED and (self._allowed is None or word in self._allowed)
        ]
        self.allow(word for _, word in sorted(candidates)[:number])

    def ids(self, tokens: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The tokens in the model's ids; new words get the next ones in the order of the text."""
        if len(tokens) and int(tokens.max()) >= len(self._vocabulary):
            raise PentaglotError("the text has a word id that its vocabulary lacks")
        missing = len(self._vocabulary) - len(self._map)
        if missing > 0:
            self._map = np.concatenate([self._map, np.full(missing, _UNSEEN)])
        mapped = self._map[tokens]
        new = tokens[mapped == _UNSEEN]
        if not len(new):
            return mapped
        first = np.empty(len(self._map), np.int64)
        first[new[::-1]] = np.arange(len(new))[::-1]  # of equal indices the last assignment wins: the first place
        found = np.unique(new) if len(new) < 1 << 12 else np.flatnonzero(np.bincount(new))
        fresh = found[np.argsort(first[found], kind="stable")].astype(np.uint32)
        for id, word in zip(fresh.tolist(), self._vocabulary.words(fresh), strict=True):
            if word in _RESERVED:
                self.reserved.add(word)
            elif self._allowed is None or word in self._allowed:
                self._map[id] = self.kept.add(word)
                continue
            self._map[id] = UNKNOWN
        return self._map[tokens]
