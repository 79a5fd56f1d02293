"""`SparseFeatures`: any number of features, of which each rule has only a few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace

__all__ = ["NameCache", "SparseFeatures"]

# Limits of a rule table; see core/rules/rule_table.cpp.
_LARGEST = 1e15


@dataclass(frozen=True, eq=False)
class SparseFeatures:
    """The features of each rule of a sentence: rule n has those between `offsets[n]` and `offsets[n + 1]`.

    `ids` are places in `names`. If a hook always returns the same tuple of names, they are looked up only once. A
    feature that a rule has twice counts twice.

    >>> block = SparseFeatures(("rare", "odd"), np.array([0, 2, 2]), np.array([1, 0]), np.array([1.0, 0.5]))
    >>> block.row(0), block.row(1)
    ({'odd': 1.0, 'rare': 0.5}, {})
    """

    names: tuple[str, ...]
    offsets: NDArray[np.integer]
    ids: NDArray[np.integer]
    values: NDArray[np.floating]

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, float]]) -> SparseFeatures:
        """From a dictionary for each rule.

        >>> SparseFeatures.from_rows([{"odd": 1.0}, {}, {"rare": 0.5, "odd": 2.0}]).ids.tolist()
        [0, 1, 0]
        """
        places: dict[str, int] = {}
        ids = [places.setdefault(name, len(places)) for row in rows for name in row]
        values = [value for row in rows for value in row.values()]
        offsets = np.cumsum([0, *map(len, rows)])
        return cls(tuple(places), offsets, np.array(ids, np.uint32), np.array(values, np.float32))

    def row(self, rule: int) -> dict[str, float]:
        """The features of a rule by name."""
        found: dict[str, float] = {}
        for at in range(int(self.offsets[rule]), int(self.offsets[rule + 1])):
            name = self.names[int(self.ids[at])]
            found[name] = found.get(name, 0.0) + float(self.values[at])
        return found

    def check(self, rules: int, giver: str) -> None:
        """Raises an error unless this is a valid block for this number of rules; `giver` names its source in the
        message."""
        offsets, ids, values = (np.asarray(each) for each in (self.offsets, self.ids, self.values))
        whole = all(each.dtype.kind in "iu" or each.size == 0 for each in (offsets, ids))
        if not whole or any(each.ndim != 1 for each in (offsets, ids, values)) or values.dtype.kind not in "fiub":
            raise PentaglotError(f"{giver} gave a sparse block whose arrays are not rows of numbers")
        if len(offsets) != rules + 1:
            raise PentaglotError(
                f"{giver} gave a sparse block with {len(offsets)} offsets for {rules} rules",
                hint="give one for each rule, and one for the end",
            )
        if len(ids) != len(values):
            raise PentaglotError(f"{giver} gave a sparse block with {len(ids)} ids but {len(values)} values")
        if int(offsets[0]) != 0 or int(offsets[-1]) != len(ids) or bool((offsets[1:] < offsets[:-1]).any()):
            raise PentaglotError(
                f"{giver} gave a sparse block with wrong offsets",
                hint=f"they must begin with 0, end with {len(ids)} and never decrease",
            )
        if len(ids) and not (int(ids.min()) >= 0 and int(ids.max()) < len(self.names)):
            wrong = int(ids.min()) if int(ids.min()) < 0 else int(ids.max())
            raise PentaglotError(f"{giver} gave the id {wrong} for a feature, but {len(self.names)} names")
        good = np.abs(values.astype(np.float64)) <= _LARGEST
        if not bool(good.all()):
            worst = int(np.argmin(good))
            name = self.names[int(ids[worst])]
            raise PentaglotError(f"{giver} gave the feature '{name}' the value {values[worst]}")


class NameCache:
    """The ids of names in a space; a repeated tuple of names is looked up only once."""

    def __init__(self, space: FeatureSpace) -> None:
        self._space = space
        self._known: dict[object, tuple[tuple[str, ...], NDArray[np.uint32]]] = {}

    def ids(self, owner: object, names: tuple[str, ...]) -> NDArray[np.uint32]:
        """The ids of the names given by `owner`."""
        known = self._known.get(owner)
        if known is None or known[0] is not names:
            known = names, self._space.add_all(names)
            self._known[owner] = known
        return known[1]
