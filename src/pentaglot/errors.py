"""Errors that a person can act on: what is wrong, where (file and line), and what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class PentaglotError(Exception):
    """Any error that the user can fix. Its text is one sentence, ready to be printed.

    >>> print(InputError("not valid UTF-8", path="corpus.de", line=17, hint="convert the file to UTF-8"))
    corpus.de:17: not valid UTF-8; convert the file to UTF-8
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        hint: str = "",
    ) -> None:
        self.message = message
        self.path = Path(path) if path is not None else None
        self.line = line
        self.hint = hint
        super().__init__(message)

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "
        return f"{where}{self.message}" + (f"; {self.hint}" if self.hint else "")


class InputError(PentaglotError):
    """A file that the user gave cannot be read or holds something that cannot be used."""


class OptionError(PentaglotError):
    """An option has an unknown name or an impossible value."""


class StorageError(PentaglotError):
    """Something that Pentaglot wrote earlier is missing, damaged, or of another version."""


class OutputError(PentaglotError):
    """A result could not be written; what was there before is unchanged."""


class MissingDependencyError(PentaglotError):
    """An optional package is needed for what was asked."""


def refuse_text(given: object, *, lacks: str) -> None:
    """Raises an error if a text is given instead of a list: it is one of letters, which nobody means."""
    if isinstance(given, str | bytes):
        hint = "cut it into words" if lacks == "words" else "put it into a list"
        raise PentaglotError(f"a text is given where a list of {lacks} is needed", hint=hint)


WRITING_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_READABLE = {
    errno.ENOENT: ("no such file", "check the path"),
    errno.EISDIR: ("this is a directory, a file is needed", "name a file inside it"),
    errno.ENOTDIR: ("a part of this path is a file, not a directory", "check the path"),
    errno.EBADF: ("is closed", "leave it open, or name a file"),
    errno.EACCES: ("permission denied", "check who may read and write there"),
    errno.ENOSPC: ("no space left on the device", "free some space and run again; nothing was changed"),
    errno.EDQUOT: ("disk quota exceeded", "free some space and run again; nothing was changed"),
    errno.EFBIG: ("the file would be larger than allowed here", "raise the limit; nothing was changed"),
    errno.EROFS: ("this file system is read-only", "write somewhere else"),
}


def describe_os_error(error: OSError, path: str | os.PathLike[str] | None = None) -> tuple[str, str]:
    """Explains an operating-system error and what to do about it."""
    return _READABLE.get(error.errno or 0, (error.strerror or str(error), ""))


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turns operating-system errors inside the block into an `InputError` about `path`."""
    try:
        yield
    except OSError as error:
        message, hint = describe_os_error(error)
        raise InputError(message, path=error.filename or path, hint=hint) from error


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turns operating-system errors inside the block into an `OutputError` about `path`."""
    try:
        yield
    except OSError as error:
        message, hint = describe_os_error(error)
        if error.errno == errno.ENOENT and not Path(path).parent.exists():
            message, hint = "there is no such directory to write to", "make it first"
        raise OutputError(message, path=path, hint=hint) from error
