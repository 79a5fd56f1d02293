"""Layers of the words and metadata of the pairs of a bitext, in columns beside its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Text
from pentaglot.corpus.columns import Column
from pentaglot.corpus.layer_builder import LayerBuilder, metadata_column
from pentaglot.corpus.sentence import Layer, Sentence, check_layer_name
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.guarded import check_entries, inside

__all__ = ["LAYERS", "NOTHING_KNOWN", "STORED_METADATA", "Annotation", "Side", "pair_metadata", "stored_columns"]

Side = Literal["source", "target"]
Columns = Mapping[str, Column]
_Change = Callable[[Column], Column]

LAYERS = "layers"  # the directory that columns are kept in
# The metadata kept from treebanks and callers; metadata from a separate file is kept under any name.
STORED_METADATA = ("domain", "document", "id")
_PAIRS = "pairs"


@dataclass(frozen=True, eq=False)
class Annotation:
    """Layers of both sides and metadata of the pairs, by name. False if there are none."""

    source: Columns = field(default_factory=dict)
    target: Columns = field(default_factory=dict)
    pairs: Columns = field(default_factory=dict)

    @classmethod
    def of_pairs(
        cls, pairs: Iterable[tuple[Sequence[str], Sequence[str]]], start: Annotation | None = None
    ) -> Annotation:
        """The annotation of sentence pairs; values that `start` knows keep their ids."""
        start = start or NOTHING_KNOWN
        builders = LayerBuilder(start.source), LayerBuilder(start.target)
        metadata: list[dict[str, str]] = []
        for pair in pairs:
            both = Sentence.of(pair[0]), Sentence.of(pair[1])
            for sentence, builder in zip(both, builders, strict=True):
                builder.append(sentence)
            metadata.append(pair_metadata(*both))
        return cls(builders[0].finish(), builders[1].finish(), metadata_columns(metadata, start.pairs))

    def __bool__(self) -> bool:
        return bool(self.source or self.target or self.pairs)

    def layers(self, side: Side) -> Columns:
        """The layers of one side."""
        return self.source if side == "source" else self.target

    def layer(self, name: str, side: Side, text: Text) -> Column:
        """One layer, checked; raises an error that lists the others if it is missing."""
        if side not in get_args(Side):
            raise PentaglotError(f"unknown side '{side}'", hint="use 'source' or 'target'")
        other: Side = "target" if side == "source" else "source"
        elsewhere = f", only on its {other} side" if name in self.layers(other) else ""
        found = _named(name, self.layers(side), f"layer '{name}' on its {side} side{elsewhere}", "layers")
        return _checked(found, name, text)

    def metadata(self, name: str) -> Column:
        """One kind of metadata of the pairs, checked."""
        return _checked(_named(name, self.pairs, f"metadata '{name}'", "metadata"), name, None)

    def layers_between(self, side: Side, text: Text, begin: int, end: int) -> dict[str, Layer]:
        """The layers of a stretch of words, without those that have no values for it."""
        columns = {name: self.layer(name, side, text) for name in self.layers(side)}
        known = {name: column for name, column in columns.items() if column.knows(begin, end)}
        return {name: tuple(column.spelt(begin, end)) for name, column in known.items()}

    def metadata_of(self, pair: int) -> dict[str, str]:
        """The metadata of one pair."""
        known = {name: column for name, column in self.pairs.items() if column.knows(pair, pair + 1)}
        return {name: str(column.spelt(pair, pair + 1)[0]) for name, column in known.items()}

    def empty(self) -> Annotation:
        """The same names and ids, without any pairs."""
        return self._each(*[lambda column: column.first(0)] * 3)

    def first(self, pairs: int, source: Text, target: Text) -> Annotation:
        """The annotation of the first `pairs` pairs, whose texts are given."""
        sizes = len(source.tokens), len(target.tokens)
        return self._each(lambda c: c.first(sizes[0]), lambda c: c.first(sizes[1]), lambda c: c.first(pairs))

    def kept(self, pairs: NDArray[np.bool_], source: Text, target: Text) -> Annotation:
        """The annotation of the marked pairs of two texts."""
        masks = [np.repeat(pairs, _lengths(text)) for text in (source, target)]
        return self._each(lambda c: c.kept(masks[0]), lambda c: c.kept(masks[1]), lambda c: c.kept(pairs))

    def followed_by(self, other: Annotation, mine: tuple[Text, Text], others: tuple[Text, Text]) -> Annotation:
        """This annotation followed by another, given the texts of both; columns that one lacks are unknown there."""
        if not self and not other:
            return NOTHING_KNOWN
        return Annotation(
            _joined(self.source, other.source, mine[0], others[0]),
            _joined(self.target, other.target, mine[1], others[1]),
            _joined(self.pairs, other.pairs, len(mine[0]), len(others[0])),
        )

    def with_columns(self, other: Annotation) -> Annotation:
        """With the columns of `other` added, or in place of those of the same name."""
        return Annotation(
            {**self.source, **other.source}, {**self.target, **other.target}, {**self.pairs, **other.pairs}
        )

    def only(self, other: Annotation) -> Annotation:
        """Only the columns that `other` has too."""
        return Annotation(
            {name: column for name, column in self.source.items() if name in other.source},
            {name: column for name, column in self.target.items() if name in other.target},
            {name: column for name, column in self.pairs.items() if name in other.pairs},
        )

    def groups(self) -> Iterator[tuple[str, str, Column]]:
        """All columns as (group, name, column)."""
        for group, columns in (("source", self.source), ("target", self.target), (_PAIRS, self.pairs)):
            for name, column in sorted(columns.items()):
                yield group, name, column

    def save(self, path: Path) -> None:
        """Writes each column as its own stored directory."""
        path.mkdir(parents=True, exist_ok=True)
        for group, name, column in self.groups():
            check_layer_name(name)
            column.save(path / group / name)

    @classmethod
    def open(
        cls,
        path: Path,
        source: Text,
        target: Text,
        *,
        verify: bool | None = None,
        whole_check_bytes: int | None = None,
    ) -> Annotation:
        """Maps what `save` wrote for two texts."""
        sizes = {"source": len(source.tokens), "target": len(target.tokens), _PAIRS: len(source)}
        found: dict[str, dict[str, Column]] = {group: {} for group in sizes}
        for group, name, column in stored_columns(path, verify=verify, whole_check_bytes=whole_check_bytes):
            if len(column) != sizes[group]:
                problem = f"is damaged: it has {len(column)} values instead of {sizes[group]}"
                raise StorageError(problem, path=path / group / name, hint="add it again")
            found[group][name] = column
        return cls(found["source"], found["target"], found[_PAIRS])

    def _each(self, source: _Change, target: _Change, pairs: _Change) -> Annotation:
        return Annotation(
            {name: source(column) for name, column in self.source.items()},
            {name: target(column) for name, column in self.target.items()},
            {name: pairs(column) for name, column in self.pairs.items()},
        )


NOTHING_KNOWN = Annotation()


def stored_columns(
    path: Path, *, verify: bool | None = None, whole_check_bytes: int | None = None
) -> Iterator[tuple[str, str, Column]]:
    """All columns that were saved at `path`, as `Annotation.groups` gives them."""
    check_entries(path)
    for group in ("source", "target", _PAIRS):
        place = inside(path, group)
        if not place.is_dir():
            continue
        check_entries(place)
        for each in sorted(place.iterdir()):
            if not each.name.startswith("."):
                _check_stored_name(each)
                yield group, each.name, Column.open(each, verify=verify, whole_check_bytes=whole_check_bytes)


def pair_metadata(source: Sentence, target: Sentence) -> dict[str, str]:
    """The metadata kept for a pair of sentences; the source wins."""
    both = {**target.metadata, **source.metadata}
    return {name: both[name] for name in STORED_METADATA if name in both}


def metadata_columns(metadata: Sequence[Mapping[str, str]], start: Columns | None = None) -> dict[str, Column]:
    """The metadata of pairs as columns."""
    start = start or {}
    names = sorted({*start, *(name for each in metadata for name in each)})
    return {name: metadata_column(name, [each.get(name) for each in metadata], start.get(name)) for name in names}


def _named(name: str, columns: Columns, what: str, kind: str) -> Column:
    if name not in columns:
        raise PentaglotError(f"the text has no {what}", hint=f"its {kind}: {', '.join(sorted(columns)) or 'none'}")
    return columns[name]


def _checked(column: Column, name: str, text: Text | None) -> Column:
    """Returns the column; its values are checked once."""
    if "checked" not in column.__dict__:
        column.check(name, text)
        column.__dict__["checked"] = True
    return column


def _joined(one: Columns, other: Columns, text: Text | int, others: Text | int) -> dict[str, Column]:
    found = {}
    for name in sorted({*one, *other}):
        before = one[name] if name in one else other[name].unknown(text)
        after = other[name] if name in other else one[name].unknown(others)
        found[name] = before.followed_by(after)
    return found


def _lengths(text: Text) -> NDArray[np.int64]:
    offsets = np.asarray(text.offsets).astype(np.int64)
    return offsets[1:] - offsets[:-1]


def _check_stored_name(path: Path) -> None:
    try:
        check_layer_name(path.name)
    except PentaglotError as error:
        raise StorageError("is damaged: this is not a valid layer name", path=path, hint="restore a copy") from error
