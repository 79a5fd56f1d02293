"""The room of metrics: BLEU, chrF, TER, BEER, word order and others behind one interface, with confidence intervals.

It gives the next rooms additive statistics, scores of their sums, and costs of single segments (see `Metric`).
"""

from pentaglot.metrics.beer import Beer
from pentaglot.metrics.beer_features import BeerFeatures
from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.bleu import BLEU_TOKENIZERS, Bleu
from pentaglot.metrics.bootstrap import Interval, confidence_interval, resampled_totals
from pentaglot.metrics.chrf import Chrf
from pentaglot.metrics.length import Length
from pentaglot.metrics.matched_words import WordOrders
from pentaglot.metrics.matching import Matching
from pentaglot.metrics.meteor import Meteor
from pentaglot.metrics.metric import Metric
from pentaglot.metrics.options import MetricOptions, ScoringOptions
from pentaglot.metrics.registry import chosen_metrics, word_matching
from pentaglot.metrics.ribes import Ribes
from pentaglot.metrics.scoring import Score, score_translations
from pentaglot.metrics.spaces import note_on_spaces
from pentaglot.metrics.ter import Ter
from pentaglot.metrics.word_order import ORDER_METRICS, OrderMetric

__all__ = [
    "BLEU_TOKENIZERS",
    "ORDER_METRICS",
    "Beer",
    "BeerFeatures",
    "BeerModel",
    "Bleu",
    "Chrf",
    "Interval",
    "Length",
    "Matching",
    "Meteor",
    "Metric",
    "MetricOptions",
    "OrderMetric",
    "Ribes",
    "Score",
    "ScoringOptions",
    "Ter",
    "WordOrders",
    "chosen_metrics",
    "confidence_interval",
    "note_on_spaces",
    "resampled_totals",
    "score_translations",
    "word_matching",
]
