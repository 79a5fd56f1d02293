"""`weight_report`: the weights of a model as people look at them, beside its defaults and other weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pentaglot.errors import InputError, StorageError
from pentaglot.explain.curves import binned_curve
from pentaglot.explain.weights import WeightReport, weight_groups
from pentaglot.forest import DeclaredFeature, FeatureSpace, read_weights
from pentaglot.guarded import inside
from pentaglot.learn.history import History, history_path
from pentaglot.rules import Induction, open_induction
from pentaglot.rules.features import FEATURES, meaning_of
from pentaglot.rules.meanings import meaning_in
from pentaglot.systems.description import Description
from pentaglot.systems.inducing import place_beside
from pentaglot.systems.registry import find_system

__all__ = ["weight_report"]

StrPath = str | os.PathLike[str]
DEFAULT = "default"  # the weights that a system begins with


def weight_report(
    place: StrPath,
    *,
    compared: Mapping[str, StrPath] | None = None,
    tunings: Sequence[StrPath] = (),
) -> WeightReport:
    """The weights of a model, or of a file of weights, by group.

    Those of a model are compared with the defaults of its system, and all with the `compared` files. The course of
    tuning is that of the model, or those of the `tunings` given: the `.tuning.json` that `tune` leaves beside weights,
    or the weights or the model that it belongs to.
    """
    path = Path(place)
    induced = Induction(())
    others: dict[str, Mapping[str, float]] = {}
    declared: dict[str, DeclaredFeature] = dict(FEATURES)
    space: FeatureSpace | None = None
    if path.is_dir():
        system = find_system(Description.open(path).system)
        declared |= {each.name: each for each in system.features}
        file = inside(path, "weights.txt")
        features = inside(path, "features")
        space = FeatureSpace.open(features) if features.exists() else None
        own = inside(path, "induction")
    else:
        file, own = path, place_beside(path)
    if own.exists():
        induced = open_induction(own, declared)
    weights = read_weights(file)
    if path.is_dir():
        # Features that the model does not have do not count as a difference.
        others[DEFAULT] = {name: value for name, value in system.weights.items() if name in weights}
    others |= {name: read_weights(each) for name, each in (compared or {}).items()}
    groups, factors = weight_groups(
        weights,
        _groups(declared, space, induced),
        lambda name: declared[name].meaning if name in declared else meaning_of(name) or meaning_in(induced, name),
        others,
    )
    curves = tuple(binned_curve(each, weights) for each in induced.binned)
    return WeightReport(tuple(groups), tuple(factors), curves, _histories(file, tunings))


def _groups(
    declared: Mapping[str, DeclaredFeature], space: FeatureSpace | None, induced: Induction
) -> Callable[[str], str]:
    """What gives the group of a feature: that of its declaration, what it was induced from, or that of a hook."""
    known: dict[str, str] = {}
    if induced.operators:
        all_features = FeatureSpace()
        induced.ids(all_features)
        structure = induced.structure(all_features)
        known = {structure.names[at]: name for name, places in structure.groups.items() for at in places.tolist()}

    def group_of(name: str) -> str:
        if name in declared:
            return declared[name].group
        if name in known:
            return known[name]
        plain, _, owner = name.partition("@")
        if owner and plain in declared and declared[plain].per:
            return owner
        place = None if space is None else space.find(name)
        return (space[place].group if space is not None and place is not None else "") or "further"

    return group_of


def _histories(file: Path, given: Sequence[StrPath]) -> dict[str, History]:
    """The histories by a short name each; that of the weights themselves if none is given and there is one."""
    if not given:
        own = history_path(file)
        return {own.name: History.open(own)} if own.exists() else {}
    found: dict[str, History] = {}
    for each in map(Path, given):
        path = each / "weights.txt" if each.is_dir() else each
        path = path if path.name.endswith(".tuning.json") else history_path(path)
        if not path.exists():
            raise StorageError("there is no history of tuning here", path=path, hint="'pentaglot tune' writes one")
        if str(path) in found:
            raise InputError("is given twice", path=path, hint="each run counts once")
        found[str(path)] = History.open(path)
    metrics = {each.metric for each in found.values()}
    if len(metrics) > 1:
        raise InputError(f"tuning was for {' and for '.join(sorted(metrics))}", hint="give runs of one metric")
    return found
