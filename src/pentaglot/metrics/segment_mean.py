"""Metrics of single segments: the score of a text is the mean of theirs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.metric import Metric, Statistics

__all__ = ["SegmentMean", "signed"]


class SegmentMean(Metric):
    """A metric whose score of a text is the mean over its segments; with several references, the best score of each
    segment counts."""

    @property
    def higher_is_better(self) -> bool:
        return True

    @abstractmethod
    def segment_scores(self, hypotheses: Sequence[str], reference: Sequence[str]) -> NDArray[np.float64]:
        """The score of each segment by one reference, between 0 and 1."""

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        found = [self.segment_scores(hypotheses, reference) for reference in references]
        return np.stack([np.max(found, axis=0), np.ones(len(hypotheses))], axis=1)

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        found: NDArray[np.float64] = 100.0 * totals[:, 0] / np.maximum(totals[:, 1], 1e-300)
        return found

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """1 - the score of the segment."""
        return 1.0 - statistics[:, 0]


def signed(references: int, more: Mapping[str, Any], *how: str) -> str:
    """A signature: the number of references, how intervals were drawn if `more` says so, and how it was computed.

    >>> signed(1, {"resamples": 1000, "seed": 5}, "case:lc", "tok:none")
    'nrefs:1|bs:1000|seed:5|case:lc|tok:none'
    """
    drawn = [f"bs:{more['resamples']}", f"seed:{more['seed']}"] if "resamples" in more else []
    return "|".join([f"nrefs:{references}", *drawn, *how])
