"""The arrays that a packed forest consists of, and how they are sent to another process."""

from __future__ import annotations

import copyreg
from typing import Any

import numpy as np

from pentaglot._core import forest as core

__all__ = ["ARRAYS"]

ARRAYS = {
    "node_payloads": np.uint64,
    "edge_offsets": np.uint64,
    "tail_offsets": np.uint64,
    "tails": np.uint32,
    "feature_offsets": np.uint64,
    "feature_ids": np.uint32,
    "feature_values": np.float32,
    "templates": np.uint32,
    "template_offsets": np.uint64,
    "symbols": np.int32,
    "edge_payloads": np.uint64,
}


def _as_arrays(packed: core.Forest) -> tuple[Any, ...]:
    """A forest is sent to another process as its arrays, which are checked there. It is never stored this way."""
    return _received, (*(getattr(packed, name) for name in ARRAYS), packed.goal)


def _received(*arrays: Any) -> core.Forest:
    return core.Forest(*arrays)


copyreg.pickle(core.Forest, _as_arrays)
