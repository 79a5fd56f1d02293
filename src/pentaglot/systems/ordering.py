"""`Ordering`: puts the words of the input into the order of the other language, as those of the training text were."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.align import Aligner, Alignment, AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.forest import Lattice
from pentaglot.index import Index
from pentaglot.index.snapshot import Snapshot
from pentaglot.order import OrderOptions, Preorderer, gold_orders
from pentaglot.order.places import typed_bitext
from pentaglot.order.preorderer import LONGEST
from pentaglot.order.trial import Trial
from pentaglot.progress import SILENT, Progress
from pentaglot.systems.linking import aligned_words

__all__ = ["GRAMMAR", "PREORDER", "TRIAL", "TYPED_ALIGNER", "Ordering", "PreorderName"]

PreorderName = Literal["left", "right", "itg", "pet", "gold"]
PREORDER = ("left", "right", "itg", "pet", "gold")
GRAMMAR, TRIAL, TYPED_ALIGNER = "order/grammar", "order/trial", "order/aligner"  # where a model keeps them

Order = tuple[int, ...]  # at place p the word order[p]
_LINKED = 0.5  # a pair with a smaller share of linked words is ordered by the grammar


@dataclass(frozen=True, eq=False)
class Ordering:
    """The order of a model's input: by its reordering grammar or, in experiments with the true (`gold`) order, by the
    links to a translation that is known. Sentences that were added to a model have the order of their pair."""

    path: Path  # of the model
    kind: PreorderName
    preorderer: Preorderer | None  # none if the order is gold
    keeps: bool = False  # text as it was typed, because other orders were not worthwhile, or the search weighs them
    searched: bool = False  # by the feature `precedence`
    _known: _KnownOrders = field(default_factory=lambda: _KnownOrders())

    @classmethod
    def open(cls, path: Path, kind: PreorderName, options: OrderOptions) -> Ordering:
        """The ordering of the model at `path`."""
        if kind == "gold":
            return cls(path, kind, None)
        for place in (path / GRAMMAR, path / TRIAL):
            if not place.exists():
                problem = "is missing; the model was trained in another word order"
                raise StorageError(problem, path=place, hint="train it again, or restore a copy")
        trial = Trial.open(path / TRIAL)
        return cls(path, kind, Preorderer.open(path / GRAMMAR, options), trial.kept, trial.searched)

    def with_options(self, options: OrderOptions) -> Ordering:
        """The same with other options."""
        return self if self.preorderer is None else replace(self, preorderer=replace(self.preorderer, options=options))

    def order(self, words: Sequence[str], snapshot: Snapshot, translation: Sequence[str] | None = None) -> Order:
        """The order of a sentence; that of its translation, if it is given."""
        if not words or self.keeps or len(words) > LONGEST:
            return ()
        if translation is not None:
            return self.gold_order(words, self.links(snapshot.main, words, translation))
        known = self._known.order(words, snapshot)
        if known is not None:
            return known
        if self.preorderer is None:
            raise PentaglotError(
                "this model was trained with the gold order, which is known only where there is a translation",
                hint="give the translations of the lines with --order-by; or train with --preorder pet",
            )
        return self.preorderer.order_one(words).permutation.order

    def lattice(self, words: Sequence[str], snapshot: Snapshot) -> Lattice | None:
        """Several orders of a sentence, labelled with the places of its words; None if it has one order."""
        known = self.keeps or self.preorderer is None or self._known.order(words, snapshot) is not None
        if known or self.preorderer is None or self.preorderer.options.orders == 1 or len(words) < 2:
            return None
        return self.preorderer.lattice(words)

    def precedence(self, words: Sequence[str]) -> NDArray[np.float32] | None:
        """How likely each word (row) is to be translated before each other one (column), if the search weighs orders
        and the sentence is not too long."""
        if not self.searched or self.preorderer is None or not 2 <= len(words) <= self.preorderer.options.longest:
            return None
        before = self.preorderer.parse(words).before
        return np.clip(before, 0.0, 1.0).astype(np.float32)

    def order_of_pair(self, words: Sequence[str], links: Sequence[tuple[int, int]]) -> Order:
        """The order of the source side of a new pair: by its links if they are many enough."""
        if self.keeps:
            return tuple(range(len(words)))
        if self.preorderer is None or len({source for source, _ in links}) >= _LINKED * len(words):
            return self.gold_order(words, links)
        return self.preorderer.order_one(words).permutation.order

    @staticmethod
    def gold_order(words: Sequence[str], links: Sequence[tuple[int, int]]) -> Order:
        """The order of the words that they are linked to."""
        return gold_orders(Alignment.from_links([list(links)]), [len(words)])[0].order

    def links(self, main: Index, words: Sequence[str], translation: Sequence[str]) -> list[tuple[int, int]]:
        """The links of a sentence as typed and its translation."""
        return aligned_words(self.aligner(main), words, translation)

    def aligner(self, main: Index, *, threads: int = 1, progress: Progress = SILENT) -> Aligner:
        """The aligner of text as it was typed; if the model was trained with given links, it is trained now, and kept
        in memory: this is called by translation, too, which writes nothing."""
        if self._aligner is not None:
            return self._aligner
        bitext = typed_bitext(main.bitext)
        if not len(bitext):
            raise StorageError("has no aligner and no text to train one on", path=self.path, hint="train it again")
        aligner = train_aligner(bitext, AlignOptions(), threads=threads, progress=progress)
        self.__dict__["_aligner"] = aligner
        return aligner

    @functools.cached_property
    def _aligner(self) -> Aligner | None:
        place = self.path / TYPED_ALIGNER
        return Aligner.open(place) if place.exists() else None


class _KnownOrders:
    """The orders of the pairs that were added to a model, by their words as typed."""

    def __init__(self) -> None:
        self._main: tuple[Index, dict[tuple[str, ...], Order]] | None = None
        self._added: tuple[Snapshot, dict[tuple[str, ...], Order]] | None = None

    def order(self, words: Sequence[str], snapshot: Snapshot) -> Order | None:
        added = self._added
        if added is None or added[0] is not snapshot:
            found: dict[tuple[str, ...], Order] = {}
            index = snapshot.added.index
            for number, pair in enumerate(snapshot.added.pairs):
                found[pair.typed.source] = index.typed_places(number)
            self._added = added = snapshot, found
        key = tuple(words)
        return added[1].get(key) or self._folded(snapshot.main).get(key)

    def _folded(self, main: Index) -> dict[tuple[str, ...], Order]:
        folded = self._main
        if folded is None or folded[0] is not main:
            first = len(main) if main.added_from is None else main.added_from
            found: dict[tuple[str, ...], Order] = {}
            for pair in range(first, len(main)):
                found[tuple(main.typed_pair(pair)[0])] = main.typed_places(pair)
            self._main = folded = main, found
        return folded[1]
