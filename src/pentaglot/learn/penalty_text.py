"""Penalties as they are written on the command line: `monotone=100`, `oscar=1e-6,3e-8@pair`, `l2=5,@rule+search`.

A name, an equals sign and one or two strengths; then settings that only this penalty has, separated by commas; and
after an @ the groups of features that it is for, joined by +. The groups `dense` and `induced` are all features that
were declared, and all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureStructure
from pentaglot.learn.isotonic import NearlyIsotonic, chains_of
from pentaglot.learn.neighbours import Complexity, LinearNeighbours, MonotoneNeighbours
from pentaglot.learn.penalties import Absolute, ElasticNet, GroupLasso, Largest, Oscar, Partly, Penalty, Squared
from pentaglot.options import suggestion
from pentaglot.rules.features import declared_feature

__all__ = ["GivenPenalty", "chosen_penalties", "read_penalty"]

DENSE, INDUCED = "dense", "induced"


@dataclass(frozen=True)
class GivenPenalty:
    """A penalty as it was written.

    >>> read_penalty("monotone=100,power=3@count")
    GivenPenalty(name='monotone', strengths=(100.0,), settings={'power': 3.0}, groups=('count',))
    """

    name: str
    strengths: tuple[float, ...]
    settings: Mapping[str, float] = field(default_factory=dict)
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Around:
    """What a penalty is made for: the structure of the features, which of them it is for, and how many there were in
    the first round."""

    structure: FeatureStructure
    places: NDArray[np.int64] | None  # None: all
    features: int


@dataclass(frozen=True)
class _Kind:
    """How many strengths a penalty takes, what settings it has, and how it is made."""

    strengths: int
    make: Callable[[GivenPenalty, _Around], Penalty]
    settings: tuple[str, ...] = ()
    structured: bool = False  # it chooses its features itself, from the structure


def read_penalty(text: str) -> GivenPenalty:
    """Reads a penalty; the error says what is wrong with it."""
    name, equals, rest = text.partition("=")
    if name not in _KINDS:
        raise OptionError(f"there is no penalty '{name}'", hint=suggestion(name, _KINDS))
    kind = _KINDS[name]
    values, _, groups = rest.partition("@")
    parts = [part for part in values.split(",") if part] if equals else []
    strengths = [_number(part, text) for part in parts[: kind.strengths]]
    if len(strengths) < kind.strengths or (groups == "" and "@" in rest):
        wanted = ",".join(["STRENGTH"] * kind.strengths)
        raise OptionError(f"the penalty '{text}' lacks a strength or a group", hint=f"write {name}={wanted}[@GROUP]")
    settings: dict[str, float] = {}
    for part in parts[kind.strengths :]:
        key, given, value = part.partition("=")
        if key not in kind.settings:
            known = ", ".join(kind.settings) or "none"
            raise OptionError(f"the penalty '{name}' has no setting '{part}'", hint=f"known: {known}")
        settings[key] = _number(value, text) if given else 1.0
    return GivenPenalty(name, tuple(strengths), settings, tuple(filter(None, groups.split("+"))))


def _number(text: str, whole: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise OptionError(f"'{text}' in the penalty '{whole}' is not a number from 0 on")
    return value


def chosen_penalties(texts: Sequence[str], structure: FeatureStructure, features: int) -> list[Penalty]:
    """The penalties that are written, on features with this structure. `features` is how many there were in the first
    round, for penalties that depend on it."""
    members = _members(structure) if texts else {}
    return [_made(read_penalty(each), structure, members, features) for each in texts]


def _made(
    given: GivenPenalty, structure: FeatureStructure, members: Mapping[str, NDArray[np.int64]], features: int
) -> Penalty:
    for group in given.groups:
        if group not in members:
            raise OptionError(f"there is no group of features '{group}'", hint=suggestion(group, members))
    kind = _KINDS[given.name]
    places = np.unique(np.concatenate([members[each] for each in given.groups])) if given.groups else None
    made = kind.make(given, _Around(structure, places, features))
    return made if kind.structured or places is None else Partly(made, places)


def _members(structure: FeatureStructure) -> dict[str, NDArray[np.int64]]:
    dense = np.array([declared_feature(name) is not None for name in structure.names], np.bool_)
    found = {name: np.asarray(places, np.int64) for name, places in structure.groups.items()}
    return found | {DENSE: np.flatnonzero(dense), INDUCED: np.flatnonzero(~dense)}


# How each is made.


def _oscar(given: GivenPenalty, around: _Around) -> Penalty:
    asked = int(given.settings.get("features", 0))
    if around.places is None:
        first = around.features
    else:  # of the first round: lists number features in the order in which they come up
        first = int((around.places < around.features).sum())
    single, pairwise = given.strengths
    return Oscar(single, pairwise, asked or first, given.name == "oscar-groups")


def _group_lasso(given: GivenPenalty, around: _Around) -> Penalty:
    """Each group has its strength, times the root of its size if that is asked for."""
    groups = _members(around.structure)
    names = given.groups or tuple(name for name in around.structure.groups)
    chosen = [groups[name] for name in names]
    sized = "sized" in given.settings
    return GroupLasso(chosen, [given.strengths[0] * (math.sqrt(len(each)) if sized else 1.0) for each in chosen])


def _complexity(given: GivenPenalty, around: _Around) -> Penalty:
    orders = around.structure.orders.copy()
    if around.places is not None:
        others = np.ones(len(orders), bool)
        others[around.places] = False
        orders[others] = 1
    return Complexity(given.strengths[0], orders)


def _triples(around: _Around) -> NDArray[np.uint32]:
    triples = around.structure.neighbours
    return triples if around.places is None else triples[np.isin(triples[:, 1], around.places)]


def _neighbours(given: GivenPenalty, around: _Around) -> Penalty:
    settings: dict[str, Any] = dict(given.settings)
    if given.name == "linear":
        return LinearNeighbours(given.strengths[0], _triples(around))
    centre = bool(settings.pop("centre", 0.0))
    return MonotoneNeighbours(given.strengths[0], _triples(around), centre_only=centre, **settings)


def _isotonic(given: GivenPenalty, around: _Around) -> Penalty:
    """Only chains of simple bins: those of conjunctions would share weights."""
    triples = _triples(around)
    simple = triples[around.structure.orders[triples[:, 1]] == 1] if len(triples) else triples
    ways = [way for way in ("rising", "falling") if way in given.settings]
    if len(ways) > 1:
        raise OptionError("the penalty 'isotonic' is rising or falling", hint="leave both out for either")
    return NearlyIsotonic(given.strengths[0], chains_of(simple), ways[0] if ways else "either")  # type: ignore[arg-type]


_KINDS: dict[str, _Kind] = {
    "l1": _Kind(1, lambda given, around: Absolute(*given.strengths)),
    "l2": _Kind(1, lambda given, around: Squared(given.strengths[0])),
    "elastic": _Kind(2, lambda given, around: ElasticNet(*given.strengths)),
    "largest": _Kind(1, lambda given, around: Largest(*given.strengths)),
    "group-lasso": _Kind(1, _group_lasso, ("sized",), structured=True),
    "oscar": _Kind(2, _oscar, ("features",)),
    "oscar-groups": _Kind(2, _oscar, ("features",)),
    "complexity": _Kind(1, _complexity, structured=True),
    "linear": _Kind(1, _neighbours, structured=True),
    "monotone": _Kind(1, _neighbours, ("power", "centre"), structured=True),
    "isotonic": _Kind(1, _isotonic, ("rising", "falling"), structured=True),
}
