"""Replacing or adding parts of a saved index while the others stay as they are."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np

from pentaglot import storage
from pentaglot.align import Alignment
from pentaglot.corpus import Annotation, Bitext
from pentaglot.corpus.annotation import LAYERS
from pentaglot.errors import PentaglotError
from pentaglot.index import parts
from pentaglot.index.index import Index, aligned_text
from pentaglot.index.limits import PrecomputationOptions
from pentaglot.index.parts import Arrays
from pentaglot.index.stored_index import KIND, VERSION
from pentaglot.progress import SILENT, Progress

__all__ = ["add_layers", "replace_alignment", "replace_precomputation", "replace_target_suffixes"]


def replace_alignment(path: str | os.PathLike[str], alignment: Alignment) -> None:
    """Gives a saved index another alignment; text and suffix array stay as they are."""
    stored = storage.open_directory(path, kind=KIND, version=VERSION)
    bitext = Bitext.open(stored.path / "text")
    weights = stored.array("weights", np.float32) if "weights" in stored else None
    facts = parts.facts_of(str(stored.facts.get("text")), None)
    linked = parts.build_alignment(bitext, alignment)
    lexicon = parts.build_lexicon(aligned_text(bitext, linked), weights)
    _replace_parts(stored, {"alignment": (linked, facts), "lexicon": (lexicon, facts)})


def replace_precomputation(
    path: str | os.PathLike[str], options: PrecomputationOptions, *, threads: int = 1, progress: Progress = SILENT
) -> None:
    """Recomputes the lists of a saved index for other limits."""
    index = Index.open(path, bare=True)
    with progress.task("precomputing frequent patterns", total=1):
        arrays = parts.build_precomputation(
            index.source, index.bitext.source, index.arrays["suffixes"]["suffixes"], options, threads
        )
    facts = parts.facts_of(parts.fingerprint(index.bitext.source), options)
    stored = storage.open_directory(path, kind=KIND, version=VERSION)
    _replace_parts(stored, {"precomputation": (arrays, facts)})


def _replace_parts(stored: storage.StoredDirectory, new_parts: dict[str, tuple[Arrays, dict[str, Any]]]) -> None:
    """Puts an index with some new parts in the place of the old one, all at once; the others are not copied."""
    with _replacing(stored, set(new_parts)) as new:
        for kind, (arrays, facts) in new_parts.items():
            parts.save_part(new.path / kind, kind, arrays, facts)


@contextlib.contextmanager
def _replacing(stored: storage.StoredDirectory, without: set[str]) -> Iterator[storage.NewDirectory]:
    """An index to replace the old one when the block ends, with all of its parts except `without`."""
    with storage.create(stored.path.resolve(), kind=KIND, version=VERSION) as new:
        for kind in (each.name for each in stored.path.iterdir() if each.is_dir()):
            if kind not in without and not kind.startswith("."):
                shutil.copytree(stored.path / kind, new.path / kind, copy_function=_link)
        yield new
        if "weights" in stored:
            new.add("weights", stored.array("weights"))
        new.facts.update(stored.facts)


def _link(old: str, new: str) -> None:
    """Gives a file a second name, or copies it where that is not possible."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def add_layers(path: str | os.PathLike[str], annotation: Annotation) -> None:
    """Adds or replaces layers and metadata of a saved index; nothing else in it is rebuilt."""
    stored = storage.open_directory(path, kind=KIND, version=VERSION)
    bitext = Index.open(path, bare=True).bitext
    for group, name, column in annotation.groups():
        text = bitext.source if group == "source" else bitext.target if group == "target" else None
        column.check(name, text)
        if len(column) != (len(bitext) if text is None else len(text.tokens)):
            raise PentaglotError(f"the layer '{name}' belongs to another text")
    with _replacing(stored, set()) as new:
        annotation.save(new.path / "text" / LAYERS)


def replace_target_suffixes(path: str | os.PathLike[str], *, progress: Progress = SILENT) -> None:
    """Sorts the suffixes of the target text of a saved index, and keeps them with it."""
    bitext = Index.open(path, bare=True).bitext
    with progress.task("sorting target suffixes", total=1):
        arrays = parts.build_suffixes(bitext.target)
    facts = parts.facts_of(parts.fingerprint(bitext.source), None)
    stored = storage.open_directory(path, kind=KIND, version=VERSION)
    _replace_parts(stored, {"target_suffixes": (arrays, facts)})
