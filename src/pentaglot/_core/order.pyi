from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.forest import Forest

_Tree = tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint32]]

class Pick(Enum):
    leftmost = 0
    rightmost = 1
    strongest = 2
    average = 3

class Side(Enum):
    left = 0
    right = 1

class Trees(Enum):
    all = 0
    left = 1
    right = 2

def word_ranks(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    strengths: NDArray[np.float32],
    lengths: NDArray[np.uint32],
    pick: Pick,
    attach: Side,
    threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]: ...
def minimal_phrases(
    offsets: NDArray[np.uint64],
    source: NDArray[np.uint16],
    target: NDArray[np.uint16],
    lengths: NDArray[np.uint32],
    threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]: ...
def largest_arities(offsets: NDArray[np.uint64], ranks: NDArray[np.uint16], threads: int) -> NDArray[np.uint16]: ...
def canonical_tree(ranks: NDArray[np.uint16], linear: bool) -> _Tree: ...
def flat_tree(ranks: NDArray[np.uint16]) -> _Tree: ...
def branching_tree(ranks: NDArray[np.uint16], side: Side) -> _Tree: ...
def permutation_forest(
    ranks: NDArray[np.uint16],
    loose: NDArray[np.uint8],
    begins: NDArray[np.uint16],
    trees: Trees,
    attachments: Sequence[tuple[Side, bool]],
) -> Forest: ...
