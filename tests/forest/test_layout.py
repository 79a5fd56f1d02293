"""Where the parts of a forest go: in rows, without overlap, edges below their nodes, all as near as can be."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.brute import random_forest

from pentaglot.forest import ForestBuilder, example_forest
from pentaglot.forest.layout import Box, arrange


def overlapping(boxes: list[Box]) -> bool:
    return any(
        one.row == other.row and one.x - one.left < other.x + other.right and other.x - other.left < one.x + one.right
        for one, other in combinations(boxes, 2)
    )


@given(st.integers(0, 10_000), st.data())
def test_rows(seed: int, data: st.DataObject) -> None:
    forest = random_forest(seed)
    widths = st.floats(10, 200)
    node_widths = [data.draw(widths) for _ in range(forest.nodes)]
    edge_widths = [data.draw(widths) for _ in range(forest.edges)]
    nodes, edges, rows = arrange(forest, node_widths, edge_widths)
    assert not overlapping([Box(each.row, each.left - 1e-6, each.right - 1e-6, each.x) for each in nodes + edges])
    heads = forest.packed.heads.tolist()
    for edge, box in enumerate(edges):
        assert box.row == nodes[heads[edge]].row + 1
        assert all(nodes[tail].row > box.row for tail in forest.tails(edge))
        assert box.left + box.right == pytest.approx(edge_widths[edge])
    assert {box.row for box in nodes} <= set(range(0, rows, 2))
    assert min(box.row for box in nodes) == 0


def test_the_same_every_time() -> None:
    forest = example_forest()
    sizes = [40.0] * forest.nodes, [60.0] * forest.edges
    assert arrange(forest, *sizes) == arrange(forest, *sizes)


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    builder = ForestBuilder()
    leaves = [builder.node() for _ in range(2)]
    for leaf in leaves:
        builder.edge(leaf, (), [5])
    top = builder.node()
    builder.edge(top, leaves, [-1, -2])
    nodes, _, _ = arrange(builder.finish(top), [30.0] * 3, [20.0] * 3)
    assert nodes[0].x < nodes[1].x
    assert nodes[2].x == pytest.approx((nodes[0].x + nodes[1].x) / 2, abs=15)
