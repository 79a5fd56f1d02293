"""What is known of a feature before any model has it: a room declares each of its own once, for all who ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ["DeclaredFeature", "fixed_weights", "usual_weights"]


@dataclass(frozen=True)
class DeclaredFeature:
    """A feature by name.

    `meaning` says in a few words, without markup, what it tells. `weight` is a sensible one before tuning, beside those
    of the others; systems may have their own. No tuner changes the weight of a feature that is not `tunable`. Not all
    models have those that are not there `always`. Each further corpus or language model gives those that are `per` such
    a thing anew, as `name@corpus`.
    """

    name: str
    group: str
    room: str  # that gives it
    meaning: str
    weight: float
    tunable: bool = True
    always: bool = True
    per: Literal["", "corpus", "language model"] = ""


def usual_weights(features: Iterable[DeclaredFeature]) -> dict[str, float]:
    """Weights before tuning, of those features that have to be tuned.

    >>> length = DeclaredFeature("length", "mine", "rules", "number of words", 0.5)
    >>> usual_weights([length, DeclaredFeature("wish", "mine", "search", "what was asked for", 1.0, tunable=False)])
    {'length': 0.5}
    """
    return {each.name: each.weight for each in features if each.tunable}


def fixed_weights(features: Iterable[DeclaredFeature]) -> dict[str, float]:
    """The weights that no tuner changes."""
    return {each.name: each.weight for each in features if not each.tunable}
