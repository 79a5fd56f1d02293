"""The room of rules: from occurrences in the indexed bitext, or from explicit tables, to a sentence's scored rules."""

from pentaglot.rules.features import feature_space
from pentaglot.rules.source import FeatureHook, IndexRules, RuleOptions, SentenceRules

__all__ = ["FeatureHook", "IndexRules", "RuleOptions", "SentenceRules", "feature_space"]
