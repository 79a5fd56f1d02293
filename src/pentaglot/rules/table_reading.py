"""A table in text form, read as runs on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.lines import read_line_blocks
from pentaglot.errors import InputError, PentaglotError, writing
from pentaglot.progress import Progress
from pentaglot.rules.making import Run, mapped_run, write_run

__all__ = ["TableReading", "by_frequency"]

_RUN_BYTES = 64 << 20


class TableReading:
    """A file as runs on disk, with ids in order of first occurrence."""

    def __init__(self, file: StrPath, reader: native.TableTextReader, directory: Path, progress: Progress) -> None:
        self.reader = reader
        self._files: list[Path] = []
        self._directory = directory
        with writing(directory):
            directory.mkdir()
        with progress.task(f"reading {shown(file)}", unit="lines") as task:
            for lines in read_line_blocks(file):
                done = reader.line
                try:
                    reader.feed(lines)
                except PentaglotError as error:
                    raise InputError(error.message, path=shown(file), line=reader.line) from None
                task.advance(reader.line - done)
                if reader.waiting > _RUN_BYTES:
                    self._spill()
        if reader.rules == 0:
            raise InputError("has no rules", path=shown(file), hint="check that it is the right file")
        self._spill()

    def _spill(self) -> None:
        if self.reader.waiting == 0:
            return
        self._files.append(write_run(self._directory / f"{len(self._files):06d}.run", self.reader.take()))

    def sorted(self, source_ids: NDArray[np.uint32], target_ids: NDArray[np.uint32]) -> list[Run]:
        """The runs in the final ids."""
        for file in self._files:
            write_run(file, native.renumbered(np.fromfile(file, np.uint8), source_ids, target_ids))
        return [mapped_run(file) for file in self._files]


def by_frequency(
    vocabularies: tuple[Vocabulary, Vocabulary], main: TableReading, oriented: TableReading | None
) -> tuple[tuple[Vocabulary, Vocabulary], tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
    """Words numbered by frequency in the table, so that equal tables get equal ids."""
    readers: Sequence[native.TableTextReader] = [each.reader for each in (main, oriented) if each is not None]
    kept, ids = [], []
    for side, vocabulary in zip(("source", "target"), vocabularies, strict=True):
        counts = np.zeros(len(vocabulary), np.uint64)
        for reader in readers:
            seen = reader.source_counts if side == "source" else reader.target_counts
            counts[: len(seen)] += seen
        counts[:FIRST_WORD] = 0
        words, new_ids = vocabulary.by_frequency(counts)
        kept.append(words)
        ids.append(new_ids)
    return (kept[0], kept[1]), (ids[0], ids[1])
