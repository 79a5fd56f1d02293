"""From a forest to a lattice, where every derivation is a path: the recombination graph of a stack decoder."""

from __future__ import annotations

from pentaglot.errors import PentaglotError
from pentaglot.forest.builder import tail
from pentaglot.forest.forest import Forest
from pentaglot.forest.lattice import Arc, Lattice

__all__ = ["to_lattice"]


def to_lattice(forest: Forest) -> Lattice:
    """The lattice of a forest whose edges have at most one tail and add words on one side of what it yields: all on
    the right (hypotheses that grow from left to right) or all on the left. Arc n is edge n.

    >>> from pentaglot.forest import ForestBuilder
    >>> builder = ForestBuilder()
    >>> first, goal = builder.node(), builder.node()
    >>> _ = builder.edge(first, target=[4, 5]), builder.edge(goal, target=[7])
    >>> _ = builder.edge(goal, [first], [tail(0), 6])
    >>> lattice = to_lattice(builder.finish(goal))
    >>> [path.words for path in lattice.kbest(3)]
    [(7,), (4, 5, 6)]
    """
    sides = {_side(forest, edge) for edge in range(forest.edges)} - {""}
    if len(sides) > 1:
        raise PentaglotError("the forest is not a lattice: some edges add words on the left and some on the right")
    begin = forest.nodes
    arcs = []
    for edge in range(forest.edges):
        below = forest.tails(edge)
        low, high = (below[0] if below else begin), int(forest.packed.heads[edge])
        words = tuple(symbol for symbol in forest.template(edge) if symbol >= 0)
        if sides == {"left"}:
            low, high = high, low
        arcs.append(
            Arc(
                low,
                high,
                words,
                float(forest.scores[edge]),
                forest.local_vector(edge),
                int(forest.packed.edge_payloads[edge]),
            )
        )
    if sides == {"left"}:
        return Lattice.from_arcs(arcs, start=forest.goal, finals=[begin])
    return Lattice.from_arcs(arcs, start=begin, finals=[forest.goal])


def _side(forest: Forest, edge: int) -> str:
    """On which side an edge adds words; empty if it adds none or begins a path."""
    below, symbols = forest.tails(edge), forest.template(edge)
    if not below:
        return ""
    if len(below) > 1:
        raise PentaglotError(f"the forest is not a lattice: edge {edge} has {len(below)} tails")
    if tail(0) not in symbols:
        raise PentaglotError(f"the forest is not a lattice: edge {edge} leaves out the words of its tail")
    if len(symbols) == 1:
        return ""
    if symbols[0] != tail(0) and symbols[-1] != tail(0):
        raise PentaglotError(f"the forest is not a lattice: edge {edge} adds words on both sides of its tail's")
    return "right" if symbols[0] == tail(0) else "left"
