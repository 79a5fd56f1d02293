"""The room of evaluation: metrics are trained and judged by people's judgments.

Hands to the next rooms models of metrics and reports.
"""

from pentaglot.evaluate.agreement import (
    expected_wins,
    pearson,
    segment_tau,
    spearman,
    tau_difference,
    williams,
    win_ratio,
)
from pentaglot.evaluate.beer_scaling import fitted
from pentaglot.evaluate.beer_training import BeerOptions, pseudo_pairs, self_trained, train_beer
from pentaglot.evaluate.judgments import Judged, read_direct_scores, read_rankings
from pentaglot.evaluate.metric_evaluation import Agreement, evaluate_metrics

__all__ = [
    "Agreement",
    "BeerOptions",
    "Judged",
    "evaluate_metrics",
    "expected_wins",
    "fitted",
    "pearson",
    "pseudo_pairs",
    "read_direct_scores",
    "read_rankings",
    "segment_tau",
    "self_trained",
    "spearman",
    "tau_difference",
    "train_beer",
    "williams",
    "win_ratio",
]
