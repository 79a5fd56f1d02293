"""How a single feature is best used: as it is, transformed, or in bins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pentaglot.learn.binned_hypotheses import Binned, Hypothesis, Vector, local_bins
from pentaglot.learn.ranking_weights import differences, separate

__all__ = ["advice", "uses_of"]

# How a single feature may be used, as a change of the value of each rule.
_TRANSFORMED: dict[str, Callable[[float], float]] = {
    "as it is": lambda value: value,
    "log": lambda value: float(np.log(value)),
    "root": lambda value: float(np.sqrt(value)),
    "square": lambda value: value * value,
    "exp": lambda value: float(np.exp(value)),  # the probability, of a logarithm
}


def uses_of(sentences: Sequence[Sequence[Hypothesis]], name: str, cut: Binned, most: int) -> dict[str, float]:
    """The share of pairs that a feature ranks rightly by itself, for each use that its values allow."""
    values = [rule[name] for some in sentences for each in some for rule in each.rules if name in rule]
    found = {}
    for use, change in _TRANSFORMED.items():
        lowest, highest = min(values), max(values)
        if (use == "log" and lowest <= 0) or (use == "root" and lowest < 0) or (use == "exp" and highest > 50):
            continue
        made = [
            [({name: sum(change(rule[name]) for rule in each.rules if name in rule)}, each.quality) for each in some]
            for some in sentences
        ]
        found[use] = _best_sign(made, name, most)
    alone = [
        [
            (
                local_bins(Hypothesis([{name: rule[name]} for rule in each.rules if name in rule], 0.0), cut),
                each.quality,
            )
            for each in some
        ]
        for some in sentences
    ]
    found["bins"] = separate(alone, most=most).ranked
    return found


def _best_sign(sentences: Sequence[Sequence[tuple[Vector, float]]], name: str, most: int) -> float:
    """The share of pairs that a single feature ranks rightly with a positive or a negative weight."""
    names, rows, _ = differences(sentences, most)
    if not len(rows):
        return 1.0
    column = rows[:, names.index(name)]
    return float(max((column > 1e-12).mean(), (column < -1e-12).mean()))


def advice(uses: Mapping[str, float]) -> str:
    """The simplest use that is as good as any, within one pair in a hundred."""
    best = max(uses.values())
    simplest = next(use for use in (*_TRANSFORMED, "bins") if use in uses and uses[use] >= best - 0.01)
    plain = uses["as it is"]
    if best <= 0.5:
        return "no use by itself"
    if simplest == "as it is":
        return "best used as it is"
    gain = f"{uses[simplest]:.0%} of pairs rather than {plain:.0%}"
    return f"best kept in bins ({gain})" if simplest == "bins" else f"best used as {simplest} ({gain})"
