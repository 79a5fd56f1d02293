"""A column: one value for each token of a text, or for each sentence, as numbers that can be mapped from disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core.corpus import END, FIRST_WORD, UNKNOWN, Text, Vocabulary, mapped_vocabulary
from pentaglot.corpus.sentence import HEAD
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary
from pentaglot.errors import PentaglotError, StorageError

__all__ = ["NO_NUMBER", "Column"]

NO_NUMBER = (1 << 32) - 1

_KIND, _VERSION = "layer", 1
_VALUES, _WORDS = "values", "words.vocab"


@dataclass(frozen=True, eq=False)
class Column:
    """Values as ids of a vocabulary or, without one, as numbers; unknown ones are UNKNOWN or NO_NUMBER. A layer has one
    value per token of its text, with END or NO_NUMBER where a sentence ends.

    >>> tags = Vocabulary()
    >>> Column(np.array([tags.add("DET"), tags.add("NOUN"), END], np.uint32), tags).spelt(0, 2)
    ['DET', 'NOUN']
    """

    values: NDArray[np.uint32]
    vocabulary: Vocabulary | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> int:
        """The id or number of an unknown value."""
        return NO_NUMBER if self.vocabulary is None else UNKNOWN

    @property
    def ending(self) -> int:
        """The id or number at the end of a sentence."""
        return NO_NUMBER if self.vocabulary is None else END

    def knows(self, begin: int, end: int) -> bool:
        """Whether any value from `begin` to `end` is known."""
        return bool((self.values[begin:end] != self.missing).any())

    def spelt(self, begin: int, end: int) -> list[str] | list[int]:
        """The values from `begin` to `end` as people write them; unknown ones are `_`, or 0 for a number."""
        ids = np.ascontiguousarray(self.values[begin:end])
        if self.vocabulary is None:
            return [0 if each == NO_NUMBER else each for each in ids.tolist()]
        if len(ids) and int(ids.max()) >= len(self.vocabulary):
            raise StorageError("a layer is damaged: it has values that its vocabulary lacks")
        words = self.vocabulary.words(ids)
        return ["_" if id == UNKNOWN else word for id, word in zip(ids.tolist(), words, strict=True)]

    def first(self, number: int) -> Column:
        """The first `number` values."""
        return Column(self.values[:number], self.vocabulary)

    def kept(self, mask: NDArray[np.bool_]) -> Column:
        """The marked values."""
        return Column(np.ascontiguousarray(self.values[mask]), self.vocabulary)

    def unknown(self, text: Text | int) -> Column:
        """A column of the same kind for another text, or for this many sentences, with unknown values."""
        if isinstance(text, int):
            return Column(np.full(text, self.missing, np.uint32), self.vocabulary)
        values = np.full(len(text.tokens), self.missing, np.uint32)
        values[_ends(text)] = self.ending
        return Column(values, self.vocabulary)

    def followed_by(self, other: Column) -> Column:
        """These values followed by others; ids of these stay as they are."""
        if (self.vocabulary is None) != (other.vocabulary is None):
            raise PentaglotError("a layer has strings in one text and numbers in another")
        vocabulary, ids = self.vocabulary, other.values
        if vocabulary is not None and other.vocabulary is not None and len(ids):
            if int(ids.max()) >= len(other.vocabulary):
                raise StorageError("a layer is damaged: it has values that its vocabulary lacks")
            new_ids = np.arange(len(other.vocabulary), dtype=np.uint32)
            words = other.vocabulary.words(new_ids[FIRST_WORD:])
            if any(vocabulary.find(word) == UNKNOWN for word in words):
                vocabulary = mapped_vocabulary(*vocabulary.flatten())  # the old one may be in use
            new_ids[FIRST_WORD:] = [vocabulary.add(word) for word in words]
            ids = new_ids[ids]
        return Column(np.concatenate([self.values, ids]), vocabulary)

    def check(self, name: str, text: Text | None) -> None:
        """Raises an error if the values do not fit the text (or sentences, without one) or their vocabulary."""
        problem = ""
        if self.vocabulary is not None and len(self) and int(self.values.max()) >= len(self.vocabulary):
            problem = "it has values that its vocabulary lacks"
        elif text is not None and len(self) != len(text.tokens):
            problem = f"it has {len(self)} values for {len(text.tokens)} words"
        elif text is not None and bool((self.values[_ends(text)] != self.ending).any()):
            problem = "it belongs to another text"
        elif text is not None and name == HEAD:
            offsets = np.asarray(text.offsets).astype(np.int64)
            lengths = np.repeat(np.diff(offsets) - 1, np.diff(offsets))
            if self.vocabulary is not None or bool(((self.values > lengths) & (self.values != NO_NUMBER)).any()):
                problem = "it has heads that are not words of their sentence"
        if problem:
            raise StorageError(f"the layer '{name}' is damaged: {problem}", hint="add it again")

    def save(self, path: Path) -> None:
        """Writes the column as a stored directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.add(_VALUES, self.values)
            new.facts["numbers"] = self.vocabulary is None
            if self.vocabulary is not None:
                save_vocabulary(self.vocabulary, new.path / _WORDS)

    @classmethod
    def open(cls, path: Path, *, verify: bool | None = None, whole_check_bytes: int | None = None) -> Column:
        """Maps what `save` wrote; values are not checked."""
        stored = storage.open_directory(
            path, kind=_KIND, version=_VERSION, verify=verify, whole_check_bytes=whole_check_bytes
        )
        values = stored.array(_VALUES, np.uint32)
        return cls(values, None if stored.fact("numbers", bool) else open_vocabulary(stored.path / _WORDS))


def _ends(text: Text) -> NDArray[np.int64]:
    return np.asarray(text.offsets)[1:].astype(np.int64) - 1
