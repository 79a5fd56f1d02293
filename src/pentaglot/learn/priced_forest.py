"""Forests with a cost for every edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import Derivation, Forest
from pentaglot.learn.losses import Loss, Side

__all__ = ["ForestSpace", "PricedForest"]

Numbers = NDArray[np.float64]


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
