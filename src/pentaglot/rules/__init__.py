"""Rules: finds the scored rules of a sentence in the indexed bitext or in a table."""

from pentaglot.rules.corpora import View
from pentaglot.rules.estimation import Estimate, estimate_table
from pentaglot.rules.extraction import LIMITS, ExtractionOptions, count_instances, extract_table
from pentaglot.rules.fallbacks import Fallback, StandIn
from pentaglot.rules.features import feature_space
from pentaglot.rules.filtering import filter_table
from pentaglot.rules.given_words import with_given_words
from pentaglot.rules.letters import Letters
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.source import FeatureHook, IndexRules, LatticeInput, RuleSource, SentenceRules
from pentaglot.rules.sparse import SparseFeatures
from pentaglot.rules.structure import Structure
from pentaglot.rules.table import Table
from pentaglot.rules.table_files import TextOptions, export_table, import_table
from pentaglot.rules.table_rules import TableRules
from pentaglot.rules.units import Unit, with_units

__all__ = [
    "LIMITS",
    "Estimate",
    "ExtractionOptions",
    "Fallback",
    "FeatureHook",
    "IndexRules",
    "LatticeInput",
    "Letters",
    "RuleOptions",
    "RuleSource",
    "SentenceRules",
    "SparseFeatures",
    "StandIn",
    "Structure",
    "Table",
    "TableRules",
    "TextOptions",
    "Unit",
    "View",
    "count_instances",
    "estimate_table",
    "export_table",
    "extract_table",
    "feature_space",
    "filter_table",
    "import_table",
    "with_given_words",
    "with_units",
]
