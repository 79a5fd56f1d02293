"""How long the two sides of a pair are, compared with what is usual in their corpus.

A Chinese sentence has a third of the characters of an English one, so what is too long can only be told from the corpus
itself: from the median ratio of its pairs.

>>> round(usual_ratio([10, 20, 30] * 100, [31, 60, 88] * 100), 2)
0.35
>>> is_lopsided(30, 90, 2.0), is_lopsided(30, 90, 2.0, usual=1 / 3), is_lopsided(90, 30, 2.0, usual=1 / 3)
(True, False, True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["is_lopsided", "lopsided_places", "usual_ratio"]

_GRACE = 20  # characters: short segments may differ more
_DOUBT = 10  # pairs of equal length that are assumed, lest a few odd ones make the rule


def usual_ratio(source: Sequence[int], target: Sequence[int]) -> float:
    """How many characters of the source there usually are for one of the target: the median over all pairs without an
    empty side."""
    lengths = np.array([source, target], np.float64)
    lengths = lengths[:, (lengths > 0).all(axis=0)]
    pairs = lengths.shape[1]
    middle = float(np.median(np.log(lengths[0] / lengths[1]))) if pairs else 0.0
    return math.exp(middle * pairs / (pairs + _DOUBT))


def is_lopsided(source: float, target: float, max_ratio: float, usual: float = 1.0) -> bool:
    """Whether one side is more than `max_ratio` times as long as usual beside the other."""
    return bool(lopsided_places([source], [target], max_ratio, usual))


def lopsided_places(source: Sequence[float], target: Sequence[float], max_ratio: float, usual: float) -> list[int]:
    """The places of all lopsided pairs."""
    fair = math.sqrt(usual)
    left, right = np.asarray(source, np.float64) / fair, np.asarray(target, np.float64) * fair
    found = np.maximum(left, right) > max_ratio * np.minimum(left, right) + _GRACE
    return [int(place) for place in np.flatnonzero(found)]
