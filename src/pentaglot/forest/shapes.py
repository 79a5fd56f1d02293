"""The structure of the features of a space, in memory and on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core.forest import FeatureNames
from pentaglot.errors import PentaglotError

__all__ = ["PLAIN", "Shape", "StoredShapes", "open_space", "save_space"]

_KIND, _VERSION = "features", 1
_DEEPEST = 100  # conjunctions within conjunctions


class Shape(NamedTuple):
    """The structure of a feature; `parts` are there if it is a conjunction."""

    group: str = ""
    visible: bool = True
    parts: tuple[int, ...] = ()
    ordered: bool = False


PLAIN = Shape()


class StoredShapes:
    """The structure of the features of a saved space. There may be millions, so each is read on demand."""

    def __init__(
        self,
        groups: FeatureNames,
        group_numbers: NDArray[np.uint32],
        flags: NDArray[np.uint8],
        part_offsets: NDArray[np.uint64],
        parts: NDArray[np.uint32],
    ) -> None:
        """A group is a place in `groups`, counted from 1. Flags: 1 for a visible feature, 2 for an ordered one."""
        self._groups, self._numbers, self._flags = groups, group_numbers, flags
        self._offsets, self._parts = part_offsets, parts
        self._check()

    def _check(self) -> None:
        size = len(self._numbers)
        offsets, parts = self._offsets.astype(np.int64), self._parts
        fits = len(self._flags) == size and len(offsets) == size + 1
        fits = fits and int(offsets[0]) == 0 and int(offsets[-1]) == len(parts)
        if not fits or bool((offsets[1:] < offsets[:-1]).any()):
            raise PentaglotError("the arrays of the feature space do not fit together")
        if size and (int(self._numbers.max()) > len(self._groups) or int(self._flags.max()) > 3):
            raise PentaglotError("a feature has an unknown group or flag")
        sizes = offsets[1:] - offsets[:-1]
        owners = np.repeat(np.arange(size), sizes)
        if bool((sizes == 1).any()) or bool((parts >= owners).any()):
            raise PentaglotError("a conjunction has a single part, or one that does not come before it")
        depth = (sizes > 0).astype(np.int64)
        for feature in np.unique(owners[sizes[parts] > 0]).tolist():  # those of conjunctions; there are few
            depth[feature] = 1 + int(depth[parts[offsets[feature] : offsets[feature + 1]]].max())
            if depth[feature] > _DEEPEST:
                raise PentaglotError("conjunctions are nested too deeply")

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Which features a search may score."""
        return (self._flags & 1).astype(np.bool_)

    def shape(self, feature: int) -> Shape:
        """The structure of a feature; of one that came later, none."""
        if feature >= len(self):
            return PLAIN
        number, flags = int(self._numbers[feature]), int(self._flags[feature])
        part = self._parts[int(self._offsets[feature]) : int(self._offsets[feature + 1])]
        group = self._groups.name(number - 1) if number else ""
        return Shape(group, bool(flags & 1), tuple(part.tolist()), bool(flags & 2))

    def shaped(self) -> list[int]:
        """The features that have any structure."""
        odd = (self._numbers > 0) | (self._flags != 1) | (self._offsets[1:] > self._offsets[:-1])
        return [int(each) for each in np.flatnonzero(odd)]


def save_space(
    path: str | os.PathLike[str],
    names: FeatureNames,
    shapes: Sequence[tuple[int, Shape]],
    bins: Sequence[tuple[int, ...]],
    size: int,
) -> None:
    """Writes the first features of a space, of which some have `shapes`."""
    groups = FeatureNames()
    numbers, flags = np.zeros(size, np.uint32), np.ones(size, np.uint8)
    sizes = np.zeros(size + 1, np.uint64)
    parts: list[int] = []
    for feature, shape in shapes:
        if feature >= size:
            continue
        numbers[feature] = 1 + groups.add(shape.group) if shape.group else 0
        flags[feature] = shape.visible + 2 * shape.ordered
        sizes[feature + 1] = len(shape.parts)
        parts += shape.parts
    name_bytes, name_offsets = names.flat(0, size)
    group_bytes, group_offsets = groups.flat()
    with storage.create(path, kind=_KIND, version=_VERSION) as new:
        new.add("names", name_bytes)
        new.add("name_offsets", name_offsets)
        new.add("group_names", group_bytes)
        new.add("group_name_offsets", group_offsets)
        new.add("groups", numbers)
        new.add("flags", flags)
        new.add("part_offsets", np.cumsum(sizes, dtype=np.uint64))
        new.add("parts", np.array(parts, np.uint32))
        new.add("bin_offsets", np.cumsum([0, *map(len, bins)]).astype(np.uint64))
        new.add("bins", np.array([each for chain in bins for each in chain], np.uint32))


def open_space(path: str | os.PathLike[str]) -> tuple[FeatureNames, StoredShapes, list[tuple[int, ...]]]:
    """Names, structure and bins of a saved space."""
    found = storage.open_directory(path, kind=_KIND, version=_VERSION)
    with storage.damage_at(found.path):
        names = FeatureNames.from_bytes(found.array("names", np.uint8), found.array("name_offsets", np.uint64))
        groups = FeatureNames.from_bytes(
            found.array("group_names", np.uint8), found.array("group_name_offsets", np.uint64)
        )
        shapes = StoredShapes(
            groups,
            found.array("groups", np.uint32),
            found.array("flags", np.uint8),
            found.array("part_offsets", np.uint64),
            found.array("parts", np.uint32),
        )
        if len(shapes) != len(names):
            raise PentaglotError("the feature space has more names than features, or fewer")
        return names, shapes, _opened_bins(found.array("bin_offsets", np.uint64), found.array("bins", np.uint32), names)


def _opened_bins(offsets: NDArray[np.uint64], bins: NDArray[np.uint32], names: FeatureNames) -> list[tuple[int, ...]]:
    ends = offsets.astype(np.int64)
    fits = len(ends) > 0 and int(ends[0]) == 0 and int(ends[-1]) == len(bins) and not bool((ends[1:] < ends[:-1]).any())
    if not fits or len(np.unique(bins)) != len(bins) or (len(bins) and int(bins.max()) >= len(names)):
        raise PentaglotError("the bins of the feature space do not fit")
    return [tuple(bins[begin:end].tolist()) for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
