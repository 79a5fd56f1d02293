"""A concordance: where words with gaps between them occur, and how they were translated there.

A pattern is written as words; `X`, `Y`, `Z` (also with a number, `X1`), `...` and `…` stand for a gap of one or more
words. A word that looks like a gap is written with a backslash before it: `\\X`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pentaglot._core.corpus import UNKNOWN
from pentaglot._core.index import GAP
from pentaglot.corpus.splitters import plain, spaceless
from pentaglot.errors import PentaglotError
from pentaglot.index.additions import Snapshot
from pentaglot.index.index import Index
from pentaglot.index.limits import GrammarLimits
from pentaglot.options import setting

__all__ = ["Concordance", "FindOptions", "Hit", "Translation", "find", "parse_pattern"]

_GAP = re.compile(r"[XYZ][0-9]*|\.\.\.|…")
_GAP_AND_MARK = re.compile(rf"({_GAP.pattern})([^\w\s\\]+)")
_GAP_INSIDE = re.compile(f"({_GAP.pattern})")
_UNLIMITED = 0x7FFFFFFF


@dataclass(frozen=True)
class FindOptions:
    """How a concordance is made."""

    min_gap: int = setting(1, "fewest words in a gap", minimum=1)
    max_span: int | None = setting(None, "most words from the first to the last of a hit", minimum=1)
    examples: int = setting(3, "how many sentence pairs to show for each translation", minimum=0)
    most: int = setting(10_000, "stop after so many hits", minimum=1)


@dataclass(frozen=True)
class Hit:
    """One occurrence. Places count words from 0; spans are half open."""

    corpus: int
    pair: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    chunks: tuple[tuple[int, int], ...]  # source spans of the pattern's words
    gaps: tuple[tuple[int, int], ...]  # source spans of the pattern's gaps, those at its edges left out
    aligned: tuple[int, ...]  # target places of the pattern's words
    weight: float


@dataclass(frozen=True)
class Translation:
    """One way in which the pattern's words were translated, and where."""

    text: str  # its words; `…` where other words are between them; empty if nothing is aligned
    count: int
    weight: float
    examples: tuple[Hit, ...]


@dataclass(frozen=True)
class Concordance:
    """All translations of a pattern, the most frequent first."""

    pattern: str
    count: int
    complete: bool  # False if the search was stopped
    translations: tuple[Translation, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as plain lists and dictionaries."""
        return asdict(self)


def find(
    where: Index | Snapshot | Sequence[Index],
    pattern: str,
    options: FindOptions | None = None,
    *,
    tokenise: Callable[[str], list[str]] = str.split,
) -> Concordance:
    """Finds a pattern in one or several indexes. `tokenise` is applied to the words between two gaps.

    >>> from pentaglot.corpus import Bitext
    >>> from pentaglot.align import Alignment
    >>> bitext = Bitext.from_sentences([["er", "steht", "früh", "auf"]], [["he", "gets", "up", "early"]])
    >>> index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1), (2, 3), (3, 2)]]))
    >>> [(each.text, each.count) for each in find(index, "steht X auf").translations]
    [('gets up', 1)]
    """
    options = options or FindOptions()
    symbols = parse_pattern(pattern, tokenise)
    indexes = [where] if isinstance(where, Index) else where.indexes if isinstance(where, Snapshot) else list(where)
    hits: list[Hit] = []
    complete = True
    for number, index in enumerate(indexes):
        found, whole = _hits(index, number, symbols, options, options.most - len(hits))
        hits += found
        complete = complete and whole
    return Concordance(pattern, len(hits), complete, _grouped(hits, options.examples))


def parse_pattern(pattern: str, tokenise: Callable[[str], list[str]] = str.split) -> list[str | None]:
    """The words of a pattern, None for gaps.

    >>> parse_pattern("nicht nur X, sondern auch \\\\X")
    ['nicht', 'nur', None, ',', 'sondern', 'auch', 'X']
    """
    symbols: list[str | None] = []
    words: list[str] = []
    for word in (*_pieces(pattern), "..."):
        if not _GAP.fullmatch(word):
            words.append(word[1:] if word.startswith("\\") and _GAP.fullmatch(word[1:]) else word)
            continue
        symbols += tokenise(" ".join(words)) if words else []
        words = []
        symbols.append(None)
    symbols.pop()
    if not any(symbols):
        raise PentaglotError("there is no word to look for", hint="give at least one word besides the gaps")
    if any(one is None and other is None for one, other in pairwise(symbols)):
        raise PentaglotError("two gaps stand side by side", hint="one is enough: a gap may hold any number of words")
    return symbols


def _pieces(pattern: str) -> Iterable[str]:
    for piece in pattern.split():
        marked = _GAP_AND_MARK.fullmatch(piece)
        yield from marked.groups() if marked and not _GAP.fullmatch(piece) else _unglued(piece)


def _unglued(piece: str) -> list[str]:
    """Gaps in the midst of a script without spaces need none around them.

    >>> _unglued("彼は…ない"), _unglued("彼はXない"), _unglued("aXb")
    (['彼は', '…', 'ない'], ['彼は', 'X', 'ない'], ['aXb'])
    """
    parts = _GAP_INSIDE.split(piece)
    words = parts[::2]
    edges = [word[-1:] for word in words[:-1]] + [word[:1] for word in words[1:]]
    glued = any(edges) and all(spaceless(edge) for edge in edges if edge)
    return [part for part in parts if part] if len(parts) > 1 and glued else [piece]


def _hits(
    index: Index, number: int, symbols: list[str | None], options: FindOptions, most: int
) -> tuple[list[Hit], bool]:
    words = index.bitext.source_vocabulary
    ids = [GAP if word is None else words.find(word) for word in symbols]
    if UNKNOWN in ids:
        return [], True
    before, after = symbols[0] is None, symbols[-1] is None
    core = np.array(ids[before : len(ids) - after], np.uint32)
    limits = GrammarLimits(max_span=options.max_span or _UNLIMITED, min_gap=options.min_gap).compiled()
    flat, width, _ = index.source.search(core, limits, most + 1)
    complete = len(flat) <= most * width
    lengths = _chunk_lengths(core.tolist())
    hits = []
    for positions in flat.reshape(-1, width)[:most].tolist():
        hit = _hit(index, number, positions, lengths)
        first, last = hit.chunks[0][0], hit.chunks[-1][1]
        room_before, room_after = first >= options.min_gap, len(hit.source) - last >= options.min_gap
        if (room_before or not before) and (room_after or not after):
            hits.append(hit)
    return hits, complete


def _hit(index: Index, number: int, positions: list[int], lengths: list[int]) -> Hit:
    pair = index.source.sentence(positions[0])
    begin = int(index.bitext.source.offsets[pair])
    source, target = index.bitext.pair(pair)
    chunks = tuple((at - begin, at - begin + length) for at, length in zip(positions, lengths, strict=True))
    gaps = tuple((one[1], other[0]) for one, other in pairwise(chunks))
    places = {place for chunk in chunks for place in range(*chunk)}
    aligned = tuple(sorted({j for i, j in index.aligned.links(pair) if i in places}))
    return Hit(number, pair, tuple(source), tuple(target), chunks, gaps, aligned, index.weight(pair))


def _chunk_lengths(ids: Iterable[int]) -> list[int]:
    lengths = [0]
    for id in ids:
        if id == GAP:
            lengths.append(0)
        else:
            lengths[-1] += 1
    return lengths


def _translation_of(hit: Hit) -> str:
    words: list[str] = []
    for before, place in zip((None, *hit.aligned), hit.aligned, strict=False):
        if before is not None and place > before + 1:
            words.append("…")
        words.append(plain(hit.target[place]))
    return " ".join(words)


def _grouped(hits: list[Hit], examples: int) -> tuple[Translation, ...]:
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(_translation_of(hit), []).append(hit)
    translations = [
        Translation(text, len(group), sum(hit.weight for hit in group), tuple(group[:examples]))
        for text, group in groups.items()
    ]
    return tuple(sorted(translations, key=lambda each: (-each.weight, -each.count, each.text)))
