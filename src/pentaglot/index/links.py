"""Word links as the index takes them in: flat arrays, one line of links for each sentence pair."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Links"]


@dataclass(frozen=True)
class Links:
    """The links of many sentence pairs; places count from 0 within the sentence.

    >>> links = Links.from_pairs([[(0, 0), (1, 2)], []])
    >>> links.offsets.tolist(), links.source.tolist(), links.target.tolist()
    ([0, 2, 2], [0, 1], [0, 2])
    """

    offsets: NDArray[np.uint64]
    source: NDArray[np.uint32]
    target: NDArray[np.uint32]

    @classmethod
    def from_pairs(cls, sentences: Iterable[Sequence[tuple[int, int]]]) -> Links:
        """From one list of (source place, target place) for each sentence pair."""
        lines = list(sentences)
        flat = np.array(list(itertools.chain.from_iterable(lines)), np.uint32).reshape(-1, 2)
        offsets = np.zeros(len(lines) + 1, np.uint64)
        np.cumsum([len(line) for line in lines], out=offsets[1:])
        return cls(offsets, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]))

    def __len__(self) -> int:
        return len(self.offsets) - 1
