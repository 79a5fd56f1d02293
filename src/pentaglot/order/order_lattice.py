"""Several orders of a sentence in one lattice (Stanojević 2017, §3.5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.forest import Arc, Lattice
from pentaglot.order.permutation import Permutation

__all__ = ["order_lattice"]


def order_lattice(orders: Sequence[Permutation], before: NDArray[np.float64]) -> Lattice:
    """The smallest lattice with exactly these orders. Its labels are the places of the words, not the words, which may
    be repeated. `before` has in row u and column v how likely word u is to come before word v. An arc that says a word
    is worth minus the number of words that are said later but are expected before it; so a path is worth minus the
    number of pairs of words that it is expected to put wrong.

    >>> before = np.array([[0, 0.6, 0.6], [0.4, 0, 0.35], [0.4, 0.65, 0]])
    >>> lattice = order_lattice([Permutation.from_order(each) for each in ((0, 1, 2), (1, 0, 2), (0, 2, 1))], before)
    >>> lattice.nodes, len(lattice.arcs), [round(path.score, 2) for path in lattice.kbest(3)]
    (6, 7, [-1.15, -1.45, -1.65])
    """
    size = len(before)
    if not orders or any(len(each) != size for each in orders):
        raise PentaglotError("a lattice needs orders of one sentence")
    plain = Lattice.from_sequences([each.order for each in orders])
    said: dict[int, frozenset[int]] = {0: frozenset()}
    arcs = []
    for arc in sorted(plain.arcs, key=lambda arc: arc.start):
        # All paths to a node have said the same words: only then can the same words follow.
        (word,) = arc.words
        said[arc.end] = said[arc.start] | {word}
        later = [each for each in range(size) if each not in said[arc.end]]
        arcs.append(Arc(arc.start, arc.end, arc.words, -float(before[later, word].sum())))
    return Lattice(plain.nodes, tuple(arcs), plain.finals)
