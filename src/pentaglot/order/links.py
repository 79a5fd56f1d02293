"""From word alignments to orders: the permutation of all words, and the minimal phrases with theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import order as core
from pentaglot.align import Alignment
from pentaglot.corpus import Text
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion
from pentaglot.order.permutation import Permutation, Permutations
from pentaglot.wording import number_of

__all__ = ["Pick", "Side", "Units", "gold_orders", "minimal_phrases", "sentence_lengths", "word_orders"]

Pick = Literal["leftmost", "rightmost", "strongest", "average"]
Side = Literal["left", "right"]
Lengths = Text | Sequence[int]
_NO_STRENGTHS = np.empty(0, np.float32)


@dataclass(frozen=True)
class Units:
    """A sentence as minimal phrases and the words without links between them. `spans` are the words of every unit, from
    the first up to, not including, the last; `loose` says which of them are words without links; the permutation is
    that of the others."""

    spans: tuple[tuple[int, int], ...]
    loose: tuple[bool, ...]
    permutation: Permutation

    @classmethod
    def of_words(cls, permutation: Permutation) -> Units:
        """Every word is a unit."""
        spans = tuple((word, word + 1) for word in range(len(permutation)))
        return cls(spans, (False,) * len(permutation), permutation)

    @property
    def words(self) -> int:
        """The number of words."""
        return self.spans[-1][1] if self.spans else 0


def word_orders(
    alignment: Alignment, lengths: Lengths, *, pick: Pick = "leftmost", attach: Side = "right", threads: int = 1
) -> Permutations:
    """The order of the source words of every sentence that follows its target side (Stanojević 2017, §2.5.2).

    Of a word with several links the leftmost, the rightmost or the strongest counts, or the average position. A word
    without links goes with the nearest linked word on the side `attach`; words of the same position keep their order.
    For links that both directions agree on, give an alignment that is symmetrised by intersection.

    >>> links = Alignment.from_links([[(0, 2), (1, 2), (2, 0), (4, 1)]])
    >>> str(word_orders(links, [5])[0])
    '4 5 1 2 3'
    """
    sizes = sentence_lengths(lengths)
    strengths = _NO_STRENGTHS if alignment.strengths is None else alignment.strengths
    if pick not in core.Pick.__members__:
        raise OptionError(f"unknown way '{pick}' to pick a link", hint=suggestion(pick, core.Pick.__members__))
    if attach not in core.Side.__members__:
        raise OptionError(f"there is no side '{attach}'", hint=suggestion(attach, core.Side.__members__))
    _check(alignment, sizes)
    how = core.Pick.__members__[pick], core.Side.__members__[attach]
    return Permutations(
        *core.word_ranks(alignment.offsets, alignment.source, alignment.target, strengths, sizes, *how, threads)
    )


def gold_orders(alignment: Alignment, lengths: Lengths, *, threads: int = 1) -> Permutations:
    """The order that preordering should find: by average target position, words without links go with the word on
    their right (Stanojević 2017, §3.4.1).

    >>> str(gold_orders(Alignment.from_links([[(0, 0), (0, 3), (1, 1)]]), [2])[0])
    '2 1'
    """
    return word_orders(alignment, lengths, pick="average", threads=threads)


def minimal_phrases(alignment: Alignment, lengths: Lengths, *, threads: int = 1) -> list[Units]:
    """The smallest phrases of every sentence whose links form a permutation.

    >>> units = minimal_phrases(Alignment.from_links([[(0, 2), (1, 2), (2, 0), (4, 1)]]), [5])[0]
    >>> units.spans, units.loose, str(units.permutation)
    (((0, 2), (2, 3), (3, 4), (4, 5)), (False, False, True, False), '3 1 2')
    """
    sizes = sentence_lengths(lengths)
    _check(alignment, sizes)
    found = core.minimal_phrases(alignment.offsets, alignment.source, alignment.target, sizes, threads)
    offsets, begins, ends, ranks = (each.tolist() for each in found)
    return [
        _units(size, begins[i:j], ends[i:j], ranks[i:j])
        for size, i, j in zip(sizes.tolist(), offsets, offsets[1:], strict=False)
    ]


def _units(size: int, begins: list[int], ends: list[int], ranks: list[int]) -> Units:
    spans, loose = list(zip(begins, ends, strict=True)), [False] * len(begins)
    taken = {word for begin, end in spans for word in range(begin, end)}
    free = [(word, word + 1) for word in range(size) if word not in taken]
    order = sorted(zip(spans + free, loose + [True] * len(free), strict=True))
    return Units(tuple(span for span, _ in order), tuple(each for _, each in order), Permutation(tuple(ranks)))


def sentence_lengths(lengths: Lengths) -> NDArray[np.uint32]:
    """How many words every sentence has."""
    if isinstance(lengths, Text):
        return (np.diff(lengths.offsets.astype(np.int64)) - 1).astype(np.uint32)
    given = list(lengths)
    if any(each < 0 for each in given):
        raise PentaglotError("a sentence cannot have fewer than 0 words")
    return np.array(given, np.uint32)


def _check(alignment: Alignment, sizes: NDArray[np.uint32]) -> None:
    if len(alignment) != len(sizes):
        linked, given = number_of(len(alignment), "sentence"), number_of(len(sizes), "sentence")
        raise PentaglotError(f"there are links for {linked}, but {given}")
