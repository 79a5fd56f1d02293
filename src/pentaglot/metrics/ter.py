"""Translation edit rate, equal to sacrebleu's; the search for edits and shifts is native."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sacrebleu
from numpy.typing import NDArray

from pentaglot._core import metrics as core
from pentaglot.metrics.metric import Metric, Statistics
from pentaglot.metrics.sacre import signature_of

__all__ = ["Ter"]


@dataclass(frozen=True)
class Ter(Metric):
    """Insertions, deletions, substitutions and shifts per word of the reference (Snover and others, 2006).

    The statistics of a segment are its edits times the number of references, and the total length of its references:
    whole numbers, so that their sum is exact in any order.

    >>> ter = Ter()
    >>> ter.score(ter.statistics(["the house is small"], [["the house is very small"]]))
    20.0
    """

    case_sensitive: bool = False
    normalized: bool = False
    punctuation: bool = True
    asian_support: bool = False

    @property
    def name(self) -> str:
        return "TER"

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def needs_spaces(self) -> bool:
        return not (self.normalized and self.asian_support)

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        found = core.ter_statistics(
            self._cased(hypotheses),
            tuple(map(self._cased, references)),
            self.normalized,
            self.punctuation,
            self.asian_support,
        )
        return found.reshape(-1, 2)

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        edits, length = totals[:, 0], totals[:, 1]
        # Where there is nothing to match, any word is as wrong as can be.
        return 100.0 * np.where(length > 0, edits / np.maximum(length, 1.0), (edits > 0).astype(np.float64))

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """The edit rate of the segment; it can be above 1."""
        return self.scores(statistics) / 100.0

    def signature(self, references: int = 1, **more: Any) -> str:
        return signature_of(self._sacrebleu(), references, **more)

    def _cased(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(text.rstrip() if self.case_sensitive else text.rstrip().lower() for text in texts)

    def _sacrebleu(self) -> sacrebleu.TER:
        return sacrebleu.TER(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )
