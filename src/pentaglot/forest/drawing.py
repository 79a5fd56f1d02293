"""Forests as pictures: nodes as boxes, edges as dots that join a node with its tails, the best derivation in blue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pentaglot.forest.forest import Forest
from pentaglot.forest.layout import Box, arrange
from pentaglot.forest.lettering import Words, rimmed, safe, shortened, spelt, width

__all__ = ["to_svg"]

_ROW, _MARGIN, _LONGEST = 62, 28, 30
_BOLD = 1.15  # how much wider bold letters are
_STYLE = """
text{font:13px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#475569}
.node rect{fill:#f8fafc;stroke:#94a3b8;stroke-width:1.2}
.node text{text-anchor:middle;fill:#0f172a;font-weight:600}
.edge path{fill:none;stroke:#cbd5e1;stroke-width:1.4}
.edge circle{fill:#94a3b8}
.best path{stroke:#2563eb;stroke-width:2.4}
.best circle{fill:#2563eb}
.best text{fill:#1e3a8a}
.best.node rect{fill:#dbeafe;stroke:#2563eb;stroke-width:2}
.caption{font-size:12px;fill:#64748b}
""".strip()


@dataclass(frozen=True)
class _Picture:
    """What is drawn where."""

    forest: Forest
    nodes: list[Box]
    edges: list[Box]
    best_edges: frozenset[int]
    best_nodes: frozenset[int]
    edge_texts: list[str]
    node_texts: list[str]
    width: float
    height: float


def to_svg(
    forest: Forest,
    vocabulary: Words | None = None,
    *,
    label: Callable[[int], str] | None = None,
    max_edges: int = 60,
) -> str:
    """A self-contained SVG picture. Each node is a box, named by `label` (given its payload) or by its number; below
    it are its edges, each a dot with its target side, where ①, ② stand for its tails. The best derivation is blue. Of
    a larger forest, the `max_edges` best edges are shown.

    >>> from pentaglot.forest import example_forest
    >>> picture = to_svg(example_forest())
    >>> picture.startswith("<svg "), picture.count("<circle"), "8 derivations" in picture
    (True, 6, True)
    """
    shown = forest.prune(edges=max_edges) if forest.edges > max_edges else forest
    picture = _picture(shown, vocabulary, label)
    across, height = picture.width, picture.height + 30
    caption = _caption(forest, shown)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {across:.0f} {height:.0f}" role="img" aria-label="{safe(caption)}">',
        f"<style>{_STYLE}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    order = sorted(range(shown.edges), key=lambda edge: edge in picture.best_edges)
    parts += [_lines(picture, edge) for edge in order]
    parts += [_dot(picture, edge) for edge in order]
    parts += [_node(picture, node) for node in range(shown.nodes)]
    parts.append(f'<text class="caption" x="{_MARGIN}" y="{height - 14:.0f}">{safe(caption)}</text></svg>')
    return "\n".join(parts) + "\n"


def _picture(forest: Forest, vocabulary: Words | None, label: Callable[[int], str] | None) -> _Picture:
    found = forest.kbest(1)
    best_edges = frozenset(found[0].edges.tolist() if found else ())
    heads = forest.packed.heads
    edge_texts = [_target(forest, edge, vocabulary) for edge in range(forest.edges)]
    payloads = forest.packed.node_payloads.tolist()
    node_texts = [
        shortened(str(node) if label is None else label(int(payloads[node])), _LONGEST) for node in range(forest.nodes)
    ]
    nodes, edges, rows = arrange(
        forest,
        [max(34.0, _BOLD * width(text) + 18) for text in node_texts],
        [width(text) + 30 for text in edge_texts],
    )
    left = min((box.x - box.left for box in nodes + edges), default=0.0)
    right = max((box.x + box.right for box in nodes + edges), default=0.0)
    for box in nodes + edges:
        box.x += _MARGIN - left
    across = max(right - left + 2 * _MARGIN, 2 * _MARGIN + 8 * len(_caption(forest, forest)))
    best_nodes = frozenset(int(heads[edge]) for edge in best_edges)
    height = rows * _ROW + 10
    return _Picture(forest, nodes, edges, best_edges, best_nodes, edge_texts, node_texts, across, height)


def _caption(forest: Forest, shown: Forest) -> str:
    count = forest.count()
    number = str(count) if count < 10**6 else f"about 10^{len(str(count)) - 1}"
    text = f"{forest.nodes} nodes, {forest.edges} edges, {number} derivation{'s' * (count != 1)}"
    return text if shown.edges == forest.edges else f"{text}; the best {shown.edges} edges are shown"


def _y(box: Box) -> float:
    return _MARGIN + 16 + box.row * _ROW


def _lines(picture: _Picture, edge: int) -> str:
    box, head = picture.edges[edge], picture.nodes[int(picture.forest.packed.heads[edge])]
    x, y, top = box.x, _y(box), _y(head) + 15
    paths = [f"M{x:.1f} {y:.1f}C{x:.1f} {y - 16:.1f} {head.x:.1f} {top + 20:.1f} {head.x:.1f} {top:.1f}"]
    for node in picture.forest.tails(edge):
        below = picture.nodes[node]
        end = _y(below) - 15
        bend = max(14.0, (end - y) * 0.45)
        paths.append(f"M{x:.1f} {y:.1f}C{x:.1f} {y + bend:.1f} {below.x:.1f} {end - bend:.1f} {below.x:.1f} {end:.1f}")
    return f'<g class="edge{_best(edge in picture.best_edges)}"><path d="{"".join(paths)}"/></g>'


def _dot(picture: _Picture, edge: int) -> str:
    box, text = picture.edges[edge], picture.edge_texts[edge]
    x, y = box.x, _y(box)
    score = f"{picture.forest.scores[edge]:.4g}"
    words = rimmed(f'x="{x + 9:.1f}" y="{y + 4.5:.1f}"', text)
    return (
        f'<g class="edge{_best(edge in picture.best_edges)}"><title>edge {edge}, score {score}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>{words}</g>'
    )


def _node(picture: _Picture, node: int) -> str:
    box = picture.nodes[node]
    y = _y(box)
    return (
        f'<g class="node{_best(node in picture.best_nodes)}"><rect x="{box.x - box.left:.1f}" y="{y - 15:.1f}" '
        f'width="{box.left + box.right:.1f}" height="30" rx="8"/>'
        f'<text x="{box.x:.1f}" y="{y + 4.5:.1f}">{safe(picture.node_texts[node])}</text></g>'
    )


def _best(marked: bool) -> str:
    return " best" if marked else ""


def _target(forest: Forest, edge: int, vocabulary: Words | None) -> str:
    words = []
    for symbol in forest.template(edge):
        if symbol < 0:
            number = -symbol
            words.append(chr(0x245F + number) if number <= 20 else f"({number})")
        else:
            words.append(str(symbol) if vocabulary is None else spelt(vocabulary, symbol))
    return shortened(" ".join(words), _LONGEST) or "ε"
