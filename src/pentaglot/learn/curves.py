"""A penalty that lets bins leave the curve that they began with only where there is evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.penalty import Numbers, Penalty, sum_of_squares

__all__ = ["Curves"]


@dataclass(frozen=True, eq=False)
class Curves(Penalty):
    """The weights of each group should be those of `start` times any number: strength times their squared distance from
    the nearest such weights.

    Bins that take the place of a feature begin with what it gave their mean value. Held strongly, they are that feature
    again, whatever its weight; squared distances from the start would hold its weight, too. They may not all move up or
    down: rules without the quantity, such as those for unknown words, would fall behind.

    >>> curves = Curves(1.0, [np.arange(3)], np.array([-2.0, -1.0, 0.0]))
    >>> curves.value(np.array([-6.0, -3.0, 0.0])), curves.value(np.array([-6.0, -3.0, 2.0]))
    (0.0, 4.0)
    """

    strength: float
    groups: Sequence[NDArray[np.integer]]
    start: Numbers

    def value(self, weights: Numbers) -> float:
        away = [_away(weights[group], curve) for group, curve in self._curves]
        return self.strength * sum(map(sum_of_squares, away))

    def gradient(self, weights: Numbers) -> Numbers:
        found = np.zeros(len(weights))
        for group, curve in self._curves:
            found[group] += 2.0 * self.strength * _away(weights[group], curve)
        return found

    @cached_property
    def _curves(self) -> list[tuple[NDArray[np.integer], Numbers]]:
        """Each group, and its start with a length of 1, unless it is 0."""
        lengths = (math.sqrt(sum_of_squares(self.start[group])) for group in self.groups)
        pairs = zip(self.groups, lengths, strict=True)
        return [(group, self.start[group] / length if length else self.start[group]) for group, length in pairs]


def _away(weights: Numbers, curve: Numbers) -> Numbers:
    # Not `curve @ weights`: of many bins, it would depend on the number of threads it takes.
    away: Numbers = weights - curve * float((curve * weights).sum())
    return away
