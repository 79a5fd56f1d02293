"""The room of search: builders of forests from a sentence and its rules, by chart or by stacks."""

from pentaglot.search.constraint import add_given_words, prefix_constraint, reference_constraint
from pentaglot.search.languages import LanguageUse, language_features
from pentaglot.search.searcher import (
    Cancellation,
    Constrained,
    Found,
    Searcher,
    SearchOptions,
)
from pentaglot.search.units import Unit, with_units
from pentaglot.search.word_classes import WordClasses

__all__ = [
    "Cancellation",
    "Constrained",
    "Found",
    "LanguageUse",
    "SearchOptions",
    "Searcher",
    "Unit",
    "WordClasses",
    "add_given_words",
    "language_features",
    "prefix_constraint",
    "reference_constraint",
    "with_units",
]
