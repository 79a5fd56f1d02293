"""A loss over whole forests."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.losses import Loss
from pentaglot.learn.objectives import Descent
from pentaglot.learn.priced_forest import ForestSpace
from pentaglot.parallel import in_order

__all__ = ["ForestLoss"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ForestLoss:
    """A loss over forests: the same as over the lists of all their derivations."""

    space: ForestSpace
    loss: Loss
    threads: int = 1

    @property
    def sentences(self) -> int:
        return len(self.space.priced)

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        total, gradient = 0.0, np.zeros(len(weights))
        full = self.space.full(weights)
        for value, slope in in_order(lambda each: each.loss(self.loss, full), self.space.priced, self.threads):
            total += value
            gradient += slope[self.space.places]
        return total, gradient

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        return _ForestDescent(self, weights.copy(), anchor, rate, strength / max(1, self.sentences))


@dataclass(eq=False)
class _ForestDescent:
    objective: ForestLoss
    present: Numbers
    anchor: Numbers
    rate: float
    share: float
    frozen: list[Numbers] = field(default_factory=list)

    def freeze(self) -> None:
        loss, space = self.objective.loss, self.objective.space
        if loss.up is not None and loss.down is not None:
            up, full = loss.up, space.full(self.present)
            found = in_order(lambda each: each.side(up, full)[1], space.priced, self.objective.threads)
            self.frozen = [slope[space.places] for slope in found]

    def epoch(self, order: NDArray[np.uint32]) -> None:
        loss, space = self.objective.loss, self.objective.space
        for number in order.tolist():
            each, full = space.priced[number], space.full(self.present)
            if not self.frozen or loss.down is None or (loss.reached and each.least_cost() > 1e-9):
                gradient = each.loss(loss, full)[1][space.places]
            else:
                gradient = each.side(loss.down, full)[1][space.places] - self.frozen[number]
            pulled = self.rate * self.share * (self.present - self.anchor)
            self.present = self.present - pulled - self.rate * gradient

    def weights(self) -> Numbers:
        return self.present.copy()

    def move(self, weights: Numbers) -> None:
        self.present = weights.copy()
