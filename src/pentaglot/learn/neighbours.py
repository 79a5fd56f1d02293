"""Penalties over features with structure: conjunctions, and neighbouring bins (Clark 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.penalty import Penalty, sum_of_squares

__all__ = ["Complexity", "LinearNeighbours", "MonotoneNeighbours"]

Numbers = NDArray[np.float64]
_STEEP = 10.0  # tanh is 1 from here on


@dataclass(frozen=True, eq=False)
class Complexity(Penalty):
    """Squared weights of conjunctions only: specific features must earn their weights (Clark 2015, chapter 4).
    `orders` says how many simple features each one conjoins, as `FeatureSpace.orders` does."""

    strength: float
    orders: NDArray[np.uint32]

    def value(self, weights: Numbers) -> float:
        return self.strength * sum_of_squares(weights[self.orders > 1])

    def gradient(self, weights: Numbers) -> Numbers:
        return np.where(self.orders > 1, 2.0 * self.strength * weights, 0.0)


@dataclass(frozen=True, eq=False)
class LinearNeighbours(Penalty):
    """A bin's weight should be the mean of its neighbours': strength times the squared distance from it. `triples` has
    rows of left, middle and right, as `FeatureSpace.neighbours` returns; conjunctions of bins have neighbours along
    each of their parts (tensor neighbours)."""

    strength: float
    triples: NDArray[np.uint32]

    def value(self, weights: Numbers) -> float:
        return self.strength * sum_of_squares(_away(weights, self.triples))

    def gradient(self, weights: Numbers) -> Numbers:
        away = self.strength * _away(weights, self.triples)
        return _scattered(len(weights), self.triples, away, -2.0 * away, away)


@dataclass(frozen=True, eq=False)
class MonotoneNeighbours(Penalty):
    """A bin's weight should lie between its neighbours': like `LinearNeighbours`, but damped to nearly nothing where it
    does, by tanh(M / S) ** (2 * power), M being the distance from the mean and S half the distance of the neighbours.

    Not convex: start from the weights that `LinearNeighbours` finds, or from none. With `centre_only` the gradient
    ignores the neighbours' part, as the thesis' own implementation does; it is then not the gradient of any function.
    """

    strength: float
    triples: NDArray[np.uint32]
    power: float = 2.0
    centre_only: bool = False
    least: float = 1e-8  # added to S

    def value(self, weights: Numbers) -> float:
        away = _away(weights, self.triples)
        return self.strength * float((self._damping(weights, away) * away**2).sum())

    def gradient(self, weights: Numbers) -> Numbers:
        left, middle, right = (weights[column] for column in self.triples.T)
        away, half = (left + right) / 2 - middle, (left - right) / 2
        size = np.abs(half) + self.least
        # The sign of S does not matter to an even power; its slope is that of |S|.
        slope = np.sign(half)
        ratio = away / size
        damping = self._damping(weights, away)
        flat = (np.abs(ratio) >= _STEEP) | (away == 0.0)
        inner = np.where(flat, 1.0, ratio)  # what is flat does not turn
        turning = 2 * self.power * np.tanh(np.abs(inner)) ** (2 * self.power - 1) / np.cosh(inner) ** 2
        turning = np.where(flat, 0.0, turning * np.sign(inner) * away**2)
        pulled = damping * away
        # d ratio: by M it is 1 / |S|, by S it is -M sign(S) / |S|^2.
        by_away = turning / size + 2.0 * pulled
        by_half = -turning * ratio * slope / size
        zero = np.zeros_like(away)
        sides = (zero, zero) if self.centre_only else (by_away / 2 + by_half / 2, by_away / 2 - by_half / 2)
        return self.strength * _scattered(len(weights), self.triples, sides[0], -by_away, sides[1])

    def _damping(self, weights: Numbers, away: Numbers) -> Numbers:
        half = np.abs(weights[self.triples[:, 0]] - weights[self.triples[:, 2]]) / 2 + self.least
        ratio = np.abs(away) / half
        return np.where(ratio >= _STEEP, 1.0, np.tanh(np.minimum(ratio, _STEEP)) ** (2 * self.power))


def _away(weights: Numbers, triples: NDArray[np.uint32]) -> Numbers:
    """How far the middle of each triple is below the mean of its sides."""
    found: Numbers = (weights[triples[:, 0]] + weights[triples[:, 2]]) / 2 - weights[triples[:, 1]]
    return found


def _scattered(size: int, triples: NDArray[np.uint32], *columns: Numbers) -> Numbers:
    found = np.zeros(size)
    for places, values in zip(triples.T, columns, strict=True):
        np.add.at(found, places, values)
    return found
