"""What is searched together: the main index and the one of added pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.index.added_index import AddedIndex
from pentaglot.index.index import Index

__all__ = ["Snapshot"]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The indexes to search together, immutable. Word ids mean the same in both."""

    main: Index
    added: AddedIndex

    @property
    def indexes(self) -> tuple[Index, ...]:
        """The main index, and the one of added pairs if there are any."""
        return (self.main, self.added.index) if self.added.pairs else (self.main,)

    def newest_addition(self, ids: NDArray[np.uint32]) -> tuple[int, int] | None:
        """The last pair added with exactly these source words: 0 for the main index (if it was folded in) or 1 for the
        other, and its number there. None if there is no such pair."""
        found = self.added.index.whole_sentences(ids) if self.added.pairs else []
        if found:
            return 1, found[-1]
        if self.main.added_from is None:
            return None
        folded = [pair for pair in self.main.whole_sentences(ids) if pair >= self.main.added_from]
        return (0, folded[-1]) if folded else None
