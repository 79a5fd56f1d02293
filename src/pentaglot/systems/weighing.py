"""The weights of a translator: what every search needs is among them, and nothing that no feature is there for."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from pentaglot.forest import Weights
from pentaglot.rules.features import (
    CORPUS_FEATURES,
    FOUND,
    INVERSE_ESTIMATE,
    LETTER_SCORE,
    SPELLING_DISTANCE,
    feature_space,
)
from pentaglot.search import DEFAULT_WEIGHTS, OPTIONAL_FEATURES, language_features

__all__ = [
    "CLASSES",
    "CLASS_WEIGHTS",
    "FALLBACK_WEIGHTS",
    "REMEMBERED_WEIGHT",
    "WITHOUT_CLASSES",
    "check_weights",
    "with_defaults",
]

_LOG = logging.getLogger(__name__)

# For each word of a remembered pair. No tuner changes it: there is nothing to be learnt about a person's own wish.
REMEMBERED_WEIGHT = 100.0

# The language model over word classes, which training makes, and weights for it; in a model without it that of words
# counts more.
CLASSES = "classes"
CLASS_WEIGHTS = dict(zip(language_features(CLASSES), (0.1, 0.0), strict=True))
WITHOUT_CLASSES = {"language_model": 0.3}

# For words that are treated like others, beside these weights of the language model and of a copy.
FALLBACK_WEIGHTS = {
    "spelt_alike": -0.5,
    "other_form": -1.0,
    "compound": -1.0,
    "from_lexicon": -2.0,
    "transliterated": -2.3,
    "spelling_distance": -2.0,
    "letter_score": 0.1,
}
_LANGUAGE_MODEL, _UNKNOWN = 0.3, -3.0


def with_defaults(weights: Mapping[str, float]) -> Weights:
    """With what the search wants, and what memory needs: far above what else a sentence can score, so that an added
    sentence is translated as it was added. Weights that were tuned before words were treated like others get what such
    words need."""
    return Weights(DEFAULT_WEIGHTS | {"remembered": REMEMBERED_WEIGHT} | _fallback_weights(weights) | dict(weights))


def _fallback_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """As large as the others are, and better than a copy by as much. The weight of a copy alone tells little: where
    there was no choice, no tuner had a reason to change it."""
    scale = max(weights.get("language_model", _LANGUAGE_MODEL) / _LANGUAGE_MODEL, 0.0)
    copy = weights.get("unknown", scale * _UNKNOWN)
    chosen = {name: copy + scale * (value - _UNKNOWN) for name, value in FALLBACK_WEIGHTS.items()}
    return chosen | {name: scale * FALLBACK_WEIGHTS[name] for name in (SPELLING_DISTANCE, LETTER_SCORE)}


def check_weights(weights: Mapping[str, float], further: Iterable[str] = (), *, indexed: bool = False) -> None:
    """Raises an error if there is a weight for a feature that neither every system has nor is among `further` ones.

    Those of further corpora are only mentioned: a model may be opened without a corpus that it was tuned with. Rules
    may be found in an index or in a table, and the same weights serve both; but for rules that are `indexed` the weight
    of what only tables have cannot stand for the weight of its estimate.

    >>> check_weights({"words": 0.5, "lenght": 1.0, "my own": 0.1}, ["length", "my own"])
    Traceback (most recent call last):
    pentaglot.errors.InputError: there is no feature 'lenght'; did you mean 'length'?
    """
    known = {*feature_space().names, *DEFAULT_WEIGHTS, *OPTIONAL_FEATURES, *further}
    absent = {name for name in weights if name not in known and _corpus_of(name)}
    for corpus in sorted({_corpus_of(name) for name in absent}):
        _LOG.warning("there are weights for a corpus '%s', which the model does not have", corpus)
    given = weights if isinstance(weights, Weights) else Weights(weights)
    given.check_known(known | absent)
    if indexed and "inverse" in given and INVERSE_ESTIMATE not in given:
        message = "rules from an index have no feature 'inverse', only an estimate of it"
        raise given.error("inverse", message, f"call it '{INVERSE_ESTIMATE}'")


def _corpus_of(name: str) -> str:
    feature, _, corpus = name.partition("@")
    return corpus if feature in (*CORPUS_FEATURES, FOUND) else ""
