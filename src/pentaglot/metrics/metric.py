"""What a metric is: it computes additive statistics of segments, and a score from their sum.

Everything else follows from that: resampling, confidence intervals, significance tests and tuning never look at text
again; they add up rows of statistics.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError

__all__ = ["Metric", "Statistics", "listed_texts"]

Statistics = NDArray[np.float64]


class Metric(ABC):
    """The interface of all metrics. A metric holds its settings and nothing else."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name in reports."""

    @property
    @abstractmethod
    def higher_is_better(self) -> bool:
        """Whether better translations have higher scores."""

    @abstractmethod
    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        """One row of statistics per hypothesis; call `statistics` instead, which checks the input first."""

    @abstractmethod
    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        """One score per row of `totals`; a row is the sum of the statistics of some segments."""

    @abstractmethod
    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """For learners: how bad each segment is by itself, 0 for a perfect one."""

    @property
    def on_words(self) -> bool:
        """Whether it compares tokenised text, with spaces between words, instead of text as people write it."""
        return False

    @property
    def needs_spaces(self) -> bool:
        """Whether it finds the words of a text by the spaces between them."""
        return False

    def gains(self, statistics: Statistics, lengths: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """For learners: the gain of each segment in words, that is the share of it that is right times the length of
        its reference. None: the gain of a segment depends on the others, and learners judge it within a pseudo-corpus
        of recent ones, as the core does for BLEU."""
        return (1.0 - self.costs(statistics)) * lengths

    @abstractmethod
    def signature(self, references: int = 1, **more: Any) -> str:
        """How the score was computed, so that others can reproduce it."""

    def statistics(self, hypotheses: Iterable[str], references: Iterable[Iterable[str]]) -> Statistics:
        """One row of additive statistics per hypothesis. `references` holds one or more complete translations, each
        with one segment per hypothesis."""
        hypotheses, references = listed_texts(hypotheses, references)
        return self.segment_statistics(hypotheses, references)

    def score(self, statistics: Statistics) -> float:
        """The score of all segments together, given their statistics."""
        return float(self.scores(statistics.sum(axis=0, keepdims=True))[0])


def listed_texts(
    hypotheses: Iterable[str], references: Iterable[Iterable[str]]
) -> tuple[Sequence[str], list[Sequence[str]]]:
    """Hypotheses and complete translations as lists, whatever holds them. Raises an error unless they match."""
    references = list(references)
    if not references:
        raise PentaglotError("there are no references to compare with", hint="give at least one")
    if isinstance(hypotheses, str) or any(isinstance(each, str) for each in references):
        hint = "hypotheses are a list of texts, references a list of such lists"
        raise PentaglotError("a text is given where a list of texts is needed", hint=hint)
    said, *wanted = (_texts(each) for each in (hypotheses, *references))
    for number, reference in enumerate(wanted, 1):
        if len(reference) != len(said):
            raise PentaglotError(
                f"there are {len(said)} hypotheses but {len(reference)} segments in reference {number}",
                hint="each hypothesis needs one segment in every reference",
            )
    return said, wanted


def _texts(given: Iterable[str]) -> Sequence[str]:
    """Segments of text as a list, whatever holds them."""
    found = given if isinstance(given, list | tuple) else list(given)
    for number, each in enumerate(found, 1):
        if not isinstance(each, str):
            raise PentaglotError(f"segment {number} is {each!r}, not a text", hint="write an empty text for none")
    return found
