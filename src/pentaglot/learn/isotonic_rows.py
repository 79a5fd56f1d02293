"""A row of numbers brought nearer to a rising or a falling one, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["isotonic_prox"]

Numbers = NDArray[np.float64]


def isotonic_prox(values: Numbers, falls: float, rises: float) -> Numbers:
    """The row w that minimises |w - values|^2 / 2 + falls * (sum of downward steps) + rises * (sum of upward steps).

    Exact, by dynamic programming over the derivative of the cost of all that comes before, which is piecewise linear
    (Johnson, 2013, for equal strengths). Linear time on average.
    """
    count, row = len(values), values.tolist()
    if count < 2:
        return values.copy()
    # Knots of the derivative from `left` to `right`: where, and by how much slope and intercept change there.
    where, slopes, levels = [0.0] * (2 * count), [0.0] * (2 * count), [0.0] * (2 * count)
    left, right = count - 1, count
    lows, highs = [row[0] - falls] * count, [row[0] + rises] * count
    where[left], slopes[left], levels[left] = lows[0], 1.0, falls - row[0]
    where[right], slopes[right], levels[right] = highs[0], -1.0, row[0] + rises
    for at in range(1, count - 1):
        low, slope, level = _from_the_left(where, slopes, levels, left, right, -falls - row[at], -falls)
        high, back, other = _from_the_right(where, slopes, levels, low, right, row[at] - rises, rises)
        lows[at], left = (-falls - level) / slope, low - 1
        highs[at], right = (rises + other) / -back, high + 1
        where[left], slopes[left], levels[left] = lows[at], slope, level + falls
        where[right], slopes[right], levels[right] = highs[at], back, other + rises
    _, slope, level = _from_the_left(where, slopes, levels, left, right, -falls - row[-1], 0.0)
    found = [-level / slope] * count
    for at in range(count - 2, -1, -1):
        found[at] = min(max(found[at + 1], lows[at]), highs[at])
    return np.array(found)


def _from_the_left(
    where: list[float], slopes: list[float], levels: list[float], left: int, right: int, level: float, bound: float
) -> tuple[int, float, float]:
    """The first knot at which the derivative is above a bound, and the line that leads there."""
    slope = 1.0
    for at in range(left, right + 1):
        if slope * where[at] + level > bound:
            return at, slope, level
        slope += slopes[at]
        level += levels[at]
    return right + 1, slope, level


def _from_the_right(
    where: list[float], slopes: list[float], levels: list[float], left: int, right: int, level: float, bound: float
) -> tuple[int, float, float]:
    """The last knot at which the derivative is below a bound, and the line that leads there; its sign is reversed."""
    slope = -1.0
    for at in range(right, left - 1, -1):
        if -slope * where[at] - level < bound:
            return at, slope, level
        slope += slopes[at]
        level += levels[at]
    return left - 1, slope, level
