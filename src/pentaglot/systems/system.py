"""`System`: all that makes one way to translate differ from another, in one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pentaglot.forest import DeclaredFeature, FeatureSpace, usual_weights
from pentaglot.rules import FeatureHook, IndexRules, RuleOptions, RuleSource, TableRules
from pentaglot.search import SearchOptions

if TYPE_CHECKING:
    from pentaglot.steps import Step
    from pentaglot.systems.model import Model
    from pentaglot.systems.recipe import Recipe

__all__ = ["System", "no_steps", "rules_of_model"]


def rules_of_model(
    model: Model, features: FeatureSpace, options: RuleOptions, hooks: Sequence[FeatureHook]
) -> RuleSource:
    """Rules from the index of a model, or from its table if it has one."""
    placeables = model.source_tokenizer.recogniser
    if model.table is not None:
        return TableRules(model.table, features, options, hooks, placeables, model.letters)
    return IndexRules(
        model.additions,
        features,
        options,
        hooks,
        corpora=model.corpora,
        placeables=placeables,
        letters=model.letters,
    )


def no_steps(recipe: Recipe) -> Iterable[Step]:
    """Nothing is trained but what every system has."""
    return ()


@dataclass(frozen=True)
class System:
    """One way to translate.

    `rules` and `search` are its options unless others are given. `features` are all that it has, with weights
    to begin with: declared ones (see `features_of`) and its own, which its `hooks` or its `source` give. `source` makes
    the rule source of a model. `steps` are done in training besides those of every system; what they make is part of
    the model directory, and tuning waits for it. `needs` are the layers that a source sentence must have (`head`, say);
    without them it is refused. A line of more than `longest` words is translated in parts.
    """

    name: str
    about: str  # in a few words, for people
    features: tuple[DeclaredFeature, ...]
    rules: RuleOptions = field(default_factory=RuleOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    hooks: tuple[FeatureHook, ...] = ()
    source: Callable[[Model, FeatureSpace, RuleOptions, Sequence[FeatureHook]], RuleSource] = rules_of_model
    steps: Callable[[Recipe], Iterable[Step]] = no_steps
    longest: int = 100
    needs: tuple[str, ...] = ()

    @property
    def weights(self) -> dict[str, float]:
        """Those before tuning."""
        return usual_weights(self.features)
