"""The names of the features that rules and searches give, in the order of their ids."""

from __future__ import annotations

from pentaglot.forest import FeatureSpace

__all__ = [
    "COPY_FEATURES",
    "CORPUS_FEATURES",
    "FALLBACK_FEATURES",
    "FOUND",
    "INVERSE_ESTIMATE",
    "LETTER_SCORE",
    "MEMORY_FEATURES",
    "REORDERING_FEATURES",
    "RULE_FEATURES",
    "SEARCH_FEATURES",
    "SPELLING_DISTANCE",
    "TABLE_FEATURES",
    "corpus_feature",
    "feature_space",
    "features_of_corpus",
]

# What collecting rules from an index gives; see core/rules/collector.hpp.
RULE_FEATURES = ("translation", "coherence", "lexical_target", "lexical_source", "seen_once", "rules", "words")
# What a suffix array of the target side adds; see core/rules/inverse.hpp.
INVERSE_ESTIMATE = "inverse_estimate"
# What only tables have: the same chance exactly. It has another name, because it has other values and another weight.
TABLE_FEATURES = ("inverse",)
# Those that each further corpus gives anew, and one that says whether a corpus has the rule.
CORPUS_FEATURES = ("translation", "coherence", "lexical_target", "lexical_source", "seen_once", INVERSE_ESTIMATE)
FOUND = "found"
# What a remembered sentence gives; see core/rules/remembered.hpp.
MEMORY_FEATURES = ("remembered", "rules", "words")
COPY_FEATURES = ("unknown", "copied", "rules", "words")
# What words without a rule get from words that stand in for them, by the kind of fallback; see fallbacks.py. And how
# far apart the two are spelt.
FALLBACK_FEATURES = {
    "alike": "spelt_alike",
    "forms": "other_form",
    "compounds": "compound",
    "lexicon": "from_lexicon",
    "letters": "transliterated",
}
SPELLING_DISTANCE = "spelling_distance"
# How likely it is that a word is spelt so in the letters of the other language; see letters.py.
LETTER_SCORE = "letter_score"
SEARCH_FEATURES = ("language_model", "glue", "distortion")
REORDERING_FEATURES = (
    "before_monotone",
    "before_swapped",
    "before_discontinuous",
    "after_monotone",
    "after_swapped",
    "after_discontinuous",
)


def feature_space() -> FeatureSpace:
    """A new space with all of them; a researcher's own features come after.

    >>> feature_space().names[:3]
    ['translation', 'coherence', 'lexical_target']
    """
    space = FeatureSpace()
    for group, names in (
        ("rule", (*RULE_FEATURES, INVERSE_ESTIMATE, *TABLE_FEATURES)),
        ("copy", COPY_FEATURES),
        ("fallback", (*FALLBACK_FEATURES.values(), SPELLING_DISTANCE, LETTER_SCORE)),
        ("memory", MEMORY_FEATURES),
        ("search", SEARCH_FEATURES),
        ("reordering", REORDERING_FEATURES),
    ):
        for name in names:
            space.add(name, group=group)
    return space


def corpus_feature(name: str, corpus: str) -> str:
    """The name of a feature that a further corpus gives.

    >>> corpus_feature("translation", "news")
    'translation@news'
    """
    return f"{name}@{corpus}"


def features_of_corpus(corpus: str) -> list[str]:
    """The names of all features that a further corpus gives."""
    return [corpus_feature(name, corpus) for name in (*CORPUS_FEATURES, FOUND)]
