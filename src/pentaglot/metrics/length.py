"""The length of translations, relative to their references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.bleu import Bleu
from pentaglot.metrics.metric import Metric, Statistics

__all__ = ["Length"]


@dataclass(frozen=True)
class Length(Metric):
    """Words per hundred words of the reference, as BLEU counts them. The best length is 100, so higher is neither
    better nor worse.

    >>> length = Length()
    >>> length.score(length.statistics(["the house is small"], [["the house is very small"]]))
    80.0
    """

    words: Bleu = field(default_factory=Bleu)  # how words are found, and which of several references counts

    @property
    def name(self) -> str:
        return "length"

    @property
    def higher_is_better(self) -> bool:
        return True

    @property
    def needs_spaces(self) -> bool:
        return self.words.needs_spaces

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        return np.ascontiguousarray(self.words.segment_statistics(hypotheses, references)[:, :2])

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        length, wanted = totals[:, 0], totals[:, 1]
        return 100.0 * np.where(wanted > 0, length / np.maximum(wanted, 1.0), (length > 0).astype(np.float64))

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """How far the length of the segment is from that of the reference, relative to the latter."""
        return np.abs(self.scores(statistics) / 100.0 - (statistics[:, 1] > 0))

    def signature(self, references: int = 1, **more: Any) -> str:
        return self.words.signature(references, **more)
