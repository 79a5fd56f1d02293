"""The room of rules: from occurrences in the indexed bitext, or from explicit tables, to a sentence's scored rules."""

from pentaglot.rules.corpora import View
from pentaglot.rules.features import feature_space
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.source import FeatureHook, IndexRules, SentenceRules

__all__ = ["FeatureHook", "IndexRules", "RuleOptions", "SentenceRules", "View", "feature_space"]
