"""The kinds of penalties that can be written, and how each is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureStructure
from pentaglot.learn.curves import Curves
from pentaglot.learn.group_lasso import GroupLasso
from pentaglot.learn.isotonic import NearlyIsotonic, chains_of
from pentaglot.learn.neighbours import Complexity, LinearNeighbours, MonotoneNeighbours
from pentaglot.learn.penalties import Absolute, ElasticNet, Largest, Oscar, Squared
from pentaglot.learn.penalty import Penalty
from pentaglot.rules.features import declared_feature

__all__ = ["DENSE", "INDUCED", "KINDS", "Around", "GivenPenalty", "PenaltyKind", "members_of"]

DENSE, INDUCED = "dense", "induced"


@dataclass(frozen=True)
class GivenPenalty:
    """A penalty as it was written.

    >>> from pentaglot.learn.penalty_text import read_penalty
    >>> read_penalty("monotone=100,power=3@count")
    GivenPenalty(name='monotone', strengths=(100.0,), settings={'power': 3.0}, groups=('count',))
    """

    name: str
    strengths: tuple[float, ...]
    settings: Mapping[str, float] = field(default_factory=dict)
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class Around:
    """What a penalty is made for: the structure of the features, which of them it is for, how many there were in the
    first round, and the weights that tuning began with."""

    structure: FeatureStructure
    places: NDArray[np.int64] | None  # None: all
    features: int
    start: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class PenaltyKind:
    """How many strengths a penalty takes, what settings it has, and how it is made."""

    strengths: int
    make: Callable[[GivenPenalty, Around], Penalty]
    settings: tuple[str, ...] = ()  # those with a number
    switches: tuple[str, ...] = ()  # those that are there or not
    structured: bool = False  # it chooses its features itself, from the structure


def members_of(structure: FeatureStructure) -> dict[str, NDArray[np.int64]]:
    dense = np.array([declared_feature(name) is not None for name in structure.names], np.bool_)
    found = {name: np.asarray(places, np.int64) for name, places in structure.groups.items()}
    return found | {DENSE: np.flatnonzero(dense), INDUCED: np.flatnonzero(~dense)}


def _squared(given: GivenPenalty, around: Around) -> Penalty:
    start = around.start if "start" in given.settings else None
    return Squared(given.strengths[0], start if start is None or around.places is None else start[around.places])


def _oscar(given: GivenPenalty, around: Around) -> Penalty:
    asked = int(given.settings.get("features", 0))
    if around.places is None:
        first = around.features
    else:  # of the first round: lists number features in the order in which they come up
        first = int((around.places < around.features).sum())
    single, pairwise = given.strengths
    return Oscar(single, pairwise, asked or first, given.name == "oscar-groups")


def _group_lasso(given: GivenPenalty, around: Around) -> Penalty:
    """Each group has its strength, times the root of its size if that is asked for."""
    groups = members_of(around.structure)
    names = given.groups or tuple(name for name in around.structure.groups)
    chosen = [groups[name] for name in names]
    sized = "sized" in given.settings
    return GroupLasso(chosen, [given.strengths[0] * (math.sqrt(len(each)) if sized else 1.0) for each in chosen])


def _complexity(given: GivenPenalty, around: Around) -> Penalty:
    orders = around.structure.orders.copy()
    if around.places is not None:
        others = np.ones(len(orders), bool)
        others[around.places] = False
        orders[others] = 1
    return Complexity(given.strengths[0], orders)


def _triples(around: Around) -> NDArray[np.uint32]:
    triples = around.structure.neighbours
    return triples if around.places is None else triples[np.isin(triples[:, 1], around.places)]


def _neighbours(given: GivenPenalty, around: Around) -> Penalty:
    settings: dict[str, Any] = dict(given.settings)
    if given.name == "linear":
        return LinearNeighbours(given.strengths[0], _triples(around))
    centre = bool(settings.pop("centre", 0.0))
    return MonotoneNeighbours(given.strengths[0], _triples(around), centre_only=centre, **settings)


def _curves(given: GivenPenalty, around: Around) -> Penalty:
    """A curve for the bins of each quantity among the features that it is for; conjunctions of bins have none."""
    triples = _triples(around)
    binned = np.unique(triples[around.structure.orders[triples[:, 1]] == 1] if len(triples) else triples)
    groups = [np.asarray(each, np.int64) for each in around.structure.groups.values()]
    start = np.zeros(len(around.structure.names)) if around.start is None else around.start
    return Curves(given.strengths[0], [each for each in groups if np.isin(each, binned).all()], start)


def _isotonic(given: GivenPenalty, around: Around) -> Penalty:
    """Only chains of simple bins: those of conjunctions would share weights."""
    triples = _triples(around)
    simple = triples[around.structure.orders[triples[:, 1]] == 1] if len(triples) else triples
    ways = [way for way in ("rising", "falling") if way in given.settings]
    if len(ways) > 1:
        raise OptionError("the penalty 'isotonic' is rising or falling", hint="leave both out for either")
    return NearlyIsotonic(given.strengths[0], chains_of(simple), ways[0] if ways else "either")  # type: ignore[arg-type]


KINDS: dict[str, PenaltyKind] = {
    "l1": PenaltyKind(1, lambda given, around: Absolute(*given.strengths)),
    "l2": PenaltyKind(1, _squared, switches=("start",)),
    "elastic": PenaltyKind(2, lambda given, around: ElasticNet(*given.strengths)),
    "largest": PenaltyKind(1, lambda given, around: Largest(*given.strengths)),
    "group-lasso": PenaltyKind(1, _group_lasso, switches=("sized",), structured=True),
    "oscar": PenaltyKind(2, _oscar, ("features",)),
    "oscar-groups": PenaltyKind(2, _oscar, ("features",)),
    "complexity": PenaltyKind(1, _complexity, structured=True),
    "linear": PenaltyKind(1, _neighbours, structured=True),
    "monotone": PenaltyKind(1, _neighbours, ("power",), ("centre",), structured=True),
    "curve": PenaltyKind(1, _curves, structured=True),
    "isotonic": PenaltyKind(1, _isotonic, switches=("rising", "falling"), structured=True),
}
