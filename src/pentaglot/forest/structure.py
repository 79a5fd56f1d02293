"""`FeatureStructure`: what penalties must know of features: neighbours, orders of conjunction, groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest.features import FeatureSpace

__all__ = ["FeatureStructure"]

Places = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class FeatureStructure:
    """The structure of some features, by their places in `names`.

    `neighbours` has rows of left, middle and right: bins in order, and conjunctions of bins along each of their parts.
    `orders` says how many simple features each one conjoins. `groups` has the features of each named group; a feature
    is in one group at most.

    >>> space = FeatureSpace(["lm"])
    >>> _ = space.add_bins("count", ["1", "2-9", "10+"])
    >>> structure = FeatureStructure.of(space)
    >>> structure.neighbours.tolist(), structure.groups["count"].tolist()
    ([[1, 2, 3]], [1, 2, 3])
    >>> structure.over(["count=10+", "new", "count=2-9", "count=1"]).neighbours.tolist()
    [[3, 2, 0]]
    """

    names: tuple[str, ...]
    neighbours: NDArray[np.uint32]
    orders: Places
    groups: Mapping[str, Places]

    @classmethod
    def of(cls, space: FeatureSpace) -> FeatureStructure:
        """The structure of all features of a space."""
        names = tuple(space.names)
        return cls(names, space.neighbours(), space.orders()[: len(names)], space.groups())

    def over(self, names: Sequence[str]) -> FeatureStructure:
        """The same for other names, such as those of k-best lists: features that are not among them are left out, and
        further ones are simple and in no group. A group may lose all of its features."""
        missing = len(names)
        known = {name: place for place, name in enumerate(names)}
        moved = np.array([known.get(name, missing) for name in self.names], np.int64)
        orders = np.ones(missing + 1, np.uint32)
        orders[moved] = self.orders
        triples = moved[self.neighbours] if len(self.names) else np.empty((0, 3), np.int64)
        kept = triples[(triples < missing).all(axis=1)]
        groups = {name: np.sort(moved[ids]) for name, ids in self.groups.items()}
        there = {name: ids[ids < missing].astype(np.uint32) for name, ids in groups.items()}
        return FeatureStructure(tuple(names), kept.astype(np.uint32), orders[:missing], there)
