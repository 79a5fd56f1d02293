"""A trial on held-out sentences: does the order that a grammar finds come closer to that of translations?"""

from __future__ import annotations

import dataclasses
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import StorageError
from pentaglot.order.links import gold_orders, sentence_lengths
from pentaglot.order.measures import kendall
from pentaglot.order.permutation import Permutation
from pentaglot.order.preorderer import Preorderer

__all__ = ["Trial", "agreement", "held_out_pairs", "without_links"]

_KIND, _VERSION = "trial of word order", 1
_ONE_IN, _MOST = 20, 500


def agreement(found: Permutation, gold: Permutation) -> float:
    """Kendall's measure of an order of a sentence against the true one: the share of pairs of words that stand right.

    >>> round(agreement(Permutation((0, 1, 2)), Permutation((0, 2, 1))), 3)
    0.667
    """
    return kendall(Permutation(tuple(gold.ranks[word] for word in found.order)))


def held_out_pairs(bitext: Bitext, alignment: Alignment) -> NDArray[np.int64]:
    """The numbers of the pairs for a trial, from all over a text: one in twenty of those with several source words and
    with links, at most 500."""
    links = np.diff(np.asarray(alignment.offsets).astype(np.int64))
    found = np.flatnonzero((links > 0) & (sentence_lengths(bitext.source) > 1))
    number = min(len(found) // _ONE_IN, _MOST)
    return found[np.arange(number) * len(found) // max(number, 1)]


def without_links(alignment: Alignment, pairs: NDArray[np.int64]) -> Alignment:
    """The same links, but none of some pairs: a grammar does not learn from those.

    >>> without_links(Alignment.from_links([[(0, 0)], [(1, 1)]]), np.array([0])).links(0)
    []
    """
    offsets = np.asarray(alignment.offsets).astype(np.int64)
    counts = np.diff(offsets)
    kept = np.ones(len(counts), bool)
    kept[pairs] = False
    mask = np.repeat(kept, counts)
    new = np.concatenate([[0], np.cumsum(np.where(kept, counts, 0))]).astype(np.uint64)
    return Alignment(new, np.ascontiguousarray(alignment.source[mask]), np.ascontiguousarray(alignment.target[mask]))


@dataclass(frozen=True)
class Trial:
    """The mean agreement of held-out sentences with the order of their translations, as typed and as ordered.

    >>> Trial(0.7, 0.8, 100).is_worthwhile(0.01), Trial(0.95, 0.951, 100).is_worthwhile(0.01)
    (True, False)
    """

    typed: float
    ordered: float
    pairs: int
    kept: bool = False  # whether text was kept as typed because of it
    searched: bool = False  # whether text was kept as typed, and the search weighs orders instead

    @classmethod
    def of(
        cls, preorderer: Preorderer, bitext: Bitext, alignment: Alignment, pairs: Sequence[int], *, threads: int = 1
    ) -> Trial:
        """Orders some sentences that the grammar has not seen."""
        sentences = [bitext.pair(pair)[0] for pair in pairs]
        links = Alignment.from_links([alignment.links(pair) for pair in pairs])
        gold = gold_orders(links, list(map(len, sentences)))
        found = [each.permutation for each in preorderer.order(sentences, threads=threads)]
        typed = [agreement(Permutation.identity(len(each)), each) for each in gold]
        ordered = [agreement(one, other) for one, other in zip(found, gold, strict=True)]
        if not pairs:
            return cls(1.0, 1.0, 0)
        return cls(statistics.fmean(typed), statistics.fmean(ordered), len(pairs))

    def is_worthwhile(self, least: float) -> bool:
        """Whether ordering gains at least so much. Of too few sentences nothing can be said, so they are ordered."""
        return self.pairs == 0 or self.ordered - self.typed >= least

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figures as a small directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.facts.update(dataclasses.asdict(self))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Trial:
        """Reads what `save` wrote."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        shares = stored.fact("typed", float), stored.fact("ordered", float)
        found = cls(*shares, stored.fact("pairs", int), stored.fact("kept", bool), stored.fact("searched", bool, False))
        if not (0 <= found.typed <= 1 and 0 <= found.ordered <= 1 and found.pairs >= 0):
            raise StorageError("is damaged: its figures are not shares", path=path, hint="train the model again")
        return found
