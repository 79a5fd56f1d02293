"""A lattice of the orders of a sentence, straight from the chart of its derivations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import Arc, Lattice
from pentaglot.order.forest import OPERATORS
from pentaglot.order.permutation import Permutation

__all__ = ["Division", "Span", "chart_lattice", "parts_of"]

Span = tuple[int, int]
_Arc = tuple[int, int]  # the words said before, as bits, and a word
_SHARES = [0.5**power for power in range(1, 14)]  # thresholds for divisions; the last is the least that is asked for
LEAST = _SHARES[-1]
_VISITS = 20  # stretches that are looked at, for every arc


@dataclass(frozen=True)
class Division:
    """A way to divide a stretch of words into parts that are put into another order, and how likely that is. Without
    parts, the words stay in their order."""

    span: Span
    parts: tuple[Span, ...]  # in their new order
    probability: float


def parts_of(span: Span, kind: int, posts: Iterable[int]) -> tuple[Span, ...]:
    """The parts of a stretch in their new order, by the number of an operator and the places where those after the
    first begin.

    >>> parts_of((0, 4), OPERATORS.index("2413"), [1, 2, 3])
    ((2, 3), (0, 1), (3, 4), (1, 2))
    """
    if kind >= len(OPERATORS):
        return ()
    name = OPERATORS[kind]
    ends = [span[0], *list(posts)[: len(name) - 1], span[1]]
    parts = list(pairwise(ends))
    places = range(len(name)) if "0" in name else [int(digit) - 1 for digit in name]
    return tuple(part for _, part in sorted(zip(places, parts, strict=True)))


def chart_lattice(
    divisions: Iterable[Division],
    pieces: Iterable[Span],
    before: NDArray[np.float64],
    always: Iterable[Permutation] = (),
    *,
    arcs: int = 500,
) -> Lattice:
    """A lattice with all orders that trees of likely divisions give. It has a node for each set of words that may have
    been said, so paths may go on in any way from there, which adds orders. As many divisions are used as fit into so
    many `arcs`, the likelier ones first. Some orders are there `always`. Labels and scores are those of
    `order_lattice`; `pieces` are the stretches that the sentence is made of.

    >>> before = np.array([[0, 0.3, 0.3], [0.7, 0, 0.6], [0.7, 0.4, 0]])
    >>> turned, kept = Division((0, 3), ((1, 3), (0, 1)), 0.7), Division((1, 3), ((1, 2), (2, 3)), 0.6)
    >>> lattice = chart_lattice([turned, kept], [(0, 3)], before, [Permutation((0, 1, 2))])
    >>> [path.words for path in lattice.kbest(5)]
    [(1, 2, 0), (0, 1, 2)]
    """
    size, fixed = len(before), set[_Arc]()
    for order in always:
        said = 0
        for word in order.order:
            fixed.add((said, word))
            said |= 1 << word
    found, listed, roots = set(fixed), list(divisions), list(pieces)
    for share in _SHARES:
        more = _arcs_of([each for each in listed if each.probability >= share], roots, fixed, arcs)
        if more is None:
            break
        found = more
    nodes = sorted({said for said, _ in found} | {2**size - 1}, key=lambda said: (said.bit_count(), said))
    numbers = {said: number for number, said in enumerate(nodes)}
    made = []
    for said, word in sorted(found, key=lambda arc: (numbers[arc[0]], arc[1])):
        end = said | 1 << word
        later = [other for other in range(size) if not end >> other & 1]
        made.append(Arc(numbers[said], numbers[end], (word,), -float(before[later, word].sum())))
    return Lattice(len(nodes), tuple(made), (numbers[2**size - 1],))


def _arcs_of(divisions: list[Division], pieces: list[Span], fixed: set[_Arc], most: int) -> set[_Arc] | None:
    """The arcs of all orders of some divisions; None if there are too many."""
    ways: dict[Span, list[tuple[Span, ...]]] = {}
    for each in divisions:
        ways.setdefault(each.span, []).append(each.parts)
    found, seen = set(fixed), set[tuple[Span, int]]()
    agenda = [(span, _words((0, span[0]))) for span in pieces]
    while agenda:
        span, said = visit = agenda.pop()
        if visit in seen:
            continue
        seen.add(visit)
        for parts in ways.get(span, [()]):
            # Words that are not divided further are said one by one.
            now = said
            for part in parts or [(word, word + 1) for word in range(*span)]:
                if part[1] - part[0] == 1:
                    found.add((now, part[0]))
                else:
                    agenda.append((part, now))
                now |= _words(part)
        if len(found) > most or len(seen) > _VISITS * most:
            return None
    return found


def _words(span: Span) -> int:
    """The words of a stretch, as bits."""
    return (1 << span[1]) - (1 << span[0])
