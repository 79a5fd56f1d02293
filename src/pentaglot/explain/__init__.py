"""The room of explanations: why a translation is as it is, told, drawn and traced to the training sentences."""

from pentaglot.explain.examples import Example
from pentaglot.explain.explanation import Explanation, explain
from pentaglot.explain.no_rule import NoRule, why_no_rule
from pentaglot.explain.nodes import Contribution, Evidence, Node
from pentaglot.explain.page import explanation_page
from pentaglot.explain.rule_search import FoundRule, look_up

__all__ = [
    "Contribution",
    "Evidence",
    "Example",
    "Explanation",
    "FoundRule",
    "NoRule",
    "Node",
    "explain",
    "explanation_page",
    "look_up",
    "why_no_rule",
]
