"""BEER: a metric that was trained to agree with people (Stanojević 2017, chapters 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.segment_mean import SegmentMean, signed

__all__ = ["Beer"]


@dataclass(frozen=True)
class Beer(SegmentMean):
    """How good translations are, by features weighted to agree with human rankings. The score of a text is the mean
    over its segments; with several references, the best score of each segment counts.

    >>> beer = Beer()
    >>> copied, near, far = beer.statistics(["the house is small", "the house is tiny", "a cat"],
    ...     [["the house is small"] * 3])[:, 0]
    >>> bool(copied == 1.0 > near > far)
    True
    """

    model: BeerModel | None = None  # default: the one that comes with Pentaglot
    threads: int = 1

    @property
    def name(self) -> str:
        return "BEER"

    @cached_property
    def _model(self) -> BeerModel:
        return BeerModel.shipped() if self.model is None else self.model

    def segment_scores(self, hypotheses: Sequence[str], reference: Sequence[str]) -> NDArray[np.float64]:
        return self._model.scores(hypotheses, reference, threads=self.threads)

    def signature(self, references: int = 1, **more: Any) -> str:
        features = self._model.features
        case = "lc" if features.lowercase else "mixed"
        kind = f"{features.template}{'-symmetric' if features.symmetric else ''}"
        return signed(references, more, f"case:{case}", f"features:{kind}", f"model:{self._model.checksum}")
