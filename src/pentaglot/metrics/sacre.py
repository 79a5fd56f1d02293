"""Everything that touches sacrebleu, in one place.

sacrebleu counts; scores of sums are computed here, over whole arrays, and tested to equal sacrebleu's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pentaglot.metrics.metric import Statistics

__all__ = ["corpus_statistics", "signature_of"]


def corpus_statistics(
    metric: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, width: int
) -> Statistics:
    """The statistics that a sacrebleu metric collects, one row per segment."""
    if not hypotheses:
        return np.empty((0, width))
    return np.array(metric._extract_corpus_statistics(hypotheses, references), dtype=np.float64)


def signature_of(metric: Any, references: int, *, resamples: int | None = None, seed: int | None = None) -> str:
    """sacrebleu's signature of a metric, with the facts that it would know after scoring."""
    metric.num_refs = references
    metric.n_bootstrap = resamples
    metric.seed = seed
    return str(metric.get_signature())
