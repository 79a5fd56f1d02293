"""The steps of a derivation, each with its places in the input and in the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pentaglot.forest import Derivation, Forest
from pentaglot.rules import SentenceRules
from pentaglot.search import origin_of

__all__ = ["PlacedEdge", "placed_edges", "word_links"]


@dataclass(frozen=True)
class PlacedEdge:
    """An edge of a derivation: the rule that it applies (none where pieces are joined) and where its words went."""

    rule: int | None
    span: tuple[int, int]
    target_span: tuple[int, int]
    target_places: tuple[int, ...]  # of the rule's own words
    children: tuple[int, ...]  # places of the steps that fill its gaps, the first gap's first


def placed_edges(
    forest: Forest, derivation: Derivation, has_gaps: Callable[[int], bool], nodes: Sequence[int] = ()
) -> tuple[dict[int, PlacedEdge], list[int]]:
    """The step at every place of a derivation, and the places of the steps that do not fill a gap, in the order of the
    output. `nodes` are the places of the nodes of the input, if it is a lattice."""
    payloads, edges = derivation.payloads.tolist(), derivation.edges.tolist()
    steps: dict[int, PlacedEdge] = {}
    pieces: list[int] = []
    length = 0
    # A place, what is still to come of its target side, where it begins, its own words, and whether it fills a gap.
    stack = [(0, iter(forest.template(edges[0])), 0, list[int](), False)]
    while stack:
        place, symbols, begin, laid, filling = stack[-1]
        rule, span = origin_of(payloads[place])
        span = (nodes[span[0]], nodes[span[1]]) if nodes else span
        gapped = rule is not None and has_gaps(rule)
        symbol = next(symbols, None)
        if symbol is None:
            stack.pop()
            # A phrase follows what was translated before it; it does not contain it.
            first = begin if gapped or rule is None else laid[0] if laid else length
            children = derivation.children(place) if gapped else ()
            steps[place] = PlacedEdge(rule, span, (first, length), tuple(laid), children)
            if rule is not None and not filling:
                pieces.append(place)
        elif symbol >= 0:
            laid.append(length)
            length += 1
        else:
            child = derivation.children(place)[-symbol - 1]
            stack.append((child, iter(forest.template(edges[child])), length, [], filling or gapped))
    return steps, pieces


def word_links(
    rules: SentenceRules, forest: Forest, derivation: Derivation, nodes: Sequence[int] = ()
) -> list[tuple[int, ...]]:
    """For each word of a translation, the places of the input words that it translates, by the links of its rules.
    `nodes` as for `placed_edges`."""
    table = rules.table
    steps, _ = placed_edges(forest, derivation, lambda rule: bool((table.target(rule) < 0).any()), nodes)
    offsets = table.rule_offsets
    links: dict[int, list[int]] = {at: [] for step in steps.values() for at in step.target_places}
    for step in steps.values():
        if step.rule is None:
            continue
        pattern = int(np.searchsorted(offsets, step.rule, side="right")) - 1
        sources, at, gaps = table.places(pattern).tolist(), step.span[0], iter(step.children)
        for symbol in table.source(pattern).tolist() if not sources else ():
            sources.append(at)
            at = steps[next(gaps)].span[1] if symbol < 0 else at + 1
        own = [number for number, symbol in enumerate(table.target(step.rule).tolist()) if symbol >= 0]
        places = dict(zip(own, step.target_places, strict=True))
        found = table.links(step.rule)
        if not found and len(sources) == 1:
            found = [(0, number) for number in own]
        for source, target in found:
            if target in places:
                links[places[target]].append(sources[source])
    return [tuple(sorted(links[at])) for at in sorted(links)]
