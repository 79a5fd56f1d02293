"""The room of evaluation: whether one system is better than another, and how well metrics agree with people.

It offers reports (`compare`), the significance tests in them, and training of metrics.
"""

from pentaglot.evaluate.agreement import (
    expected_wins,
    pearson,
    segment_tau,
    spearman,
    williams,
    win_ratio,
)
from pentaglot.evaluate.battery import Battery
from pentaglot.evaluate.beer_scaling import fitted
from pentaglot.evaluate.beer_training import BeerOptions, pseudo_pairs, self_trained, train_beer
from pentaglot.evaluate.comparison import CompareOptions, compare
from pentaglot.evaluate.judgments import Judged, read_direct_scores, read_rankings
from pentaglot.evaluate.leads import mean_difference, tau_difference
from pentaglot.evaluate.leaving_out import LeftOut, language_groups, leave_out
from pentaglot.evaluate.metric_evaluation import Agreement, evaluate_metrics
from pentaglot.evaluate.page import comparison_page
from pentaglot.evaluate.randomisation import approximate_randomisation
from pentaglot.evaluate.report import Change, MetricReport, Report, SystemScore, Verdict
from pentaglot.evaluate.significance import Comparison, holm, paired_bootstrap
from pentaglot.evaluate.simulation import PRange, simulate
from pentaglot.evaluate.survey import LeftOutPair, Survey
from pentaglot.evaluate.survey_tables import survey_caption, survey_page, survey_tables, survey_to_markdown
from pentaglot.evaluate.tables import to_latex, to_markdown

__all__ = [
    "Agreement",
    "Battery",
    "BeerOptions",
    "Change",
    "CompareOptions",
    "Comparison",
    "Judged",
    "LeftOut",
    "LeftOutPair",
    "MetricReport",
    "PRange",
    "Report",
    "Survey",
    "SystemScore",
    "Verdict",
    "approximate_randomisation",
    "compare",
    "comparison_page",
    "evaluate_metrics",
    "expected_wins",
    "fitted",
    "holm",
    "language_groups",
    "leave_out",
    "mean_difference",
    "paired_bootstrap",
    "pearson",
    "pseudo_pairs",
    "read_direct_scores",
    "read_rankings",
    "segment_tau",
    "self_trained",
    "simulate",
    "spearman",
    "survey_caption",
    "survey_page",
    "survey_tables",
    "survey_to_markdown",
    "tau_difference",
    "to_latex",
    "to_markdown",
    "train_beer",
    "williams",
    "win_ratio",
]
