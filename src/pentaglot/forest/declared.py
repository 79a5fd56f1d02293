"""What is known of a feature before any model has it; each room declares its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ["DeclaredFeature", "ValueKind", "Visibility", "fixed_weights", "usual_weights"]

Visibility = Literal["observable", "output", "latent"]
ValueKind = Literal["discrete", "continuous", "count", "probability", "log"]


@dataclass(frozen=True)
class DeclaredFeature:
    """A feature by name.

    `meaning` describes it in a few words, without markup. `weight` is a sensible one before tuning, relative to the
    others; systems may have their own. No tuner changes the weight of a feature that is not `tunable`. Features that
    are not `always` there are missing in some models. Those that are `per` corpus or language model are repeated for
    each further one, as `name@corpus`.

    `visibility` is what it depends on: the input alone (observable), the translation (output), or also on how it was
    derived (latent). It is `local` if a rule has it by itself, without looking at its neighbours; only local features
    can be cut into bins. `kind` is what its values are (Clark 2015, §2.3).
    """

    name: str
    group: str
    room: str  # that gives it
    meaning: str
    weight: float
    tunable: bool = True
    always: bool = True
    per: Literal["", "corpus", "language model"] = ""
    visibility: Visibility = "latent"
    local: bool = True
    kind: ValueKind = "continuous"


def usual_weights(features: Iterable[DeclaredFeature]) -> dict[str, float]:
    """Weights before tuning of the features to be tuned.

    >>> length = DeclaredFeature("length", "mine", "rules", "number of words", 0.5)
    >>> usual_weights([length, DeclaredFeature("wish", "mine", "search", "what was asked for", 1.0, tunable=False)])
    {'length': 0.5}
    """
    return {each.name: each.weight for each in features if each.tunable}


def fixed_weights(features: Iterable[DeclaredFeature]) -> dict[str, float]:
    """The weights that no tuner changes."""
    return {each.name: each.weight for each in features if not each.tunable}
