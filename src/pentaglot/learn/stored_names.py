"""Names of features, and weights, as arrays of a stored directory: there may be a million of them."""

from __future__ import annotations

import numpy as np

from pentaglot._core.forest import FeatureNames
from pentaglot.forest import Weights
from pentaglot.storage import NewDirectory, StoredDirectory

__all__ = ["add_names", "add_weights", "stored_names", "stored_weights"]


def add_names(new: NewDirectory, name: str, names: FeatureNames) -> None:
    """Writes names as two arrays."""
    spelt, offsets = names.flat()
    new.add(f"{name}_bytes", spelt)
    new.add(f"{name}_offsets", offsets)


def stored_names(stored: StoredDirectory, name: str) -> FeatureNames:
    """Reads what `add_names` wrote; an error if one is empty, there twice, or not UTF-8."""
    return FeatureNames.from_bytes(stored.array(f"{name}_bytes", np.uint8), stored.array(f"{name}_offsets", np.uint64))


def add_weights(new: NewDirectory, name: str, weights: Weights) -> None:
    """Writes weights as three arrays."""
    names, values = weights.to_arrays()
    add_names(new, name, names)
    new.add(f"{name}_values", values)


def stored_weights(stored: StoredDirectory, name: str) -> Weights:
    """Reads what `add_weights` wrote."""
    return Weights.from_arrays(stored_names(stored, name), stored.array(f"{name}_values", np.float64))
