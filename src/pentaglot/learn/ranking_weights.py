"""Weights that rank all better candidates above all worse ones, by a linear program."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.learn.binned_hypotheses import Vector
from pentaglot.learn.separation import Clash, Separation

__all__ = ["differences", "separate"]


def separate(sentences: Sequence[Sequence[tuple[Vector, float]]], *, most: int = 100_000) -> Separation:
    """Look for weights that give a better candidate of a sentence a higher score than a worse one, for all pairs.

    A candidate is a feature vector and its quality; candidates of equal quality make no pair.

    >>> separate([[({"a": 1.0}, 1.0), ({"a": 2.0}, 0.0)]]).separable
    True
    >>> separate([[({"a": 1.0}, 1.0), ({"a": 2.0}, 0.0), ({"a": 3.0}, 1.0)]]).separable
    False
    """
    names, rows, owners = differences(sentences, most)
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


def differences(
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
