"""The ways in which a pattern is written in the words of a text: a comma that touches the word before it is another
word than one that stands alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import Tokenizer
from pentaglot.index.index import Index
from pentaglot.index.limits import GrammarLimits
from pentaglot.index.pattern import readings
from pentaglot.index.spelling import PieceSpelling, spellings_in

__all__ = ["Way", "places_of", "ways_written"]

Way = tuple[str | None, ...]  # the words of a pattern; None for a gap

_MOST = 10_000  # places of a pattern with gaps that are looked at


def ways_written(
    indexes: Sequence[Index], pattern: str, limits: GrammarLimits, tokenizer: Tokenizer | None = None
) -> list[Way]:
    """The ways in which a pattern is written in some texts, the most frequent first. Of the limits only the span and
    the gaps count.

    >>> from pentaglot.align import Alignment
    >>> from pentaglot.corpus import Bitext
    >>> words = [Tokenizer().tokenise(line) for line in ("ja, das", "ja , das", "ja, das", "das")]
    >>> index = Index.build(Bitext.from_sentences(words, [["t"]] * 4), Alignment.from_links([[]] * 4))
    >>> ways_written([index], ", X", GrammarLimits(min_gap=1)), ways_written([index], "ja,", GrammarLimits())
    ([('￭,', None), (',', None)], [('ja', '￭,')])
    """
    for parts, exact in readings(pattern):
        read = PieceSpelling.exact if exact else PieceSpelling.free
        spelt = [None if part is None else read(part, tokenizer) for part in parts]
        counts: Counter[Way] = Counter()
        for index in indexes:
            for texts, count in _written(index, spelt, limits):
                words = iter([tuple(index.bitext.source_vocabulary.words(text)) for text in texts])
                counts[tuple(word for part in parts for word in ((None,) if part is None else next(words)))] += count
        if counts:
            return sorted(counts, key=lambda way: (-counts[way], [word or "" for word in way]))
    return []


def places_of(
    index: Index, parts: Sequence[PieceSpelling | None], limits: GrammarLimits, most: int
) -> NDArray[np.uint32]:
    """Where the texts of a pattern stand in an index: for each place begin and end of each text. Stops when `most` are
    found. Gaps at the edges of a pattern are not looked at."""
    chunks = [spellings_in(index, part) for part in parts if part is not None]
    if not all(chunks):
        return np.empty((0, len(chunks), 2), np.uint32)
    flat, _ = index.source.search_forms(chunks, limits.compiled(), most)
    return flat.reshape(-1, len(chunks), 2)


def _written(
    index: Index, parts: list[PieceSpelling | None], limits: GrammarLimits
) -> Iterator[tuple[list[NDArray[np.uint32]], int]]:
    """The texts between gaps, each in one of its ways, and how often they stand so."""
    texts = [part for part in parts if part is not None]
    if len(texts) == 1:
        for ids in spellings_in(index, texts[0]):
            begin, end = index.source.find(ids)
            yield [ids], end - begin
        return
    tokens = index.bitext.source.tokens
    for place in places_of(index, parts, limits, _MOST).tolist():
        yield [np.asarray(tokens[begin:end], np.uint32) for begin, end in place], 1
