"""The nearly-isotonic penalty (Tibshirani, Hoefling and Tibshirani, 2011): convex, unlike `MonotoneNeighbours`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn.isotonic_rows import isotonic_prox
from pentaglot.learn.penalty import Penalty, Step, single_step

__all__ = ["Direction", "NearlyIsotonic", "chains_of"]

Numbers = NDArray[np.float64]
Direction = Literal["rising", "falling", "either"]


@dataclass(frozen=True, eq=False)
class NearlyIsotonic(Penalty):
    """Strength times the sum of all steps in the wrong direction from one bin to the next. A large strength makes the
    weights of a feature monotone, and in between they may stay wrong where the data insist. With `either`, each chain
    of bins may rise or fall, whichever costs less; only then the penalty is not convex.

    >>> penalty = NearlyIsotonic(1.0, [np.array([0, 1, 2])], "rising")
    >>> penalty.value(np.array([0.0, 2.0, 1.5])), penalty.prox(np.array([0.0, 2.0, 1.5])).tolist()
    (0.5, [0.0, 1.75, 1.75])
    """

    strength: float
    chains: Sequence[NDArray[np.integer]]
    direction: Direction = "either"
    smooth = False

    @property
    def limits(self) -> NDArray[np.integer]:
        """The bins of all chains."""
        return np.concatenate([np.empty(0, np.int64), *self.chains])

    def value(self, weights: Numbers) -> float:
        return self.strength * sum(min(self._wrong(weights[chain])) for chain in self.chains)

    def _wrong(self, row: Numbers) -> list[float]:
        """How far a chain goes the wrong way, for each direction that it may take."""
        steps = np.diff(row)
        falls, rises = float(-steps[steps < 0].sum()), float(steps[steps > 0].sum())
        return {"rising": [falls], "falling": [rises], "either": [falls, rises]}[self.direction]

    def prox(self, weights: Numbers, step: Step = 1.0) -> Numbers:
        found, strength = weights.copy(), single_step(step) * self.strength
        for chain in self.chains:
            row = weights[chain]
            rising = isotonic_prox(row, strength, 0.0) if self.direction != "falling" else None
            falling = isotonic_prox(row, 0.0, strength) if self.direction != "rising" else None
            # The operator of the smaller of two functions is the better of their operators.
            options = [each for each in (rising, falling) if each is not None]
            found[chain] = min(options, key=lambda each: self._cost(row, each, strength))
        return found

    def _cost(self, row: Numbers, moved: Numbers, strength: float) -> float:
        return float(((moved - row) ** 2).sum()) / 2 + strength * min(self._wrong(moved))


def chains_of(triples: NDArray[np.integer]) -> list[NDArray[np.int64]]:
    """The rows of bins that are neighbours, from triples of which each bin is at most once in the middle.

    >>> [each.tolist() for each in chains_of(np.array([[4, 5, 6], [1, 2, 3], [5, 6, 9]]))]
    [[1, 2, 3], [4, 5, 6, 9]]
    """
    after: dict[int, int] = {}
    for one, middle, other in triples.tolist():
        after[one], after[middle] = middle, other
    chains = []
    for begin in sorted(set(after) - set(after.values())):
        chain = [begin]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        chains.append(np.array(chain, np.int64))
    return chains
