"""An index on disk: a text and the arrays of each part, in one directory."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot.corpus import Bitext
from pentaglot.errors import StorageError
from pentaglot.index import parts
from pentaglot.index.limits import PrecomputationOptions
from pentaglot.index.parts import Arrays
from pentaglot.steady import read_steadily

__all__ = ["KIND", "VERSION", "StoredIndex", "folded_into"]

KIND, VERSION = "index", 1
_OPTIONAL = ("target_suffixes", "precomputation")
_FOLDED = re.compile(r"([^:]*:\d{1,18})?")


@dataclass(frozen=True, eq=False)
class StoredIndex:
    """What is kept of an index; all else follows from it."""

    bitext: Bitext
    arrays: dict[str, Arrays]
    options: PrecomputationOptions | None
    weights: NDArray[np.float32] | None
    folded: str  # which part of which journal of additions is in here already
    added_from: int | None
    path: Path = Path()  # where it was opened

    def save(
        self, path: str | os.PathLike[str], swapping: contextlib.AbstractContextManager[object] | None = None
    ) -> None:
        """Writes the parts; `swapping` as for `pentaglot.storage.create`."""
        text = parts.fingerprint(self.bitext.source)
        with storage.create(path, kind=KIND, version=VERSION, swapping=swapping) as new:
            self.bitext.save(new.path / "text")
            for kind, arrays in self.arrays.items():
                facts = parts.facts_of(text, self.options if kind == "precomputation" else None)
                parts.save_part(new.path / kind, kind, arrays, facts)
            if self.weights is not None:
                new.add("weights", self.weights)
            new.facts.update(
                text=text, pairs=len(self.bitext), source_words=self.bitext.source.words, folded=self.folded
            )
            if self.added_from is not None:
                new.facts["added_from"] = self.added_from

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, verify: bool | None = None, bare: bool = False) -> StoredIndex:
        """Maps what `save` wrote; a `bare` index without the parts that only speed up lookups."""
        stored = storage.open_directory(path, kind=KIND, version=VERSION, verify=verify)
        text = str(stored.facts.get("text"))
        bitext = Bitext.open(stored.path / "text", quick=not verify, verify=verify)
        arrays: dict[str, Arrays] = {}
        options = None
        for kind in ("suffixes", "alignment", "lexicon", *(() if bare else _OPTIONAL)):
            if kind in _OPTIONAL and not (stored.path / kind).exists():
                continue
            arrays[kind], facts = parts.load_part(stored.path / kind, kind, text, verify=verify)
            options = parts.options_of(facts, stored.path / kind) if kind == "precomputation" else None
        weights = stored.array("weights", np.float32) if "weights" in stored else None
        added_from = stored.fact("added_from", int, 0) if "added_from" in stored.facts else None
        folded = stored.fact("folded", str, "")
        if not _FOLDED.fullmatch(folded) or (added_from is not None and not 0 <= added_from <= len(bitext)):
            raise StorageError("is damaged: it does not say which pairs were added", path=path, hint="build it again")
        return cls(bitext, arrays, options, weights, folded, added_from, stored.path)


def folded_into(path: Path) -> str:
    """What was folded into the index now saved at `path`."""

    def read() -> str:
        stored = storage.open_directory(path, kind=KIND, version=VERSION, verify=False)
        return str(stored.facts.get("folded", ""))

    return read_steadily([path], read)
