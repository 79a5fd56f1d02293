"""Reading what others may replace meanwhile: all old or all new, never a mixture."""

from __future__ import annotations

import functools
import os
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from pentaglot.errors import PentaglotError, StorageError
from pentaglot.placing import in_work, interrupted

__all__ = ["opens", "read_steadily"]

T = TypeVar("T")
C = TypeVar("C")
P = ParamSpec("P")
StrPath = str | os.PathLike[str]

_TRIES = 100  # each of them costs a writer more than us
_WAITS = 200
_WAIT_SECONDS = 0.01


def read_steadily(paths: Sequence[Path], read: Callable[[], T]) -> T:
    """What `read` makes of some stored things. If one of them is replaced while it reads, it reads once more.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "notes"
    >>> _ = place.write_text("one")
    >>> def read():
    ...     text = place.read_text()
    ...     if text == "one": place.write_text("another")
    ...     return text
    >>> read_steadily([place], read)
    'another'
    """
    for _ in range(_TRIES):
        before = [_stamp(path) for path in paths]
        try:
            result = read()
        except (PentaglotError, OSError):
            if [_stamp(path) for path in paths] != before:
                continue
            for path in paths:
                if aside := interrupted(path):
                    raise StorageError(
                        "was being replaced when the writer was killed", path=path, hint=f"rename {aside} to it"
                    ) from None
            raise
        if [_stamp(path) for path in paths] == before:
            return result
    raise StorageError("is replaced again and again while it is read", path=paths[0], hint="try again later")


def opens(
    method: Callable[Concatenate[type[C], StrPath, P], T],
) -> Callable[Concatenate[type[C], StrPath, P], T]:
    """Makes a class method that opens what is stored at a path read steadily."""

    @functools.wraps(method)
    def opened(cls: type[C], path: StrPath, /, *arguments: P.args, **named: P.kwargs) -> T:
        return read_steadily([Path(path)], lambda: method(cls, path, *arguments, **named))

    return opened


def _stamp(path: Path) -> tuple[Any, ...] | None:
    """Changes when another thing is put at `path`, or inside of it if it is a directory; None if there is nothing."""
    for _ in range(_WAITS):
        try:
            found = path.stat()
        except OSError:
            aside = interrupted(path)
            if aside is None or not in_work(aside):
                return None
            time.sleep(_WAIT_SECONDS)  # the new one will be there at once
            continue
        if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
            return ()
        return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns
    return None
