"""`Structure`: annotations of a sentence that the search must obey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import Sentence
from pentaglot.corpus.sentence import HEAD

__all__ = ["Structure"]


@dataclass(frozen=True, eq=False)
class Structure:
    """Columns of numbers by name, one for each word; edges (from, to, kind) between words; which spans between two
    nodes may be constituents, and labels (first node, last node, label) of spans. A column `head` has the place of the
    head of each word, or -1. `precedence` says how likely each word (row) is to be translated before each other one.

    >>> sentence = Sentence(["the", "old", "house"], {"head": [3, 3, 0]})
    >>> Structure.of(sentence).columns["head"].tolist()
    [2, 2, -1]
    """

    columns: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)
    edges: NDArray[np.uint32] | None = None
    spans: NDArray[np.bool_] | None = None
    span_labels: NDArray[np.uint32] | None = None
    precedence: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, sentence: Sentence) -> Structure:
        """The heads of a sentence, and its other layers that are numbers."""
        numbers = {name: values for name, values in sentence.layers.items() if values and type(values[0]) is int}
        columns = {name: np.array(values, np.int32) for name, values in numbers.items() if max(values) < 2**31}
        if HEAD in columns:
            columns[HEAD] = columns[HEAD] - np.int32(1)  # counted from 0; no head: -1
        return cls(columns)
