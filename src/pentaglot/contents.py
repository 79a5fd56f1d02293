"""The table of contents of a stored directory."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pentaglot._core import base
from pentaglot.errors import StorageError

__all__ = ["CONTENTS", "HINT", "is_fact", "read_contents"]

CONTENTS = "contents.toml"
HINT = "build it again or restore a copy"
_FILE_NAME = re.compile(r"[^./\0][^/\0]*")


def is_fact(value: object, kind: type[Any]) -> bool:
    """Whether a value is of that kind; a whole number is a number, but true and false are none."""
    if kind is float and isinstance(value, int):
        kind = int
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def read_contents(path: Path, kind: str) -> dict[str, Any]:
    """The checked table of contents at `path`; `kind` is what should be there, for errors."""
    file = path / CONTENTS
    if not path.exists():
        raise StorageError(f"there is no {kind} here", path=path, hint="check the path")
    if not file.exists():
        raise StorageError(f"holds no {kind}: it has no {CONTENTS}", path=path, hint="check the path")
    try:
        text = file.read_text("utf-8")
        contents = tomllib.loads(text)
    except (ValueError, OSError, RecursionError) as error:
        raise StorageError("is damaged: it cannot be read", path=file, hint=HINT) from error
    first, _, rest = text.partition("\n")
    if first != f'contents_checksum = "{base.checksum(rest.encode()):016x}"':
        raise StorageError("was altered after it was written", path=file, hint=HINT)
    if not _are_contents(contents):
        raise StorageError("is damaged: it does not say what is here", path=file, hint=HINT)
    return contents


def _are_contents(contents: dict[str, Any]) -> bool:
    """Whether a table of contents is complete. Files are named without directories."""
    files = contents.get("files")
    return (
        is_fact(contents.get("kind"), str)
        and is_fact(contents.get("version"), int)
        and contents["version"] > 0
        and is_fact(contents.setdefault("facts", {}), dict)
        and isinstance(files, dict)
        and all(_FILE_NAME.fullmatch(name) for name in files)
        and all(isinstance(recorded, dict) for recorded in files.values())
        and all(is_fact(recorded.get("bytes"), int) and recorded["bytes"] >= 0 for recorded in files.values())
        and all(is_fact(recorded.get(sum_), str) for recorded in files.values() for sum_ in ("checksum", "sample"))
    )
