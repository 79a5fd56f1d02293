"""The room of search: builders of forests from a sentence and its rules, by chart or by stacks."""

from pentaglot.search.constraint import add_given_words, prefix_constraint, reference_constraint
from pentaglot.search.searcher import (
    DEFAULT_WEIGHTS,
    Cancellation,
    Constrained,
    Found,
    Searcher,
    SearchOptions,
)
from pentaglot.search.units import Unit, with_units

__all__ = [
    "DEFAULT_WEIGHTS",
    "Cancellation",
    "Constrained",
    "Found",
    "SearchOptions",
    "Searcher",
    "Unit",
    "add_given_words",
    "prefix_constraint",
    "reference_constraint",
    "with_units",
]
