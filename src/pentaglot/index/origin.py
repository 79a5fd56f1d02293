"""The text and links that an index was built from, recovered from it, even after added pairs were folded in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import base
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus import Annotation, Bitext, Text, copy_vocabulary
from pentaglot.corpus.annotation import stored_columns
from pentaglot.index import parts
from pentaglot.index.index import Index
from pentaglot.index.parts import Arrays
from pentaglot.index.stored_index import KIND, VERSION

__all__ = [
    "index_seal",
    "layers_seal",
    "links_seal",
    "original_layers",
    "original_links",
    "original_text",
    "part_seal",
    "text_seal",
]

StrPath = str | os.PathLike[str]


def original_text(path: StrPath) -> Bitext:
    """The text that the index at `path` was built from; a saved bitext is that text itself.

    >>> import tempfile
    >>> from pentaglot.align import Alignment
    >>> bitext = Bitext.from_sentences([["das", "Haus"]], [["the", "house"]])
    >>> place = Path(tempfile.mkdtemp()) / "index"
    >>> Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]])).save(place)
    >>> original_text(place).pair(0)
    (['das', 'Haus'], ['the', 'house'])
    """
    path = Path(path)
    if storage.kind_of(path) != KIND:
        return Bitext.open(path)
    pairs = _original_pairs(path)
    bitext = Bitext.open(path / "text")
    if pairs is None:
        return bitext
    source, target = _first(bitext.source, pairs), _first(bitext.target, pairs)
    vocabularies = _words(bitext.source_vocabulary, source), _words(bitext.target_vocabulary, target)
    written = None if bitext.written is None else bitext.written.first(pairs)
    annotation = bitext.annotation.first(pairs, source, target)
    return Bitext(source, target, *vocabularies, written, annotation)


def original_links(path: StrPath) -> Arrays:
    """The links of that text, as an index has them; `path` may also be where they were saved alone."""
    path = Path(path)
    if storage.kind_of(path) != KIND:
        stored = storage.open_directory(path, kind="alignment", version=VERSION)
        return {name: np.asarray(stored.array(name)) for name in stored.names()}
    index = storage.open_directory(path, kind=KIND, version=VERSION)
    arrays, _ = parts.load_part(path / "alignment", "alignment", str(index.facts.get("text")))
    pairs = _original_pairs(path)
    if pairs is None:
        return arrays
    bitext = Bitext.open(path / "text", quick=True)
    source, target = int(bitext.source.offsets[pairs]), int(bitext.target.offsets[pairs])
    inner = int(np.count_nonzero(arrays["inner_tokens"] < source))
    ends = {"source": source, "target": target, "inner": inner}
    return {name: array[: ends[name.partition("_")[0]]] for name, array in arrays.items()}


def original_layers(path: StrPath, bitext: Bitext) -> Annotation:
    """The layers and metadata of that text; `path` may also be where they were saved alone."""
    path = Path(path)
    if storage.kind_of(path) == KIND:
        return original_text(path).annotation
    return Annotation.open(path, bitext.source, bitext.target)


def layers_seal(path: Path) -> str:
    """A key that identifies the original layers and metadata."""
    found = 0
    if storage.kind_of(path) == KIND:
        columns = original_text(path).annotation.groups()
    else:
        columns = stored_columns(path)
    for group, name, column in columns:
        found = base.checksum(f"{group}/{name}".encode(), found)
        found = base.checksum("\n".join(map(str, column.spelt(0, len(column)))).encode(), found)
    return f"{found:016x}"


def text_seal(path: Path) -> str:
    """A key that identifies the original text."""
    bitext = original_text(path)
    found = len(bitext)
    for text, vocabulary in ((bitext.source, bitext.source_vocabulary), (bitext.target, bitext.target_vocabulary)):
        spellings, offsets, _ = vocabulary.flatten()
        for array in (text.tokens, text.offsets, spellings, offsets):
            found = base.checksum(_bytes(array), found)
    return f"{found:016x}"


def links_seal(path: Path) -> str:
    """A key that identifies the original links."""
    found = 0
    for _, array in sorted(original_links(path).items()):
        found = base.checksum(_bytes(array), found)
    return f"{found:016x}"


def index_seal(path: Path) -> str:
    """A key that identifies the index of this text with these links; pairs folded in later do not matter, nor what else
    is precomputed. A damaged index raises an error."""
    Index.open(path, bare=True)
    return f"{text_seal(path)} {links_seal(path)}"


def part_seal(path: Path) -> str:
    """A key that identifies a part of a saved index, which depends only on its text and the part's own options. A part
    that is damaged or belongs to another text raises an error."""
    index = storage.open_directory(path.parent, kind=KIND, version=VERSION)
    _, facts = parts.load_part(path, path.name, str(index.facts.get("text")))
    return json.dumps(facts.get("options"), sort_keys=True)


def _original_pairs(path: Path) -> int | None:
    """How many pairs there were before others were folded in; None if there are no others."""
    pairs = storage.open_directory(path, kind=KIND, version=VERSION).facts.get("added_from")
    return None if pairs is None else int(pairs)


def _first(text: Text, sentences: int) -> Text:
    offsets = text.offsets[: sentences + 1]
    return Text(text.tokens[: int(offsets[-1])], offsets)


def _words(vocabulary: Vocabulary, text: Text) -> Vocabulary:
    """The words of a text only: those with the first ids."""
    last = int(text.tokens.max()) if len(text.tokens) else 0
    return copy_vocabulary(vocabulary, max(FIRST_WORD, last + 1))


def _bytes(array: NDArray[np.generic]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).view(np.uint8)
