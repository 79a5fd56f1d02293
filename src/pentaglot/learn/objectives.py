"""What solvers minimise, apart from penalties: a loss summed over sentences, on k-best lists or pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.losses import Loss

__all__ = ["Descent", "ListLoss", "Objective", "PairLoss"]

Numbers = NDArray[np.float64]


class Descent(Protocol):
    """Minimises a loss, one sentence after the other. With every step the weights are drawn to an anchor, by their
    distance times `strength` over the number of sentences."""

    def freeze(self) -> None:
        """Freeze the upper side of the loss under the present weights."""

    def epoch(self, order: NDArray[np.uint32]) -> None:
        """Visit the sentences in this order."""

    def weights(self) -> Numbers:
        """The weights after the last visit."""

    def move(self, weights: Numbers) -> None:
        """Go on from other weights."""


class Objective(Protocol):
    """A sum over sentences."""

    @property
    def sentences(self) -> int: ...

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        """The sum and its gradient."""

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        """A descent from these weights."""


@dataclass(frozen=True, eq=False)
class ListLoss:
    """A loss over k-best lists; `costs` are those of all candidates."""

    lists: KBestLists
    loss: Loss
    costs: Numbers
    threads: int = 1

    @property
    def sentences(self) -> int:
        return self.lists.sentence_count

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        return core.total_loss(self.lists.native, self.loss.native, self.costs, weights, self.threads)

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        return core.Descent(self.lists.native, self.loss.native, self.costs, weights, anchor, rate, strength)


@dataclass(frozen=True, eq=False)
class PairLoss:
    """The logistic loss of pairs of candidates: the better one of each should score higher. It is a sum over pairs."""

    lists: KBestLists
    better: NDArray[np.uint64]
    worse: NDArray[np.uint64]
    factor: float = 1.0  # 2 if every pair counts in both orders

    @cached_property
    def ranking(self) -> core.Ranking:
        """The pairs as differences of features."""
        return core.Ranking(self.lists.native, self.better, self.worse)

    @property
    def sentences(self) -> int:
        return self.lists.sentence_count

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        value, gradient = self.ranking.value_and_gradient(weights)
        return self.factor * value, self.factor * gradient

    def newton_step(self, weights: Numbers, gradient: Numbers, curvature: float, tolerance: float) -> Numbers:
        """Newton's step for this loss plus something whose second derivative along every feature is `curvature`, given
        the gradient of the sum. Where features are many, what is missing is at most `tolerance` of the gradient."""
        return self.ranking.newton_step(weights, gradient, self.factor, curvature, tolerance)

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        raise PentaglotError("pairs cannot be visited sentence by sentence", hint="use the solver lbfgs or adagrad")
