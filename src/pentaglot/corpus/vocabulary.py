"""Vocabularies on disk."""

from __future__ import annotations

import copyreg
import os
from pathlib import Path
from typing import Any

import numpy as np

from pentaglot import storage
from pentaglot._core.corpus import (
    END,
    FIRST_WORD,
    NULL,
    START,
    UNKNOWN,
    Vocabulary,
    mapped_vocabulary,
)
from pentaglot.steady import read_steadily

__all__ = [
    "END",
    "FIRST_WORD",
    "NULL",
    "START",
    "UNKNOWN",
    "Vocabulary",
    "copy_vocabulary",
    "open_vocabulary",
    "save_vocabulary",
]

_KIND, _VERSION = "vocabulary", 1


def _received(*arrays: Any) -> Vocabulary:
    return mapped_vocabulary(*arrays)


# A vocabulary is sent to another process as its arrays, which are checked there. It is never stored this way.
copyreg.pickle(Vocabulary, lambda vocabulary: (_received, vocabulary.flatten()))


def copy_vocabulary(vocabulary: Vocabulary, size: int | None = None) -> Vocabulary:
    """An independent copy, limited to the first `size` ids if that is given.

    >>> first = Vocabulary()
    >>> first.add("house") == copy_vocabulary(first).find("house")
    True
    """
    if size is None or size == len(vocabulary):
        return mapped_vocabulary(*vocabulary.flatten())
    copy = Vocabulary()
    for word in vocabulary.words(np.arange(FIRST_WORD, size, dtype=np.uint32)):
        copy.add(word)
    return copy


def save_vocabulary(vocabulary: Vocabulary, path: str | os.PathLike[str]) -> None:
    """Writes a vocabulary as a directory of arrays."""
    spellings, offsets, slots = vocabulary.flatten()
    with storage.create(path, kind=_KIND, version=_VERSION) as new:
        new.add("bytes", spellings)
        new.add("offsets", offsets)
        new.add("slots", slots)
        new.facts["words"] = len(vocabulary) - FIRST_WORD


def open_vocabulary(path: str | os.PathLike[str]) -> Vocabulary:
    """Maps a vocabulary from disk; words added to it later live in memory."""
    return read_steadily([Path(path)], lambda: _mapped(path))


def _mapped(path: str | os.PathLike[str]) -> Vocabulary:
    stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
    arrays = stored.array("bytes", np.uint8), stored.array("offsets", np.uint64), stored.array("slots", np.uint32)
    with storage.damage_at(stored.path):
        return mapped_vocabulary(*arrays)
