"""All features of rules and searches, declared once, in the order of their ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pentaglot.forest import DeclaredFeature, FeatureSpace
from pentaglot.forest.declared import ValueKind

__all__ = [
    "CLASSES",
    "COPY_FEATURES",
    "CORPUS_FEATURES",
    "FALLBACK_FEATURES",
    "FEATURES",
    "FOUND",
    "INVERSE_ESTIMATE",
    "LETTER_SCORE",
    "MEMORY_FEATURES",
    "ORDER",
    "REORDERING_FEATURES",
    "RULE_FEATURES",
    "SPELLING_DISTANCE",
    "TABLE_FEATURES",
    "TABLE_GROUP",
    "WORD_CHOICE",
    "corpus_feature",
    "declared_feature",
    "feature_space",
    "features_of",
    "features_of_corpus",
    "meaning_of",
]


def _rule(name: str, meaning: str, weight: float, kind: ValueKind = "count", **others: Any) -> DeclaredFeature:
    return DeclaredFeature(name, "rule", "rules", meaning, weight, kind=kind, **others)


def _counted(name: str, meaning: str, weight: float, kind: ValueKind = "log") -> DeclaredFeature:
    return _rule(name, meaning, weight, kind, per="corpus")


def _fallback(name: str, meaning: str, weight: float, kind: ValueKind = "discrete") -> DeclaredFeature:
    return DeclaredFeature(name, "fallback", "rules", meaning, weight, kind=kind)


def _search(name: str, meaning: str, weight: float, kind: ValueKind = "count", **others: Any) -> DeclaredFeature:
    return DeclaredFeature(name, "search", "search", meaning, weight, local=False, kind=kind, **others)


# The weights were tuned on two corpora, rounded, and moved towards each other so that two more corpora do well, too, on
# their development sets.

# Features of rules collected from an index; see core/rules/collector.hpp.
_COLLECTED = (
    _counted("translation", "how often the source side was translated this way", 0.33),
    _counted("coherence", "how often the source side had a translation that could be cut out", 0.17),
    _counted("lexical_target", "how well the single words fit: target words given source words", 0.08),
    _counted("lexical_source", "how well the single words fit: source words given target words", 0.08),
    _counted("seen_once", "the rule was seen only once", -0.75, "discrete"),
    _rule("rules", "number of rules: fewer means larger pieces", 0.0),
    _rule("words", "number of words in the translation", 0.7, visibility="output"),
)
# Computed from a suffix array of the target side; see core/rules/inverse.hpp.
_ESTIMATED = _counted("inverse_estimate", "how often the target side translates this source side, estimated", 0.17)
# Only in tables: the same probability, exactly. It has its own name because its values and its weight differ.
_TABULATED = _rule("inverse", "how often the target side translates this source side, from a table", 0.17, "log")
_COPIED = (
    DeclaredFeature("unknown", "copy", "rules", "a word without a rule of its own", -3.0, kind="count"),
    DeclaredFeature("copied", "copy", "rules", "a number, an address or the like that was copied", -0.3, kind="count"),
)
# For words without a rule, by the kind of fallback; see fallbacks.py.
_FALLBACKS = {
    "alike": _fallback("spelt_alike", "a word without a rule, treated like one with other capitals or accents", -0.5),
    "forms": _fallback("other_form", "a word without a rule, treated like another form of it", -1.0),
    "compounds": _fallback("compound", "a word without a rule, translated by its parts", -1.0),
    "lexicon": _fallback("from_lexicon", "a word without a rule, translated by the words it is linked to", -2.0),
    "letters": _fallback("transliterated", "a word without a rule, spelt in the letters of the other language", -2.3),
    "placeables": _fallback("other_placeable", "a number or placeholder never seen, treated like another one", -0.3),
}
_SPELLING = _fallback(
    "spelling_distance", "how far the spelling of a word is from the form it is treated like", -2.0, "continuous"
)
_LETTERS = _fallback("letter_score", "how likely this spelling is in the letters of the other language", 0.1, "log")
# Learnt from whole sentences; see word_choice.py.
_CHOSEN = (
    DeclaredFeature(
        "word_choice",
        "choice",
        "rules",
        "how much more the words of the input call for those of the translation",
        0.1,
        always=False,
    ),
    DeclaredFeature(
        "word_chance",
        "choice",
        "rules",
        "how likely the words of the translation are, given all words of the input",
        0.05,
        always=False,
        kind="log",
    ),
)
# For remembered sentences; see core/rules/remembered.hpp. The weight is far above any other score of a sentence, and is
# not tuned: it stands for what the user wants.
_REMEMBERED = DeclaredFeature(
    "remembered", "memory", "rules", "number of words in an added sentence pair", 100.0, tunable=False, kind="count"
)
_SEARCHED = (
    _search("language_model", "how well the translation reads", 0.25, "log", visibility="output", per="language model"),
    _search("glue", "pieces joined one after the other", -0.3),
    _search("distortion", "source words that were jumped over", -0.08),
)
_REORDERED = tuple(
    DeclaredFeature(
        f"{side}_{order}",
        "reordering",
        "search",
        f"how often the phrase {said} in the source",
        weight,
        local=False,
        kind="log",
    )
    for side, order, said, weight in (
        ("before", "monotone", "comes just after the one translated before it", 0.1),
        ("before", "swapped", "comes just before the one translated before it", 0.15),
        ("before", "discontinuous", "is not beside the one translated before it", 0.22),
        ("after", "monotone", "comes just before the one translated after it", 0.2),
        ("after", "swapped", "comes just after the one translated after it", 0.15),
        ("after", "discontinuous", "is not beside the one translated after it", 0.2),
    )
)
_WISHED = (
    _search("input", "scores of the words in an input lattice", 1.0, "continuous", tunable=False),
    _search("given", "words of a given beginning that no rule could produce", -10.0, tunable=False),
)
ORDER = "order"  # of the words of the input, in a lattice of several
PRECEDENCE = "precedence"  # of the words of the input as typed, in the order of their translation
# Only in searches that have a weight for them; see core/search/features.
_OPTIONAL = (
    _search(
        ORDER,
        "pairs of words that the order chosen in a lattice is expected to put wrong, below 0",
        0.1,
        "continuous",
        always=False,
    ),
    _search(
        PRECEDENCE,
        "pairs of words translated against the order that they are expected in, below 0",
        0.3,
        "continuous",
        always=False,
    ),
    _search("repeated_words", "words that repeat the word before them", 0.0, visibility="output", always=False),
    _search("phrase_gaps", "words between those of a phrase that do not belong to it", 0.0, always=False),
)
# Only for further language models.
_NEW = _search(
    "language_model_unknown",
    "words that the language model does not know",
    0.0,
    visibility="output",
    always=False,
    per="language model",
)
# The language model over word classes that training makes is one of them.
CLASSES = "classes"
_CLASS_FEATURES: tuple[tuple[str, str, float, ValueKind], ...] = (
    ("language_model", "how well classes of words follow each other in the translation", 0.1, "log"),
    ("language_model_unknown", "words of the translation that have no class", 0.0, "count"),
)
_CLASSED = tuple(
    DeclaredFeature(
        f"{name}@{CLASSES}",
        "classes",
        "search",
        meaning,
        weight,
        always=False,
        visibility="output",
        local=False,
        kind=kind,
    )
    for name, meaning, weight, kind in _CLASS_FEATURES
)
# Only in models with further corpora, one for each corpus.
_FOUND = DeclaredFeature(
    "found", "corpus", "rules", "the corpus has the rule", 0.0, always=False, per="corpus", kind="discrete"
)

_ALL = (
    *_COLLECTED,
    _ESTIMATED,
    _TABULATED,
    *_COPIED,
    *_FALLBACKS.values(),
    _SPELLING,
    _LETTERS,
    *_CHOSEN,
    _REMEMBERED,
    *_SEARCHED,
    *_REORDERED,
    *_WISHED,
    *_OPTIONAL,
    _NEW,
    *_CLASSED,
    _FOUND,
)
FEATURES = {each.name: each for each in _ALL}

# The names of each group, in the order in which it is computed.
RULE_FEATURES = tuple(each.name for each in _COLLECTED)
INVERSE_ESTIMATE, FOUND = _ESTIMATED.name, _FOUND.name
WORD_CHOICE = tuple(each.name for each in _CHOSEN)
SPELLING_DISTANCE, LETTER_SCORE = _SPELLING.name, _LETTERS.name
TABLE_FEATURES = (_TABULATED.name,)
TABLE_GROUP = "table"  # of the scores that only a table of another toolkit has
MEMORY_FEATURES = (_REMEMBERED.name, "rules", "words")
COPY_FEATURES = (*(each.name for each in _COPIED), "rules", "words")
FALLBACK_FEATURES = {kind: each.name for kind, each in _FALLBACKS.items()}
REORDERING_FEATURES = tuple(each.name for each in _REORDERED)
# The features that each further corpus has again, except `found`.
CORPUS_FEATURES = tuple(each.name for each in _ALL if each.per == "corpus" and each.always)


def feature_space() -> FeatureSpace:
    """A new space with the features that every model has; your own features come after them.

    >>> feature_space().names[:3]
    ['translation', 'coherence', 'lexical_target']
    """
    space = FeatureSpace()
    for each in _ALL:
        if each.always:
            space.add(each.name, group=each.group)
    return space


def features_of(*names: str) -> tuple[DeclaredFeature, ...]:
    """Declared features by group or by name, in the order of their ids.

    >>> [each.name for each in features_of("distortion", "copy")]
    ['unknown', 'copied', 'distortion']
    """
    return tuple(each for each in FEATURES.values() if each.group in names or each.name in names)


def declared_feature(name: str, declared: Mapping[str, DeclaredFeature] = FEATURES) -> DeclaredFeature | None:
    """A declared feature by name, also that of a further corpus or language model; None if there is none.

    >>> found = declared_feature("lexical_target@news")
    >>> found and (found.kind, found.local, found.visibility)
    ('log', True, 'latent')
    """
    if name in declared:
        return declared[name]
    plain, _, corpus = name.partition("@")
    known = declared.get(plain)
    return None if known is None or (corpus and not known.per) else known


def meaning_of(name: str) -> str:
    """The meaning of a feature in a few words; empty if it is not declared.

    >>> meaning_of("words"), meaning_of("seen_once@news"), meaning_of("mine")
    ('number of words in the translation', 'the rule was seen only once (news)', '')
    """
    known = declared_feature(name)
    if known is None or known.name == name:
        return "" if known is None else known.meaning
    return f"{known.meaning} ({name.partition('@')[2]})"


def corpus_feature(name: str, corpus: str) -> str:
    """The name of a feature of a further corpus.

    >>> corpus_feature("translation", "news")
    'translation@news'
    """
    return f"{name}@{corpus}"


def features_of_corpus(corpus: str) -> list[str]:
    """The names of all features of a further corpus."""
    return [corpus_feature(name, corpus) for name in (*CORPUS_FEATURES, FOUND)]
