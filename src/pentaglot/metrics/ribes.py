"""RIBES (Isozaki, Hirao, Duh, Sudoh and Tsukada 2010): the rank correlation of words, made for distant word orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import metrics as core
from pentaglot.metrics.segment_mean import SegmentMean, signed
from pentaglot.metrics.spelling import spelled
from pentaglot.metrics.word_order import brevity_penalty

__all__ = ["Ribes"]


@dataclass(frozen=True)
class Ribes(SegmentMean):
    """Kendall's rank correlation, between 0 and 1, of the words that a translation and its reference have in common,
    times `precision ** alpha * brevity penalty ** beta`. A word that occurs more than once counts if neighbours tell
    which it is. The score of a text is the mean over its segments; with several references the best counts.

    >>> ribes = Ribes()
    >>> found = ribes.statistics(["he was bored because it rained"], [["it rained because he was bored"]])
    >>> round(ribes.score(found), 2)
    26.67
    """

    alpha: float = 0.25
    beta: float = 0.10
    lowercase: bool = False
    cut: bool = True  # tokenise; otherwise split at spaces
    threads: int = 1

    @property
    def name(self) -> str:
        return "RIBES"

    def segment_scores(self, hypotheses: Sequence[str], reference: Sequence[str]) -> NDArray[np.float64]:
        said, wanted = (spelled(side, lowercase=self.lowercase) for side in (hypotheses, reference))
        rows = core.ribes_statistics(said, wanted, self.cut, self.threads).reshape(len(said), 4)
        correlation, precision, words, reference_words = rows.T
        found = correlation * precision**self.alpha * brevity_penalty(words, reference_words) ** self.beta
        return np.where((words == 0) & (reference_words == 0), 1.0, found)

    def signature(self, references: int = 1, **more: Any) -> str:
        case, tokens = "lc" if self.lowercase else "mixed", "cut" if self.cut else "none"
        how = [f"case:{case}", f"tok:{tokens}", f"alpha:{self.alpha:g}", f"beta:{self.beta:g}"]
        return signed(references, more, *how)
