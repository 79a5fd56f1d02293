"""Search: builds a forest of translations from the rules of a sentence, by chart or by stacks."""

from pentaglot.search.constraint import prefix_constraint, reference_constraint
from pentaglot.search.edges import origin_of
from pentaglot.search.languages import LanguageUse, language_features
from pentaglot.search.ngrams import NgramUse, TriggerUse
from pentaglot.search.searcher import (
    USUAL_DISTORTION_LIMIT,
    Cancellation,
    Found,
    Searcher,
    SearchOptions,
)
from pentaglot.search.word_classes import WordClasses

__all__ = [
    "USUAL_DISTORTION_LIMIT",
    "Cancellation",
    "Found",
    "LanguageUse",
    "NgramUse",
    "SearchOptions",
    "Searcher",
    "TriggerUse",
    "WordClasses",
    "language_features",
    "origin_of",
    "prefix_constraint",
    "reference_constraint",
]
