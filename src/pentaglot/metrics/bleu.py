"""BLEU, equal to sacrebleu's; tokeniser 13a and n-gram counting are native."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import sacrebleu
from numpy.typing import NDArray

from pentaglot._core import metrics as core
from pentaglot.errors import MissingDependencyError
from pentaglot.metrics.bleu_formula import ORDER, Smoothing, corpus_scores, plus_one_scores
from pentaglot.metrics.metric import Metric, Statistics
from pentaglot.metrics.sacre import signature_of
from pentaglot.options import check_choice

__all__ = ["BLEU_TOKENIZERS", "Bleu", "BleuTokenizer", "ReferenceLength", "SentenceSmoothing"]

_logger = logging.getLogger(__name__)

BleuTokenizer = Literal["13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "none"]
ReferenceLength = Literal["closest", "shortest"]
SentenceSmoothing = Literal["effective", "plus-one", "plus-one-higher"]
BLEU_TOKENIZERS: tuple[str, ...] = get_args(BleuTokenizer)


@dataclass(frozen=True)
class Bleu(Metric):
    """Matched n-grams of up to four words, with a brevity penalty (Papineni and others, 2002).

    The statistics of a segment are its length, the length of a reference, the matched n-grams for n from 1 to 4, and
    then all n-grams. With several references, the brevity penalty uses the one `closest` in length, or the `shortest`,
    as in NIST's mteval-v11b.

    `sentence_smoothing` says how a single segment is scored: by the orders that it is long enough for, smoothed like
    those of a corpus (`effective`); or by BLEU+1, which adds one to the matched and to all n-grams, for every order
    (`plus-one`, Gimpel 2012) or for orders above 1 (`plus-one-higher`, Lin and Och, 2004).

    >>> bleu = Bleu()
    >>> statistics = bleu.statistics(["the house is small"], [["the house is very small"]])
    >>> statistics.astype(int).tolist()
    [[4, 5, 4, 2, 1, 0, 4, 3, 2, 1]]
    >>> round(bleu.score(statistics), 2)
    49.76
    """

    lowercase: bool = False
    tokenize: BleuTokenizer = "13a"
    smoothing: Smoothing = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False
    reference_length: ReferenceLength = "closest"
    sentence_smoothing: SentenceSmoothing = "effective"

    def __post_init__(self) -> None:
        check_choice("tokenize", self.tokenize, BLEU_TOKENIZERS)
        check_choice("smoothing", self.smoothing, get_args(Smoothing))
        check_choice("reference_length", self.reference_length, get_args(ReferenceLength))
        check_choice("sentence_smoothing", self.sentence_smoothing, get_args(SentenceSmoothing))

    @property
    def name(self) -> str:
        return "BLEU"

    @property
    def higher_is_better(self) -> bool:
        return True

    @property
    def needs_spaces(self) -> bool:
        return self.tokenize in ("13a", "intl", "none")

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        if self.tokenize != "none" and sum(hypothesis.endswith(" .") for hypothesis in hypotheses) >= 100:
            _logger.warning("100 or more lines end in ' .': BLEU is meant for text that is not tokenised")
        wanted = tuple(self._tokenised(reference) for reference in references)
        found = core.bleu_statistics(self._tokenised(hypotheses), wanted, self.reference_length == "shortest")
        return found.reshape(-1, 2 + 2 * ORDER)

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        return self._scores(totals, self.effective_order)

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        """1 - BLEU of the segment, smoothed as `sentence_smoothing` says.

        >>> bleu = Bleu(sentence_smoothing="plus-one")
        >>> found = bleu.statistics(["please return the auto ."], [["please return the car ."]])
        >>> [round(1 - float(each.costs(found)[0]), 6) for each in (bleu, Bleu(sentence_smoothing="plus-one-higher"))]
        [0.537285, 0.53183]
        """
        if self.sentence_smoothing == "effective":
            return 1.0 - self._scores(statistics, effective_order=True) / 100.0
        return 1.0 - plus_one_scores(statistics, unigrams=self.sentence_smoothing == "plus-one")

    @property
    def on_words(self) -> bool:
        return self.tokenize == "none"

    def gains(self, statistics: Statistics, lengths: NDArray[np.float64]) -> None:
        """None: a segment is judged within a pseudo-corpus."""

    def signature(self, references: int = 1, **more: Any) -> str:
        signature = signature_of(self._sacrebleu(), references, **more)
        return signature if self.reference_length == "closest" else f"{signature}|length:{self.reference_length}"

    def _scores(self, totals: Statistics, effective_order: bool) -> NDArray[np.float64]:
        return corpus_scores(totals, self.smoothing, self.smoothing_value, effective_order=effective_order)

    def _tokenised(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The texts, tokenised, with spaces between the words."""
        if self.tokenize not in ("none", "13a"):
            return tuple(map(self._sacrebleu()._preprocess_segment, texts))
        plain = tuple(text.lower() for text in texts) if self.lowercase else tuple(texts)
        return plain if self.tokenize == "none" else core.tokenize_13a(tuple(text.rstrip() for text in plain))

    def _sacrebleu(self) -> sacrebleu.BLEU:
        try:
            return sacrebleu.BLEU(
                lowercase=self.lowercase,
                force=True,  # the warning is ours
                tokenize=self.tokenize,
                smooth_method=self.smoothing,
                smooth_value=self.smoothing_value,
                effective_order=self.effective_order,
            )
        except (ImportError, RuntimeError) as error:
            language = self.tokenize.partition("-")[0]
            raise MissingDependencyError(
                f"the BLEU tokeniser '{self.tokenize}' needs packages that are not installed",
                hint=f"pip install 'sacrebleu[{language}]'",
            ) from error
