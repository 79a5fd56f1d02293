"""The numbers that features of BEER are: shares of units, edits and lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Matrix", "agreement", "longer_by", "unedited"]

Matrix = NDArray[np.float64]

# The most by which one text is longer than the other, in lengths of the shorter: an empty line has no ratio.
_LONGEST = 10.0


def agreement(name: str, precision: Matrix, recall: Matrix) -> Matrix:
    """Precision, recall, or a mean of both, as the name says: `f1`, `f2`, `f0.5` or `g1`, the geometric mean."""
    if name in ("precision", "recall"):
        return precision if name == "precision" else recall
    if name == "g1":
        return np.sqrt(precision * recall)
    weight = float(name[1:]) ** 2
    below = weight * precision + recall
    found: Matrix = (1 + weight) * precision * recall / np.where(below > 0, below, 1)
    return found


def unedited(counts: Matrix) -> Matrix:
    """The share of characters, and of words, of the longer text that need not be edited to get the other."""
    edits = counts[:, -6:-4]
    longer = np.stack([counts[:, -2:].max(axis=1), counts[:, -4:-2].max(axis=1)], axis=1)
    found: Matrix = 1.0 - edits / np.maximum(longer, 1)
    return found


def longer_by(lengths: Matrix) -> Matrix:
    """By how much one of two texts is longer than the other."""
    shorter, longer = lengths.min(axis=1), lengths.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(longer > shorter, (longer - shorter) / shorter, 0.0)
    return np.minimum(found, _LONGEST)[:, None]
