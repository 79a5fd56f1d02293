"""A journal: records appended to a file so that each is there whole or not at all, whatever happens to the machine.

Each line is a checksum and a JSON object. A checksum covers its record and, through the checksum before it, all earlier
ones. A last line that was not written whole is what a crash leaves behind: it is cut off with a warning. Any other line
that does not fit is damage, and is named. Several processes may append; each sees what the others wrote.
"""

from __future__ import annotations

import fcntl
import io
import json
import logging
import os
import secrets
from pathlib import Path
from typing import Any, BinaryIO

from pentaglot._core import base
from pentaglot.errors import StorageError, reading, writing

__all__ = ["Journal"]

Record = dict[str, Any]
_log = logging.getLogger(__name__)


class Journal:
    """The journal at `path`, which is made when the first record is written.

    >>> import tempfile
    >>> journal = Journal(Path(tempfile.mkdtemp()) / "notes")
    >>> journal.append({"note": "hello"})
    [{'note': 'hello'}]
    >>> Journal(journal.path).read()
    [{'note': 'hello'}]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.name = ""  # tells this journal from one that was put in its place
        self.records = 0
        self._lines = 0
        self._end = 0
        self._checksum = 0

    def read(self) -> list[Record]:
        """The records that were not read before; a torn last line is cut off."""
        if not self.path.exists():
            return []
        with reading(self.path), self.path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            return self._catch_up(file)

    def append(self, *records: Record) -> list[Record]:
        """Writes records; they are on the disk when this returns. Gives them, after any that other processes wrote."""
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                seen = self._catch_up(file)
                if self._end == 0:
                    records = ({"journal": secrets.token_hex(8)}, *records)
                checksum, lines = self._checksum, b""
                for record in records:
                    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
                    checksum = base.checksum(text, checksum)
                    lines += b"%016x " % checksum + text + b"\n"
                try:
                    file.write(lines)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    os.ftruncate(file.fileno(), self._end)  # a full disk leaves no half of it behind
                    raise
                self._end += len(lines)
                self._lines += len(records)
                self._checksum = checksum
        return seen + self._counted(list(records))

    def _catch_up(self, file: BinaryIO) -> list[Record]:
        if os.fstat(file.fileno()).st_size < self._end:
            raise StorageError("became shorter while it was in use", path=self.path, hint="restore a copy")
        file.seek(self._end)
        data = file.read()
        seen: list[Record] = []
        for line in io.BytesIO(data):
            record = self._parse(line)
            if record is None:
                if self._end + len(line) < file.tell():
                    raise StorageError(
                        "was altered after it was written (its checksum differs)",
                        path=self.path,
                        line=self._lines + 1,
                        hint="restore a copy",
                    )
                _log.warning("%s: the last record was not written whole and is dropped", self.path)
                os.ftruncate(file.fileno(), self._end)
                break
            seen.append(record)
            self._end += len(line)
            self._lines += 1
        file.seek(0, os.SEEK_END)
        return self._counted(seen)

    def _parse(self, line: bytes) -> Record | None:
        recorded, _, text = line[:-1].partition(b" ")
        checksum = base.checksum(text, self._checksum)
        if not line.endswith(b"\n") or recorded != b"%016x" % checksum:
            return None
        self._checksum = checksum
        record: Record = json.loads(text)
        return record

    def _counted(self, records: list[Record]) -> list[Record]:
        if records and "journal" in records[0]:
            self.name = str(records.pop(0)["journal"])
        self.records += len(records)
        return records
