"""Counts of n-grams in sorted runs, in memory as long as they fit."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import lm as native
from pentaglot._core.corpus import Text
from pentaglot.errors import InputError, writing
from pentaglot.lm.build_options import BuildOptions
from pentaglot.lm.kept_words import KeptWords

__all__ = ["FALLBACK_DISCOUNTS", "CountedRuns"]

_LOG = logging.getLogger(__name__)

# Discounts of counts of 1, 2 and more where a text is too small to estimate them; lmplz has the same.
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)

# While a block of text is counted, a token takes 20 bytes, and its n-gram up to 36 before equal ones are joined, twice.
_BYTES_PER_TOKEN = 96


class CountedRuns:
    """Sorted counts of blocks of text, in memory as long as they fit."""

    def __init__(self, words: KeptWords, options: BuildOptions, directory: Path, threads: int) -> None:
        self._words = words
        self._options = options
        self._directory = directory
        self._threads = threads
        self._budget = options.memory_bytes // 2  # one half for the block, one for the runs
        self._tokens: list[NDArray[np.uint32]] = []
        self._offsets: list[NDArray[np.uint64]] = []
        self._waiting = 0
        self._block = max(1, min(self._budget // _BYTES_PER_TOKEN, 1 << 31))
        self._runs: list[NDArray[np.uint32]] = []
        self._held = 0
        self._spilled = 0

    def add(self, text: Text) -> None:
        """Counts a text, as soon as a block of it is there."""
        offsets = text.offsets
        begin = 0
        while begin < len(text):
            room = int(offsets[begin]) + self._block - self._waiting
            end = max(begin, int(np.searchsorted(offsets, room, side="right")) - 1)
            if end == begin and not self._waiting:
                end += 1  # one sentence is larger than a block
            if end > begin:
                low, high = int(offsets[begin]), int(offsets[end])
                self._tokens.append(self._words.ids(text.tokens[low:high]))
                self._offsets.append(offsets[begin + 1 : end + 1] - np.uint64(low) + np.uint64(self._waiting))
                self._waiting += high - low
                begin = end
            if begin < len(text):
                self._count()

    def estimate(self) -> native.Estimate:
        """The model of all texts."""
        self._count()
        if not self._runs:
            raise InputError("there is no text to learn from", hint="a language model needs at least one line")
        order = self._options.order
        size = len(self._words.kept)
        return native.estimate(self._runs, order, size, self._options.limits, FALLBACK_DISCOUNTS, self._threads)

    def _count(self) -> None:
        if not self._waiting:
            return
        text = Text(np.concatenate(self._tokens), np.concatenate([np.zeros(1, np.uint64), *self._offsets]))
        self._tokens, self._offsets, self._waiting = [], [], 0
        self._runs.append(native.count_ngrams(text, len(self._words.kept), self._options.order, self._threads))
        self._held += self._runs[-1].nbytes
        if self._held > self._budget:
            self._spill()

    def _spill(self) -> None:
        for number in range(self._spilled, len(self._runs)):
            file = self._directory / f"run{number}.npy"
            with writing(file), file.open("wb") as out:
                np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(self._runs[number]))
                out.write(self._runs[number].data)
            self._runs[number] = np.load(file, mmap_mode="r")
        _LOG.info("wrote %d sorted runs of n-grams to %s", len(self._runs) - self._spilled, self._directory)
        self._spilled, self._held = len(self._runs), 0
