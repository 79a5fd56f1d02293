"""How far to go along a line whose score changes at some boundaries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_step", "positions"]

Numbers = NDArray[np.float64]

# Narrower intervals would not survive the rounding of weights and scores (absolute weights sum to 1).
_NARROW = 1e-7


def best_step(boundaries: Numbers, scores: Numbers, beyond: float) -> tuple[float, float]:
    """How far to go along a line with these scores of its intervals, and the score there.

    It is the middle of the best interval; among equals the nearest; in an unbounded one, a point `beyond` its end.

    >>> best_step(np.array([-1.0, 1.0, 2.0]), np.array([1.0, 0.0, 1.0, 0.5]), 0.25)
    (-1.25, 1.0)
    """
    places, widths = positions(boundaries, beyond)
    scores = np.where(widths >= _NARROW, scores, -np.inf)
    best = np.flatnonzero(scores == scores.max())
    nearest = int(best[np.argmin(np.abs(places[best]))])
    return float(places[nearest]), float(scores[nearest])


def positions(boundaries: Numbers, step: float) -> tuple[Numbers, Numbers]:
    """A point in each interval between rising boundaries, and the width of the interval.

    >>> positions(np.array([-1.0, 1.0]), step=0.5)[0].tolist()
    [-1.5, 0.0, 1.5]
    """
    if len(boundaries) == 0:
        return np.zeros(1), np.full(1, np.inf)
    middles = (boundaries[1:] + boundaries[:-1]) / 2
    places = np.concatenate([boundaries[:1] - step, middles, boundaries[-1:] + step])
    return places, np.concatenate([[np.inf], np.diff(boundaries), [np.inf]])
