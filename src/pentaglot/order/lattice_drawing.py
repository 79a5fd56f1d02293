"""A lattice of orders as a picture: every path from left to right is an order of the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from pentaglot.align.words import normal_form
from pentaglot.forest import Arc, Lattice
from pentaglot.forest.lettering import rimmed, safe, shortened, width
from pentaglot.wording import number_of

__all__ = ["lattice_svg", "lattice_text"]

_ROW, _GAP, _MARGIN, _LONGEST = 46.0, 64.0, 30.0, 20
_SHARES = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8)  # of an arc, where its word may stand
_ROOM = 14.0  # more for each further arc between nodes of the same depths, so that words find places beside each other
_Box = tuple[float, float, float, float]
_STYLE = (
    "text{font:13px sans-serif;text-anchor:middle;fill:#1f2933}"
    ".caption{text-anchor:start;fill:#52606d}path{fill:none;stroke:#9aa5b1;stroke-width:1.3}"
    ".best path{stroke:#2563eb;stroke-width:2.4}.best text{fill:#1e3a8a;font-weight:600}"
    ".place{font-size:9px;fill:#7b8794}circle{fill:#ffffff;stroke:#52606d;stroke-width:1.3}"
)


def lattice_svg(lattice: Lattice, words: Sequence[str], *, paths: int = 12) -> str:
    """A self-contained picture of the best paths of a lattice whose labels are places of words. An arc has a word, and
    below it the place, counted from 1, where it was typed. The best order is blue.

    >>> lattice_svg(Lattice.from_sequences([(0, 1, 2), (0, 2, 1)]), ["I", "tea", "drink"]).count("<path")
    5
    """
    best = lattice.kbest(paths)
    chosen = {arc for path in best for arc in _arcs(lattice, path.words)}
    first = set(_arcs(lattice, best[0].words))
    arcs = [lattice.arcs[number] for number in sorted(chosen)]
    depths = {node: depth for path in best for depth, node in enumerate(_nodes(lattice, path.words))}
    rows = _rows(depths, [_nodes(lattice, path.words) for path in best])
    columns = _columns(arcs, depths, words)
    tall = max(rows.values()) * _ROW
    middle = _MARGIN + 14 + tall / 2
    at = {
        node: (columns[depths[node]], middle + rows[node] * _ROW - _centre(rows, depths, node) * _ROW) for node in rows
    }
    taken: list[_Box] = [(x - 6, y - 6, x + 6, y + 6) for x, y in at.values()]
    drawn = {}
    for number in sorted(chosen, key=lambda number: number not in first):  # the best order has the first choice
        arc = lattice.arcs[number]
        drawn[number] = _drawn(at[arc.start], at[arc.end], arc, words, number in first, taken)
    lines, texts = zip(*(drawn[number] for number in sorted(drawn, key=lambda number: number in first)), strict=True)
    parts = [*lines, *texts]  # no line passes over a word
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in at.values()]
    total = lattice.count()
    told = number_of(total, "order") + (f", the best {len(best)} shown" if total > len(best) else "")
    across, height = max(columns[-1] + _MARGIN, 260.0), middle + tall / 2 + 52
    parts.append(f'<text class="caption" x="{_MARGIN:.0f}" y="{height - 14:.0f}">{safe(told)}</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {across:.0f} {height:.0f}" role="img" aria-label="{safe(told)}">'
    )
    return "\n".join([head, f"<style>{_STYLE}</style>", '<rect width="100%" height="100%" fill="#ffffff"/>', *parts,
                      "</svg>"]) + "\n"  # fmt: skip


def lattice_text(lattice: Lattice, words: Sequence[str], *, paths: int = 12) -> str:
    """The best paths for a terminal, the best first: what each is worth, and its words, with `·` for words that stand
    at the same place in the path before it.

    >>> print(lattice_text(Lattice.from_sequences([(0, 1, 2), (0, 2, 1)]), ["I", "tea", "drink"]))
        0.00  I drink tea
        0.00  · tea   drink
    """
    best = lattice.kbest(paths)
    rows = [[_plain(words[place]) for place in path.words] for path in best]
    wide = [max(_cells(row[at]) for row in rows) for at in range(len(words))]
    lines, before = [], [""] * len(words)
    for path, row in zip(best, rows, strict=True):
        shown = ["·" if one == other else one for one, other in zip(row, before, strict=True)]
        line = " ".join(_padded(word, size) for word, size in zip(shown, wide, strict=True)).rstrip()
        lines.append(f"{path.score:8.2f}  {line}")
        before = row
    return "\n".join(lines)


def _plain(word: str) -> str:
    return shortened(normal_form(word, lowercase=False), _LONGEST)


def _padded(word: str, size: int) -> str:
    return word + " " * (size - _cells(word))


def _cells(word: str) -> int:
    """How wide a terminal shows a word."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in word)


def _arcs(lattice: Lattice, order: Sequence[int]) -> list[int]:
    """The arcs of a path; from a node, no two arcs have the same word."""
    leaving = {(arc.start, arc.words[0]): number for number, arc in enumerate(lattice.arcs)}
    node, found = 0, []
    for place in order:
        number = leaving[node, place]
        found.append(number)
        node = lattice.arcs[number].end
    return found


def _nodes(lattice: Lattice, order: Sequence[int]) -> list[int]:
    return [0, *(lattice.arcs[number].end for number in _arcs(lattice, order))]


def _rows(depths: dict[int, int], paths: list[list[int]]) -> dict[int, int]:
    """The row of each node among those of its depth: those of better paths come first."""
    rows: dict[int, int] = {}
    used: dict[int, int] = {}
    for path in paths:
        for node in path:
            if node not in rows:
                rows[node] = used.get(depths[node], 0)
                used[depths[node]] = rows[node] + 1
    return rows


def _centre(rows: dict[int, int], depths: dict[int, int], node: int) -> float:
    return max(row for other, row in rows.items() if depths[other] == depths[node]) / 2


def _columns(arcs: Sequence[Arc], depths: dict[int, int], words: Sequence[str]) -> list[float]:
    """Where the nodes of each depth are drawn."""
    wide, count = [0.0] * len(words), [0] * len(words)
    for arc in arcs:
        wide[depths[arc.start]] = max(wide[depths[arc.start]], width(_plain(words[arc.words[0]])))
        count[depths[arc.start]] += 1
    columns = [_MARGIN]
    for each, several in zip(wide, count, strict=True):
        columns.append(columns[-1] + each + _GAP + min(several - 1, 8) * _ROOM)
    return columns


def _drawn(
    start: tuple[float, float], end: tuple[float, float], arc: Arc, words: Sequence[str], best: bool, taken: list[_Box]
) -> tuple[str, str]:
    """Its line, and its word with the place where that was typed."""
    (x, y), (to, down) = start, end
    place = arc.words[0]
    word = _plain(words[place])
    at, height = _free_point(start, end, width(word), taken)
    curve = f"M{x:.1f} {y:.1f}C{(x + to) / 2:.1f} {y:.1f} {(x + to) / 2:.1f} {down:.1f} {to:.1f} {down:.1f}"
    kind = ' class="best"' if best else ""
    told = rimmed(f'x="{at:.1f}" y="{height - 3:.1f}"', word)
    told += rimmed(f'class="place" x="{at:.1f}" y="{height + 8:.1f}"', str(place + 1))
    return f'<g{kind}><path d="{curve}"/></g>', f"<g{kind}>{told}</g>"


def _free_point(
    start: tuple[float, float], end: tuple[float, float], wide: float, taken: list[_Box]
) -> tuple[float, float]:
    """A point of the curve where a word covers no other word, or few."""
    (x, y), (to, down) = start, end
    found: list[tuple[float, int, tuple[float, float], _Box]] = []
    for rank, share in enumerate(_SHARES):
        rest = 1 - share
        middle = (x + to) / 2
        across = rest**3 * x + 3 * rest**2 * share * middle + 3 * rest * share**2 * middle + share**3 * to
        height = (rest**3 + 3 * rest**2 * share) * y + (3 * rest * share**2 + share**3) * down
        box = across - wide / 2 - 2, height - 15, across + wide / 2 + 2, height + 10
        found.append((sum(_overlap(box, other) for other in taken), rank, (across, height), box))
    _, _, point, box = min(found)
    taken.append(box)
    return point


def _overlap(one: _Box, other: _Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return across * tall if across > 0 and tall > 0 else 0.0
