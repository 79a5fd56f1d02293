"""Word-order metrics: how well the words of a translation are ordered, together with which words they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.metrics.matching import Matching
from pentaglot.metrics.metric import Metric, Statistics
from pentaglot.metrics.segment_mean import signed
from pentaglot.options import check_choice, suggestion

__all__ = ["ORDER_METRICS", "Lexical", "OrderMetric", "brevity_penalty"]

Lexical = Literal["f1", "bleu"]

# The measures of permutations by name, and what reports call them.
ORDER_METRICS = {
    "kendall": "Kendall",
    "kendall-root": "Kendall root",
    "hamming": "Hamming",
    "spearman": "Spearman",
    "ulam": "Ulam",
    "fuzzy": "Fuzzy",
    "tree-size": "|PET|",
    "operator-size": "Max|Op|",
    "tree-number": "#PETs",
    "recpet": "RecPET",
    "recpef": "RecPEF",
    "recpef-uniform": "RecPEF uniform",
}


@dataclass(frozen=True)
class OrderMetric(Metric):
    """The order of the words that a translation has in common with its reference, by one of the measures of
    permutations, and these words themselves (Stanojević 2017, §4.2):

    `alpha * words + (1 - alpha) * brevity penalty * order`

    Words count by unigram F1, or by unigram BLEU. The brevity penalty compares the words that were matched with those
    of the reference; where none was, the order counts 0. The score of a text is the mean over its segments, weighted by
    the lengths of their references; with several references the one with the best score counts.

    >>> metric = OrderMetric("kendall")
    >>> metric.score(metric.statistics(["b a c"], [["a b c"]])).__round__(4)
    83.3333
    """

    measure: str = "recpef"
    alpha: float = 0.5  # the weight of words against their order
    beta: float = 0.6  # RecPET and RecPEF: the weight of a node against all below it
    lexical: Lexical = "f1"
    matching: Matching = field(default_factory=Matching)
    threads: int = 1

    def __post_init__(self) -> None:
        if self.measure not in ORDER_METRICS:
            known = suggestion(self.measure, ORDER_METRICS)
            raise OptionError(f"there is no measure of word order '{self.measure}'", hint=known)
        check_choice("lexical", self.lexical, get_args(Lexical))
        if not (0 <= self.alpha <= 1 and 0 <= self.beta <= 1):
            raise OptionError("the weights alpha and beta of word-order metrics lie between 0 and 1")

    @property
    def name(self) -> str:
        return ORDER_METRICS[self.measure]

    @property
    def higher_is_better(self) -> bool:
        return True

    def segment_scores(self, hypotheses: Sequence[str], reference: Sequence[str]) -> Statistics:
        """For each segment its score against one reference, and the words of that."""
        found = self.matching.orders(
            hypotheses, reference, beta=self.beta, uniform=self.measure == "recpef-uniform", threads=self.threads
        )
        words, wanted, common = found["words"], found["reference words"], found["exact"]
        if self.lexical == "f1":
            lexical = 2 * common / np.maximum(words + wanted, 1)
        else:
            lexical = common / np.maximum(words, 1) * brevity_penalty(words, wanted)
        ordered = np.minimum(found[self.measure], 1.0)  # less what rounding adds
        order = np.where(found["units"] > 0, brevity_penalty(found["units"], wanted) * ordered, 0.0)
        scores = self.alpha * lexical + (1 - self.alpha) * order
        nothing = (words == 0) & (wanted == 0)
        return np.stack([np.where(nothing, 1.0, scores), wanted], axis=1)

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        found = np.stack([self.segment_scores(hypotheses, reference) for reference in references])
        best = found[np.argmax(found[:, :, 0], axis=0), np.arange(len(hypotheses))]
        # An empty reference has the weight of one word, so that what is said instead of nothing counts.
        lengths = np.maximum(best[:, 1], 1.0)
        return np.stack([lengths * best[:, 0], lengths], axis=1)

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        found: NDArray[np.float64] = 100.0 * totals[:, 0] / np.maximum(totals[:, 1], 1.0)
        return found

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """1 - the score of the segment."""
        return 1.0 - self.scores(statistics) / 100.0

    def signature(self, references: int = 1, **more: Any) -> str:
        weights = f"alpha:{self.alpha:g}" + (f"|beta:{self.beta:g}" if self.measure.startswith("rec") else "")
        return signed(references, more, self.matching.signature, f"lex:{self.lexical}", weights)


def brevity_penalty(words: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """BLEU's penalty for texts that are shorter than wanted; 0 for those without any word.

    >>> brevity_penalty(np.array([4.0, 6.0, 0.0]), np.array([5.0, 5.0, 5.0])).round(6).tolist()
    [0.778801, 1.0, 0.0]
    """
    there = words > 0
    found = np.exp(np.minimum(0.0, 1.0 - wanted / np.where(there, words, 1.0)))
    return np.where(there, found, 0.0)
