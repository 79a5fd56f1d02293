"""Pictures: well-formed, self-contained, complete, and nothing on top of anything else."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree

from hypothesis import given, settings

from pentaglot.corpus import Vocabulary
from pentaglot.forest import ForestBuilder, example_forest, to_svg
from pentaglot.forest.layout import arrange

from .brute import random_forest, seeds
from .test_forest import chain

_SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_everything_is_drawn_and_nothing_overlaps(seed: int) -> None:
    forest = random_forest(seed)
    root = ElementTree.fromstring(forest.to_svg())
    assert len(list(root.iter(f"{_SVG}circle"))) == forest.edges
    assert len([each for each in root.iter(f"{_SVG}g") if each.get("class", "").startswith("node")]) == forest.nodes
    nodes, edges, rows = arrange(forest, [40.0] * forest.nodes, [60.0] * forest.edges)
    for row in range(rows):
        boxes = sorted((box for box in nodes + edges if box.row == row), key=lambda box: box.x)
        for one, other in itertools.pairwise(boxes):
            assert one.x + one.right < other.x - other.left
    for edge, box in enumerate(edges):
        assert box.row == nodes[int(forest.packed.heads[edge])].row + 1
        assert all(nodes[each].row > box.row for each in forest.tails(edge))


def test_labels_fit_into_their_boxes() -> None:
    """This one is 132 wide in DejaVu Sans Bold, the broadest of the usual fonts."""
    builder = ForestBuilder()
    builder.edge(builder.node())
    root = ElementTree.fromstring(builder.finish(0).to_svg(None, label=lambda payload: "he has not seen it"))
    (box,) = [
        each
        for group in root.iter(f"{_SVG}g")
        for each in group.findall(f"{_SVG}rect")
        if group.get("class", "").startswith("node")
    ]
    assert float(box.get("width", "0")) >= 132 + 8


def test_text_is_escaped() -> None:
    vocabulary = Vocabulary()
    builder = ForestBuilder()
    goal = builder.node()
    for word in ("<script>alert(1)</script>", "a&b\"'", "\x00\x1b[31m", "x" * 5000):
        builder.edge(goal, target=[vocabulary.add(word)])
    picture = to_svg(builder.finish(goal), vocabulary, label=lambda payload: "</svg><b>")
    ElementTree.fromstring(picture)
    assert "<script" not in picture and "<b>" not in picture and "\x1b" not in picture and "x" * 100 not in picture
    assert "href" not in picture and "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_large_forests_are_pruned_for_the_picture() -> None:
    picture = to_svg(chain(300, width=3), max_edges=50)
    assert "300 nodes, 900 edges, about 10^143 derivations; the best " in picture
    assert to_svg(example_forest()) == to_svg(example_forest())


def test_forest_without_derivation() -> None:
    builder = ForestBuilder()
    assert "0 derivations" in to_svg(builder.finish(builder.node()))
