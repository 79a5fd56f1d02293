"""The room of rules: from occurrences in the indexed bitext, or from explicit tables, to a sentence's scored rules."""

from pentaglot.rules.extraction import ExtractionOptions, count_instances, extract_table
from pentaglot.rules.features import feature_space
from pentaglot.rules.source import FeatureHook, IndexRules, RuleOptions, SentenceRules
from pentaglot.rules.table import Table
from pentaglot.rules.table_files import TextOptions, export_table, import_table

__all__ = [
    "ExtractionOptions",
    "FeatureHook",
    "IndexRules",
    "RuleOptions",
    "SentenceRules",
    "Table",
    "TextOptions",
    "count_instances",
    "export_table",
    "extract_table",
    "feature_space",
    "import_table",
]
