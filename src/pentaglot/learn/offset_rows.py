"""Rows of different lengths, one after the other in an array, with the offsets of where they begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core

__all__ = ["concatenated", "gathered_rows", "joined_offsets", "offsets_of", "reordered_offsets", "sizes_of"]

_Value = TypeVar("_Value", bound=np.generic)


def concatenated(parts: Sequence[NDArray[Any]], kind: type[_Value]) -> NDArray[_Value]:
    """Arrays one after the other, of that kind even if there are none."""
    return np.concatenate([np.empty(0, kind), *parts], dtype=kind)


def offsets_of(sizes: NDArray[np.int64] | Sequence[int]) -> NDArray[np.uint64]:
    """The offsets of rows with these sizes.

    >>> offsets_of([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, np.int64))]).astype(np.uint64)


def sizes_of(offsets: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The sizes of rows with these offsets."""
    ends = offsets.astype(np.int64)
    return ends[1:] - ends[:-1]


def joined_offsets(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The offsets of all rows of one array, and then of another."""
    return np.concatenate([one, other[1:] + one[-1]])


def reordered_offsets(offsets: NDArray[np.uint64], chosen: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The offsets of some rows, concatenated."""
    return offsets_of(sizes_of(offsets)[chosen])


def gathered_rows(offsets: NDArray[np.uint64], values: NDArray[_Value], chosen: NDArray[np.uint64]) -> NDArray[_Value]:
    """The entries of some rows, concatenated."""
    size = np.uint64(values.itemsize)
    return core.gathered(offsets * size, values.view(np.uint8), chosen).view(values.dtype)
