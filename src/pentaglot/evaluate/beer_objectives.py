"""What training BEER minimises, with gradients: wrong rankings of sentences, wrong rankings of systems, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.evaluate.agreement import expected_wins
from pentaglot.evaluate.judgments import Judged

__all__ = ["BeerObjective", "CorpusRanking", "SentenceRanking", "adam", "minimised"]

Vector = NDArray[np.float64]
_BATCH = 100  # pairs of sentences for each pair of systems
_NEWTON_STEPS, _CONVERGED = 50, 1e-8
_ROWS = 16_384  # at a time, for curvatures


@dataclass(frozen=True, eq=False)
class SentenceRanking:
    """The better translation of each pair must win (§5.3): `differences` are its features minus those of the worse."""

    differences: Vector
    counts: Vector  # weight of each pair
    loss: str
    strength: float

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """The mean loss, with a penalty for large weights, and its gradient."""
        margins = self.differences @ weights
        if self.loss == "hinge":
            missing = np.maximum(0.0, 1.0 - margins)
            losses, slopes = missing**2, -2 * missing
        else:
            losses, slopes = np.logaddexp(0.0, -margins), -0.5 * (1 - np.tanh(margins / 2))
        total = self.counts.sum()
        value = float(self.counts @ losses) / total + self.strength * float(weights @ weights)
        return value, self.differences.T @ (self.counts * slopes) / total + 2 * self.strength * weights

    def curvature(self, weights: Vector) -> Vector:
        """The second derivatives."""
        found = 2 * self.strength * np.eye(len(weights))
        total = self.counts.sum()
        for begin in range(0, len(self.differences), _ROWS):
            rows = self.differences[begin : begin + _ROWS]
            margins = rows @ weights
            bends = 2.0 * (margins < 1) if self.loss == "hinge" else 0.25 * (1 - np.tanh(margins / 2) ** 2)
            found += rows.T @ (rows * (self.counts[begin : begin + _ROWS] * bends / total)[:, None])
        return found


@dataclass(frozen=True, eq=False)
class CorpusRanking:
    """Systems of one test set: the score of a system is the mean of σ(w·φ + b) over its translations, and the better
    one must be ahead by as much as people say (Equation 6.9)."""

    systems: tuple[Vector, ...]  # features of all translations of each
    wins: Vector  # expected

    @classmethod
    def of(cls, features: Vector, judged: Judged) -> CorpusRanking:
        """The systems that people compared with others."""
        wins = {name: value for name, value in expected_wins(judged).items() if np.isfinite(value)}
        names = np.array(judged.systems)
        return cls(tuple(features[names == name] for name in wins), np.array(list(wins.values())))

    def loss(self, weights: Vector, better: int, worse: int) -> tuple[float, Vector]:
        """The loss of one pair of systems and its gradient; the last weight is b."""
        scores, gradients = zip(*(self._score(weights, each) for each in (better, worse)), strict=True)
        missing = float(self.wins[better] - self.wins[worse]) - (scores[0] - scores[1])
        if missing <= 0:
            return 0.0, np.zeros_like(weights)
        return missing, gradients[1] - gradients[0]

    def _score(self, weights: Vector, system: int) -> tuple[float, Vector]:
        features = self.systems[system]
        chances = 0.5 * (1 + np.tanh((features @ weights[:-1] + weights[-1]) / 2))
        slopes = chances * (1 - chances) / len(features)
        return float(chances.mean()), np.append(slopes @ features, slopes.sum())


@dataclass(frozen=True, eq=False)
class BeerObjective:
    """Rankings of systems, with or without rankings of sentences: the mean of both losses (Equation 6.10)."""

    sentences: SentenceRanking | None
    corpora: Sequence[CorpusRanking]
    strength: float

    @property
    def size(self) -> int:
        """The number of parameters: the weights and b."""
        return int(self.corpora[0].systems[0].shape[1]) + 1

    def step(self, weights: Vector, random: np.random.Generator) -> tuple[float, Vector]:
        """The loss on a random pair of systems and a batch of pairs of sentences, and its gradient."""
        corpus = self.corpora[int(random.integers(len(self.corpora)))]
        one, other = random.choice(len(corpus.systems), 2, replace=False).tolist()
        better, worse = (one, other) if corpus.wins[one] >= corpus.wins[other] else (other, one)
        value, gradient = corpus.loss(weights, better, worse)
        if self.sentences is not None:
            value, gradient = value / 2, gradient / 2
            chances = self.sentences.counts / self.sentences.counts.sum()
            rows = self.sentences.differences[random.choice(len(chances), _BATCH, p=chances)]
            missing = np.maximum(0.0, 1.0 - rows @ weights[:-1])
            value += float(missing.mean()) / 2
            gradient[:-1] -= rows[missing > 0].sum(axis=0) / (2 * _BATCH)
        gradient[:-1] += 2 * self.strength * weights[:-1]
        return value + self.strength * float(weights[:-1] @ weights[:-1]), gradient


def minimised(objective: SentenceRanking, directions: Vector | None) -> Vector:
    """The weights with the least loss; `directions` fixes their signs.

    This is Newton's method (with fixed signs, Bertsekas' projected one of 1982): features of the same kind are so much
    alike that a first-order method takes hundreds of steps."""
    weights = np.zeros(objective.differences.shape[1])
    value, gradient = objective(weights)
    for _ in range(_NEWTON_STEPS):
        free = np.ones(len(weights), bool)
        if directions is not None:  # weights at 0 that would like to change their signs stay there
            free = (weights != 0) | (gradient * directions < 0)
        direction = np.zeros_like(weights)
        if free.any():
            curvature = objective.curvature(weights)[np.ix_(free, free)]
            direction[free] = np.linalg.lstsq(curvature, gradient[free], rcond=None)[0]
        size = 1.0
        while True:
            tried = weights - size * direction
            if directions is not None:
                tried = np.where(tried * directions > 0, tried, 0.0)
            decrease = float(gradient @ (weights - tried))
            found = objective(tried)
            if found[0] <= value - 1e-4 * decrease or size < 1e-6:
                break
            size /= 2
        improved = value - found[0]
        weights, (value, gradient) = tried, found
        if improved < _CONVERGED:
            break
    return weights


def adam(objective: BeerObjective, directions: Vector | None, steps: int, seed: int, rate: float = 0.01) -> Vector:
    """Weights and b after this many steps of Adam (Kingma and Ba 2015), averaged over the second half."""
    random = np.random.default_rng(seed)
    weights, first, second, total = (np.zeros(objective.size) for _ in range(4))
    for step in range(1, steps + 1):
        _, gradient = objective.step(weights, random)
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient**2 - second)
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        if directions is not None:
            weights[:-1] = np.where(weights[:-1] * directions > 0, weights[:-1], 0.0)
        if 2 * step > steps:
            total += weights
    return total / (steps - steps // 2)
