"""`FeatureSpace`: features have names, vectors have ids; and what the learners must know about the names."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError

__all__ = ["Feature", "FeatureSpace"]


@dataclass(frozen=True)
class Feature:
    """One dimension. `parts` are the features that it conjoins (itself alone if none); `group` names what it is
    regularised with; a feature that is not `visible` feeds induction but is never scored by a search."""

    id: int
    name: str
    group: str
    visible: bool
    parts: tuple[int, ...]

    @property
    def order(self) -> int:
        """How many simple features it conjoins; 1 for a simple one."""
        return len(self.parts)


class FeatureSpace:
    """Interns feature names as ids 0, 1, 2, ... and remembers their structure. Any number of threads may use one: a
    name has one id, whoever asks for it first, and what is there already never changes.

    >>> space = FeatureSpace(["lm", "word_penalty"])
    >>> space.id("lm"), space.name(1), len(space)
    (0, 'word_penalty', 2)
    >>> rare, some, often = space.add_bins("count", ["1", "2-9", "10+"])
    >>> space.name(some), space.neighbours().tolist()
    ('count=2-9', [[2, 3, 4]])
    >>> both = space.conjoin([rare, space.id("lm")])
    >>> space.name(both), space[both].order
    ('count=1^lm', 2)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._features: list[Feature] = []
        self._ids: dict[str, int] = {}
        self._conjunctions: dict[tuple[int, ...], int] = {}
        self._bins: list[tuple[int, ...]] = []
        self._lock = threading.RLock()  # of whoever adds: bins add several features, which must find their names free
        for name in names:
            self.add(name)

    def __len__(self) -> int:
        return len(self._features)

    def __iter__(self) -> Iterator[Feature]:
        return iter(tuple(self._features))

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def __getitem__(self, feature: int) -> Feature:
        if not 0 <= feature < len(self._features):
            raise PentaglotError(f"there is no feature {feature}; the space has {len(self)}")
        return self._features[feature]

    def id(self, name: str) -> int:
        """The id of a name that is known."""
        if name not in self._ids:
            raise PentaglotError(f"there is no feature '{name}'")
        return self._ids[name]

    def name(self, feature: int) -> str:
        """The name of an id."""
        return self[feature].name

    @property
    def names(self) -> list[str]:
        """All names, in the order of their ids."""
        return [feature.name for feature in self]

    def add(self, name: str, *, group: str = "", visible: bool = True) -> int:
        """The id of a name; a new one if it has none yet. A known name keeps its structure."""
        known = self._ids.get(name)
        if known is not None:
            return known
        with self._lock:
            if name in self._ids:  # by now: another thread was quicker
                return self._ids[name]
            return self._append(name, group, visible, (len(self._features),))

    def add_bins(self, name: str, labels: Sequence[str], *, group: str | None = None) -> list[int]:
        """The features `name=label` of a quantity cut into bins, which are neighbours in the order given."""
        with self._lock:
            known = [label for label in labels if f"{name}={label}" in self._ids]
            if known or len(set(labels)) != len(labels):
                raise PentaglotError(f"the bins of '{name}' must have names of their own")
            bins = [self.add(f"{name}={label}", group=name if group is None else group) for label in labels]
            self._bins.append(tuple(bins))
            return bins

    def conjoin(self, features: Sequence[int], *, group: str = "", visible: bool = True) -> int:
        """The feature that is the product of others. The order of the others does not matter, and a conjunction of
        conjunctions is that of all their parts."""
        simple = sorted({part for feature in features for part in self[feature].parts})
        if len(simple) == 1:
            return simple[0]
        if not simple:
            raise PentaglotError("a conjunction needs at least one feature")
        parts = tuple(sorted(simple, key=lambda part: self._features[part].name))
        with self._lock:
            if parts not in self._conjunctions:
                # Escaping the joining sign inside a part's name keeps any two conjunctions from sharing a name.
                name = "^".join(re.sub(r"[\\^]", r"\\\g<0>", self._features[part].name) for part in parts)
                if name in self._ids:
                    raise PentaglotError(f"the name '{name}' is taken by a simple feature")
                self._conjunctions[parts] = self._append(name, group, visible, parts)
            return self._conjunctions[parts]

    def _append(self, name: str, group: str, visible: bool, parts: tuple[int, ...]) -> int:
        if not name:
            raise PentaglotError("a feature needs a name")
        # The feature first, its name last: whoever finds an id by its name finds the feature, too.
        feature = Feature(len(self._features), name, group, visible, parts)
        self._features.append(feature)
        self._ids[name] = feature.id
        return feature.id

    def orders(self) -> NDArray[np.uint32]:
        """The order of conjunction of every feature."""
        return np.array([feature.order for feature in self], np.uint32)

    def visible(self) -> NDArray[np.bool_]:
        """Which features a search may score."""
        return np.array([feature.visible for feature in self], np.bool_)

    def groups(self) -> dict[str, NDArray[np.uint32]]:
        """The features of each named group."""
        members: dict[str, list[int]] = {}
        for feature in self:
            if feature.group:
                members.setdefault(feature.group, []).append(feature.id)
        return {name: np.array(ids, np.uint32) for name, ids in members.items()}

    def neighbours(self) -> NDArray[np.uint32]:
        """All triples (left, middle, right) of bins in order. Conjunctions of bins have neighbours along each of
        their parts (Clark 2015, tensor neighbours); the first and the last bin are no middle."""
        beside = {bins[i]: (bins[i - 1], bins[i + 1]) for bins in tuple(self._bins) for i in range(1, len(bins) - 1)}
        triples = []
        for feature in self:
            for place, part in enumerate(feature.parts):
                sides = [self._replaced(feature, place, other) for other in beside.get(part, ())]
                if len(sides) == 2 and sides[0] is not None and sides[1] is not None:
                    triples.append((sides[0], feature.id, sides[1]))
        return np.array(triples, np.uint32).reshape(-1, 3)

    def _replaced(self, feature: Feature, place: int, other: int) -> int | None:
        if feature.order == 1:
            return other
        parts = {*feature.parts[:place], other, *feature.parts[place + 1 :]}
        return self._conjunctions.get(tuple(sorted(parts, key=lambda part: self._features[part].name)))

    def dense(self, values: Iterable[tuple[str, float]]) -> NDArray[np.float64]:
        """A vector over the space; names that it does not know are left out.

        >>> FeatureSpace(["lm", "length"]).dense([("length", -0.5), ("other", 1.0)])
        array([ 0. , -0.5])
        """
        vector = np.zeros(len(self))
        for name, value in values:
            known = self._ids.get(name)
            if known is not None and known < len(vector):  # the space may have grown since
                vector[known] = value
        return vector
