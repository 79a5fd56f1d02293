"""chrF and chrF++, equal to sacrebleu's; n-gram counting is native."""

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

__all__ = ["Chrf"]


@dataclass(frozen=True)
class Chrf(Metric):
    """The F-score of character n-grams and, with `word_order=2`, of word n-grams (Popović, 2015 and 2017).

    The statistics of a segment are, for each order, the n-grams in the hypothesis, in the reference, and matched.

    >>> chrf = Chrf()
    >>> round(chrf.score(chrf.statistics(["the house is small"], [["the house is very small"]])), 2)
    62.06
    """

    lowercase: bool = False
    character_order: int = 6
    word_order: int = 0
    beta: int = 2
    whitespace: bool = False

    @property
    def name(self) -> str:
        return "chrF" + "+" * self.word_order

    @property
    def higher_is_better(self) -> bool:
        return True

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        found = core.chrf_statistics(
            self._cased(hypotheses),
            tuple(map(self._cased, references)),
            self.character_order,
            self.word_order,
            self.beta,
            self.whitespace,
        )
        return found.reshape(len(hypotheses), 3 * (self.character_order + self.word_order))

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        hypothesis, reference, matched = (totals[:, part::3] for part in range(3))
        possible = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(possible.sum(axis=1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(possible, matched / hypothesis, 0.0).sum(axis=1) / orders
            recall = np.where(possible, matched / reference, 0.0).sum(axis=1) / orders
            weight = self.beta**2
            f_score = (1 + weight) * precision * recall / (weight * precision + recall)
        return np.where(precision + recall > 0, 100.0 * f_score, 0.0)

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """1 - chrF of the segment."""
        return 1.0 - self.scores(statistics) / 100.0

    def signature(self, references: int = 1, **more: Any) -> str:
        return signature_of(self._sacrebleu(), references, **more)

    def _cased(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(text.lower() for text in texts) if self.lowercase else tuple(texts)

    def _sacrebleu(self) -> sacrebleu.CHRF:
        return sacrebleu.CHRF(
            char_order=self.character_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
        )
