"""Penalties on weights: what keeps them small, few, alike or smooth (Clark 2015, chapters 4 to 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import OptionError
from pentaglot.learn.penalty import Numbers, Penalty, Step, single_step, sum_of_squares

__all__ = ["Absolute", "ElasticNet", "Largest", "Oscar", "Partly", "Penalties", "Squared"]


@dataclass(frozen=True, eq=False)
class Squared(Penalty):
    """l2: strength times the squared distance from an anchor: zero (the default), the initial weights, or those of the
    round before."""

    strength: float
    anchor: Numbers | None = None

    def value(self, weights: Numbers) -> float:
        return self.strength * sum_of_squares(self._away(weights))

    def gradient(self, weights: Numbers) -> Numbers:
        return 2.0 * self.strength * self._away(weights)

    def _away(self, weights: Numbers) -> Numbers:
        return weights if self.anchor is None else weights - self.anchor


@dataclass(frozen=True)
class Absolute(Penalty):
    """l1: strength times the sum of magnitudes.

    >>> Absolute(0.5).prox(np.array([2.0, -0.25])).tolist()
    [1.5, -0.0]
    """

    strength: float
    smooth = False
    separable = True

    def value(self, weights: Numbers) -> float:
        return self.strength * float(np.abs(weights).sum())

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        return np.copysign(np.maximum(np.abs(weights) - step * self.strength, 0.0), weights)


@dataclass(frozen=True)
class ElasticNet(Penalty):
    """Elastic net: magnitudes and squares. Weights of redundant features become equal (Zou and Hastie, 2005)."""

    single: float
    squared: float
    smooth = False
    separable = True

    def value(self, weights: Numbers) -> float:
        return Absolute(self.single).value(weights) + self.smooth_value(weights)

    def smooth_value(self, weights: Numbers) -> float:
        return self.squared * sum_of_squares(weights)

    def gradient(self, weights: Numbers) -> Numbers:
        return 2.0 * self.squared * weights

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        return Absolute(self.single).prox(weights, step)


@dataclass(frozen=True)
class Largest(Penalty):
    """l-infinity: strength times the largest magnitude.

    >>> Largest(1.0).prox(np.array([3.0, -2.5, 1.0])).tolist()
    [2.25, -2.25, 1.0]
    """

    strength: float
    smooth = False

    def value(self, weights: Numbers) -> float:
        return self.strength * float(np.abs(weights).max(initial=0.0))

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        # What is cut off the largest magnitudes adds up to the strength: it is a projection onto an l1 ball.
        sizes, most = np.sort(np.abs(weights))[::-1], single_step(step) * self.strength
        if most <= 0.0:
            return weights
        if sizes.sum() <= most:
            return np.zeros_like(weights)
        levels = (np.cumsum(sizes) - most) / np.arange(1, len(sizes) + 1)
        level = float(levels[np.flatnonzero(sizes > levels)[-1]])
        return np.clip(weights, -level, level)


@dataclass(frozen=True)
class Oscar(Penalty):
    """OSCAR: magnitudes, and the larger magnitude of every pair, so that weights become equal in groups that need
    not be known beforehand (Bondell and Reich, 2008; Clark 2015, chapter 5).

    `features` is the number of all features, including those that no candidate has yet: the pairwise part depends on
    it, and does not grow with the lists. If there are more weights, the smallest of them have no pairwise part. With
    `group_only`, the pairwise part decides which weights become equal, but shrinks none.

    >>> Oscar(0.1, 0.1).prox(np.array([3.0, -2.9, 1.0, 0.05])).round(6).tolist()
    [2.6, -2.6, 0.8, 0.0]
    """

    single: float
    pairwise: float
    features: int = 0  # 0: as many as there are weights
    group_only: bool = False
    smooth = False

    def value(self, weights: Numbers) -> float:
        sizes = np.sort(np.abs(weights))
        before = np.maximum(np.arange(len(sizes)) + (self.features or len(sizes)) - len(sizes), 0)  # zeros come first
        return float(((self.single + self.pairwise * before) * sizes).sum())

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        count = self.features or len(weights)
        given = np.ascontiguousarray(weights)
        single, pairwise = single_step(step) * self.single, single_step(step) * self.pairwise
        return core.oscar_prox(given, single, pairwise, count, self.group_only)


@dataclass(frozen=True, eq=False)
class Partly(Penalty):
    """A penalty on some of the weights, given by their places.

    >>> Partly(Absolute(0.5), np.array([1])).prox(np.array([2.0, 2.0])).tolist()
    [2.0, 1.5]
    """

    inner: Penalty
    places: NDArray[np.integer]

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        """Whether the penalty is."""
        return self.inner.smooth

    @property
    def separable(self) -> bool:  # type: ignore[override]
        """Whether the penalty is."""
        return self.inner.separable

    @property
    def limits(self) -> NDArray[np.integer]:
        return self.places

    def value(self, weights: Numbers) -> float:
        return self.inner.value(weights[self.places])

    def smooth_value(self, weights: Numbers) -> float:
        return self.inner.smooth_value(weights[self.places])

    def gradient(self, weights: Numbers) -> Numbers:
        found = np.zeros(len(weights))
        found[self.places] = self.inner.gradient(weights[self.places])
        return found

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        found = weights.copy()
        here = step[self.places] if isinstance(step, np.ndarray) and step.ndim else step
        found[self.places] = self.inner.prox(np.ascontiguousarray(weights[self.places]), here)
        return found


@dataclass(frozen=True, eq=False)
class Penalties(Penalty):
    """Several at once. Those with a proximal part must be on different weights."""

    parts: Sequence[Penalty]

    def __post_init__(self) -> None:
        rough = [each for each in self.parts if not each.smooth]
        limits = [each.limits for each in rough if each.limits is not None]
        apart = len(limits) == len(rough) and len(np.unique(every := np.concatenate([*limits, []]))) == len(every)
        if len(rough) > 1 and not apart:
            hint = "leave one of them out, or give them different groups of features"
            raise OptionError("two penalties that are not smooth cannot be used together", hint=hint)

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(each.smooth for each in self.parts)

    @property
    def separable(self) -> bool:  # type: ignore[override]
        """Whether the one with a proximal part is."""
        return all(each.smooth or each.separable for each in self.parts)

    def value(self, weights: Numbers) -> float:
        return sum(each.value(weights) for each in self.parts)

    def smooth_value(self, weights: Numbers) -> float:
        return sum(each.smooth_value(weights) for each in self.parts)

    def gradient(self, weights: Numbers) -> Numbers:
        total = np.zeros(len(weights))
        for each in self.parts:
            total += each.gradient(weights)
        return total

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        for each in self.parts:
            if not each.smooth:
                weights = each.prox(weights, step)
        return weights
