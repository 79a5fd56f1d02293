"""Where a command will write: what is wrong with the place is said before the work, not after it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pentaglot import storage
from pentaglot.corpus.compression import StrPath, is_standard
from pentaglot.errors import OutputError

__all__ = ["check_directory", "check_files"]


def check_directory(path: StrPath | None) -> None:
    """Raises an error if a stored directory cannot be written there."""
    if path is not None:
        storage.check_place(Path(path))


def check_files(*paths: StrPath | None, inputs: Iterable[StrPath | None] = ()) -> None:
    """Raises an error if a file cannot be written at one of the places, or two at the same, or in place of an input;
    `-` is standard output, None is none."""
    if sum(path is not None and is_standard(path) for path in paths) > 1:
        raise OutputError("two outputs would be written to standard output", hint="name a file for one of them")
    seen: set[Path] = set()
    read = {Path(each).resolve() for each in inputs if each is not None and not is_standard(each)}
    for path in paths:
        if path is None or is_standard(path):
            continue
        place = Path(path).resolve()
        if place in seen and (place.is_file() or not place.exists()):  # any number may go to /dev/null
            raise OutputError(
                "two outputs would be written here", path=path, hint="choose another name for one of them"
            )
        if place in read and place.is_file():
            raise OutputError("is an input; it would be overwritten", path=path, hint="choose another name")
        seen.add(place)
        if Path(path).is_dir():
            raise OutputError("is a directory; a file would be written here", path=path, hint="choose another name")
        if not place.parent.is_dir():
            raise OutputError("there is no such directory to write to", path=path, hint="make it first")
