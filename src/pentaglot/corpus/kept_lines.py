"""Lines as they were written, packed in blocks, to show text whose words have lost their capitals.

>>> kept = KeptLines.of(["Das Haus.", "", "Ein »altes« Haus?"])
>>> len(kept), kept[2]
(3, 'Ein »altes« Haus?')
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import StorageError

__all__ = ["KeptLines", "LineKeeper", "keepable"]

# A line is found by unpacking the block that it is in: with 16 KiB, 0.1 to 0.3 ms. With 64 KiB that takes four times as
# long, and all blocks together are smaller by a tenth only.
_BLOCK = 16 << 10
# Bytes of a line. Longer ones are not kept, so that no block, whoever wrote it, is too large to unpack.
_LONGEST = 1 << 20
_BATCH = 4096


def keepable(line: str) -> str:
    """The line as it is kept: on one line; empty if it is too long or not Unicode.

    >>> keepable("Das\\nHaus"), keepable("\\ud800")
    ('Das Haus', '')
    """
    line = line.replace("\n", " ")
    try:
        return line if len(line.encode()) <= _LONGEST else ""
    except UnicodeEncodeError:
        return ""


class KeptLines(Sequence[str]):
    """Packed lines, immutable. An empty one may be a line that was not kept."""

    def __init__(
        self,
        packed: NDArray[np.uint8],
        ends: NDArray[np.uint64],
        counts: NDArray[np.uint64],
        path: Path | None = None,
    ) -> None:
        """`ends` says for each block where it ends in `packed`, and `counts` how many lines there are up to its end;
        `path` is named in errors."""
        self.packed, self.ends, self.counts = packed, ends, counts
        self._path = path
        self._unpacked: tuple[int, list[str]] = (-1, [])  # replaced as a whole, so that threads may share it
        ascending = all(bool((numbers[1:] >= numbers[:-1]).all()) for numbers in (ends, counts))
        if len(ends) != len(counts) or not ascending or int(ends[-1:].sum()) != len(packed):
            raise self._damage()
        if int(counts[-1:].sum()) > len(ends) * (_BLOCK + _LONGEST):  # each line has an end, and a block only so much
            raise self._damage()

    @classmethod
    def of(cls, lines: Iterable[str]) -> KeptLines:
        """Packs lines."""
        keeper, remaining = LineKeeper(), iter(lines)
        while batch := list(islice(remaining, _BATCH)):
            keeper.add("".join(f"{keepable(line)}\n" for line in batch).encode())
        return keeper.finish()

    def __len__(self) -> int:
        return int(self.counts[-1]) if len(self.counts) else 0

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(f"line {number} of {len(self)}")
        block = int(np.searchsorted(self.counts, np.uint64(number), side="right"))
        return self._lines(block)[number - self._first(block)]

    def first(self, number: int) -> KeptLines:
        """The first `number` lines."""
        if number == len(self):
            return self
        block = int(np.searchsorted(self.counts, np.uint64(number), side="right"))
        end = int(self.ends[block - 1]) if block else 0
        whole = KeptLines(self.packed[:end], self.ends[:block], self.counts[:block], self._path)
        return whole.followed_by(KeptLines.of(self[self._first(block) : number]))

    def followed_by(self, other: KeptLines) -> KeptLines:
        """These lines followed by others."""
        return KeptLines(
            np.concatenate([self.packed, other.packed]),
            np.concatenate([self.ends, other.ends + np.uint64(len(self.packed))]),
            np.concatenate([self.counts, other.counts + np.uint64(len(self))]),
            self._path,
        )

    def _first(self, block: int) -> int:
        return int(self.counts[block - 1]) if block else 0

    def _lines(self, block: int) -> list[str]:
        known, lines = self._unpacked
        if known != block:
            lines = self._unpack(block)
            self._unpacked = block, lines
        return lines

    def _unpack(self, block: int) -> list[str]:
        begin = int(self.ends[block - 1]) if block else 0
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(self.packed[begin : int(self.ends[block])].tobytes(), _BLOCK + _LONGEST + 2)
            lines = text.decode().split("\n")
        except (zlib.error, UnicodeDecodeError) as error:
            raise self._damage() from error
        if not unpacker.eof or lines.pop() or len(lines) != int(self.counts[block]) - self._first(block):
            raise self._damage()
        return lines

    def _damage(self) -> StorageError:
        return StorageError("is damaged: it does not hold whole lines", path=self._path, hint="build it again")


class LineKeeper:
    """Packs lines as they come, in one pass."""

    def __init__(self) -> None:
        self._pending = b""
        self._blocks: list[bytes] = []
        self._counts: list[int] = []

    def add(self, lines: bytes) -> None:
        """Takes whole lines in UTF-8, each with its end."""
        text, begin = self._pending + lines, 0
        while len(text) - begin > _BLOCK:
            end = text.rfind(b"\n", begin, begin + _BLOCK) + 1
            if not end:
                end = text.index(b"\n", begin + _BLOCK - 1) + 1
                if end - begin > _LONGEST:
                    self._pack(b"\n")
                    begin = end
                    continue
            self._pack(text[begin:end])
            begin = end
        self._pending = text[begin:]

    def finish(self) -> KeptLines:
        """All lines that were added."""
        if self._pending:
            self._pack(self._pending)
            self._pending = b""
        ends = np.cumsum([len(block) for block in self._blocks], dtype=np.uint64)
        counts = np.cumsum(self._counts, dtype=np.uint64)
        return KeptLines(np.frombuffer(b"".join(self._blocks), np.uint8), ends, counts)

    def _pack(self, lines: bytes) -> None:
        self._blocks.append(zlib.compress(lines))
        self._counts.append(lines.count(b"\n"))
