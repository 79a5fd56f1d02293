"""Translations beside their references in numbers: how many words match, and how they are ordered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLUMNS", "MEASURED", "WordOrders"]

# What the core says of a pair of texts, in its order (core/metrics/word_order.hpp).
_COUNTED = ("words", "reference words", "exact", "stem", "similar", "chunks", "function words",
            "reference function words", "exact function words", "stem function words", "units")  # fmt: skip
# Measures of the permutation; the last four are shares of the nodes of its canonical tree.
MEASURED = [
    "kendall",
    "kendall-root",
    "hamming",
    "spearman",
    "ulam",
    "fuzzy",
    "tree-size",
    "operator-size",
    "tree-number",
    "recpet",
    "recpef",
    "recpef-uniform",
    "straight",
    "turned",
    "four",
    "more",
]
COLUMNS = {name: column for column, name in enumerate((*_COUNTED, *MEASURED))}


@dataclass(frozen=True, eq=False)
class WordOrders:
    """Translations beside their references in numbers: a row for each, a column for each name."""

    rows: NDArray[np.float64]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.rows[:, COLUMNS[name]]

    @property
    def matched(self) -> NDArray[np.float64]:
        """How many words are linked."""
        return self["exact"] + self["stem"] + self["similar"]
