"""Which metrics to compute, and how."""

from __future__ import annotations

from dataclasses import dataclass

from pentaglot.metrics.bleu import BleuTokenizer, ReferenceLength
from pentaglot.metrics.matching import Stages, Unmatched
from pentaglot.metrics.word_order import Lexical
from pentaglot.options import setting

__all__ = ["MetricOptions", "ScoringOptions"]


@dataclass(frozen=True)
class MetricOptions:
    """Which metrics to compute, and how."""

    metrics: str = setting(
        "bleu,chrf,ter",
        "Metrics, separated by commas: bleu, chrf, chrf++, ter, beer, length, ribes, meteor, recpef, kendall, ...",
    )
    lowercase: bool = setting(False, "Ignore case in BLEU, chrF, RIBES and word-order metrics (TER, METEOR always do).")
    tokenize: BleuTokenizer = setting("13a", "How BLEU tokenises; none if the text is tokenised.")
    reference_length: ReferenceLength = setting(
        "closest", "Which of several references sets the length for BLEU's brevity penalty."
    )
    matching: Stages = setting(
        "similar", "Word-order metrics match equal words, and those with the same stem, a similar spelling, or either."
    )
    stemmer: str | None = setting(None, "The language of stems, such as english; METEOR then uses them, too.")
    unmatched: Unmatched = setting(
        "ignore", "Word-order metrics leave unmatched words out, or move them with matched ones."
    )
    lexical: Lexical = setting("f1", "How word-order metrics score words themselves: unigram F1 or unigram BLEU.")
    alpha: float = setting(0.5, "Weight of words against their order in word-order metrics.", minimum=0.0, maximum=1.0)
    beer_model: str | None = setting(None, "A model of BEER (TOML), in place of the one that comes with Pentaglot.")
    beta: float = setting(0.6, "Weight of a node against all below it in RecPET and RecPEF.", minimum=0.0, maximum=1.0)


@dataclass(frozen=True)
class ScoringOptions(MetricOptions):
    """Which metrics to compute, how, and with which confidence intervals."""

    confidence: bool = setting(True, "Show 95 % confidence intervals by bootstrap resampling.")
    resamples: int = setting(1000, "Number of bootstrap samples for intervals.", minimum=40)
    seed: int = setting(12345, "Seed of the resampling.", minimum=0)
