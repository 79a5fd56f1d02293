"""The group lasso: groups of features whose weights become zero, or stay, together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.learn.penalty import Numbers, Penalty, Step, single_step, sum_of_squares

__all__ = ["GroupLasso"]


@dataclass(frozen=True, eq=False)
class GroupLasso(Penalty):
    """Group lasso: the length of the weights of each group, times its strength. Whole groups become zero, or stay (Yuan
    and Lin, 2006)."""

    groups: Sequence[NDArray[np.integer]]
    strengths: Sequence[float]
    smooth = False

    def __post_init__(self) -> None:
        if len(self.groups) != len(self.strengths):
            raise OptionError(f"there are {len(self.groups)} groups of features but {len(self.strengths)} strengths")
        if len(np.unique(self.limits)) != len(self.limits):
            raise OptionError("a feature is in two groups")

    @property
    def limits(self) -> NDArray[np.integer]:
        """The features of all groups."""
        return np.concatenate([np.empty(0, np.int64), *self.groups])

    def value(self, weights: Numbers) -> float:
        pairs = zip(self.groups, self.strengths, strict=True)
        return sum(strength * math.sqrt(sum_of_squares(weights[group])) for group, strength in pairs)

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        found = weights.copy()
        for group, strength in zip(self.groups, self.strengths, strict=True):
            size = math.sqrt(sum_of_squares(weights[group]))
            found[group] *= max(0.0, 1.0 - single_step(step) * strength / size) if size > 0 else 0.0
        return found
