"""Pictures of pieces: everything is in them, nothing overlaps, and bars lie over their words."""

from __future__ import annotations

from itertools import combinations, permutations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.explain.nodes import phrase, rule

from pentaglot.explain import Node
from pentaglot.explain.picture import block_svg, blocks_of

Box = tuple[float, float, float, float]
HEBREW = ["דטה", "הגמסז", "סהקמגחקף", "צטככ", "הקיה"]


def drawn(block: list[Node], source: list[str], target: list[str]) -> ElementTree.Element:
    numbers = {id(node): number for number, node in enumerate((each for piece in block for each in piece.walk()), 1)}
    return ElementTree.fromstring(block_svg(block, source, target, numbers, lambda number: f'href="#r{number}"'))


def boxes(picture: ElementTree.Element, kind: str) -> dict[str, list[Box]]:
    """Rectangles of a class by the text in them."""
    found: dict[str, list[Box]] = {}
    for link in picture.iter("a"):
        texts = [text.text or "" for text in link.iter("text")]
        rectangles = [each for each in link.iter("rect") if each.attrib["class"].split()[0] == kind]
        for text, each in zip(texts, rectangles, strict=False):
            x, y, width, height = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
            found.setdefault(text, []).append((x, y, x + width, y + height))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def nested() -> Node:
    """nicht X1 sondern X2 -> X2 not X1, with one more rule in the first gap."""
    inmost = phrase((2, 3), (5, 6))
    first = rule((1, 3), (4, 6), ["s1", 1], ["t4", 1], inmost)
    second = phrase((4, 6), (0, 3))
    return rule((0, 6), (0, 6), ["s0", 1, "s3", 2], [2, "t3", 1], first, second)


def test_nested_rules() -> None:
    source, target = [f"s{at}" for at in range(6)], [f"t{at}" for at in range(6)]
    picture = drawn([nested()], source, target)
    words, bars = boxes(picture, "word"), boxes(picture, "bar")
    assert sorted(words) == sorted(source + target)
    assert sorted(bars) == ["1", "2", "3", "4"]
    everything = [box for group in (words, bars) for each in group.values() for box in each]
    assert not any(overlap(one, other) for one, other in combinations(everything, 2))
    across, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    assert all(box[0] >= 0 and box[2] <= across and box[1] >= 0 and box[3] <= height for box in everything)
    # A bar reaches from the first to the last word of its span, on both sides, and lies outside of those in its gaps.
    spans = {"1": ((0, 6), (0, 6)), "2": ((1, 3), (4, 6)), "3": ((2, 3), (5, 6)), "4": ((4, 6), (0, 3))}
    for number, (above, below) in spans.items():
        for bar, (begin, end), side in zip(bars[number], (above, below), (source, target), strict=True):
            assert (bar[0], bar[2]) == pytest.approx((words[side[begin]][0][0], words[side[end - 1]][0][2]))
    assert bars["3"][0][1] < bars["2"][0][1] < bars["1"][0][1] < bars["1"][1][1] < bars["2"][1][1] < bars["3"][1][1]


def test_right_to_left() -> None:
    picture = drawn([phrase((0, 5), (0, 2))], HEBREW, ["a", "b"])
    words = boxes(picture, "word")
    assert [words[word][0][0] for word in HEBREW] == sorted((words[word][0][0] for word in HEBREW), reverse=True)
    assert words["a"][0][0] < words["b"][0][0]


def test_nothing_on_the_other_side() -> None:
    picture = drawn([phrase((0, 1), (0, 0))], ["ja"], [])
    assert sorted(boxes(picture, "word")) == ["ja", "∅"]
    swapped = [phrase((1, 2), (0, 1)), phrase((2, 3), (1, 1)), phrase((0, 1), (1, 2))]
    assert sorted(boxes(drawn(swapped, ["a", "b", "c"], ["x", "y"]), "word")) == ["a", "b", "c", "x", "y"]


@pytest.mark.parametrize("word", ["<script>", "&", "x" * 1_000_000, "\x00\x1b", "]]>"])
def test_odd_words(word: str) -> None:
    text = block_svg([phrase((0, 1), (0, 1))], [word], [word], _Ones(), lambda number: "")
    assert len(text) < 5_000
    assert "<script" not in text
    ElementTree.fromstring(text)


class _Ones(dict[int, int]):
    def __missing__(self, key: int) -> int:
        return 1


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_blocks_are_the_smallest(order: tuple[int, ...]) -> None:
    """Against the definition: a cut is where the pieces before it are the first ones of the source, too."""
    pieces = [phrase((2 * at, 2 * at + 2), (place, place + 1)) for place, at in enumerate(order)]
    cuts = [end for end in range(1, 5) if set(order[:end]) == set(range(end))]
    expected = [tuple(pieces[begin:end]) for begin, end in zip([0, *cuts], cuts, strict=False)]
    assert blocks_of(pieces) == expected


@given(st.permutations(range(7)), st.lists(st.integers(1, 12), min_size=7, max_size=7))
def test_crossing_pieces_do_not_overlap(order: list[int], sizes: list[int]) -> None:
    source = ["m" * size for size in sizes]
    pieces = [phrase((at, at + 1), (place, place + 1)) for place, at in enumerate(order)]
    for block in blocks_of(pieces):
        picture = drawn(list(block), source, [str(at) * 3 for at in order])
        shown = [box for kind in ("word", "bar") for each in boxes(picture, kind).values() for box in each]
        assert not any(overlap(one, other) for one, other in combinations(shown, 2))
