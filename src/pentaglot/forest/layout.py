"""Where the parts of a forest go in a picture: in rows by height, each as near to what it belongs to as fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pentaglot.forest.forest import Forest

__all__ = ["Box", "arrange"]

_GAP, _DOT, _SWEEPS = 14.0, 10.0, 12


@dataclass
class Box:
    """A node or an edge with its text: where lines meet it, and how far it reaches to the left and right of that."""

    row: int  # from the top
    left: float
    right: float
    x: float = 0.0


def arrange(
    forest: Forest, node_widths: Sequence[float], edge_widths: Sequence[float]
) -> tuple[list[Box], list[Box], int]:
    """Boxes for nodes and edges, and the number of rows. The goal is on top, and the edges of a node are below it."""
    heads = forest.packed.heads.tolist()
    heights = [0] * forest.nodes
    for edge, head in enumerate(heads):
        heights[head] = max([heights[head], *(heights[each] + 1 for each in forest.tails(edge))])
    top = max(heights)
    halves = [width / 2 for width in node_widths]
    nodes = [Box(2 * (top - height), halves[node], halves[node]) for node, height in enumerate(heights)]
    edges = [Box(nodes[head].row + 1, _DOT, edge_widths[edge] - _DOT) for edge, head in enumerate(heads)]
    for place, node in enumerate(_reading_order(forest)):
        nodes[node].x = 60.0 * place
    for edge, head in enumerate(heads):
        edges[edge].x = nodes[head].x + (edge - forest.incoming(head).start)
    _settle(forest, nodes, edges)
    return nodes, edges, 2 * top + 2


def _reading_order(forest: Forest) -> list[int]:
    """Nodes in the order in which a walk from the goal down, first tail first, meets them."""
    order: list[int] = []
    seen: set[int] = set()
    stack = [forest.goal]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        order.append(node)
        for edge in reversed(forest.incoming(node)):
            stack.extend(each for each in reversed(forest.tails(edge)) if each not in seen)
    return order + [node for node in range(forest.nodes) if node not in seen]


def _settle(forest: Forest, nodes: list[Box], edges: list[Box]) -> None:
    """Moves everything towards the middle of what it is joined with, up and down the rows in turn."""
    joined: dict[int, list[tuple[Box, Box]]] = {}  # row -> pairs of a box in it and a box that draws it
    heads = forest.packed.heads.tolist()
    for edge, box in enumerate(edges):
        pairs = [(box, nodes[heads[edge]])] + [(box, nodes[each]) for each in forest.tails(edge)]
        for one, other in pairs + [(other, one) for one, other in pairs]:
            joined.setdefault(one.row, []).append((one, other))
    rows: dict[int, list[Box]] = {}
    for box in nodes + edges:
        rows.setdefault(box.row, []).append(box)
    for sweep in range(_SWEEPS):
        for row in sorted(rows, reverse=sweep % 2 == 0):
            wishes: dict[int, list[float]] = {}
            for one, other in joined.get(row, ()):
                wishes.setdefault(id(one), []).append(other.x)
            _place(rows[row], [_mean(wishes.get(id(box), [box.x])) for box in rows[row]])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _place(boxes: list[Box], wishes: list[float]) -> None:
    """Puts boxes as near to their wishes as their widths allow (least squares, by pooling neighbours that clash)."""
    order = sorted(range(len(boxes)), key=lambda i: (wishes[i], boxes[i].x, i))
    offset, offsets = 0.0, []
    for before, i in zip([None, *order], order, strict=False):
        if before is not None:
            offset += boxes[before].right + boxes[i].left + _GAP
        offsets.append(offset)
    pools: list[list[float]] = []  # [sum of wishes less offsets, number]
    for place, i in enumerate(order):
        pools.append([wishes[i] - offsets[place], 1.0])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, number = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += number
    spread = [total / number for total, number in pools for _ in range(int(number))]
    for place, i in enumerate(order):
        boxes[i].x = spread[place] + offsets[place]
