"""A column: one value for each token of a text, or for each sentence, as numbers that can be mapped from disk."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core.corpus import END, FIRST_WORD, UNKNOWN, Text, Vocabulary, mapped_vocabulary
from pentaglot.corpus.sentence import HEAD, Layer, Sentence
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary
from pentaglot.errors import PentaglotError, StorageError

__all__ = ["NO_NUMBER", "Column", "LayerBuilder", "metadata_column"]

NO_NUMBER = (1 << 32) - 1

_KIND, _VERSION = "layer", 1
_VALUES, _WORDS = "values", "words.vocab"


@dataclass(frozen=True, eq=False)
class Column:
    """Values as ids of a vocabulary or, without one, as numbers; unknown ones are UNKNOWN or NO_NUMBER. A layer has one
    value per token of its text, with END or NO_NUMBER where a sentence ends.

    >>> builder = LayerBuilder()
    >>> builder.append(Sentence(["das", "Haus"], {"upos": ["DET", "NOUN"]}))
    >>> column = builder.finish()["upos"]
    >>> column.spelt(0, 2), len(column.values)
    (['DET', 'NOUN'], 3)
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


class LayerBuilder:
    """Collects the layers of sentences. With columns to `start` from, known values keep their ids, and all layers of
    `start` are in the result."""

    def __init__(self, start: Mapping[str, Column] | None = None) -> None:
        self._ends: list[int] = []
        self._columns: dict[str, _ColumnBuilder] = {}
        for name, column in (start or {}).items():
            self._columns[name] = _ColumnBuilder(column.vocabulary)

    def append(self, sentence: Sentence) -> None:
        """Adds the layers of a sentence."""
        begin = self._ends[-1] + 1 if self._ends else 0
        for name, values in sentence.layers.items():
            if name not in self._columns:
                strings = any(isinstance(value, str) for value in values) or not values
                self._columns[name] = _ColumnBuilder(Vocabulary() if strings else None, begin)
            self._columns[name].add(name, values)
        for name, column in self._columns.items():
            if name not in sentence.layers:
                column.skip(len(sentence))
            column.skip(1)
        self._ends.append(begin + len(sentence))

    def finish(self) -> dict[str, Column]:
        """The columns by name."""
        found = {}
        for name, builder in sorted(self._columns.items()):
            column = Column(np.array(builder.values, np.uint32), builder.vocabulary)
            column.values[self._ends] = column.ending
            found[name] = column
        return found


class _ColumnBuilder:
    """The values of a column so far."""

    def __init__(self, vocabulary: Vocabulary | None, missing: int = 0) -> None:
        # The vocabulary that is given may be in use.
        self.vocabulary = None if vocabulary is None else mapped_vocabulary(*vocabulary.flatten())
        self.values = array("I")
        self._ids: dict[str, int] = {}
        self.skip(missing)

    def skip(self, number: int) -> None:
        self.values.extend([NO_NUMBER if self.vocabulary is None else UNKNOWN] * number)

    def add(self, name: str, values: Layer | Sequence[str]) -> None:
        strings = any(isinstance(value, str) for value in values)
        if values and strings != (self.vocabulary is not None):
            raise PentaglotError(f"the layer '{name}' has strings in one sentence and numbers in another")
        self.values.extend(self._id(name, str(value)) if strings else int(value) for value in values)

    def _id(self, name: str, value: str) -> int:
        found = self._ids.get(value)
        if found is None:
            assert self.vocabulary is not None
            try:
                found = UNKNOWN if value == "_" else self.vocabulary.add(value)
            except (PentaglotError, UnicodeEncodeError) as error:
                raise PentaglotError(f"{value!r} cannot be a value of the layer '{name}'") from error
            self._ids[value] = found
        return found


def metadata_column(name: str, values: Sequence[str | None], start: Column | None = None) -> Column:
    """One kind of metadata as a column; None where a sentence has no value."""
    builder = _ColumnBuilder(Vocabulary() if start is None else start.vocabulary)
    for value in values:
        if value is None:
            builder.skip(1)
        else:
            builder.add(name, (value,))
    return Column(np.array(builder.values, np.uint32), builder.vocabulary)


def _ends(text: Text) -> NDArray[np.int64]:
    return np.asarray(text.offsets)[1:].astype(np.int64) - 1
