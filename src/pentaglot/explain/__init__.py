"""The room of explanations: why a translation is as it is, told, drawn and traced to the training sentences."""

from pentaglot.explain.curves import Bin, Fit, ResponseCurve, Turn, binned_curve
from pentaglot.explain.examples import Example
from pentaglot.explain.explanation import Explanation, explain
from pentaglot.explain.no_rule import NoRule, why_no_rule
from pentaglot.explain.nodes import Contribution, Evidence, Node
from pentaglot.explain.page import explanation_page
from pentaglot.explain.raster import to_png
from pentaglot.explain.rule_search import FoundRule, look_up
from pentaglot.explain.weight_picture import weight_picture
from pentaglot.explain.weights import FeatureWeight, WeightGroup, WeightReport, weight_groups

__all__ = [
    "Bin",
    "Contribution",
    "Evidence",
    "Example",
    "Explanation",
    "FeatureWeight",
    "Fit",
    "FoundRule",
    "NoRule",
    "Node",
    "ResponseCurve",
    "Turn",
    "WeightGroup",
    "WeightReport",
    "binned_curve",
    "explain",
    "explanation_page",
    "look_up",
    "to_png",
    "weight_groups",
    "weight_picture",
    "why_no_rule",
]
