"""`Weights`: what learning gives back to the search, as a text file that a person can read and change.

One feature per line: its name, a space, its weight. Lines that begin with `#` are comments. In a name, white space, `%`
and a leading `#` are written as `%` and two hexadecimal digits of UTF-8, as in web addresses.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import ItemsView, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentaglot import storage
from pentaglot._core.forest import FeatureNames, WeightsText, gathered, scattered, written_weights
from pentaglot.errors import InputError, PentaglotError, reading
from pentaglot.forest.features import FeatureSpace
from pentaglot.forest.weight_lines import read_line
from pentaglot.options import suggestion

__all__ = ["Weights", "read_weights"]

_NONE = np.iinfo(np.uint32).max
_CHUNK = 10_000  # names that are spelt out at once


class _Names:
    """The names of weights in their order, where they stand in a file, and where a space has them. Weights that differ
    only in their values share one of these."""

    def __init__(
        self,
        native: FeatureNames,
        path: str | os.PathLike[str] | None = None,
        lines: NDArray[np.uint32] | None = None,
    ) -> None:
        self.native, self.path, self.lines = native, path, lines
        self._last: tuple[FeatureNames, int, NDArray[np.uint32]] | None = None

    def places_in(self, space: FeatureSpace) -> NDArray[np.uint32]:
        """The id of each name in a space, or 2^32 - 1."""
        size, last = len(space), self._last
        if last is None or last[0] is not space.native or last[1] != size:
            self._last = last = space.native, size, self.native.places_in(space.native)
        return last[2]

    def knows_places_in(self, space: FeatureSpace) -> bool:
        """Whether `places_in` was called for this space before."""
        return self._last is not None and self._last[0] is space.native and self._last[1] == len(space)


class Weights(Mapping[str, float]):
    """Feature names and their weights, in the order given. They do not change.

    They are a list of names and an array of numbers, both native: there may be a million of them, and weights that
    differ in their numbers share the names.

    >>> import tempfile
    >>> weights = Weights({"lm": 0.5, "word penalty": -1.0})
    >>> place = Path(tempfile.mkdtemp()) / "weights.txt"
    >>> weights.save(place)
    >>> print(place.read_text(), end="")
    lm 0.5
    word%20penalty -1.0
    >>> Weights.open(place) == weights
    True
    >>> weights.dense(FeatureSpace(["word penalty", "lm", "new"]))
    array([-1. ,  0.5,  0. ])
    >>> weights | {"lm": 1.0, "new": 2.0}, {"old": 3.0, "lm": 4.0} | weights
    (Weights({'lm': 1.0, 'word penalty': -1.0, 'new': 2.0}), Weights({'old': 3.0, 'lm': 0.5, 'word penalty': -1.0}))
    """

    _names: _Names
    _values: NDArray[np.float64]
    # Names that come before the others, and which of the others these replace: so defaults are put first at no cost.
    _first: dict[str, float]
    _replaced: frozenset[int]

    def __init__(self, values: Mapping[str, float] | Iterable[tuple[str, float]] = ()) -> None:
        self._first, self._replaced = {}, frozenset()
        if isinstance(values, Weights):
            self._names, self._values = values._names, values._values
            self._first, self._replaced = values._first, values._replaced
            return
        given = values if isinstance(values, Mapping) else dict(values)
        names = list(given)
        numbers = np.fromiter(map(float, given.values()), np.float64, len(names))
        native = FeatureNames()
        native.add_all(names)
        _check_finite(names, numbers)
        self._set(_Names(native), numbers)

    def _set(self, names: _Names, values: NDArray[np.float64]) -> None:
        self._names, self._values = names, values
        values.flags.writeable = False

    @classmethod
    def _made(cls, names: _Names, values: NDArray[np.float64]) -> Weights:
        made = cls()
        made._set(names, values)
        return made

    def __getitem__(self, name: str) -> float:
        if name in self._first:
            return self._first[name]
        place = self._names.native.find(name) if isinstance(name, str) else None
        if place is None:
            raise KeyError(name)
        return float(self._values[place])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._first or self._names.native.find(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._pairs())

    def _pairs(self) -> Iterator[tuple[str, float]]:
        yield from self._first.items()
        for begin in range(0, len(self._values), _CHUNK):
            names = self._names.native.names(begin, begin + _CHUNK)
            values = self._values[begin : begin + _CHUNK].tolist()
            for place, pair in enumerate(zip(names, values, strict=True), begin):
                if place not in self._replaced:
                    yield pair

    def items(self) -> ItemsView[str, float]:
        """Names and weights."""
        return _Items(self)

    def __len__(self) -> int:
        return len(self._first) + len(self._values) - len(self._replaced)

    def __repr__(self) -> str:
        return f"Weights({dict(self.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Weights):
            return False
        if self._names is other._names and self._first == other._first and self._replaced == other._replaced:
            kept = np.ones(len(self._values), np.bool_)
            kept[list(self._replaced)] = False
            return bool((self._values == other._values)[kept].all())
        return dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Weights], tuple[dict[str, float]]]:
        return Weights, (dict(self.items()),)  # for transport to another process

    def __or__(self, other: Mapping[str, float]) -> Weights:
        """With the weights of `other` added, or in place of those of the same features."""
        if not isinstance(other, Mapping):
            return NotImplemented
        changed = other if isinstance(other, Weights) and not other._first else Weights(dict(other.items()))
        first = {name: changed.get(name, value) for name, value in self._first.items()}
        places = changed._names.native.places_in(self._names.native)[: len(changed._values)]
        lacking = np.flatnonzero(places == _NONE).tolist()
        spelt = changed._names.native.names() if len(lacking) == len(places) else None
        named = [(place, spelt[place] if spelt else changed._names.native.name(place)) for place in lacking]
        new = {name: place for place, name in named if name not in first}
        names = self._names
        if new:
            native = names.native.fork()
            native.add_all(list(new))
            names = _Names(native, names.path, names.lines)
        values = np.concatenate([self._values, changed._values[list(new.values())]])
        known = places != _NONE
        values[places[known]] = changed._values[known]
        made = Weights._made(names, values)
        made._first, made._replaced = first, self._replaced
        return made

    def __ror__(self, other: Mapping[str, float]) -> Weights:
        """With weights for features that have none, which come first; the order is that of dictionaries."""
        if not isinstance(other, Mapping):
            return NotImplemented
        first = {name: self.get(name, float(value)) for name, value in other.items()}
        first |= {name: value for name, value in self._first.items() if name not in first}
        _check_finite(list(first), np.fromiter(first.values(), np.float64, len(first)))
        made = Weights._made(self._names, self._values)
        made._first = first
        made._replaced = frozenset(place for name in first if (place := self._names.native.find(name)) is not None)
        return made

    def dense(self, space: FeatureSpace, begin: int = 0) -> NDArray[np.float64]:
        """The weights as a vector over a space, or over its features from `begin` on: 0 for names without a weight;
        names that the space lacks are left out, and so is what the search must not see."""
        if begin == 0 and (self._names.knows_places_in(space) or len(self._values) <= len(space)):
            size = len(space)
            vector = scattered(self._names.places_in(space), self._values, size)
        else:
            places = space.native.places_in(self._names.native, begin)
            size = begin + len(places)
            vector = gathered(places, self._values)
        for name, value in self._first.items():
            place = space.find(name)
            if place is not None and begin <= place < size:
                vector[place - begin] = value
        vector[~space.visible()[begin:size]] = 0.0  # another thread may have added to the space
        return vector

    def over(self, names: FeatureNames) -> NDArray[np.float64]:
        """The weights of a list of names, in its order; 0 for names without a weight."""
        vector = gathered(names.places_in(self._names.native), self._values)
        for name, value in self._first.items():
            place = names.find(name)
            if place is not None:
                vector[place] = value
        return vector

    def distance(self, other: Weights) -> float:
        """The largest difference between two weights of the same feature; a missing weight is 0.

        >>> Weights({"lm": 1.0, "odd": 0.25}).distance(Weights({"lm": 1.5}))
        0.5
        """
        largest = 0.0
        for one, two in ((self, other), (other, self)):
            differences = np.abs(one._values - two.over(one._names.native)[: len(one._values)])
            differences[list(one._replaced)] = 0.0
            firsts = (abs(value - two.get(name, 0.0)) for name, value in one._first.items())
            largest = max(largest, float(differences.max(initial=0.0)), max(firsts, default=0.0))
        return largest

    def starting_with(self, prefix: str) -> dict[str, float]:
        """The weights whose names start with `prefix`.

        >>> Weights({"lm": 1.0, "lm@news": 2.0}).starting_with("lm@")
        {'lm@news': 2.0}
        """
        found = {name: value for name, value in self._first.items() if name.startswith(prefix)}
        for place in self._names.native.starting_with(prefix).tolist():
            if place not in self._replaced:
                found[self._names.native.name(place)] = float(self._values[place])
        return found

    def unknown_to(self, space: FeatureSpace) -> list[str]:
        """The names that a space does not have.

        >>> Weights({"lm": 1.0, "odd": 2.0}).unknown_to(FeatureSpace(["lm"]))
        ['odd']
        """
        lacking = np.flatnonzero(self._names.places_in(space) == _NONE).tolist()
        native = self._names.native
        first = [name for name in self._first if name not in space]
        return first + [native.name(place) for place in lacking if place not in self._replaced]

    def check_known(self, known: Iterable[str]) -> None:
        """Raises an error if there is a weight for an unknown feature, which is usually a typing error.

        >>> Weights({"langauge_model": 0.5}).check_known(["language_model", "words"])
        Traceback (most recent call last):
        pentaglot.errors.InputError: there is no feature 'langauge_model'; did you mean 'language_model'?
        """
        space = FeatureSpace(known)
        for name in self.unknown_to(space):
            raise self.error(name, f"there is no feature '{name}'", suggestion(name, space.names))

    def error(self, name: str, message: str, hint: str) -> InputError:
        """An error about one of the weights, with file and line if known."""
        place, lines = self._names.native.find(name), self._names.lines
        line = None if place is None or lines is None or place >= len(lines) else int(lines[place])
        return InputError(message, path=self._names.path, line=line, hint=hint)

    @classmethod
    def from_arrays(cls, names: FeatureNames, values: ArrayLike) -> Weights:
        """The weights of a list of names, which is not to change any more."""
        numbers = np.array(values, np.float64)
        if numbers.shape != (len(names),):
            raise PentaglotError(f"there are {numbers.size} weights for {len(names)} features")
        bad = np.flatnonzero(~np.isfinite(numbers))
        if len(bad):
            _check_finite([names.name(int(bad[0]))], numbers[bad[:1]])
        return cls._made(_Names(names), numbers)

    def to_arrays(self) -> tuple[FeatureNames, NDArray[np.float64]]:
        """A list of names, and the weight of each."""
        if self._first or len(self._names.native) != len(self._values):
            return Weights(dict(self.items())).to_arrays()
        return self._names.native, self._values

    @classmethod
    def from_dense(cls, space: FeatureSpace, vector: ArrayLike, *, zeros: bool = True) -> Weights:
        """Names for a vector; `zeros=False` leaves out weights that are 0."""
        values = np.array(vector, np.float64)
        size = len(space)
        if values.shape != (size,):
            raise PentaglotError(f"there are {values.size} weights for {size} features")
        if not zeros:
            kept = np.flatnonzero(values).tolist()
            return cls({space.name(each): float(values[each]) for each in kept})
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            _check_finite([space.name(int(bad[0]))], values[bad[:1]])
        native = space.native.fork()
        if len(native) != size:  # another thread has added to the space
            native = FeatureNames()
            native.add_all(space.native.names(0, size))
        return cls._made(_Names(native), values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file whole or not at all."""
        first, none = FeatureNames(), np.empty(0, np.uint32)
        first.add_all(list(self._first))
        text = written_weights(first, np.array([*self._first.values()], np.float64), none)
        left_out = np.array(sorted(self._replaced), np.uint32)
        storage.write_bytes(Path(path), text + written_weights(self._names.native, self._values, left_out))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Weights:
        """Reads a file; errors name the line."""
        with reading(path):
            text = WeightsText(Path(path).read_bytes().removeprefix(BOM_UTF8))
        while (odd := text.read()) is not None:
            line, number = odd
            found = read_line(line, path, number)
            if found is not None and not text.add(*found):
                raise InputError(f"a second weight for '{found[0]}'", path=path, line=number, hint="keep one of them")
        native, values, lines = text.take()
        return cls._made(_Names(native, path, lines), values)


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """The weights of a file, which must have some: with none, every translation would be as good as any other."""
    found = Weights.open(path)
    if not found:
        raise InputError("has no weights", path=path, hint="each line is the name of a feature and its weight")
    return found


class _Items(ItemsView[str, float]):
    """Goes through weights without looking each of them up."""

    _mapping: Weights

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return self._mapping._pairs()


def _check_finite(names: list[str], values: NDArray[np.float64]) -> None:
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        place = int(wrong[0])
        raise PentaglotError(f"the weight of '{names[place]}' is {float(values[place])}; it must be a finite number")
