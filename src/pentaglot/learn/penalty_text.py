"""Penalties as they are written on the command line: `monotone=100`, `oscar=1e-6,3e-8@pair`, `l2=5,@rule+search`.

A name, an equals sign and one or two strengths; then settings that only this penalty has, separated by commas; and
after an @ the groups of features that it is for, joined by +. The groups `dense` and `induced` are all features that
were declared, and all others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureStructure
from pentaglot.learn.penalties import Partly
from pentaglot.learn.penalty import Penalty
from pentaglot.learn.penalty_kinds import KINDS, Around, GivenPenalty, members_of
from pentaglot.options import suggestion

__all__ = ["chosen_penalties", "read_penalty"]


def read_penalty(text: str) -> GivenPenalty:
    """Reads a penalty; the error says what is wrong with it."""
    name, equals, rest = text.partition("=")
    if name not in KINDS:
        raise OptionError(f"there is no penalty '{name}'", hint=suggestion(name, KINDS))
    kind = KINDS[name]
    values, _, groups = rest.partition("@")
    parts = [part for part in values.split(",") if part] if equals else []
    strengths = [_number(part, text) for part in parts[: kind.strengths]]
    if len(strengths) < kind.strengths or (groups == "" and "@" in rest):
        wanted = ",".join(["STRENGTH"] * kind.strengths)
        raise OptionError(f"the penalty '{text}' lacks a strength or a group", hint=f"write {name}={wanted}[@GROUP]")
    settings: dict[str, float] = {}
    for part in parts[kind.strengths :]:
        key, given, value = part.partition("=")
        if key not in (*kind.settings, *kind.switches) or (key in kind.settings and not given):
            known = ", ".join([*(f"{each}=NUMBER" for each in kind.settings), *kind.switches]) or "none"
            raise OptionError(f"the penalty '{name}' has no setting '{part}'", hint=f"known: {known}")
        settings[key] = _number(value, text) if given else 1.0
    settings = {key: value for key, value in settings.items() if value or key in kind.settings}  # 0: not
    if settings.get("features", 0.0) % 1:
        raise OptionError(f"the number of features in the penalty '{text}' is not whole")
    return GivenPenalty(name, tuple(strengths), settings, tuple(filter(None, groups.split("+"))))


def _number(text: str, whole: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise OptionError(f"'{text}' in the penalty '{whole}' is not a number from 0 on")
    return value


def chosen_penalties(
    texts: Sequence[str], structure: FeatureStructure, features: int, start: NDArray[np.float64] | None = None
) -> list[Penalty]:
    """The penalties that are written, on features with this structure. `features` is how many there were in the first
    round and `start` the weights that tuning began with (none: zero), for penalties that depend on them."""
    members = members_of(structure) if texts else {}
    around = Around(structure, None, features, start)
    return [_made(read_penalty(each), around, members) for each in texts]


def _made(given: GivenPenalty, around: Around, members: Mapping[str, NDArray[np.int64]]) -> Penalty:
    for group in given.groups:
        if group not in members:
            raise OptionError(f"there is no group of features '{group}'", hint=suggestion(group, members))
    kind = KINDS[given.name]
    places = np.unique(np.concatenate([members[each] for each in given.groups])) if given.groups else None
    made = kind.make(given, replace(around, places=places))
    return made if kind.structured or places is None else Partly(made, places)
