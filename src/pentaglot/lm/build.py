"""Estimation: from texts of any length to a model, with counts that go to disk when memory is short."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot import placing
from pentaglot._core import lm as native
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Text, Vocabulary
from pentaglot.corpus import read_lines
from pentaglot.errors import InputError, OptionError, PentaglotError, writing
from pentaglot.lm.model import LanguageModel
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress

__all__ = ["FALLBACK_DISCOUNTS", "BuildOptions", "build"]

_LOG = logging.getLogger(__name__)

# Discounts of counts of 1, 2 and more where a text is too small to estimate them; lmplz has the same.
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
# Words reserved in ARPA files.
_RESERVED = ("<s>", "</s>", "<unk>", "<UNK>")
_UNSEEN = np.uint32(0xFFFFFFFF)
# While a block of text is counted, a token takes 20 bytes, and its n-gram up to 36 before equal ones are joined, twice.
_BYTES_PER_TOKEN = 96
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class BuildOptions:
    """How a language model is estimated."""

    order: int = setting(5, "length of the longest n-grams, 1 to 7", minimum=1, maximum=native.MAX_ORDER)
    prune: str = setting("0", "drop n-grams that occur at most this often, by length: '0 0 1' keeps 1- and 2-grams")
    vocabulary: str | None = setting(None, "file of allowed words, separated by white space; others become <unk>")
    vocabulary_size: int | None = setting(None, "keep only this many words, the most frequent", minimum=1)
    memory: str = setting(
        "1G",
        "memory for counting; what does not fit is sorted on disk (the result takes another 60 bytes per n-gram)",
    )
    temporary: str | None = setting(None, "directory for what does not fit into memory")

    def __post_init__(self) -> None:
        _ = self.limits, self.memory_bytes

    @property
    def limits(self) -> list[int]:
        """The pruning limit of each length; the last one that was given holds for all longer n-grams."""
        given = self.prune.replace(",", " ").split()
        if not given or not all(re.fullmatch(r"\d{1,18}", each) for each in given) or len(given) > self.order:
            raise OptionError(f"option 'prune' is '{self.prune}'", hint="give one number for each length, like '0 0 1'")
        limits = [int(each) for each in given]
        if limits[0] != 0:
            raise OptionError("option 'prune' must begin with 0", hint="use 'vocabulary_size' to drop rare words")
        if limits != sorted(limits):
            raise OptionError(f"option 'prune' is '{self.prune}'; its numbers must not fall")
        return limits + [limits[-1]] * (self.order - len(limits))

    @property
    def memory_bytes(self) -> int:
        """The memory for counting, in bytes."""
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)i?B?", self.memory.strip(), re.IGNORECASE)
        if match is None:
            raise OptionError(f"option 'memory' is '{self.memory}'", hint="write it like 500M or 2G")
        return int(float(match[1]) * _UNITS[match[2].upper()])


def build(
    texts: Text | Iterable[Text],
    vocabulary: Vocabulary,
    options: BuildOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
    few_words: bool = False,
) -> LanguageModel:
    """Estimates an interpolated modified Kneser-Ney model, as lmplz does.

    The texts have the ids of `vocabulary`, which may grow while they are read. They are read once, or twice with
    `vocabulary_size`. The result does not depend on `threads` or on the memory. A text of `few_words`, such as one of
    word classes, never suffices for the discounts of unigrams, so there is no warning about it.

    >>> from pentaglot.corpus import encode
    >>> text, vocabulary = encode([["a", "rose", "is", "a", "rose"]] * 3)
    >>> build(text, vocabulary, BuildOptions(order=3))
    <LanguageModel of order 3: 6 1-grams, 5 2-grams, 5 3-grams>
    """
    options = options or BuildOptions()
    pieces = [texts] if isinstance(texts, Text) else texts
    words = _Words(vocabulary)
    if options.vocabulary is not None:
        words.allow(_read_words(options.vocabulary))
    if options.vocabulary_size is not None:
        if iter(pieces) is pieces:
            raise OptionError("'vocabulary_size' needs texts that can be read twice", hint="pass a list")
        words.allow_most_frequent(pieces, options.vocabulary_size)
    place = Path(options.temporary or tempfile.gettempdir())
    with placing.new_directory(place / "pentaglot-lm", private=True) as directory:
        runs = _Runs(words, options, directory, threads)
        for piece in pieces:
            runs.add(piece)
        with progress.task("estimating") as task:
            estimate = runs.estimate()
            task.note(f"{sum(estimate.ngrams.size(n) for n in range(1, options.order + 1)):,} n-grams")
    words.warn()
    for length, discounts in enumerate(estimate.discounts, 1):
        if discounts.fallback and not few_words:
            _LOG.warning(
                "too little text to compute the discounts of %d-grams; using %s", length, list(FALLBACK_DISCOUNTS)
            )
    facts: dict[str, Any] = {"smoothing": "modified Kneser-Ney", "pruned": options.limits}
    return LanguageModel(words.kept, ngrams=estimate.ngrams, facts=facts)


class _Words:
    """Which words of the texts are words of the model, numbered as they come."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.kept = Vocabulary()
        self._vocabulary = vocabulary
        self._allowed: set[str] | None = None
        self._map = np.arange(FIRST_WORD, dtype=np.uint32)
        self._reserved: set[str] = set()

    def allow(self, words: Iterable[str]) -> None:
        self._allowed = set(words) if self._allowed is None else self._allowed & set(words)

    def allow_most_frequent(self, texts: Iterable[Text], number: int) -> None:
        counts = np.zeros(len(self._vocabulary), np.int64)
        for text in texts:
            seen = np.bincount(text.tokens, minlength=len(self._vocabulary))
            counts = np.pad(counts, (0, max(0, len(seen) - len(counts))))
            counts[: len(seen)] += seen
        spelled = self._vocabulary.words(np.arange(FIRST_WORD, len(counts), dtype=np.uint32))
        candidates = [
            (-int(count), word)
            for word, count in zip(spelled, counts[FIRST_WORD:], strict=True)
            if count and word not in _RESERVED and (self._allowed is None or word in self._allowed)
        ]
        self.allow(word for _, word in sorted(candidates)[:number])

    def ids(self, tokens: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The tokens in the model's ids; new words get the next ones in the order of the text."""
        if len(tokens) and int(tokens.max()) >= len(self._vocabulary):
            raise PentaglotError("the text has a word id that its vocabulary lacks")
        missing = len(self._vocabulary) - len(self._map)
        if missing > 0:
            self._map = np.concatenate([self._map, np.full(missing, _UNSEEN)])
        mapped = self._map[tokens]
        new = tokens[mapped == _UNSEEN]
        if not len(new):
            return mapped
        first = np.empty(len(self._map), np.int64)
        first[new[::-1]] = np.arange(len(new))[::-1]  # of equal indices the last assignment wins: the first place
        found = np.unique(new) if len(new) < 1 << 12 else np.flatnonzero(np.bincount(new))
        fresh = found[np.argsort(first[found], kind="stable")].astype(np.uint32)
        for id, word in zip(fresh.tolist(), self._vocabulary.words(fresh), strict=True):
            if word in _RESERVED:
                self._reserved.add(word)
            elif self._allowed is None or word in self._allowed:
                self._map[id] = self.kept.add(word)
                continue
            self._map[id] = UNKNOWN
        return self._map[tokens]

    def warn(self) -> None:
        if self._reserved:
            _LOG.warning("the text contains %s; treated as unknown words", ", ".join(sorted(self._reserved)))


class _Runs:
    """Sorted counts of blocks of text, in memory as long as they fit."""

    def __init__(self, words: _Words, options: BuildOptions, directory: Path, threads: int) -> None:
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


def _read_words(path: str) -> list[str]:
    words = [word for line in read_lines(path) for word in line.split()]
    if not words:
        raise InputError("lists no words", path=path, hint="it should have the allowed words, separated by white space")
    return words
