"""Short keys of files and stored directories, which change when their contents do."""

from __future__ import annotations

import os
from pathlib import Path

from pentaglot import storage
from pentaglot._core import base
from pentaglot.contents import CONTENTS
from pentaglot.errors import StorageError, reading

__all__ = ["file_key", "seal"]

StrPath = str | os.PathLike[str]

_PIECE = 1 << 24
_ANY_VERSION = 1 << 30


def file_key(path: StrPath) -> str:
    """A short key of the contents of a file, which changes when they do."""
    found = 0
    with reading(path), Path(path).open("rb") as file:
        while piece := file.read(_PIECE):
            found = base.checksum(piece, found)
    return f"{found:016x}"


def seal(path: Path) -> str:
    """A short key of the contents of a file or a stored directory. Of a directory, the tables of contents are used,
    checked as on opening; damage raises an error."""
    if not path.is_dir():
        return file_key(path)
    found = 0
    for part in sorted(path.rglob(CONTENTS)):
        name = part.parent.relative_to(path)
        if not any(piece.startswith(".") for piece in name.parts):  # what a kill left behind
            storage.open_directory(part.parent, kind=storage.kind_of(part.parent) or "", version=_ANY_VERSION)
            found = base.checksum(str(name).encode("utf-8", "surrogateescape") + part.read_bytes(), found)
    if not found:
        raise StorageError("is a directory that Pentaglot did not write", path=path, hint="check the path")
    return f"{found:016x}"
