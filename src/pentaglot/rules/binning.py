"""`Bins`: a quantity cut into bins that hold about equally many rules (Clark 2015, §6.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot.errors import PentaglotError

__all__ = ["Bins", "Histogram", "digits_apart"]

_ENOUGH = 1 << 20  # values to keep before they are counted
_MOST_DIGITS = 9  # any two single-precision numbers differ in these

Values = NDArray[np.float32]


class Histogram:
    """How often each value occurs; values that are not numbers do not count.

    >>> seen = Histogram()
    >>> seen.add(np.array([2.0, 1.0, np.nan, 2.0], np.float32))
    >>> [each.tolist() for each in seen.counted()]
    [[1.0, 2.0], [1, 2]]
    """

    def __init__(self) -> None:
        self._values: Values = np.empty(0, np.float32)
        self._counts = np.empty(0, np.uint64)
        self._waiting: list[Values] = []
        self._size = 0

    def add(self, values: Values) -> None:
        """Count more values."""
        self._waiting.append(values[np.isfinite(values)] + np.float32(0))  # -0 is 0
        self._size += len(self._waiting[-1])
        if self._size > _ENOUGH:
            self.counted()

    def counted(self) -> tuple[Values, NDArray[np.uint64]]:
        """All distinct values in order, and how often each was seen."""
        if self._waiting:
            new, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
            both = np.concatenate([self._values, new])
            self._values, places = np.unique(both, return_inverse=True)
            weights = np.concatenate([self._counts, counts.astype(np.uint64)])
            summed = np.zeros(len(self._values), np.uint64)
            np.add.at(summed, places, weights)
            self._counts, self._waiting, self._size = summed, [], 0
        return self._values, self._counts


@dataclass(frozen=True)
class Bins:
    """Bins in order. Bin n has the values from `first[n]` on, up to the first of the next bin; the first and the last
    bin have no other end. `last` is the largest value that was seen in it, `mean` the mean of those seen, and
    `population` how many they were.

    >>> values = np.array([0, 1, 2, 3, 4], np.float32)
    >>> bins = Bins.fitted(values, np.array([100, 1, 1, 1, 1], np.uint64), 3)
    >>> bins.first, bins.population, bins.labels()
    ((0.0, 1.0, 3.0), (100, 2, 2), ['0', '1-2', '3+'])
    """

    first: tuple[float, ...]
    last: tuple[float, ...]
    mean: tuple[float, ...]
    population: tuple[int, ...]

    @classmethod
    def fitted(cls, values: Values, counts: NDArray[np.uint64], bins: int) -> Bins:
        """At most `bins` bins of distinct values in order, given how often each occurs."""
        begins = native.fill_bins(np.ascontiguousarray(counts, np.uint64), bins).astype(np.int64)
        ends = np.append(begins[1:], len(values))
        weighted = np.add.reduceat(values.astype(np.float64) * counts, begins) if len(begins) else np.empty(0)
        population = np.add.reduceat(counts, begins) if len(begins) else np.empty(0, np.uint64)
        return cls(
            tuple(map(float, values[begins])),
            tuple(map(float, values[ends - 1])),
            tuple((weighted / population).tolist()),
            tuple(map(int, population)),
        )

    def __len__(self) -> int:
        return len(self.first)

    def check(self) -> None:
        """Raises an error unless these can be bins."""
        columns: Sequence[Sequence[float]] = (self.first, self.last, self.mean)
        if not all(len(each) == len(self.population) for each in columns) or not self.population:
            raise PentaglotError("its columns have different lengths, or there are no bins")
        if not all(math.isfinite(value) for column in columns for value in column) or min(self.population) < 0:
            raise PentaglotError("a value is not a usable number")
        edges = np.array(self.first, np.float32)
        if not bool((edges[1:] > edges[:-1]).all()):
            raise PentaglotError("the first values of bins must rise")

    @property
    def edges(self) -> Values:
        """Where all bins but the first begin."""
        return np.array(self.first[1:], np.float32)

    @property
    def centres(self) -> Values:
        """A value in the middle of each bin: its mean, except where rounding would put two in one place."""
        found = np.array(self.mean, np.float32)
        return found if bool((found[1:] > found[:-1]).all()) else np.array(self.first, np.float32)

    def of(self, values: Values) -> NDArray[np.int64]:
        """The bin of each value; -1 for what is not a number.

        >>> Bins((1.0, 2.0), (1.0, 5.0), (1.0, 3.0), (1, 1)).of(np.array([0, 1.5, 2, 99, np.nan], np.float32)).tolist()
        [0, 0, 1, 1, -1]
        """
        values = np.asarray(values, np.float32)  # as the edges: 0.1 of another precision may lie below 0.1
        found = np.searchsorted(self.edges, values, side="right")
        found[np.isnan(values)] = -1
        return found

    @property
    def whole(self) -> bool:
        """Whether all values seen are whole numbers from 0 on."""
        return all(value >= 0 and value == int(value) for value in (*self.first, *self.last))

    def labels(self, shown: Callable[[float], float] = float) -> list[str]:
        """A short name for each bin, of numbers with as few digits as keep them apart.

        >>> Bins((-2.5, -1.25, -0.5), (-2.0, -1.0, 0.0), (-2.2, -1.1, 0.0), (1, 1, 1)).labels()
        ['..-1.2', '-1.2..-0.5', '-0.5..']
        """
        if self.whole and shown is float:
            return [_range(low, high) for low, high in self.ranges()]
        ends: list[str] = ["", *self.written(shown)[1:], ""]
        return [f"{low}..{high}" for low, high in pairwise(ends)] if len(self) > 1 else ["all"]

    def written(self, shown: Callable[[float], float] = float, fewest: int = 2) -> list[str]:
        """The first value of each bin, with `fewest` digits or more."""
        found = digits_apart([shown(value) for value in self.first], fewest)
        return found if len(set(found)) == len(found) else [repr(value) for value in self.first]

    def ranges(self) -> list[tuple[float, float | None]]:
        """The smallest and the largest value of each bin of whole numbers; the last bin has no largest one."""
        ends = [value - 1 for value in self.first[1:]]
        return list(zip(self.first, [*ends, None], strict=True))


def digits_apart(values: Sequence[float], fewest: int) -> list[str]:
    """Numbers with as few digits as keep them apart, if nine do.

    >>> digits_apart([0.3331, 0.3332, 1.0], 2)
    ['0.3331', '0.3332', '1']
    """
    short: list[str] = []
    for digits in range(fewest, _MOST_DIGITS + 1):
        short = [f"{value:.{digits}g}" for value in values]
        if len(set(short)) == len(short):
            break
    return short


def _range(low: float, high: float | None) -> str:
    if high is None:
        return f"{low:.0f}+"
    return f"{low:.0f}" if high <= low else f"{low:.0f}-{high:.0f}"
