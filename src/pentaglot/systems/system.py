"""`System`: everything that makes one kind of translation system differ from another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pentaglot.errors import OptionError
from pentaglot.forest import DeclaredFeature, FeatureSpace, usual_weights
from pentaglot.rules import FeatureHook, IndexRules, RuleOptions, RuleSource, TableRules
from pentaglot.rules.features import FEATURES, WORD_CHOICE
from pentaglot.search import SearchOptions

if TYPE_CHECKING:
    from pentaglot.steps import Step
    from pentaglot.systems.model import Model
    from pentaglot.systems.recipe import Recipe

__all__ = ["System", "no_steps", "rules_of_model"]


def rules_of_model(
    model: Model, features: FeatureSpace, options: RuleOptions, hooks: Sequence[FeatureHook]
) -> RuleSource:
    """The rule source of a model: its index, or its table if it has one."""
    placeables = model.source_tokenizer.recogniser
    found: RuleSource
    if model.table is not None:
        found = TableRules(model.table, features, options, hooks, placeables, model.letters)
    else:
        found = IndexRules(
            model.additions,
            features,
            options,
            hooks,
            corpora=model.corpora,
            placeables=placeables,
            letters=model.letters,
        )
    if model.choice is not None:
        for name in WORD_CHOICE:
            features.add(name, group="choice")
        found.choice = model.choice
    return found


def no_steps(recipe: Recipe) -> Iterable[Step]:
    """No training steps besides those of every system."""
    return ()


@dataclass(frozen=True)
class System:
    """A kind of translation system.

    `rules` and `search` are its default options. `features` are all its features, with initial weights:
    declared ones (see `features_of`) and its own, from its `hooks` or its `source`. `source` makes the rule source of a
    model. `steps` are training steps besides those of every system; their results are part of the model directory, and
    tuning waits for them. `needs` are the layers that a source sentence must have (such as `head`). A line of more than
    `longest` words is translated in parts. `labels` are those that its rules may have, if that is known: options of the
    search that name others are refused.
    """

    name: str
    about: str  # a short description
    features: tuple[DeclaredFeature, ...]
    rules: RuleOptions = field(default_factory=RuleOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    hooks: tuple[FeatureHook, ...] = ()
    source: Callable[[Model, FeatureSpace, RuleOptions, Sequence[FeatureHook]], RuleSource] = rules_of_model
    steps: Callable[[Recipe], Iterable[Step]] = no_steps
    longest: int = 100
    needs: tuple[str, ...] = ()
    labels: tuple[int, ...] | None = None

    @property
    def declared(self) -> dict[str, DeclaredFeature]:
        """All declared features, its own among them."""
        return FEATURES | {each.name: each for each in self.features}

    def check_labels(self, search: SearchOptions, *, path: str | os.PathLike[str] | None = None) -> None:
        """Raises an error if the options of a search name a label that no rule has; `path` says where they were read.

        >>> from pentaglot.systems import find_system
        >>> find_system("phrase").check_labels(SearchOptions(glue_labels=(0, 7)))
        Traceback (most recent call last):
        pentaglot.errors.OptionError: 'glue_labels' has 7, but rules of 'phrase' have no such label; theirs: 0
        """
        known = self.labels
        if known is None:
            return
        for name in ("glue_labels", "start_labels"):
            for label in getattr(search, name):
                if label not in known:
                    message = f"'{name}' has {label}, but rules of '{self.name}' have no such label"
                    raise OptionError(message, path=path, hint=f"theirs: {', '.join(map(str, known))}")

    @property
    def weights(self) -> dict[str, float]:
        """The weights before tuning."""
        return usual_weights(self.features)
