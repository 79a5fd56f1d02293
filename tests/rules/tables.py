"""Small bitexts, and an extractor by the declarative definition of rules (spec lopez2008, 3.12)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.rules import RuleOptions, Table, TextOptions, export_table

Links = list[tuple[int, int]]
Pair = tuple[list[str], list[str], Links]
Span = tuple[int, int]
Rule = tuple[str, str]  # both sides, gaps as X1, X2, ...


@st.composite
def bitexts(draw: st.DrawFn, longest: int = 6) -> list[Pair]:
    pairs = []
    for _ in range(draw(st.integers(1, 5))):
        source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=longest))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=longest))
        cells = [(s, t) for s in range(len(source)) for t in range(len(target))]
        pairs.append((source, target, sorted(draw(st.lists(st.sampled_from(cells), unique=True, max_size=8)))))
    return pairs


def encoded(pairs: list[Pair]) -> tuple[Bitext, Alignment]:
    bitext = Bitext.from_sentences([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return bitext, Alignment.from_links([pair[2] for pair in pairs])


@dataclass
class Seen:
    """What the twin knows of a rule."""

    count: float = 0.0
    places: set[Any] = field(default_factory=set)  # sentence and places of the source words
    links: Counter[tuple[tuple[int, int], ...]] = field(default_factory=Counter)


def _consistent(pair: Pair, source: Span, target: Span, tight: bool) -> bool:
    links = pair[2]
    inside = [source[0] <= s < source[1] for s, _ in links]
    across = [target[0] <= t < target[1] for _, t in links]
    if inside != across or not any(inside):
        return False
    edges = {source[0], source[1] - 1} <= {s for s, _ in links} and {target[0], target[1] - 1} <= {t for _, t in links}
    return edges or not tight


def _spans(size: int, longest: int, least: int = 1) -> list[Span]:
    return [(b, e) for b in range(size) for e in range(b + least, min(size, b + longest) + 1)]


def _side(words: list[str], span: Span, gaps: list[tuple[int, Span]]) -> tuple[list[str], dict[int, int]]:
    """Symbols, and which of them each place of a word became."""
    starts = {gap[0]: (number, gap[1]) for number, gap in gaps}
    symbols: list[str] = []
    places: dict[int, int] = {}
    at = span[0]
    while at < span[1]:
        if at in starts:
            number, at = starts[at]
            symbols.append(f"X{number}")
        else:
            places[at] = len(symbols)
            symbols.append(words[at])
            at += 1
    return symbols, places


def chunks(side: list[str]) -> int:
    """How many runs of words there are."""
    return len("".join(" " if symbol.startswith("X") else "w" for symbol in side).split())


def _rules_of(pair: Pair, source: Span, target: Span, options: RuleOptions) -> Iterator[tuple[Rule, Any, Any]]:
    """All rules of an initial phrase pair: sides, links, places of source words."""
    tight = options.extraction == "tight"
    holes = [
        (gap, [t for t in _spans(len(pair[1]), 99) if target[0] <= t[0] and t[1] <= target[1]])
        for gap in _spans(len(pair[0]), 99, options.min_gap)
        if source[0] <= gap[0] and gap[1] <= source[1]
    ]
    choices = [(gap, [t for t in spans if _consistent(pair, gap, t, tight)]) for gap, spans in holes]
    for size in range(options.max_gaps + 1):
        for chosen in combinations(choices, size):
            gaps = [gap for gap, _ in chosen]
            if any(b[0] <= a[1] for a, b in pairwise(gaps)):
                continue
            for targets in product(*(spans for _, spans in chosen)):
                if any(b[0] < a[1] for a, b in pairwise(sorted(targets))):
                    continue
                left, left_places = _side(pair[0], source, list(enumerate(gaps, 1)))
                right, right_places = _side(pair[1], target, list(enumerate(targets, 1)))
                if len(left) > options.max_symbols or not any(s in left_places for s, _ in pair[2]):
                    continue
                if max(chunks(left), chunks(right)) > options.max_chunks:
                    continue
                links = [
                    (left_places[s], right_places[t]) for s, t in pair[2] if s in left_places and t in right_places
                ]
                yield (" ".join(left), " ".join(right)), tuple(sorted(links)), tuple(left_places)


def twin(pairs: list[Pair], options: RuleOptions) -> dict[Rule, Seen]:
    """All rules with counts shared over initial phrase pairs, as in Chiang 2007."""
    found: dict[Rule, Seen] = defaultdict(Seen)
    for number, pair in enumerate(pairs):
        for source in _spans(len(pair[0]), options.max_span):
            for target in _spans(len(pair[1]), options.max_target_span):
                if not _consistent(pair, source, target, options.extraction == "tight"):
                    continue
                rules = list(_rules_of(pair, source, target, options))
                for rule, links, places in rules:
                    seen = found[rule]
                    seen.count += 1 / len(rules)
                    seen.places.add((number, places))
                    seen.links[links] += 1
    return found


def contents(table: Table, folder: Path) -> dict[Rule, tuple[dict[str, float], tuple[tuple[int, int], ...]]]:
    """All rules of a table with their features and links, by way of a text file."""
    file = folder / "table.cdec"
    export_table(table, file, TextOptions(format="cdec", escaping="none"))
    found = {}
    for line in file.read_text("utf-8").splitlines():
        left, source, target, features, *links = (field.strip() for field in line.split("|||"))
        assert left == "[X]"
        sides = [" ".join(_gap(symbol) for symbol in side.split()) for side in (source, target)]
        values = {name: float(value) for name, value in (each.split("=") for each in features.split())}
        linked = [(int(s), int(t)) for s, t in (link.split("-") for link in " ".join(links).split())]
        assert (sides[0], sides[1]) not in found
        found[sides[0], sides[1]] = values, tuple(sorted(linked))
    return found


def _gap(symbol: str) -> str:
    return "X" + symbol.strip("[X,]") if symbol.startswith("[") else symbol
