"""Draws a piece of a derivation: source words above, target words below, and between them the rules, each a bar over
its words on either side. A bar on top of another is a rule in one of its gaps, so the bars show the derivation tree.
Reordered pieces share a picture, in which they cross."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pentaglot.explain.nodes import Node
from pentaglot.forest.lettering import is_right_to_left, safe, shortened, width

__all__ = ["block_svg", "blocks_of"]

_SIZE, _LONGEST = 15.0, 28
_WORD, _SPACE, _LEVEL, _BAR, _MIDDLE, _MARGIN = 30.0, 5.0, 23.0, 18.0, 44.0, 3.0


@dataclass(frozen=True)
class _Row:
    """Words side by side: where the box of each begins and ends."""

    first: int
    boxes: tuple[tuple[float, float], ...]
    middle: float

    def over(self, begin: int, end: int) -> tuple[float, float]:
        """The extent of some neighbouring words; for no words, a short stretch at their place."""
        if begin == end:
            edges = [edge for box in self.boxes for edge in box]
            x = self.middle if not self.boxes else min(edges) if begin == self.first else max(edges)
            if 0 < begin - self.first < len(self.boxes):
                x = sum(self.boxes[begin - self.first - 1] + self.boxes[begin - self.first]) / 4
            return x - 12, x + 12
        boxes = self.boxes[begin - self.first : end - self.first]
        return min(box[0] for box in boxes), max(box[1] for box in boxes)


def blocks_of(pieces: Sequence[Node]) -> list[tuple[Node, ...]]:
    """Groups the pieces of a translation into the smallest blocks that are in the same order on both sides."""
    blocks: list[tuple[Node, ...]] = []
    waiting: list[Node] = []
    begin = covered = reach = 0
    for piece in pieces:
        waiting.append(piece)
        covered += len({at for node in piece.walk() for at in node.source_places})
        reach = max(reach, piece.span[1])
        if begin + covered == reach:
            blocks.append(tuple(waiting))
            waiting, begin, covered = [], reach, 0
    return [*blocks, tuple(waiting)] if waiting else blocks


def block_svg(
    block: Sequence[Node],
    source: Sequence[str],
    target: Sequence[str],
    numbers: Mapping[int, int],
    reference: Callable[[int], str],
) -> str:
    """Draws some pieces and the rules in their gaps. `source` and `target` are all words of the part; `numbers` has the
    number of each node by its `id`, and `reference` gives the attributes of a link to the rule with a number."""
    nodes = [node for piece in block for node in piece.walk()]
    levels = _levels(nodes)
    depth = max(levels.values()) + 1
    bars = depth * _LEVEL if len(nodes) > 1 else 0.0
    top = _MARGIN + _WORD + _SPACE
    bottom = top + 2 * bars + _MIDDLE + 18 * (len(block) > 1)  # where the target words begin
    rows = [_row(words, _span([side(node) for node in block])) for words, side in ((source, _above), (target, _below))]
    across = max(row[1] for row in rows) + 2 * _MARGIN
    upper, lower = (_centred(row, across) for row in rows)

    ribbons, drawn = [], []
    for node in nodes:
        number, level = numbers[id(node)], levels[id(node)]
        above, below = upper.over(*node.span), lower.over(*node.target_span)
        y1 = top + (level * _LEVEL + _BAR if bars else -_SPACE)
        y2 = bottom - (_SPACE + level * _LEVEL + _BAR if bars else 0.0)
        look = f'class="k{number % 12}" {reference(number)}'
        ribbons.append(f"<a {look}>{_ribbon(above, below, y1, y2)}</a>")
        if bars:
            drawn.append(f"<a {look}>{_bar(above, y1 - _BAR, number)}{_bar(below, y2, number)}</a>")
            drawn.append(_stems(node, upper, lower, (top, y1 - _BAR), (y2 + _BAR, bottom - _SPACE), number))
        else:
            drawn.append(f"<a {look}>{_dot((sum(above) + sum(below)) / 4, (y1 + y2) / 2, number)}</a>")
        marks = "" if node.kind == "rule" else f" {node.kind}"
        drawn += [_word(source[at], upper.over(at, at + 1), _MARGIN, look, marks) for at in node.source_places]
        drawn += [_word(target[at], lower.over(at, at + 1), bottom, look, marks) for at in node.target_places]
        if node.target_span[0] == node.target_span[1] and len(block) == 1:
            drawn.append(_word("∅", below, bottom, look, marks))
    height = bottom + _WORD + _MARGIN
    return (
        f'<svg class="piece" width="{across:.0f}" height="{height:.0f}" viewBox="0 0 {across:.0f} {height:.0f}">'
        + "".join(ribbons + drawn)
        + "</svg>"
    )


def _above(node: Node) -> tuple[int, int]:
    return node.span


def _below(node: Node) -> tuple[int, int]:
    return node.target_span


def _span(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(span[0] for span in spans), max(span[1] for span in spans)


def _levels(nodes: Sequence[Node]) -> dict[int, int]:
    """The number of rules stacked over the words of each node, or between them."""
    levels: dict[int, int] = {}
    for node in reversed(nodes):
        levels[id(node)] = max((levels[id(child)] + 1 for child in node.children), default=0)
    apart = [node for node in nodes if len(node.words()) not in (0, node.span[1] - node.span[0])]
    for node in sorted(apart, key=lambda each: each.span[1] - each.span[0]):
        inside = [each for each in nodes if each.span[0] < node.span[1] and node.span[0] < each.span[1]]
        levels[id(node)] = 1 + max((levels[id(each)] for each in inside if each is not node), default=-1)
    return levels


def _row(words: Sequence[str], span: tuple[int, int]) -> tuple[_Row, float]:
    """A row that begins at 0, and its width."""
    shown = words[span[0] : span[1]]
    boxes, x = [], 0.0
    for word in shown:
        size = max(26.0, width(shortened(word, _LONGEST), _SIZE) + 16)
        boxes.append((x, x + size))
        x += size + _SPACE
    x = max(x - _SPACE, 26.0)
    if is_right_to_left("".join(shown)):
        boxes = [(x - end, x - begin) for begin, end in boxes]
    return _Row(span[0], tuple(boxes), x / 2), x


def _centred(row: tuple[_Row, float], across: float) -> _Row:
    by = (across - row[1]) / 2
    return _Row(row[0].first, tuple((begin + by, end + by) for begin, end in row[0].boxes), across / 2)


def _ribbon(above: tuple[float, float], below: tuple[float, float], y1: float, y2: float) -> str:
    bend = (y1 + y2) / 2
    return (
        f'<path class="ribbon" d="M{above[0]:.1f} {y1:.1f}C{above[0]:.1f} {bend:.1f} {below[0]:.1f} {bend:.1f} '
        f"{below[0]:.1f} {y2:.1f}H{below[1]:.1f}C{below[1]:.1f} {bend:.1f} {above[1]:.1f} {bend:.1f} "
        f'{above[1]:.1f} {y1:.1f}Z"/>'
    )


def _bar(reach: tuple[float, float], y: float, number: int) -> str:
    begin, end = reach
    return f'<rect class="bar" x="{begin:.1f}" y="{y:.1f}" width="{end - begin:.1f}" height="{_BAR}" rx="5"/>' + _label(
        (begin + end) / 2, y + _BAR / 2, number
    )


def _dot(x: float, y: float, number: int) -> str:
    return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="10.5"/>' + _label(x, y, number)


def _label(x: float, y: float, number: int) -> str:
    return f'<text class="number" x="{x:.1f}" y="{y + 4:.1f}">{number}</text>'


def _stems(
    node: Node, upper: _Row, lower: _Row, above: tuple[float, float], below: tuple[float, float], number: int
) -> str:
    """Lines from the words of a rule to its bar, where other rules lie between."""
    lines = []
    for row, places, (begin, end) in ((upper, node.source_places, above), (lower, node.target_places, below)):
        for at in places if end - begin > 1 else ():
            x = sum(row.over(at, at + 1)) / 2
            lines.append(f'<path class="stem k{number % 12}" d="M{x:.1f} {begin - _SPACE:.1f}V{end + _SPACE:.1f}"/>')
    return "".join(lines)


def _word(word: str, box: tuple[float, float], y: float, look: str, marks: str) -> str:
    begin, end = box
    text = shortened(word, _LONGEST)
    title = f"<title>{safe(shortened(word, 500))}</title>" if text != word else ""
    return (
        f'<a {look}>{title}<rect class="word{marks}" x="{begin:.1f}" y="{y:.1f}" width="{end - begin:.1f}" '
        f'height="{_WORD}" rx="7"/><text x="{(begin + end) / 2:.1f}" y="{y + 20:.1f}">{safe(text)}</text></a>'
    )
