"""Checks and completes the weights of a translator."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping

from pentaglot.forest import DeclaredFeature, FeatureSpace, Weights, fixed_weights, usual_weights
from pentaglot.rules.features import FALLBACK_FEATURES, FEATURES, INVERSE_ESTIMATE, features_of

__all__ = ["CLASS_WEIGHTS", "WITHOUT_CLASSES", "check_weights", "with_defaults"]

_LOG = logging.getLogger(__name__)

# The weight of the language model over word classes, which training makes. Without it, that of the words counts more.
CLASS_WEIGHTS = usual_weights(features_of("classes"))
WITHOUT_CLASSES = {"language_model": 0.3}
_LONGEST = 1e9  # times as long as usual


def with_defaults(weights: Mapping[str, float], features: Iterable[DeclaredFeature] = FEATURES.values()) -> Weights:
    """Adds the weights that no tuner changes: those of memory, the search and other `features`. Older weights also get
    those of fallbacks."""
    return fixed_weights(features) | _fallback_weights(weights) | Weights(weights)


def _fallback_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights of fallbacks, scaled like the others, and better than a copy by as much. The weight of a copy alone tells
    little: where there was no choice, no tuner had a reason to change it."""
    usual, unknown = FEATURES["language_model"].weight, FEATURES["unknown"].weight
    usual = usual if any(name in weights for name in CLASS_WEIGHTS) else WITHOUT_CLASSES["language_model"]
    # What is too large to search with is told of the weight that was given, not of one of these.
    scale = min(max(weights.get("language_model", usual) / usual, 0.0), _LONGEST)
    copy = weights.get("unknown", scale * unknown)
    in_place_of_a_copy = set(FALLBACK_FEATURES.values())  # the others rate the guess
    return {
        each.name: copy + scale * (each.weight - unknown) if each.name in in_place_of_a_copy else scale * each.weight
        for each in features_of("fallback")
    }


def check_weights(
    weights: Mapping[str, float], further: FeatureSpace | Iterable[str] = (), *, indexed: bool = False
) -> None:
    """Raises an error if there is a weight for a feature that not every system has and that is not `further`.

    For further corpora there is only a warning: a model may be opened without a corpus that it was tuned with. The same
    weights serve an index and a table; but with `indexed` rules, the weight of `inverse`, which only tables have,
    cannot replace that of its estimate.

    >>> check_weights({"words": 0.5, "lenght": 1.0, "my own": 0.1}, ["length", "my own"])
    Traceback (most recent call last):
    pentaglot.errors.InputError: there is no feature 'lenght'; did you mean 'length'?
    """
    given, space = Weights(weights), further if isinstance(further, FeatureSpace) else FeatureSpace(further)
    usual = [each.name for each in FEATURES.values() if each.always or not each.per]
    unknown = set(given.unknown_to(space)).difference(usual)
    absent = {name for name in unknown if _corpus_of(name)}
    for corpus in sorted({_corpus_of(name) for name in absent}):
        _LOG.warning("there are weights for a corpus '%s', which the model does not have", corpus)
    if unknown - absent:
        first = next(name for name in given if name in unknown - absent)
        if "=" in first:  # of a file of weights that was copied alone
            hint = "if it was induced, the directory FILE.induction must be beside the FILE of its weights"
            raise given.error(first, f"there is no feature '{first}'", hint)
        given.check_known([*space.names, *usual, *absent])
    # Bins may stand in its place, or its probability.
    estimated = any(re.split("[=(]", name)[0] == INVERSE_ESTIMATE for name in given)
    if indexed and "inverse" in given and not estimated:
        message = "rules from an index have no feature 'inverse', only an estimate of it"
        raise given.error("inverse", message, f"call it '{INVERSE_ESTIMATE}'")


def _corpus_of(name: str) -> str:
    feature, _, corpus = name.partition("@")
    return corpus if feature in FEATURES and FEATURES[feature].per == "corpus" else ""
