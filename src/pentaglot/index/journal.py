"""A journal: records appended to a file so that each is there whole or not at all, whatever happens to the machine.

Each line is a checksum and a JSON object. A checksum covers its record and, through the checksum before it, all earlier
ones. A last line without its line feed is what a crash leaves behind: readers ignore it with a warning, and the next
writer cuts it off. Any other line that does not fit is damage, and is named. Several processes may append; each sees
what the others wrote. Reading writes nothing, so that a journal can be read by those who may not write to it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from pentaglot import guarded
from pentaglot.errors import PentaglotError, StorageError, reading, writing
from pentaglot.index.journal_lines import Place, Record, checksum_of, lines_of

__all__ = ["Journal"]

_log = logging.getLogger(__name__)


class Journal:
    """The journal at `path`, created when the first record is written. Records for which `check` raises an error are
    refused.

    >>> import tempfile
    >>> journal = Journal(Path(tempfile.mkdtemp()) / "notes")
    >>> journal.append({"note": "hello"})
    [{'note': 'hello'}]
    >>> Journal(journal.path).read()
    [{'note': 'hello'}]
    """

    def __init__(self, path: str | os.PathLike[str], check: Callable[[Record], object] | None = None) -> None:
        self.path = Path(path)
        self._check = check
        self._place = Place()  # moves in one step, when all records up to there were handed out
        self._torn = 0

    @property
    def name(self) -> str:
        """A name that tells this journal from one put in its place."""
        return self._place.name

    @property
    def records(self) -> int:
        """How many were read or written so far."""
        return max(0, self._place.lines - 1)  # the first line is the name

    def read(self) -> list[Record]:
        """The records not read before, without a torn last line."""
        with reading(self.path):
            try:
                handle = guarded.open_file(self.path)
            except FileNotFoundError:
                if self._place.end:
                    raise self._shrunk() from None
                return []
            try:
                guarded.share(handle)
                seen, place, torn = self._unread(handle)
            finally:
                os.close(handle)
        if torn != self._torn:
            self._torn = torn
            if torn:
                _log.warning("%s: the last record is incomplete and is ignored", self.path)
        self._place = place
        return seen

    def append(self, *records: Record, unless: Callable[[list[Record]], object] | None = None) -> list[Record]:
        """Writes records; they are on the disk when this returns. Returns them, after any that other processes wrote.
        Nothing is written if `unless`, which sees those first while nobody else can write, raises an error."""
        if not records:
            return self.read()
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._opened() as handle:
                seen, place, torn = self._unread(handle)
                if unless is not None:
                    unless(seen)
                if torn:
                    _log.warning("%s: the last record is incomplete and is cut off", self.path)
                    os.ftruncate(handle, place.end)
                lines, new = lines_of(records, place)
                try:
                    _write(handle, lines, place.end)
                    if place.end == 0:
                        guarded.sync_directory(self.path.parent)
                except BaseException:  # a full disk, or Ctrl-C: the file becomes what it was
                    if place.end == 0:
                        self.path.unlink()
                    else:
                        os.ftruncate(handle, place.end)
                    raise
        self._place, self._torn = new, 0
        return seen + list(records)

    @contextlib.contextmanager
    def held(self) -> Iterator[list[Record]]:
        """Keeps everybody from reading and writing; yields the records not read before, which still count as unread."""
        with writing(self.path), self._opened() as handle:
            yield self._unread(handle)[0]

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, for us alone."""
        while True:
            try:
                handle = guarded.open_file(self.path, os.O_RDWR | (0 if self._place.end else os.O_CREAT))
            except FileNotFoundError:
                raise self._shrunk() from None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                # While we waited, another may have failed to write the first record, and taken the file away again.
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(handle), self.path.lstat()):
                        yield handle
                        return
            finally:
                os.close(handle)

    def _unread(self, handle: int) -> tuple[list[Record], Place, int]:
        """The records after those that were read before, the place after them, and how many bytes of a torn line
        follow."""
        place = self._place
        size = os.fstat(handle).st_size
        if size < place.end:
            raise self._shrunk()
        with os.fdopen(handle, "rb", closefd=False) as file:
            file.seek(place.end)
            *lines, rest = file.read(size - place.end).split(b"\n")
        seen: list[Record] = []
        for line in lines:
            record, place = self._parsed(line, place)
            seen.append(record)
        # Not torn, but whole with a damaged line feed: a pair that somebody was told is safe.
        if rest and checksum_of(rest[:-1], place) is not None:
            raise self._damage(place)
        if seen and place.lines == len(seen):
            seen.pop(0)  # the name
        return seen, place, len(rest)

    def _parsed(self, line: bytes, place: Place) -> tuple[Record, Place]:
        checksum = checksum_of(line, place)
        if checksum is None:
            raise self._damage(place)
        try:
            record = json.loads(line.partition(b" ")[2].decode())
            if place.lines == 0:
                return record, Place(len(line) + 1, 1, checksum, str(record["journal"]))
            if not isinstance(record, dict):
                raise ValueError
            if self._check is not None:
                self._check(record)
        except (ValueError, TypeError, KeyError, RecursionError, PentaglotError) as error:
            problem = f": {error.message}" if isinstance(error, PentaglotError) else ""
            raise StorageError(
                f"this is not a journal record{problem}",
                path=self.path,
                line=place.lines + 1,
                hint="restore a copy",
            ) from error
        return record, Place(place.end + len(line) + 1, place.lines + 1, checksum, place.name)

    def _damage(self, place: Place) -> StorageError:
        return StorageError(
            "was altered after it was written (its checksum differs)",
            path=self.path,
            line=place.lines + 1,
            hint="restore a copy, or cut off this line and all after it",
        )

    def _shrunk(self) -> StorageError:
        return StorageError("became shorter while it was in use", path=self.path, hint="restore a copy")


def _write(handle: int, data: bytes, at: int) -> None:
    """Writes without a buffer, which could reach the disk after writing has failed."""
    left = memoryview(data)
    while left:
        done = os.pwrite(handle, left, at)
        left, at = left[done:], at + done
    os.fsync(handle)
