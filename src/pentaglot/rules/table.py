"""`Table`: rules with all their scores, extracted or imported beforehand; a memory-mapped tree of source sides."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from pentaglot import storage
from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import open_vocabulary
from pentaglot.steady import opens

__all__ = ["COUNT_COLUMNS", "KIND", "VERSION", "Table"]

KIND, VERSION = "table", 1

# Columns that are not features: counts of target and source sides from an imported file.
COUNT_COLUMNS = ("target_count", "source_count")

# Larger arrays are only spot-checked on opening, so that little is read from disk.
_WHOLE_CHECK_BYTES = 1 << 20
_REQUIRED = {
    "symbols": np.int32,
    "children": np.uint32,
    "patterns": np.uint32,
    "rule_offsets": np.uint32,
    "targets": np.uint32,
    "linkings": np.uint32,
    "counts": np.float32,
    "target_pool": np.uint8,
    "linking_pool": np.uint8,
}
_OPTIONAL = {"attempts": np.uint32, "successes": np.uint32, "reordering": np.float32}


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """An immutable table of rules; any number of threads may look rules up."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    columns: tuple[str, ...]  # scores of every rule, besides its count
    stored: native.StoredTable
    facts: dict[str, Any]
    has_reordering: bool
    has_coherence: bool

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str], *, verify: bool | None = None) -> Table:
        """Maps a saved table; `verify` as in `pentaglot.storage.open_directory`."""
        found = storage.open_directory(
            path, kind=KIND, version=VERSION, verify=verify, whole_check_bytes=_WHOLE_CHECK_BYTES
        )
        names = found.list_fact("columns", str)
        arrays = {name: found.array(name, kind) for name, kind in _REQUIRED.items()}
        for name, kind in _OPTIONAL.items():
            arrays[name] = found.array(name, kind) if name in found else np.empty(0, kind)
        columns = [found.array(f"column{number}") for number in range(len(names))]
        vocabularies = [open_vocabulary(found.path / f"{side}.vocab") for side in ("source", "target")]
        with storage.damage_at(found.path):
            stored = native.StoredTable(**arrays, columns=columns)
        return cls(
            vocabularies[0],
            vocabularies[1],
            tuple(names),
            stored,
            found.facts,
            "reordering" in found,
            "attempts" in found,
        )

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that the table stores."""
        named = tuple(name for name in self.columns if name not in COUNT_COLUMNS)
        return (*named, "coherence") if self.has_coherence and "coherence" not in named else named

    @property
    def has_gaps(self) -> bool:
        """Whether any rule has gaps."""
        return bool(self.facts.get("gaps", True))

    @property
    def source_sides(self) -> int:
        """The number of distinct source sides."""
        return self.stored.patterns

    def __len__(self) -> int:
        return self.stored.rules

    def __repr__(self) -> str:
        return f"Table({len(self)} rules, {self.source_sides} source sides)"
