"""METEOR with the matchers that need no resources: equal words, and stems where a stemmer is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.matching import Matching
from pentaglot.metrics.metric import Metric, Statistics
from pentaglot.metrics.segment_mean import signed

__all__ = ["Meteor"]


@dataclass(frozen=True)
class Meteor(Metric):
    """A mean of precision and recall of words, less a penalty for the number of chunks that they are in (Denkowski and
    Lavie 2014). The weights are those of METEOR Universal, which are meant for any language. Matched function words, if
    their list is given, count 1 - `delta`, all others `delta`. There are no synonyms and no paraphrases, so scores are
    lower than those of the program of that name, and must not be compared with them.

    The statistics of a segment are matched words by stage, of any kind and function words only; words and function
    words of both sides; chunks. A segment that is equal to its reference has none.

    >>> meteor = Meteor()
    >>> meteor.score(meteor.statistics(["the house is small"], [["the house is very small"]])).__round__(2)
    75.43
    """

    alpha: float = 0.70
    beta: float = 1.40
    gamma: float = 0.30
    delta: float = 0.70
    stem: float = 0.60  # the weight of words that have only the stem in common
    matching: Matching = field(default_factory=lambda: Matching("exact", lowercase=True))
    function_words: tuple[str, ...] = ()
    threads: int = 1

    @property
    def name(self) -> str:
        return "METEOR"

    @property
    def higher_is_better(self) -> bool:
        return True

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        found = np.stack([self._against(hypotheses, reference) for reference in references])
        costs = np.stack([self.costs(each) for each in found])
        best: Statistics = found[np.argmin(costs, axis=0), np.arange(len(hypotheses))]
        return best

    def _against(self, hypotheses: Sequence[str], reference: Sequence[str]) -> Statistics:
        found = self.matching.orders(
            hypotheses, reference, function_words=self.function_words, threads=self.threads
        )  # fmt: skip
        words, wanted, exact = found["words"], found["reference words"], found["exact"]
        copied = (exact == words) & (exact == wanted) & (found["chunks"] == 1)
        near, near_function = found["stem"] + found["similar"], found["stem function words"]
        return np.stack(
            [
                exact,
                found["exact function words"],
                near,
                near_function,
                words,
                found["function words"],
                wanted,
                found["reference function words"],
                np.where(copied, 0.0, found["chunks"]),
            ],
            axis=1,
        )

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        exact, exact_function, near, near_function, words, function, wanted, wanted_function, chunks = totals.T
        matched = self._weighed(exact, exact_function) + self.stem * self._weighed(near, near_function)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (matched / self._weighed(*side) for side in
                                 ((words, function), (wanted, wanted_function)))  # fmt: skip
            mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
            penalty = self.gamma * (chunks / (exact + near)) ** self.beta
            found = 100.0 * (1 - penalty) * mean
        return np.where(matched > 0, found, 0.0)

    def _weighed(self, words: NDArray[np.float64], function: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.delta * (words - function) + (1 - self.delta) * function

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """1 - the score of the segment; where there is nothing to say, nothing is right."""
        nothing = (statistics[:, 4] == 0) & (statistics[:, 6] == 0)
        return np.where(nothing, 0.0, 1.0 - self.scores(statistics) / 100.0)

    def signature(self, references: int = 1, **more: Any) -> str:
        weights = f"weights:{self.alpha:g},{self.beta:g},{self.gamma:g},{self.delta:g},{self.stem:g}"
        functions = f"function:{len(self.function_words)}"
        return signed(references, more, self.matching.signature, weights, functions)
