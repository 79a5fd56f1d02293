"""`FeatureSpace`: features have names, vectors have ids; and what the learners must know about the names."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.forest import FeatureNames
from pentaglot.errors import PentaglotError
from pentaglot.forest.shapes import PLAIN, Shape, StoredShapes, open_space, save_space
from pentaglot.steady import opens

__all__ = ["Feature", "FeatureSpace"]

_UNORDERED, _ORDERED = "^", ">"


@dataclass(frozen=True)
class Feature:
    """One dimension. `parts` are the features that it conjoins (itself alone if none), in their order if it is an
    `ordered` conjunction; `order` is how many simple features that makes in all. `group` names what it is regularised
    with; a feature that is not `visible` feeds induction but is never scored by a search."""

    id: int
    name: str
    group: str
    visible: bool
    parts: tuple[int, ...]
    ordered: bool = False
    order: int = 1


class FeatureSpace:
    """Interns feature names as ids 0, 1, 2, ... and remembers their structure. Any number of threads may use one: a
    name has one id, whoever adds it first, and existing features never change. A feature that has no structure costs
    its name and no more, so there may be millions of them.

    >>> space = FeatureSpace(["lm", "word_penalty"])
    >>> space.id("lm"), space.name(1), len(space)
    (0, 'word_penalty', 2)
    >>> rare, some, often = space.add_bins("count", ["1", "2-9", "10+"])
    >>> space.name(some), space.neighbours().tolist()
    ('count=2-9', [[2, 3, 4]])
    >>> both = space.conjoin([rare, space.id("lm")], ordered=False)
    >>> space.name(both), space[both].order
    ('count=1^lm', 2)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.native = FeatureNames()
        self._shapes: dict[int, Shape] = {}
        self._stored: StoredShapes | None = None
        self._bins: list[tuple[int, ...]] = []
        self._lock = threading.RLock()  # held while adding: bins add several features, whose names must be free
        self.add_all(list(names))

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[Feature]:
        return (self[feature] for feature in range(len(self)))

    def __contains__(self, name: str) -> bool:
        return self.native.find(name) is not None

    def __getitem__(self, feature: int) -> Feature:
        name = self.name(feature)
        shape = self._shape(feature)
        return Feature(
            feature, name, shape.group, shape.visible, shape.parts or (feature,), shape.ordered, self._order(feature)
        )

    def _shape(self, feature: int) -> Shape:
        known = self._shapes.get(feature)
        if known is not None:
            return known
        return PLAIN if self._stored is None else self._stored.shape(feature)

    def _order(self, feature: int) -> int:
        parts = self._shape(feature).parts
        return sum(map(self._order, parts)) if parts else 1

    def find(self, name: str) -> int | None:
        """The id of a name; None if it is not known."""
        return self.native.find(name)

    def id(self, name: str) -> int:
        """The id of a name that is known."""
        known = self.native.find(name)
        if known is None:
            raise PentaglotError(f"there is no feature '{name}'")
        return known

    def name(self, feature: int) -> str:
        """The name of an id."""
        if not 0 <= feature < len(self):
            raise PentaglotError(f"there is no feature {feature}; the space has {len(self)}")
        return self.native.name(feature)

    @property
    def names(self) -> list[str]:
        """All names, in the order of their ids."""
        return self.native.names()

    def add(self, name: str, *, group: str = "", visible: bool = True) -> int:
        """The id of a name; a new one if it has none yet. A known name keeps its structure."""
        known = self.native.find(name)
        if known is not None:
            return known
        with self._lock:
            known = self.native.find(name)  # by now: another thread was quicker
            return self._append(name, Shape(group, visible)) if known is None else known

    def add_all(self, names: Sequence[str]) -> NDArray[np.uint32]:
        """The ids of many names; those that are new have no structure.

        >>> FeatureSpace(["lm"]).add_all(["rare", "lm", "odd"]).tolist()
        [1, 0, 2]
        """
        with self._lock:
            return self.native.add_all(names)

    def add_bins(self, name: str, labels: Sequence[str], *, group: str | None = None) -> list[int]:
        """The features `name=label` of a quantity cut into bins, which are neighbours in the order given."""
        with self._lock:
            known = [label for label in labels if f"{name}={label}" in self]
            if known or len(set(labels)) != len(labels):
                raise PentaglotError(f"the bins of '{name}' must have new, distinct names")
            bins = [self.add(f"{name}={label}", group=name if group is None else group) for label in labels]
            self._bins.append(tuple(bins))
            return bins

    def conjoin(self, features: Sequence[int], *, ordered: bool, group: str = "", visible: bool = True) -> int:
        """The feature that is the product of others; a single one is itself.

        If it is `ordered`, both order and repetition count: for sequences, such as words, or a word on either side of a
        rule. If not, neither does: for sets, such as bins of several quantities. A conjunction of conjunctions of its
        own kind is that of all their parts; one of the other kind stays a part as it is.

        >>> space = FeatureSpace(["a", "b"])
        >>> [space.name(space.conjoin(each, ordered=True)) for each in ([0, 1], [1, 0], [0, 0])]
        ['a>b', 'b>a', 'a>a']
        >>> [space.name(space.conjoin(each, ordered=False)) for each in ([0, 1], [1, 0], [0, 0])]
        ['a^b', 'a^b', 'a']
        """
        parts = [part for feature in features for part in self._parts_of_kind(feature, ordered)]
        if not parts:
            raise PentaglotError("a conjunction needs at least one feature")
        if not ordered:
            parts = sorted(set(parts), key=self.name)
        if len(parts) == 1:
            return parts[0]
        name = self._joined_name(parts, ordered)
        shape = Shape(group, visible, tuple(parts), ordered)
        with self._lock:
            known = self.native.find(name)
            if known is None:
                return self._append(name, shape)
        found = self._shape(known)
        if (found.parts, found.ordered) != (shape.parts, ordered):
            raise PentaglotError(f"the name '{name}' is taken by a simple feature")
        return known

    def _parts_of_kind(self, feature: int, ordered: bool) -> tuple[int, ...]:
        self.name(feature)  # there is one
        shape = self._shape(feature)
        return shape.parts if shape.parts and shape.ordered == ordered else (feature,)

    def _joined_name(self, parts: Iterable[int], ordered: bool) -> str:
        # Escaping the joining signs inside a part's name keeps any two conjunctions from sharing a name.
        escaped = (re.sub(r"[\\^>]", r"\\\g<0>", self.name(part)) for part in parts)
        return (_ORDERED if ordered else _UNORDERED).join(escaped)

    def _append(self, name: str, shape: Shape) -> int:
        """Called with the lock held. The structure comes first, the name last: an id that is found by its name has its
        structure."""
        if not name:
            raise PentaglotError("a feature needs a name")
        if shape != PLAIN:
            self._shapes[len(self.native)] = shape
        try:
            return self.native.add(name)
        except PentaglotError:  # UTF-8 cannot hold it
            self._shapes.pop(len(self.native), None)
            raise

    def _shaped(self) -> list[int]:
        """The features that have any structure, in order."""
        stored = [] if self._stored is None else self._stored.shaped()
        return sorted({*stored, *tuple(self._shapes)})

    def orders(self) -> NDArray[np.uint32]:
        """The order of conjunction of every feature."""
        orders = np.ones(len(self), np.uint32)
        for feature in self._shaped():
            if feature < len(orders):
                orders[feature] = self._order(feature)
        return orders

    def visible(self) -> NDArray[np.bool_]:
        """Which features a search may score."""
        seen = np.ones(len(self), np.bool_)
        if self._stored is not None:
            seen[: len(self._stored)] = self._stored.visible
        hidden = [each for each, shape in tuple(self._shapes.items()) if not shape.visible and each < len(seen)]
        seen[hidden] = False
        return seen

    def groups(self) -> dict[str, NDArray[np.uint32]]:
        """The features of each named group."""
        members: dict[str, list[int]] = {}
        for feature in self._shaped():
            group = self._shape(feature).group
            if group:
                members.setdefault(group, []).append(feature)
        return {name: np.array(ids, np.uint32) for name, ids in members.items()}

    @property
    def bins(self) -> tuple[tuple[int, ...], ...]:
        """The features of each quantity that was cut into bins, in the order of the bins."""
        return tuple(self._bins)

    def neighbours(self) -> NDArray[np.uint32]:
        """All triples (left, middle, right) of bins in order. Conjunctions of bins have neighbours along each of
        their parts (Clark 2015, tensor neighbours); the first and the last bin are never in the middle."""
        beside = {bins[i]: (bins[i - 1], bins[i + 1]) for bins in self.bins for i in range(1, len(bins) - 1)}
        triples = []
        for feature in sorted({*beside, *self._shaped()}):
            shape = self._shape(feature)
            for place, part in enumerate(shape.parts or (feature,)):
                sides = [self._replaced(feature, shape, place, other) for other in beside.get(part, ())]
                if len(sides) == 2 and sides[0] is not None and sides[1] is not None:
                    triples.append((sides[0], feature, sides[1]))
        return np.array(triples, np.uint32).reshape(-1, 3)

    def _replaced(self, feature: int, shape: Shape, place: int, other: int) -> int | None:
        if not shape.parts:
            return other
        parts = [*shape.parts[:place], other, *shape.parts[place + 1 :]]
        if not shape.ordered:
            parts = sorted(set(parts), key=self.name)
        return self.native.find(self._joined_name(parts, shape.ordered))

    def fork(self) -> FeatureSpace:
        """An independent space with the same features, which are shared, to which others can be added."""
        with self._lock:
            made = FeatureSpace()
            made.native = self.native.fork()
            made._shapes, made._stored, made._bins = dict(self._shapes), self._stored, list(self._bins)
            return made

    def reordered(self, ids: Sequence[int]) -> FeatureSpace:
        """The same features with other ids: the first of `ids` is 0. A conjunction must come after its parts."""
        if sorted(ids) != list(range(len(self))):
            raise PentaglotError("every feature needs its new place")
        places = {old: new for new, old in enumerate(ids)}
        made = FeatureSpace([self.name(old) for old in ids])
        for feature in self._shaped():
            shape = self._shape(feature)
            parts = tuple(places[part] for part in shape.parts)
            if parts and max(parts) >= places[feature]:
                raise PentaglotError(f"the conjunction '{self.name(feature)}' must come after its parts")
            made._shapes[places[feature]] = Shape(shape.group, shape.visible, parts, shape.ordered)
        made._bins = sorted(tuple(places[each] for each in bins) for bins in self.bins)
        return made

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the space as a directory of arrays."""
        with self._lock:
            size = len(self)
            save_space(path, self.native, [(each, self._shape(each)) for each in self._shaped()], self.bins, size)

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> FeatureSpace:
        """Opens a saved space."""
        made = cls()
        made.native, made._stored, made._bins = open_space(path)
        return made

    def dense(self, values: Iterable[tuple[str, float]]) -> NDArray[np.float64]:
        """A vector over the space; names that it does not know are left out.

        >>> FeatureSpace(["lm", "length"]).dense([("length", -0.5), ("other", 1.0)])
        array([ 0. , -0.5])
        """
        vector = np.zeros(len(self))
        for name, value in values:
            known = self.native.find(name)
            if known is not None and known < len(vector):  # the space may have grown since
                vector[known] = value
        return vector
