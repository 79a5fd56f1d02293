"""The room of comparisons: whether one system is better than another, over sentences and over runs of tuning.

Hands out reports (`compare`), and the tests that they are made of.
"""

from pentaglot.evaluate.battery import Battery
from pentaglot.evaluate.comparison import CompareOptions, compare
from pentaglot.evaluate.page import comparison_page
from pentaglot.evaluate.randomisation import approximate_randomisation
from pentaglot.evaluate.report import Change, MetricReport, Report, SystemScore, Verdict
from pentaglot.evaluate.significance import Comparison, holm, paired_bootstrap
from pentaglot.evaluate.simulation import PRange, simulate
from pentaglot.evaluate.tables import to_latex, to_markdown

__all__ = [
    "Battery",
    "Change",
    "CompareOptions",
    "Comparison",
    "MetricReport",
    "PRange",
    "Report",
    "SystemScore",
    "Verdict",
    "approximate_randomisation",
    "compare",
    "comparison_page",
    "holm",
    "paired_bootstrap",
    "simulate",
    "to_latex",
    "to_markdown",
]
