"""A temporary file for data that does not fit in memory; it disappears with the process, however that ends."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FileRange", "Storeroom"]

_SHARE = 4  # at most one part in this many of the free disk space is used


class FileRange(NamedTuple):
    """A place in the file."""

    begin: int
    size: int


class Storeroom:
    """Up to `most` bytes in a temporary file. Any number of threads may read; one at a time may write.

    >>> room = Storeroom(10)
    >>> place = room.put(np.frombuffer(b"12345", np.uint8))
    >>> room.put(np.frombuffer(b"678901", np.uint8)) is None
    True
    >>> room.get(place).tobytes()
    b'12345'
    """

    def __init__(self, most: int) -> None:
        self._most, self._used = most, 0
        try:
            self._most = min(most, shutil.disk_usage(tempfile.gettempdir()).free // _SHARE)
            self._file = tempfile.TemporaryFile(buffering=0) if self._most > 0 else None  # noqa: SIM115 - see below
        except OSError:
            self._file = None
        if self._file is not None:
            weakref.finalize(self, self._file.close)

    def put(self, data: NDArray[np.uint8]) -> FileRange | None:
        """Writes bytes and returns their place; None if there is no room."""
        if self._file is None or self._used + len(data) > self._most:
            return None
        place = FileRange(self._used, len(data))
        try:
            done = 0
            while done < len(data):
                done += os.pwrite(self._file.fileno(), data[done:].data, place.begin + done)
        except OSError:  # the disk is full
            self._most = 0
            return None
        self._used += len(data)
        return place

    def get(self, place: FileRange) -> NDArray[np.uint8]:
        """Reads what `put` has written."""
        assert self._file is not None
        found = np.empty(place.size, np.uint8)
        done = 0
        while done < place.size:
            read = os.preadv(self._file.fileno(), [found[done:].data], place.begin + done)
            if read == 0:
                raise OSError("a temporary file was cut short")
            done += read
        return found
