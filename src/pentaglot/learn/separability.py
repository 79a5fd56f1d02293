"""Whether features can tell good translations from bad ones: linearly, and after cutting values into bins.

Some weights rank all better candidates above all worse ones if and only if a linear program has a solution (Clark 2015,
sections 2.4 and 6.2). It takes a row for each pair of candidates, so it is for tests and for looking at small sets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError

__all__ = ["Clash", "Hypothesis", "Separability", "Separation", "global_bins", "local_bins", "separability", "separate"]

Vector = Mapping[str, float]
Binned = Callable[[str, float], str | None]  # the name of the bin of a value; None: it fires nothing


@dataclass(frozen=True)
class Hypothesis:
    """A candidate with the features of each of its rules, and how good it is."""

    rules: Sequence[Vector]
    quality: float

    @property
    def features(self) -> dict[str, float]:
        """The sum over rules."""
        return _sum(self.rules)


@dataclass(frozen=True)
class Clash:
    """Two pairs whose differences are opposite, or one pair without a difference: sentence, better, worse."""

    pairs: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Separation:
    """Whether some weights rank all pairs rightly, such weights, and pairs that prove the contrary.

    `collisions` are pairs with the same features; `collinear` are two pairs whose differences point in opposite
    directions. Both rule out any weights; without them, more than two pairs may still contradict each other.
    """

    separable: bool
    pairs: int
    weights: dict[str, float]
    collisions: tuple[Clash, ...]
    collinear: tuple[Clash, ...]
    # The largest share of pairs that the found weights rank rightly; 1 if separable.
    ranked: float


@dataclass(frozen=True)
class Separability:
    """Separability of features as they are, in bins of whole hypotheses, and in bins of single rules; and which
    transformation helps each feature."""

    linear: Separation
    global_: Separation
    local: Separation
    features: dict[str, dict[str, float]] = field(default_factory=dict)  # by use: share of pairs it ranks by itself
    advice: dict[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        if self.linear.separable:
            return "linearly separable: weights of the features as they are can rank everything"
        better = [name for name, each in (("rules", self.local), ("hypotheses", self.global_)) if each.separable]
        if better:
            return (
                f"not linearly separable, but separable in bins of {' and of '.join(better)}: there are non-linearities"
            )
        if self.linear.collisions:
            return "not separable: some candidates of different quality have the same features"
        return "not separable, in bins or not"


def separate(sentences: Sequence[Sequence[tuple[Vector, float]]], *, most: int = 100_000) -> Separation:
    """Look for weights that give a better candidate of a sentence a higher score than a worse one, for all pairs.

    A candidate is a feature vector and its quality; candidates of equal quality make no pair.

    >>> separate([[({"a": 1.0}, 1.0), ({"a": 2.0}, 0.0)]]).separable
    True
    >>> separate([[({"a": 1.0}, 1.0), ({"a": 2.0}, 0.0), ({"a": 3.0}, 1.0)]]).separable
    False
    """
    names, rows, owners = _differences(sentences, most)
    if not len(rows):
        return Separation(True, 0, dict.fromkeys(names, 0.0), (), (), 1.0)
    zero = np.flatnonzero(~rows.any(axis=1))
    collisions = tuple(Clash((owners[at],)) for at in zero.tolist())
    weights, separable = _programmed(rows)
    margins = rows @ weights
    return Separation(
        separable,
        len(rows),
        dict(zip(names, weights.tolist(), strict=True)),
        collisions,
        tuple(_opposite(rows, owners)),
        float((margins > 1e-9).mean()),
    )


def local_bins(hypothesis: Hypothesis, binned: Binned) -> dict[str, float]:
    """How many rules have a value in each bin."""
    fired = [bin for rule in hypothesis.rules for name, value in rule.items() if (bin := binned(name, value))]
    return {bin: float(fired.count(bin)) for bin in dict.fromkeys(fired)}


def global_bins(hypothesis: Hypothesis, binned: Binned) -> dict[str, float]:
    """Which bins the sums over all rules are in."""
    return {bin: 1.0 for name, value in hypothesis.features.items() if (bin := binned(name, value))}


def separability(
    sentences: Sequence[Sequence[Hypothesis]],
    binned: Binned | None = None,
    *,
    real: Collection[str] = (),
    most: int = 100_000,
) -> Separability:
    """Compare features as they are with bins of whole hypotheses and with bins of rules. By default, every value is a
    bin of its own. The features in `real`, such as a language model, stay as they are beside the bins of others.

    >>> found = separability([[Hypothesis([{"h": 2.0}, {"h": 2.0}], 1.0), Hypothesis([{"h": 4.0}], 0.0)]])
    >>> found.linear.separable, found.global_.separable, found.local.separable
    (False, False, True)
    """
    chosen: Binned = binned or (lambda name, value: f"{name}={value:.9g}")

    def cut(name: str, value: float) -> str | None:
        return None if name in real else chosen(name, value)

    def kept(each: Hypothesis) -> dict[str, float]:
        return {name: value for name, value in each.features.items() if name in real}

    def with_features(make: Callable[[Hypothesis], Vector]) -> Separation:
        return separate([[(make(each), each.quality) for each in some] for some in sentences], most=most)

    found = Separability(
        with_features(lambda each: each.features),
        with_features(lambda each: global_bins(each, cut) | kept(each)),
        with_features(lambda each: local_bins(each, cut) | kept(each)),
    )
    names = sorted({name for some in sentences for each in some for rule in each.rules for name in rule})
    uses = {name: _uses(sentences, name, cut, most) for name in names if name not in real}
    return Separability(
        found.linear, found.global_, found.local, uses, {name: _advice(each) for name, each in uses.items()}
    )


# How a single feature may be used, as a change of the value of each rule.
_TRANSFORMED: dict[str, Callable[[float], float]] = {
    "as it is": lambda value: value,
    "log": lambda value: float(np.log(value)),
    "root": lambda value: float(np.sqrt(value)),
    "square": lambda value: value * value,
    "exp": lambda value: float(np.exp(value)),  # the probability, of a logarithm
}


def _uses(sentences: Sequence[Sequence[Hypothesis]], name: str, cut: Binned, most: int) -> dict[str, float]:
    """The share of pairs that a feature ranks rightly by itself, for each use that its values allow."""
    values = [rule[name] for some in sentences for each in some for rule in each.rules if name in rule]
    found = {}
    for use, change in _TRANSFORMED.items():
        if (use in ("log", "root") and min(values) <= 0) or (use == "exp" and max(values) > 50):
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
    names, rows, _ = _differences(sentences, most)
    if not len(rows):
        return 1.0
    column = rows[:, names.index(name)]
    return float(max((column > 1e-12).mean(), (column < -1e-12).mean()))


def _advice(uses: Mapping[str, float]) -> str:
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


def _differences(
    sentences: Sequence[Sequence[tuple[Vector, float]]], most: int
) -> tuple[list[str], NDArray[np.float64], list[tuple[int, int, int]]]:
    """Features of the better candidate minus those of the worse one, for each pair; and which pair it is."""
    names = list(dict.fromkeys(name for some in sentences for vector, _ in some for name in vector))
    places = {name: at for at, name in enumerate(names)}
    owners = [
        (number, better, worse)
        for number, some in enumerate(sentences)
        for better, worse in itertools.permutations(range(len(some)), 2)
        if some[better][1] > some[worse][1]
    ]
    if len(owners) > most:
        raise PentaglotError(
            f"there are {len(owners):,} pairs of candidates to tell apart (at most {most:,})",
            hint="use fewer sentences or fewer candidates",
        )
    rows = np.zeros((len(owners), len(names)))
    for row, (number, better, worse) in enumerate(owners):
        for sign, which in ((1.0, better), (-1.0, worse)):
            for name, value in sentences[number][which][0].items():
                rows[row, places[name]] += sign * value
    rows[np.abs(rows) < 1e-12] = 0.0
    return names, rows, owners


def _programmed(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """Weights that miss a margin of 1 by as little as possible, summed over pairs; and whether they miss none."""
    # Here, not above: it takes half a second and 50 MB, which every command would pay for.
    from scipy import sparse
    from scipy.optimize import linprog

    pairs, features = rows.shape
    scale = np.abs(rows).max(axis=0)
    scaled = rows / np.where(scale > 0, scale, 1.0)
    # Minimise the sum of slacks s >= 0 with rows . w + s >= 1.
    bounded = sparse.hstack([sparse.csr_matrix(-scaled), -sparse.identity(pairs)], format="csr")
    costs = np.concatenate([np.zeros(features), np.ones(pairs)])
    bounds = [(None, None)] * features + [(0.0, None)] * pairs
    found = linprog(costs, A_ub=bounded, b_ub=-np.ones(pairs), bounds=bounds, method="highs")
    if found.x is None:
        raise PentaglotError(f"the linear program was not solved: {found.message}")
    weights = found.x[:features] / np.where(scale > 0, scale, 1.0)
    return weights, bool(found.fun <= 1e-7 * pairs)


def _opposite(rows: NDArray[np.float64], owners: Sequence[tuple[int, int, int]]) -> Iterable[Clash]:
    """Pairs of differences that are negative multiples of each other; one for each direction."""
    sizes = np.linalg.norm(rows, axis=1)
    seen: dict[bytes, int] = {}
    told: set[bytes] = set()
    for at in np.flatnonzero(sizes > 0).tolist():
        unit = np.round(rows[at] / sizes[at], 9) + 0.0
        key, against = unit.tobytes(), (-unit + 0.0).tobytes()
        seen.setdefault(key, at)
        if against in seen and key not in told:
            told |= {key, against}
            yield Clash((owners[seen[against]], owners[at]))


def _sum(vectors: Iterable[Vector]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for name, value in vector.items():
            total[name] = total.get(name, 0.0) + value
    return total
