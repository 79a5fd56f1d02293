"""What MERT climbs, and lines through it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.learn.forest_lines import evenly
from pentaglot.learn.problem import Problem

__all__ = ["Lines", "ListSurface", "Surface"]

Numbers = NDArray[np.float64]


class Lines(Protocol):
    """A point in weight space, and exact search along lines through it."""

    def totals(self) -> Numbers:
        """The total statistics at the point."""

    def sweep(self, direction: Numbers, /) -> tuple[Numbers, Numbers]:
        """Where along the direction statistics change, and the total statistics of each interval, one after the
        other."""

    def move(self, direction: Numbers, step: float, /) -> None:
        """Move the point by so much of a direction."""


class Surface(Protocol):
    """What is climbed: how good weights are for each of some sentences."""

    @property
    def sentences(self) -> int: ...

    def sampled(self, sample: int) -> tuple[Surface, NDArray[np.uint32]]:
        """A surface that is much like this one and takes less time, and its sentences."""

    @property
    def varying(self) -> NDArray[np.uint32]:
        """The features that can change a choice."""

    def at(self, point: Numbers, sentences: NDArray[np.uint32]) -> Lines:
        """A point; only some sentences count."""

    def scores(self, totals: Numbers) -> Numbers:
        """The scores of rows of total statistics, given one after the other; more is better."""


@dataclass(frozen=True, eq=False)
class ListSurface:
    """How good the best candidates of k-best lists are."""

    problem: Problem

    @property
    def sentences(self) -> int:
        return self.problem.lists.sentence_count

    def sampled(self, sample: int) -> tuple[Surface, NDArray[np.uint32]]:
        """At most `sample` candidates of each of at most five times as many sentences. With all candidates of fewer
        sentences, which takes as long, points climb to where only these sentences do well."""
        some = evenly(self.sentences, 5 * sample)
        chosen = np.zeros(self.sentences, np.bool_)
        chosen[some] = True
        lists = self.problem.lists.of_sentences(chosen).thinned(sample)
        return ListSurface(replace(self.problem, lists=lists)), some

    @cached_property
    def varying(self) -> NDArray[np.uint32]:
        return self.problem.lists.native.varying()

    def at(self, point: Numbers, sentences: NDArray[np.uint32]) -> Lines:
        return core.LineSearch(self.problem.lists.native, sentences, point)

    def scores(self, totals: Numbers) -> Numbers:
        return self.problem.scores(totals)
