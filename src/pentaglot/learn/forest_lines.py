"""Lines through weight space over whole forests: what MERT climbs instead of k-best lists (Kumar et al., 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import forest as core
from pentaglot.errors import OptionError
from pentaglot.learn.priced_forest import ForestSpace
from pentaglot.learn.problem import Problem
from pentaglot.parallel import in_order

__all__ = ["ForestSurface", "evenly"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class ForestSurface:
    """How good the best derivations of forests are: the same as the lists of all their derivations."""

    problem: Problem
    space: ForestSpace
    threads: int = 1
    _known: dict[tuple[int, bytes], Numbers] = field(default_factory=dict)  # statistics of words of a sentence

    @property
    def sentences(self) -> int:
        return len(self.space.priced)

    def sampled(self, sample: int) -> tuple[ForestSurface, NDArray[np.uint32]]:
        """The same forests, but only those of some sentences count."""
        return self, evenly(self.sentences, sample)

    @cached_property
    def varying(self) -> NDArray[np.uint32]:
        """The features that some edge has."""
        found = [np.unique(each.forest.packed.feature_ids) for each in self.space.priced]
        present = np.isin(self.space.places, np.concatenate([np.empty(0, np.int64), *found]))
        return np.flatnonzero(present).astype(np.uint32)

    def at(self, point: Numbers, sentences: NDArray[np.uint32]) -> _ForestLines:
        full = self.space.full(point)
        scores = [self.space.priced[each].forest.packed.scores(full) for each in sentences.tolist()]
        return _ForestLines(self, sentences.tolist(), scores)

    def scores(self, totals: Numbers) -> Numbers:
        return self.problem.scores(totals)

    def statistics(
        self, sentences: Sequence[int], words: Sequence[Sequence[NDArray[np.uint32]]]
    ) -> list[list[Numbers]]:
        """The statistics of translations of some sentences. The metric is asked once for each."""
        if self.problem.statistics is None or self.space.text is None:
            raise OptionError("the decoder gives forests without texts", hint="learn from lists")
        keys = [[(number, each.tobytes()) for each in every] for number, every in zip(sentences, words, strict=True)]
        new = {
            key: each
            for every, texts in zip(keys, words, strict=True)
            for key, each in zip(every, texts, strict=True)
            if key not in self._known
        }
        if new:
            texts = [self.space.text(number, each.tolist()) for (number, _), each in new.items()]
            rows = self.problem.statistics(texts, [number for number, _ in new])
            self._known.update(zip(new, np.asarray(rows, np.float64), strict=True))
        return [[self._known[key] for key in every] for every in keys]


def evenly(sentences: int, most: int) -> NDArray[np.uint32]:
    """At most `most` sentences from all over a text: neighbours in it are often alike.

    >>> evenly(7, 3).tolist()
    [0, 3, 6]
    """
    return np.arange(0, sentences, -(-sentences // most) if sentences else 1, dtype=np.uint32)


@dataclass(eq=False)
class _ForestLines:
    surface: ForestSurface
    sentences: list[int]
    present: list[Numbers]  # scores of edges at the point

    def totals(self) -> Numbers:
        return self._swept([np.zeros(len(each)) for each in self.present])[1]

    def sweep(self, direction: Numbers, /) -> tuple[Numbers, Numbers]:
        return self._swept(self._slopes(direction))

    def move(self, direction: Numbers, step: float, /) -> None:
        slopes = self._slopes(direction)
        self.present = [each + step * slope for each, slope in zip(self.present, slopes, strict=True)]

    def _slopes(self, direction: Numbers) -> list[Numbers]:
        space = self.surface.space
        full = np.zeros(len(space.fixed))
        full[space.places] = direction
        return [space.priced[each].forest.packed.scores(full) for each in self.sentences]

    def _swept(self, slopes: list[Numbers]) -> tuple[Numbers, Numbers]:
        priced = self.surface.space.priced

        def best(place: int) -> tuple[Numbers, list[Words]]:
            packed = priced[self.sentences[place]].forest.packed
            starts, (_, offsets, edges) = core.best_along(packed, self.present[place], slopes[place])
            ends, words = core.words(packed, offsets, edges)
            return starts, np.split(words, ends[1:-1].astype(np.int64)) if len(starts) else []

        found = list(in_order(best, range(len(self.sentences)), self.surface.threads))
        rows = self.surface.statistics(self.sentences, [words for _, words in found])
        total = sum((each[0] for each in rows if each), np.zeros(self.surface.problem.lists.statistics.shape[1]))
        places: list[float] = []
        changes: list[Numbers] = []
        for (starts, _), each in zip(found, rows, strict=True):
            for piece in range(1, len(each)):
                change = each[piece] - each[piece - 1]
                if change.any():
                    places.append(float(starts[piece]))
                    changes.append(change)
        return _added_up(np.asarray(total), np.array(places), np.array(changes).reshape(-1, len(total)))


def _added_up(total: Numbers, places: Numbers, changes: Numbers) -> tuple[Numbers, Numbers]:
    """Boundaries and totals of a sweep that begins with this total on the left."""
    order = np.argsort(places, kind="stable")
    places, sums = places[order], np.concatenate([total[None], changes[order]]).cumsum(axis=0)
    last = np.append(places[1:] != places[:-1], True)[: len(places)]  # of equal places all count at once
    return places[last], np.concatenate([sums[:1], sums[1:][last]]).reshape(-1)
