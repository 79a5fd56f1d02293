"""Layers and metadata of sentences, collected into columns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from pentaglot._core.corpus import UNKNOWN, Vocabulary, mapped_vocabulary
from pentaglot.corpus.columns import NO_NUMBER, Column
from pentaglot.corpus.sentence import Layer, Sentence
from pentaglot.errors import PentaglotError

__all__ = ["LayerBuilder", "metadata_column"]


class LayerBuilder:
    """Collects the layers of sentences. With columns to `start` from, known values keep their ids, and all layers of
    `start` are in the result.

    >>> builder = LayerBuilder()
    >>> builder.append(Sentence(["das", "Haus"], {"upos": ["DET", "NOUN"]}))
    >>> column = builder.finish()["upos"]
    >>> column.spelt(0, 2), len(column.values)
    (['DET', 'NOUN'], 3)
    """

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
