"""`FittingContext`: what operators are fitted with, besides rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import Text
from pentaglot.forest import DeclaredFeature, FeatureSpace
from pentaglot.rules.features import FEATURES
from pentaglot.rules.induced import WordClassMaps
from pentaglot.rules.inducing import LanguageIds

__all__ = ["FittingContext"]


@dataclass(frozen=True)
class FittingContext:
    """What operators are fitted with, besides rules: the `space` of their features; all `declared` features; those to
    multiply by domains unless others are named (`dense`); the words that the language model knows; how to find word
    classes; and the target side of the training `text`. Hooks may give `undeclared` features."""

    space: FeatureSpace
    declared: Mapping[str, DeclaredFeature] = field(default_factory=lambda: FEATURES)
    dense: Sequence[str] = ()
    language_ids: LanguageIds | None = None
    find_classes: Callable[[int], WordClassMaps] | None = None
    text: tuple[Text, Vocabulary] | None = None
    undeclared: bool = False
