"""What solvers minimise, apart from penalties: a loss summed over sentences, on k-best lists, pairs or forests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.forest import Derivation, Forest
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.losses import Loss, Side
from pentaglot.parallel import in_order

__all__ = ["Descent", "ForestLoss", "ForestSpace", "ListLoss", "Objective", "PairLoss", "PricedForest"]

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

    @classmethod
    def of(
        cls, lists: KBestLists, better: NDArray[np.uint64], worse: NDArray[np.uint64], factor: float = 1.0
    ) -> PairLoss:
        """The same loss, without the candidates that are in no pair: of long lists, that is most of them."""
        used = np.unique(np.concatenate([better, worse]))
        one, other = (np.searchsorted(used, each).astype(np.uint64) for each in (better, worse))
        return cls(lists.rows(used), one, other, factor)

    @property
    def sentences(self) -> int:
        return self.lists.sentence_count

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        value, gradient = core.pair_loss(self.lists.native, self.better, self.worse, weights)
        return self.factor * value, self.factor * gradient

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        raise PentaglotError("pairs cannot be visited sentence by sentence", hint="use the solver lbfgs or adagrad")


@dataclass(frozen=True, eq=False)
class PricedForest:
    """A forest with a cost for every edge, for example from `linear_bleu`."""

    forest: Forest
    costs: Numbers

    def side(self, side: Side, weights: Numbers) -> tuple[float, Numbers]:
        """One side of a loss over all derivations, and its gradient."""
        forest, costs = self.forest.rescore(weights), self.costs
        if side.over != "all":
            # All derivations made of edges on derivations of least cost have the least cost themselves.
            cheapest = _best_with(self.forest, -costs)
            keep = cheapest >= cheapest.max() - 1e-9
            if side.over == "reference":
                one = self.forest.with_scores(np.where(keep, 0.0, -np.inf)).viterbi()
                return _one(forest, one, len(weights))
            forest = forest.with_scores(np.where(keep, forest.scores, -np.inf))
        forest = forest.plus(side.factor * costs)
        if side.soft:
            return forest.log_total(), forest.expectations(len(weights))
        best = forest.viterbi()
        return best.score, _one(forest, best, len(weights))[1]

    def least_cost(self) -> float:
        """The least cost of any derivation."""
        return -self.forest.with_scores(-self.costs).viterbi().score

    def loss(self, loss: Loss, weights: Numbers) -> tuple[float, Numbers]:
        """The loss of the sentence, and its gradient."""
        if loss.reached and self.least_cost() > 1e-9:
            return 0.0, np.zeros(len(weights))
        if loss.up is None or loss.down is None:
            forest = self.forest.rescore(weights)
            return forest.mean(self.costs), forest.covariances(self.costs, len(weights))
        (raised, up), (lowered, down) = self.side(loss.up, weights), self.side(loss.down, weights)
        return lowered - raised, down - up


def _best_with(forest: Forest, scores: Numbers) -> Numbers:
    """For every edge, the best score of a derivation that contains it."""
    return forest.with_scores(scores).marginals("max")


def _one(forest: Forest, derivation: Derivation, features: int) -> tuple[float, Numbers]:
    """The score of a derivation in a forest, and its features as a vector."""
    vector = np.zeros(features)
    for name, value in derivation.features.items():
        if name < features:
            vector[name] = value
    return float(forest.scores[derivation.edges].sum()), vector


@dataclass(frozen=True, eq=False)
class ForestSpace:
    """The forests of all sentences, and which of their features are learnt: `places` holds the ids of these, `fixed`
    the weights of all features, of which the others stay as they are. `text` is what a decoder would write for words of
    a sentence, given its number; without it there are only costs."""

    priced: Sequence[PricedForest]
    places: NDArray[np.int64]
    fixed: Numbers
    text: Callable[[int, Sequence[int]], str] | None = None

    @classmethod
    def of_all(cls, priced: Sequence[PricedForest], features: int) -> ForestSpace:
        """Learn the weights of all features."""
        return cls(priced, np.arange(features), np.zeros(features))

    def full(self, weights: Numbers) -> Numbers:
        """The weights of all features."""
        found = self.fixed.copy()
        found[self.places] = weights
        return found


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
