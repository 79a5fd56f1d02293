"""A concordance: where words with gaps between them occur, and how they were translated there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.spaceless import spaced_words
from pentaglot.index.index import Index
from pentaglot.index.limits import GrammarLimits
from pentaglot.index.pattern import literal, readings
from pentaglot.index.snapshot import Snapshot
from pentaglot.index.spelling import PieceSpelling
from pentaglot.index.ways import places_of
from pentaglot.options import setting

__all__ = ["Concordance", "FindOptions", "FoundTranslation", "Hit", "find", "literal"]

_UNLIMITED = 0x7FFFFFFF


@dataclass(frozen=True)
class FindOptions:
    """How a concordance is made."""

    min_gap: int = setting(1, "fewest words in a gap", minimum=1, maximum=_UNLIMITED)
    max_span: int | None = setting(
        None, "most words from the first to the last of a hit", minimum=1, maximum=_UNLIMITED
    )
    examples: int = setting(3, "how many sentence pairs to show for each translation", minimum=0)
    most: int = setting(10_000, "stop after this many hits", minimum=1, maximum=_UNLIMITED)


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
    source_line: str = ""  # as it was written, if known; left out for hits that are not shown
    target_line: str = ""
    file: str = ""  # the name of the source file, in which it is line `pair` + 1


@dataclass(frozen=True)
class FoundTranslation:
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
    exact: bool  # False if it was only found with other capitals, or other spaces beside punctuation
    translations: tuple[FoundTranslation, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as plain lists and dictionaries."""
        return asdict(self)


def find(
    where: Index | Snapshot | Sequence[Index],
    pattern: str,
    options: FindOptions | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    as_typed: bool = True,
) -> Concordance:
    """Finds a pattern in one or several indexes, whose source text `tokenizer` has cut into words. Text is found as it
    was written, from any of its words to any other; `literal` writes it as a pattern. In an index whose source
    sentences are in another order, text is found `as_typed`, or else as the index has it.

    >>> from pentaglot.corpus import Bitext
    >>> from pentaglot.align import Alignment
    >>> bitext = Bitext.from_sentences([["er", "steht", "früh", "auf"]], [["he", "gets", "up", "early"]])
    >>> index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1), (2, 3), (3, 2)]]))
    >>> [(each.text, each.count) for each in find(index, "steht X auf").translations]
    [('gets up', 1)]
    """
    options = options or FindOptions()
    indexes = [where] if isinstance(where, Index) else where.indexes if isinstance(where, Snapshot) else list(where)
    for parts, exact in readings(pattern):
        read = PieceSpelling.exact if exact else PieceSpelling.free
        spelt = [None if part is None else read(part, tokenizer) for part in parts]
        hits: list[Hit] = []
        complete = True
        for number, index in enumerate(indexes):
            found, whole = _hits(index, number, spelt, options, options.most - len(hits), as_typed)
            hits += found
            complete = complete and whole
        if hits or not complete:
            return Concordance(pattern, len(hits), complete, exact, _grouped(hits, options.examples, indexes))
    return Concordance(pattern, 0, True, True, ())


def _hits(
    index: Index, number: int, parts: list[PieceSpelling | None], options: FindOptions, most: int, as_typed: bool
) -> tuple[list[Hit], bool]:
    limits = GrammarLimits(max_span=options.max_span or _UNLIMITED, min_gap=options.min_gap)
    places = places_of(index.typed if as_typed else index, parts, limits, most + 1)
    before, after = parts[0] is None, parts[-1] is None
    hits = []
    for each in places[:most].tolist():
        hit = _hit(index, number, each, as_typed)
        first, last = hit.chunks[0][0], hit.chunks[-1][1]
        room_before, room_after = first >= options.min_gap, len(hit.source) - last >= options.min_gap
        if (room_before or not before) and (room_after or not after):
            hits.append(hit)
    return hits, len(places) <= most


def _hit(index: Index, number: int, places: list[list[int]], as_typed: bool) -> Hit:
    pair = index.source.sentence(places[0][0])
    sentence = int(index.bitext.source.offsets[pair])
    source, target = index.typed_pair(pair) if as_typed else index.bitext.pair(pair)
    typed = index.typed_places(pair) if as_typed else range(len(source))
    chunks = tuple((begin - sentence, end - sentence) for begin, end in places)
    gaps = tuple((one[1], other[0]) for one, other in pairwise(chunks))
    covered = {place for chunk in chunks for place in range(*chunk)}
    aligned = tuple(sorted({j for i, j in index.aligned.links(pair) if typed[i] in covered}))
    return Hit(number, pair, tuple(source), tuple(target), chunks, gaps, aligned, index.weight(pair))


def _written(hit: Hit, index: Index) -> Hit:
    source, target = index.written(hit.pair)
    return replace(hit, source_line=source, target_line=target, file=index.file_of(hit.pair))


def _translation_of(hit: Hit) -> str:
    """The aligned words, written as in the text where they are neighbours."""
    pieces: list[list[str]] = []
    for before, place in zip((None, *hit.aligned), hit.aligned, strict=False):
        if before is None or place > before + 1:
            pieces.append([])
        pieces[-1].append(hit.target[place])
    return " … ".join("".join(space + word for space, word in spaced_words(piece)) for piece in pieces)


def _grouped(hits: list[Hit], examples: int, indexes: Sequence[Index]) -> tuple[FoundTranslation, ...]:
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(_translation_of(hit), []).append(hit)
    translations = [
        FoundTranslation(
            text,
            len(group),
            sum(hit.weight for hit in group),
            tuple(_written(hit, indexes[hit.corpus]) for hit in group[:examples]),
        )
        for text, group in groups.items()
    ]
    return tuple(sorted(translations, key=lambda each: (-each.weight, -each.count, each.text)))
