"""One index of a main text followed by added pairs."""

from __future__ import annotations

import dataclasses

import numpy as np

from pentaglot.corpus import Bitext, Written
from pentaglot.index import parts
from pentaglot.index.added_index import AddedIndex, joined, joined_annotation
from pentaglot.index.index import Index
from pentaglot.progress import SILENT, Progress

__all__ = ["joined_index"]


def joined_index(main: Index, added: AddedIndex, *, threads: int = 1, progress: Progress = SILENT) -> Index:
    """One index of a main text followed by added pairs."""
    old, new = main.bitext, added.index.bitext
    bitext = Bitext(
        joined(old.source, new.source),
        joined(old.target, new.target),
        new.source_vocabulary,
        new.target_vocabulary,
        _written(old, new),
        joined_annotation(old, new),
    )
    linked = parts.joined_alignment(main.arrays["alignment"], added.index.arrays["alignment"], len(old.source.tokens))
    weights = None
    if main.weights is not None or any(pair.weight != 1 for pair in added.pairs):
        of_main = np.ones(len(main), np.float32) if main.weights is None else main.weights
        weights = np.concatenate([of_main, np.array([pair.weight for pair in added.pairs], np.float32)])
    index = Index.build_linked(
        bitext,
        linked,
        main.options,
        weights=weights,
        both_sides="target_suffixes" in main.arrays,
        threads=threads,
        progress=progress,
    )
    return dataclasses.replace(index, added_from=len(main) if main.added_from is None else main.added_from)


def _written(main: Bitext, added: Bitext) -> Written | None:
    if main.written is None and added.written is None:
        return None
    of_main, of_added = (each.written or Written.unknown(len(each)) for each in (main, added))
    return of_main.followed_by(of_added)
