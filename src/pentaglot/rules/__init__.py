"""Rules: finds the scored rules of a sentence in the indexed bitext or in a table."""

from pentaglot.rules.corpora import View
from pentaglot.rules.estimation import Estimate, estimate_table
from pentaglot.rules.extraction import count_instances, extract_table
from pentaglot.rules.extraction_options import LIMITS, ExtractionOptions
from pentaglot.rules.fallbacks import Fallback, StandIn
from pentaglot.rules.features import feature_space
from pentaglot.rules.filtering import filter_table
from pentaglot.rules.fitting import FittingContext, fit_induction
from pentaglot.rules.given_words import with_given_words
from pentaglot.rules.inducing import Inducer
from pentaglot.rules.induction import Induction
from pentaglot.rules.induction_file import open_induction, save_induction
from pentaglot.rules.letters import Letters
from pentaglot.rules.operator_tables import operators_from, read_operators
from pentaglot.rules.operators import Operator
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.sentence_rules import LatticeInput, SentenceRules
from pentaglot.rules.source import FeatureHook, IndexRules, RuleSource
from pentaglot.rules.sparse import SparseFeatures
from pentaglot.rules.structure import Structure
from pentaglot.rules.table import Table
from pentaglot.rules.table_files import export_table, import_table
from pentaglot.rules.table_formats import TextOptions
from pentaglot.rules.table_rules import TableRules
from pentaglot.rules.units import Unit, with_units
from pentaglot.rules.word_choice import WordChoice

__all__ = [
    "LIMITS",
    "Estimate",
    "ExtractionOptions",
    "Fallback",
    "FeatureHook",
    "FittingContext",
    "IndexRules",
    "Inducer",
    "Induction",
    "LatticeInput",
    "Letters",
    "Operator",
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
    "WordChoice",
    "count_instances",
    "estimate_table",
    "export_table",
    "extract_table",
    "feature_space",
    "filter_table",
    "fit_induction",
    "import_table",
    "open_induction",
    "operators_from",
    "read_operators",
    "save_induction",
    "with_given_words",
    "with_units",
]
