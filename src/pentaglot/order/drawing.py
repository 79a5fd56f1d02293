"""The order of a sentence as a picture: its tree, its words before and after, and the links to another sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pentaglot.align.words import normal_form
from pentaglot.forest.lettering import safe, shortened, width
from pentaglot.order.order_tree import OrderTree
from pentaglot.order.permutation import Permutation
from pentaglot.wording import number_of

__all__ = ["OrderPicture", "crossings", "told_crossings"]

_LEVEL, _GAP, _MARGIN, _FALL, _LONGEST = 46.0, 16.0, 18.0, 64.0, 24
_STYLE = (
    "text{font:13px sans-serif;text-anchor:middle;fill:#1f2933}.caption{text-anchor:start;fill:#52606d}"
    ".op{fill:#ffffff;stroke:#9aa5b1}.turned{fill:#fde8d7;stroke:#c05621}"
    "line,polyline{fill:none;stroke:#9aa5b1;stroke-width:1.4}"
    ".link{stroke:#2b6cb0}.move{stroke:#c05621}.stay{stroke:#9aa5b1}"
)
Links = Sequence[tuple[int, int]]


def crossings(links: Links) -> int:
    """How many pairs of links cross each other.

    >>> crossings([(0, 1), (1, 0), (2, 2)])
    1
    """
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for i, a in enumerate(links) for b in links[:i])


def told_crossings(links: Links) -> str:
    """The same in words.

    >>> told_crossings([(0, 1), (1, 0)])
    '1 crossing'
    """
    return number_of(crossings(links), "crossing")


@dataclass(frozen=True)
class _Row:
    """Words side by side at some height; `middles` are where lines meet them."""

    words: tuple[str, ...]
    middles: tuple[float, ...]
    y: float

    @classmethod
    def of(cls, words: Sequence[str], y: float) -> _Row:
        plain = (normal_form(word, lowercase=False) for word in words)
        shown, middles, x = [shortened(word, _LONGEST) for word in plain], [], _MARGIN
        for word in shown:
            wide = max(width(word), 18.0)
            middles.append(x + wide / 2)
            x += wide + _GAP
        return cls(tuple(shown), tuple(middles), y)

    @property
    def right(self) -> float:
        return self.middles[-1] + width(self.words[-1]) / 2 + _MARGIN if self.words else 2 * _MARGIN

    def draw(self) -> Iterator[str]:
        for word, x in zip(self.words, self.middles, strict=True):
            yield f'<text x="{x:.1f}" y="{self.y:.1f}">{safe(word)}</text>'


@dataclass(frozen=True)
class OrderPicture:
    """A picture of a sentence: the trees of its order, which may be several if it was glued together,
    and, if there is one, a translation with links.

    >>> tree = OrderTree((0, 2), "21", 0, (OrderTree((0, 1)), OrderTree((1, 2))))
    >>> picture = OrderPicture(("tea", "drink"), Permutation((1, 0)), (tree,), ("trinke", "Tee"), ((0, 1), (1, 0)))
    >>> print(picture.text())
    21
    ├─ tea → 2
    └─ drink → 1
    >>> picture.to_svg().startswith("<svg ")
    True
    """

    words: tuple[str, ...]
    permutation: Permutation
    trees: tuple[OrderTree, ...]
    target: tuple[str, ...] = ()
    links: tuple[tuple[int, int], ...] = ()

    @property
    def moved_links(self) -> list[tuple[int, int]]:
        """The links after the words have moved."""
        return self.permutation.move(self.links)

    def text(self) -> str:
        """The trees for a terminal: one line for each node, words with the place, counted from 1, where they go."""
        lines: list[str] = []
        for tree in self.trees:
            stack: list[tuple[OrderTree, str, str]] = [(tree, "", "")]
            while stack:
                node, before, below = stack.pop()
                lines.append(before + self._told(node))
                for child in reversed(node.children):
                    last = child is node.children[-1]
                    stack.append((child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))
        return "\n".join(lines)

    def _told(self, node: OrderTree) -> str:
        if node.children:
            return node.operator
        words = " ".join(self.words[slice(*node.span)])
        return f"{words} → {' '.join(str(self.permutation.ranks[word] + 1) for word in range(*node.span))}"

    def to_svg(self) -> str:
        """A self-contained picture. From the top: the tree, the words, the words in their new order, the translation;
        below that the links as they were before. Operators that turn their children around are orange."""
        height = max((_depth(tree) for tree in self.trees), default=0)
        source = _Row.of(self.words, _MARGIN + 24 + height * _LEVEL)
        after = _Row.of(self.permutation.apply(self.words), source.y + _FALL)
        rows, parts = [source, after], list(self._tree_parts(source))
        parts += _lines(source, after, enumerate(self.permutation.ranks), "move", self._stays())
        end = after.y
        if self.target:
            target = _Row.of(self.target, after.y + _FALL)
            old, old_target = _Row.of(self.words, target.y + 58), _Row.of(self.target, target.y + 58 + _FALL)
            rows += [target, old, old_target]
            parts += _lines(after, target, self.moved_links, "link")
            parts += _lines(old, old_target, self.links, "link")
            parts.append(_caption(f"{told_crossings(self.moved_links)} now", target.y + 24))
            parts.append(_caption(f"{told_crossings(self.links)} before", old_target.y + 24))
            end = old_target.y + 24
        for row in rows:
            parts += row.draw()
        across, tall = max(max(row.right for row in rows), 220.0), end + _MARGIN
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{tall:.0f}" '
            f'viewBox="0 0 {across:.0f} {tall:.0f}" role="img" aria-label="the order of a sentence">'
        )
        return "\n".join([head, f"<style>{_STYLE}</style>", '<rect width="100%" height="100%" fill="#ffffff"/>', *parts,
                          "</svg>"]) + "\n"  # fmt: skip

    def _stays(self) -> frozenset[tuple[int, int]]:
        return frozenset((word, rank) for word, rank in enumerate(self.permutation.ranks) if word == rank)

    def _tree_parts(self, row: _Row) -> Iterator[str]:
        """Lines first, so that they lie under the boxes of operators. A line goes to above its child first, and then
        straight down, where no other box can be."""
        boxes: list[str] = []
        for tree in self.trees:
            for node in tree.nodes():
                if not node.children:
                    continue
                x, y = _middle(row, node), row.y - 34 - (_depth(node) - 1) * _LEVEL
                for child in node.children:
                    low = row.y - 34 - (_depth(child) - 1) * _LEVEL if child.children else row.y - 15
                    to, bend = _middle(row, child), min(y + _LEVEL / 2, low)
                    yield f'<polyline points="{x:.1f},{y:.1f} {to:.1f},{bend:.1f} {to:.1f},{low:.1f}"/>'
                wide = 14.0 + 8 * len(node.operator)
                kind = "op" if node.places == tuple(sorted(node.places)) else "op turned"
                boxes.append(
                    f'<rect class="{kind}" x="{x - wide / 2:.1f}" y="{y - 11:.1f}" width="{wide:.1f}" height="22" '
                    f'rx="7"/><text x="{x:.1f}" y="{y + 4.5:.1f}">{node.operator}</text>'
                )
        yield from boxes


def _caption(text: str, y: float) -> str:
    return f'<text class="caption" x="{_MARGIN}" y="{y:.1f}">{safe(text)}</text>'


def _lines(
    upper: _Row, lower: _Row, pairs: Iterable[tuple[int, int]], kind: str, quiet: Iterable[tuple[int, int]] = ()
) -> Iterator[str]:
    for one, other in pairs:
        name = "stay" if (one, other) in quiet else kind
        x, to = upper.middles[one], lower.middles[other]
        yield f'<line class="{name}" x1="{x:.1f}" y1="{upper.y + 6:.1f}" x2="{to:.1f}" y2="{lower.y - 15:.1f}"/>'


def _depth(tree: OrderTree) -> int:
    """How many levels of operators there are; at most as many as the sentence has words."""
    deepest, stack = 0, [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth + bool(node.children))
        stack += [(child, depth + 1) for child in node.children]
    return deepest


def _middle(row: _Row, node: OrderTree) -> float:
    first, last = row.middles[node.span[0]], row.middles[node.span[1] - 1]
    return (first + last) / 2
