"""Forests joined in sequence, for a long line whose parts were translated one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import forest as core
from pentaglot.forest.arrays import ARRAYS
from pentaglot.forest.builder import tail
from pentaglot.forest.forest import Forest

__all__ = ["one_after_the_other"]


def one_after_the_other(forests: Sequence[Forest]) -> Forest:
    """The forest of a sequence: its derivations consist of one of each forest, and yield what these yield, in order.

    >>> from pentaglot.forest import example_forest
    >>> twice = one_after_the_other([example_forest(), example_forest()])
    >>> twice.count(), twice.viterbi().words, twice.viterbi().score
    (64, (5, 8, 7, 5, 8, 7), -3.0)
    """
    if len(forests) == 1:
        return forests[0]
    arrays: dict[str, list[NDArray[Any]]] = {name: [] for name in ARRAYS}
    nodes = templates = 0
    goals = []
    for each in forests:
        packed = each.packed
        for name in ARRAYS:
            part = getattr(packed, name)
            if name.endswith("_offsets"):
                before = arrays[name][-1][-1] if arrays[name] else np.uint64(0)
                part = part[bool(arrays[name]) :] + before
            elif name == "tails":
                part = part + np.uint32(nodes)
            elif name == "templates":
                part = part + np.uint32(templates)
            arrays[name].append(part)
        goals.append(nodes + each.goal)
        nodes, templates = nodes + each.nodes, templates + len(packed.template_offsets) - 1
    joining = {
        "node_payloads": [0], "edge_payloads": [0], "tails": goals, "templates": [templates],
        "symbols": [tail(k) for k in range(len(forests))],
    }  # fmt: skip
    for name, more in joining.items():
        arrays[name].append(np.array(more, ARRAYS[name]))
    sizes = {"edge_offsets": 1, "tail_offsets": len(forests), "feature_offsets": 0, "template_offsets": len(forests)}
    for name, size in sizes.items():
        arrays[name].append(arrays[name][-1][-1:] + np.uint64(size))
    whole = {name: np.concatenate(parts).astype(ARRAYS[name]) for name, parts in arrays.items()}
    packed = core.Forest(**whole, goal=nodes)
    return Forest(packed, np.concatenate([*(each.scores for each in forests), [0.0]]))
