"""`Derivation`: one tree of a forest, with its words and the local vectors that its score is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import forest as core

__all__ = ["Derivation", "DerivationArrays", "LocalVector"]

LocalVector = tuple[NDArray[np.uint32], NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class DerivationArrays:
    """Scores, words and features of several derivations, concatenated; `word_offsets` and `feature_offsets` say where
    each begins, and where the last one ends. Feature ids rise within a derivation."""

    scores: NDArray[np.float64]
    word_offsets: NDArray[np.uint64]
    words: NDArray[np.uint32]
    feature_offsets: NDArray[np.uint64]
    feature_ids: NDArray[np.uint32]
    feature_values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, eq=False)
class Derivation:
    """A tree of edges. `edges` lists them from the root down, first tail first; a position in it is a *place*.

    >>> from pentaglot.forest import example_forest
    >>> best = example_forest().viterbi()
    >>> best.edges.tolist(), best.children(0), best.words
    ([4, 1, 3], (1, 2), (5, 8, 7))
    >>> best.features == {0: best.score}
    True
    """

    packed: core.Forest
    score: float
    edges: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The target word ids that the derivation yields."""
        ends = np.array([0, len(self.edges)], np.uint64)
        return tuple(core.words(self.packed, ends, self.edges)[1].tolist())

    @cached_property
    def _shape(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return core.shape(self.packed, self.edges)

    def children(self, place: int) -> tuple[int, ...]:
        """The places of the derivations of an edge's tails."""
        offsets, places = self._shape
        if not 0 <= place < len(self.edges):
            raise IndexError(f"place {place} of a derivation of {len(self.edges)} edges")
        return tuple(places[int(offsets[place]) : int(offsets[place + 1])].tolist())

    def local_vectors(self) -> list[LocalVector]:
        """The feature ids and values of every edge, in the order of `edges`: what local induction works on."""
        return list(self._vectors())

    def _vectors(self) -> Iterator[LocalVector]:
        offsets, ids, values = self.packed.feature_offsets, self.packed.feature_ids, self.packed.feature_values
        for edge in self.edges.tolist():
            part = slice(int(offsets[edge]), int(offsets[edge + 1]))
            yield ids[part], values[part]

    @cached_property
    def features(self) -> dict[int, float]:
        """The sum of the local vectors."""
        ids, values = core.features(self.packed, self.edges)
        return dict(zip(ids.tolist(), values.tolist(), strict=True))

    @property
    def payloads(self) -> NDArray[np.uint64]:
        """What the builder attached to each edge, in the order of `edges`."""
        return self.packed.edge_payloads[self.edges]
