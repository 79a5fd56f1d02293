"""What a tuner is: it repeatedly asks a decoder for translations with some weights, and returns better weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import FeatureStructure, Weights
from pentaglot.learn.found import Found
from pentaglot.learn.priced_forest import ForestSpace
from pentaglot.learn.problem import Problem
from pentaglot.metrics import Metric
from pentaglot.progress import SILENT, Progress

__all__ = ["Decode", "ForestDecode", "Judge", "Optimiser", "Round", "StructuredDecode", "Tuner", "Tuning"]

# Translations of the development sentences with some weights: at most N candidates per sentence, best first, one by one
# or as arrays.
Decode = Callable[[Weights, int], Iterable[Found]]
# The score of weights on sentences that a tuner does not learn from, by its metric.
Judge = Callable[[Weights], float]


@runtime_checkable
class ForestDecode(Protocol):
    """A decoder that can also return forests."""

    def __call__(self, weights: Weights, size: int, /) -> Iterable[Found]: ...

    def forests(self, weights: Weights, names: Sequence[str], edges: int, scale: float) -> ForestSpace:
        """The forests of all sentences, pruned to at most `edges` edges, with costs against their references, times a
        factor; `names` are the features whose weights are learnt."""


@runtime_checkable
class StructuredDecode(Protocol):
    """A decoder that knows how its features are related."""

    def __call__(self, weights: Weights, size: int, /) -> Iterable[Found]: ...

    def structure(self) -> FeatureStructure:
        """The structure of all features known so far."""

    def bins(self) -> Sequence[str]:
        """The features that are bins. They take part from the beginning, whether or not a candidate has them: their
        neighbours have something to say about their weights, and other sentences may have them."""


@dataclass(frozen=True)
class Round:
    """One decoding of the development sentences, and what was learnt from it."""

    number: int
    weights: Weights  # used for decoding; round 0 has the initial ones
    score: float  # of the best translations under these weights
    new: int  # candidates not seen in earlier rounds
    candidates: int  # in all lists after this round
    predicted: float  # score of the weights for the next round on the lists
    held_out: float | None = None  # score on the sentences that choose the round, if there are any


@dataclass(frozen=True)
class Tuning:
    """The result of tuning: the weights of the round with the best score, or with the best one on held-out sentences if
    there are any; `score` is always that of the development text."""

    weights: Weights
    score: float
    best_round: int
    rounds: tuple[Round, ...]
    ended: str  # why it ended
    metric: str = "BLEU"  # of the scores


class Tuner(Protocol):
    """The interface of all tuners; a decoder never knows which one it works for."""

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
        judge: Judge | None = None,
    ) -> Tuning:
        """Find weights with which `decode` does well by `metric`.

        `references` holds one or more translations of all development sentences, as for `Metric.statistics`. With a
        `checkpoint` directory, a run resumes an earlier one, to the same result; it may allow more rounds. What a run
        with other options, weights, references or seed, or with another `decoder` (any text that identifies it), left
        there is removed. With a `judge`, the round counts that does best by it, on sentences of its own.
        """


@runtime_checkable
class Optimiser(Protocol):
    """The part in which tuners on k-best lists differ: find new weights on the lists of all rounds so far. If it is
    `gradual`, as an attribute may say, it goes on from the weights of the round before, also on the same lists."""

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        """New weights for the features of the lists."""
