"""Weights as people look at them: by group, with what each means, beside other weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pentaglot.explain.curves import ResponseCurve
from pentaglot.learn.history import History

__all__ = ["FeatureWeight", "OtherWeights", "WeightGroup", "WeightReport", "weight_groups"]


@dataclass(frozen=True)
class FeatureWeight:
    """The weight of a feature, and what it is in other weights (None where these lack it)."""

    name: str
    meaning: str
    weight: float
    others: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class WeightGroup:
    """The features of a group, the largest weights first."""

    name: str
    features: tuple[FeatureWeight, ...]

    @property
    def active(self) -> int:
        """How many weights are not zero."""
        return sum(each.weight != 0.0 for each in self.features)

    @property
    def distinct(self) -> int:
        """How many different magnitudes the active weights have: few after OSCAR, which makes weights equal."""
        sizes = np.abs([each.weight for each in self.features if each.weight != 0.0])
        # Rounding errors of sums do not make weights different.
        return len({float(f"{each:.12g}") for each in sizes})

    @property
    def strongest(self) -> float:
        """The largest magnitude."""
        return max((abs(each.weight) for each in self.features), default=0.0)


@dataclass(frozen=True)
class OtherWeights:
    """Weights to compare with. Only ratios of weights matter, so they are stretched by `factor` to the same length,
    over the features that both have."""

    name: str
    factor: float


@dataclass(frozen=True)
class WeightReport:
    """Everything that `pentaglot weights` shows."""

    groups: tuple[WeightGroup, ...]
    others: tuple[OtherWeights, ...] = ()
    curves: tuple[ResponseCurve, ...] = ()
    tunings: Mapping[str, History] = dataclasses.field(default_factory=dict)

    @property
    def without_curves(self) -> list[WeightGroup]:
        """The groups that are not shown as a curve."""
        curves = {each.feature for each in self.curves}
        return [each for each in self.groups if each.name not in curves]

    def as_dictionary(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "groups": [
                {"name": each.name, "active": each.active, "distinct": each.distinct}
                | {"features": [dataclasses.asdict(feature) for feature in each.features]}
                for each in self.groups
            ],
            "compared": [dataclasses.asdict(each) for each in self.others],
            "curves": [_curve(each) for each in self.curves],
            "tunings": {name: dataclasses.asdict(each) for name, each in self.tunings.items()},
        }


def weight_groups(
    weights: Mapping[str, float],
    group_of: Callable[[str], str],
    meaning_of: Callable[[str], str],
    compared: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[list[WeightGroup], list[OtherWeights]]:
    """The weights by group, in the order in which groups first appear; features that only other weights have count as
    zero.

    >>> groups, others = weight_groups(
    ...     {"lm": 2.0, "words": -1.0}, lambda name: "search", lambda name: "", {"usual": {"lm": 1.0, "words": -0.5}}
    ... )
    >>> groups[0].features[0], others
    (FeatureWeight(name='lm', meaning='', weight=2.0, others=(2.0,)), [OtherWeights(name='usual', factor=2.0)])
    """
    given = dict(weights.items())
    compared = compared or {}
    others = [OtherWeights(name, _factor(given, other)) for name, other in compared.items()]
    pairs = list(zip(others, compared.values(), strict=True))
    members: dict[str, list[FeatureWeight]] = {}
    for name in dict.fromkeys([*given, *(name for other in compared.values() for name in other)]):
        beside = tuple(scaled.factor * other[name] if name in other else None for scaled, other in pairs)
        found = FeatureWeight(name, meaning_of(name), given.get(name, 0.0), beside)
        members.setdefault(group_of(name), []).append(found)
    groups = [
        WeightGroup(name, tuple(sorted(features, key=lambda each: (-abs(each.weight), each.name))))
        for name, features in members.items()
    ]
    return groups, others


def _factor(weights: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = [name for name in other if name in weights]
    ours, theirs = (sum(abs(each[name]) for name in shared) for each in (weights, other))
    return ours / theirs if ours and theirs else 1.0


def _curve(curve: ResponseCurve) -> dict[str, Any]:
    found = dataclasses.asdict(curve)
    for each in found["bins"]:
        each["high"] = each["high"] if np.isfinite(each["high"]) else None
    fits = {"log": curve.log, "linear": curve.linear}
    found |= {kind: None if fit is None else dataclasses.asdict(fit) for kind, fit in fits.items()}
    found["direction"], found["advice"] = curve.direction, curve.advice
    found["turns"] = [dataclasses.asdict(each) for each in curve.turns]
    return found


def spread_by_round(curves: Sequence[Sequence[float]]) -> list[tuple[float, float, int]]:
    """For each round, the mean of the runs that reached it, their standard deviation (0 for one), and how many.

    >>> spread_by_round([[10.0, 12.0], [12.0, 14.0], [11.0]])
    [(11.0, 1.0, 3), (13.0, 1.4142135623730951, 2)]
    """
    found = []
    for at in range(max(map(len, curves), default=0)):
        there = [curve[at] for curve in curves if at < len(curve)]
        found.append((float(np.mean(there)), float(np.std(there, ddof=1)) if len(there) > 1 else 0.0, len(there)))
    return found
