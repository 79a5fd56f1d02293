"""Folding the added pairs of a journal into the main index."""

from __future__ import annotations

import os
from pathlib import Path

from pentaglot.corpus import Vocabulary
from pentaglot.index.additions import Additions, OutdatedError
from pentaglot.index.index import Index
from pentaglot.progress import SILENT, Progress

__all__ = ["fold_in"]


def fold_in(
    path: str | os.PathLike[str],
    journal: str | os.PathLike[str],
    vocabularies: tuple[Vocabulary, Vocabulary] | None = None,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> int:
    """Folds the pairs of a journal into the index at `path`; returns how many there were.

    The new index notes which records of the journal it holds, and the journal stays as it is. So a crash at any moment
    neither loses a pair nor counts it twice, and other processes may go on adding meanwhile. `vocabularies` as for
    `Additions`.
    """
    path = Path(path).resolve()  # a link stands for the index itself
    while True:
        additions = Additions(Index.open(path), journal, vocabularies)
        index = additions.folded(threads=threads, progress=progress)
        if index.folded == additions.snapshot.main.folded:
            return 0
        try:
            index.save(path, swapping=additions.unchanged())
            return len(additions.pairs)
        except OutdatedError:
            continue
