"""A penalty that lets bins leave the curve that they began with only where there is evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.penalty import Numbers, Penalty

__all__ = ["Curves"]


@dataclass(frozen=True, eq=False)
class Curves(Penalty):
    """The weights of each group should keep the curve of `start`, which may become steeper, flatter or upside down, and
    move up or down: strength times their squared distance from the nearest such curve.

    Bins that take the place of a feature begin with what it gave their mean value. Held strongly, they are that feature
    again, whatever its weight; squared distances from the start would hold its weight, too.

    >>> curves = Curves(1.0, [np.arange(3)], np.array([-2.0, -1.0, 0.0]))
    >>> bool(curves.value(np.array([5.0, 3.0, 1.0])) < 1e-9), round(curves.value(np.array([5.0, 6.0, 1.0])), 3)
    (True, 6.0)
    """

    strength: float
    groups: Sequence[NDArray[np.integer]]
    start: Numbers

    def value(self, weights: Numbers) -> float:
        away = [self._away(weights, group, curve) for group, curve in self._curves]
        return self.strength * float(sum(each @ each for each in away))

    def gradient(self, weights: Numbers) -> Numbers:
        found = np.zeros(len(weights))
        for group, curve in self._curves:
            found[group] += 2.0 * self.strength * self._away(weights, group, curve)
        return found

    @cached_property
    def _curves(self) -> list[tuple[NDArray[np.integer], Numbers]]:
        """Each group, and its curve around a mean of 0 with a length of 1; 0 if it is flat."""
        found = []
        for group in self.groups:
            curve = self.start[group] - self.start[group].mean()
            length = float(np.linalg.norm(curve))
            flat = length <= 1e-9 * float(np.abs(self.start[group]).max(initial=0.0))
            found.append((group, np.zeros(len(group)) if flat else curve / length))
        return found

    @staticmethod
    def _away(weights: Numbers, group: NDArray[np.integer], curve: Numbers) -> Numbers:
        around = weights[group] - weights[group].mean()
        away: Numbers = around - curve * float(curve @ around)
        return away
