"""Suffix arrays of texts of word ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import index as native

__all__ = ["common_prefixes", "suffix_array"]


def suffix_array(tokens: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The start positions of all suffixes, in ascending order of the suffixes; linear time for any text.

    >>> suffix_array(np.array([5, 4, 6, 4, 6, 4], np.uint32)).tolist()
    [5, 3, 1, 0, 4, 2]
    """
    return native.suffix_array(tokens)


def common_prefixes(tokens: NDArray[np.uint32], suffixes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """How many tokens each suffix shares with the one before it in sorted order.

    >>> tokens = np.array([5, 4, 6, 4, 6, 4], np.uint32)
    >>> common_prefixes(tokens, suffix_array(tokens)).tolist()
    [0, 1, 3, 0, 0, 2]
    """
    return native.common_prefixes(tokens, suffixes)
