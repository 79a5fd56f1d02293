"""What a tuner is: it asks a decoder for translations under some weights, again and again, and gives better weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import Weights
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.found import Found
from pentaglot.learn.objectives import ForestSpace
from pentaglot.metrics import Metric
from pentaglot.progress import SILENT, Progress

__all__ = ["Decode", "ForestDecode", "Optimiser", "Problem", "Round", "Tuner", "Tuning"]

# Translations of the development sentences, one after the other: for each its candidates from the best down, at most so
# many, one by one or as arrays.
Decode = Callable[[Weights, int], Iterable[Found]]


@runtime_checkable
class ForestDecode(Protocol):
    """A decoder that can show forests as well."""

    def __call__(self, weights: Weights, size: int, /) -> Iterable[Found]: ...

    def forests(self, weights: Weights, names: Sequence[str], edges: int, scale: float) -> ForestSpace:
        """The forests of all sentences, pruned to so many edges, with costs by their references, times a factor;
        learners give weights to the features of these names."""


@dataclass(frozen=True)
class Round:
    """One decoding of the development sentences and what was learned from it."""

    number: int
    weights: Weights  # that were decoded with; round 0 has the ones that tuning began with
    score: float  # of the best translations under these weights
    new: int  # candidates that no round before had shown
    candidates: int  # in all lists after this round
    predicted: float  # what the weights for the next round reach on the lists


@dataclass(frozen=True)
class Tuning:
    """What tuning came to: the weights of the round with the best score."""

    weights: Weights
    score: float
    best_round: int
    rounds: tuple[Round, ...]
    ended: str  # why there are no more rounds
    metric: str = "BLEU"  # that the scores are of


class Tuner(Protocol):
    """All tuners; a decoder never knows which one it works for."""

    def tune(
        self,
        decode: Decode,
        references: Sequence[Sequence[str]],
        metric: Metric,
        start: Mapping[str, float],
        *,
        seed: int = 0,
        progress: Progress = SILENT,
        checkpoint: str | os.PathLike[str] | None = None,
        decoder: str = "",
    ) -> Tuning:
        """Finds weights with which `decode` does well by `metric`.

        `references` holds one or more translations of all development sentences, as for `Metric.statistics`. A run
        that is given a `checkpoint` directory goes on from what an earlier one has left there, to the same result;
        more rounds may be allowed then. What is left of a run with other options, weights, references or seed, or with
        another `decoder` (any text that tells them apart), is removed.
        """


@dataclass(frozen=True)
class Problem:
    """What an optimiser sees in one round: lists, and how good their candidates are."""

    lists: KBestLists
    metric: Metric
    lengths: NDArray[np.float64]  # words in the (first) reference of each sentence
    weights: NDArray[np.float64]  # of the decoding just done
    start: NDArray[np.float64]  # that tuning began with, for those who must not stray too far from it
    features: int = 0  # that were there after the first round: for penalties that must not grow with the lists

    # What the search has seen under these weights: forests of at most so many edges, their costs times a factor. None
    # if the decoder shows only lists.
    forests: Callable[[int, float], ForestSpace] | None = None

    def score(self, weights: NDArray[np.float64]) -> float:
        """What weights reach on the lists; more is better, whatever the metric."""
        found = self.lists.score(self.metric, weights)
        return found if self.metric.higher_is_better else -found


@runtime_checkable
class Optimiser(Protocol):
    """The part in which tuners by k-best lists differ: new weights from the lists of all rounds so far."""

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        """Weights over the features of the lists."""
