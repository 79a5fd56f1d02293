"""What a penalty on weights is.

It has a value, the gradient of its smooth part, and the *proximal operator* of the rest: the weights w that minimise
|w - v|^2 / 2 + step * penalty(w). The objective of learners is a sum over sentences or pairs; penalties are relative to
that sum, not to a mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError

__all__ = ["NoPenalty", "Numbers", "Penalty", "Step", "single_step", "sum_of_squares"]

Numbers = NDArray[np.float64]
Step = float | Numbers


class Penalty(ABC):
    """The interface of all penalties. By default, a penalty is smooth and has no proximal part."""

    smooth: bool = True
    separable: bool = False  # on each weight by itself: step sizes may differ

    @property
    def limits(self) -> NDArray[np.integer] | None:
        """The places of the weights that it is limited to; None if it is on all of them."""
        return None

    @abstractmethod
    def value(self, weights: Numbers) -> float:
        """The value of the penalty."""

    def smooth_value(self, weights: Numbers) -> float:
        """The value of its smooth part."""
        return self.value(weights) if self.smooth else 0.0

    def gradient(self, weights: Numbers) -> Numbers:
        """The gradient of its smooth part."""
        return np.zeros(len(weights))

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        """The proximal operator of the rest."""
        del step
        return weights


@dataclass(frozen=True)
class NoPenalty(Penalty):
    """Nothing."""

    def value(self, weights: Numbers) -> float:
        return 0.0


def single_step(step: Step) -> float:
    """The step size, which must be the same for all weights."""
    if np.ndim(step):
        raise OptionError("a penalty that ties weights together needs the same step size for all of them")
    return float(step)


def sum_of_squares(values: Numbers) -> float:
    """The same number however many threads a library for linear algebra takes.

    >>> sum_of_squares(np.array([3.0, 4.0]))
    25.0
    """
    return float((values * values).sum())
