"""How good an alignment is, compared with links made by people."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.align.alignment import Alignment, parse_file
from pentaglot.errors import InputError
from pentaglot.wording import number_of

__all__ = ["AlignmentScore", "GoldAlignment", "evaluate", "read_gold"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class GoldAlignment:
    """Links made by people: the sure ones, and the possible ones, which include the sure ones."""

    sure: Alignment
    possible: Alignment
    skipped: tuple[tuple[int, int, int], ...] = ()  # sentence, source and target position of links out of range

    def __len__(self) -> int:
        return len(self.sure)


@dataclass(frozen=True)
class AlignmentScore:
    """Alignment error rate and its parts (Och and Ney 2003), from 0 to 1, and what they were counted from."""

    links: int
    sure: int
    linked_sure: int
    linked_possible: int

    @property
    def precision(self) -> float:
        """The share of links that are possible."""
        return self.linked_possible / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of sure links that were found."""
        return self.linked_sure / self.sure if self.sure else 1.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def f_alpha(self, alpha: float = 0.5) -> float:
        """Sure links that were found / (alpha * sure links + (1 - alpha) * links): the larger alpha is, the more recall
        counts. An unbalanced F predicts translation quality better than the error rate does (Fraser and Marcu 2007).

        >>> AlignmentScore(links=10, sure=5, linked_sure=4, linked_possible=8).f_alpha(0.2)
        0.4444444444444444
        """
        total = alpha * self.sure + (1 - alpha) * self.links
        return self.linked_sure / total if total else 1.0

    @property
    def error_rate(self) -> float:
        """1 - (links that are sure + links that are possible) / (links + sure links)."""
        total = self.links + self.sure
        return 1 - (self.linked_sure + self.linked_possible) / total if total else 0.0


def read_gold(
    path: str | os.PathLike[str], *, lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
) -> GoldAlignment:
    """Reads gold links: counted from 1, `3-4` for sure and `3p4` for possible ones, one line for each sentence pair.

    With the `lengths` of the source and target sentences, links outside of a sentence are left out, and a warning says
    how many and where the first is.
    """
    offsets, source, target, sure = parse_file(path, 1)
    sentences = _sentence_numbers(offsets)
    skipped: list[tuple[int, int, int]] = []
    if lengths is not None:
        if not len(lengths[0]) == len(lengths[1]) == len(offsets) - 1:
            raise InputError(
                f"has {number_of(len(offsets) - 1, 'line')}, but there are {len(lengths[0])} sentence pairs", path=path
            )
        inside = (source < lengths[0][sentences]) & (target < lengths[1][sentences])
        outside = np.flatnonzero(~inside)
        skipped = [(int(sentences[k]), int(source[k]), int(target[k])) for k in outside]
        if skipped:
            line, *first = (each + 1 for each in skipped[0])
            message = "%s:%d: %s outside of the sentences skipped; the first is %d-%d"
            _LOG.warning(message, os.fspath(path), line, number_of(len(skipped), "link"), *first)
        sentences, source, target, sure = sentences[inside], source[inside], target[inside], sure[inside]
    certain = sure.astype(bool)
    pairs = len(offsets) - 1
    return GoldAlignment(
        _gather(sentences[certain], source[certain], target[certain], pairs),
        _gather(sentences, source, target, pairs),
        tuple(skipped),
    )


def evaluate(alignment: Alignment, gold: GoldAlignment) -> AlignmentScore:
    """Compares links with gold links.

    >>> found = Alignment.from_links([[(0, 0), (1, 1), (2, 2)]])
    >>> gold = GoldAlignment(Alignment.from_links([[(0, 0)]]), Alignment.from_links([[(0, 0), (1, 1)]]))
    >>> score = evaluate(found, gold)
    >>> score.error_rate, round(score.precision, 3), score.recall
    (0.25, 0.667, 1.0)
    """
    if len(alignment) != len(gold):
        raise InputError(
            f"the alignment has {len(alignment)} sentence pairs but the gold alignment {len(gold)}",
            hint="compare the same sentences",
        )
    found, sure, possible = (_keys(each) for each in (alignment, gold.sure, gold.possible))
    return AlignmentScore(
        len(found),
        len(sure),
        len(np.intersect1d(found, sure, assume_unique=True)),
        len(np.intersect1d(found, possible, assume_unique=True)),
    )


def _sentence_numbers(offsets: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each link the number of its sentence."""
    begins = offsets.astype(np.int64)
    return np.repeat(np.arange(len(begins) - 1, dtype=np.int64), begins[1:] - begins[:-1])


def _gather(
    sentences: NDArray[np.int64], source: NDArray[np.uint16], target: NDArray[np.uint16], pairs: int
) -> Alignment:
    offsets = np.zeros(pairs + 1, np.uint64)
    np.cumsum(np.bincount(sentences, minlength=pairs), out=offsets[1:])
    return Alignment(offsets, np.ascontiguousarray(source), np.ascontiguousarray(target))


def _keys(alignment: Alignment) -> NDArray[np.uint64]:
    """One number for each link."""
    keys: NDArray[np.uint64] = (
        (_sentence_numbers(alignment.offsets).astype(np.uint64) << np.uint64(32))
        + (alignment.source.astype(np.uint64) << np.uint64(16))
        + alignment.target.astype(np.uint64)
    )
    return keys
