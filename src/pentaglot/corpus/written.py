"""The lines of a bitext as they were written, and the places of words in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pentaglot import storage
from pentaglot.corpus.kept_lines import KeptLines
from pentaglot.errors import StorageError

__all__ = ["Written"]

_KIND, _VERSION = "written lines", 1
_ARRAYS = {"packed": np.uint8, "ends": np.uint64, "counts": np.uint64}


@dataclass(frozen=True, eq=False)
class Written:
    """The lines of both sides of a bitext as they were read; those that are not known are empty."""

    source: Sequence[str]
    target: Sequence[str]
    files: tuple[str, str] = ("", "")  # the names of the files that they were read from, without their directories

    def pair(self, number: int) -> tuple[str, str]:
        """One line of both sides."""
        return self.source[number], self.target[number]

    def first(self, number: int) -> Written:
        """The first `number` pairs."""
        return Written(_kept(self.source).first(number), _kept(self.target).first(number), self.files)

    def followed_by(self, other: Written) -> Written:
        """These pairs followed by others."""
        source, target = _kept(self.source), _kept(self.target)
        return Written(source.followed_by(_kept(other.source)), target.followed_by(_kept(other.target)), self.files)

    @classmethod
    def unknown(cls, number: int) -> Written:
        """`number` pairs whose lines are not known."""
        lines = KeptLines.of([""] * number)
        return cls(lines, lines)

    def save(self, path: Path) -> None:
        """Writes the lines, packed."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for side, lines in (("source", _kept(self.source)), ("target", _kept(self.target))):
                for name in _ARRAYS:
                    new.add(f"{side}_{name}", getattr(lines, name))
            new.facts.update(pairs=len(self.source), files=list(self.files))

    @classmethod
    def open(
        cls, path: Path, pairs: int, *, verify: bool | None = None, whole_check_bytes: int | None = None
    ) -> Written:
        """Maps what `save` wrote, for a bitext with this many pairs; the rest as in
        `pentaglot.storage.open_directory`."""
        stored = storage.open_directory(
            path, kind=_KIND, version=_VERSION, verify=verify, whole_check_bytes=whole_check_bytes
        )
        files = stored.list_fact("files", str)
        sides = []
        for side in ("source", "target"):
            packed, ends, counts = (stored.array(f"{side}_{name}", kind) for name, kind in _ARRAYS.items())
            sides.append(KeptLines(packed, ends, counts, stored.path / f"{side}_packed.npy"))
        if len(files) != 2 or any(len(lines) != pairs for lines in sides):
            raise StorageError("is damaged: these are not the lines of this text", path=path, hint="build it again")
        return cls(sides[0], sides[1], (files[0], files[1]))


def file_name(path: str | os.PathLike[str]) -> str:
    """The name of a file without its directory; empty for pipes."""
    return Path(path).name if str(path) != "-" and Path(path).is_file() else ""


def _kept(lines: Sequence[str]) -> KeptLines:
    return lines if isinstance(lines, KeptLines) else KeptLines.of(lines)
