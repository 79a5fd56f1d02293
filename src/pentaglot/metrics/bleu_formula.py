"""The formula of BLEU: scores from lengths, matched n-grams and all n-grams (Papineni and others, 2002)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.metric import Statistics

__all__ = ["ORDER", "Smoothing", "corpus_scores", "plus_one_scores"]

ORDER = 4
Smoothing = Literal["exp", "floor", "add-k", "none"]


def corpus_scores(
    totals: Statistics, smoothing: Smoothing, value: float | None, *, effective_order: bool
) -> NDArray[np.float64]:
    """Scores of sums of statistics; `value` is that of the smoothing, by default as in sacrebleu. With
    `effective_order`, only the orders count that the text is long enough for."""
    # One row for each number: that takes half the time of one for each segment.
    length, reference_length, *both = np.array(totals.T, np.float64, order="C")
    matched, counted = np.array(both[:ORDER]), np.array(both[ORDER:])
    hopeless = ~matched.any(axis=0)
    if smoothing == "add-k":
        added = 1.0 if value is None else value
        matched[1:] += added
        counted[1:] += added
    possible = np.logical_and.accumulate(counted > 0, axis=0)
    missed = possible & (matched == 0)
    if not missed.any():
        pass  # nothing to smooth, as in the sums that a search along lines asks for by the million
    elif smoothing == "exp":
        matched = np.where(missed, 0.5 ** np.cumsum(missed, axis=0), matched)
    elif smoothing == "floor":
        matched = np.where(missed, 0.1 if value is None else value, matched)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logs = np.log(matched / counted)
        brevity = np.where(length < reference_length, np.exp(1.0 - reference_length / length), 1.0)
        orders: int | NDArray[np.int64] = ORDER
        if not possible.all():
            logs = np.where(possible, logs, 0.0 if effective_order else -np.inf)
            if effective_order:
                orders = np.maximum(possible.sum(axis=0), 1)
                logs[0, ~possible[0]] = -np.inf
        found: NDArray[np.float64] = 100.0 * brevity * np.exp(logs.sum(axis=0) / orders)
    return np.where(hopeless, 0.0, found)


def plus_one_scores(statistics: Statistics, *, unigrams: bool) -> NDArray[np.float64]:
    """BLEU+1 of segments, between 0 and 1: one is added to the matched and to all n-grams, for every order or, without
    `unigrams`, for orders above 1."""
    matched, counted = statistics[:, 2 : 2 + ORDER], statistics[:, 2 + ORDER :]
    added = np.ones(ORDER)
    if not unigrams:
        added[0] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(counted + added > 0, (matched + added) / (counted + added), 0.0)
        brevity = np.exp(np.minimum(0.0, 1.0 - statistics[:, 1] / statistics[:, 0]))
        smoothed = np.exp(np.log(precisions).mean(axis=1)) * brevity
    return np.where(statistics[:, 0] > 0, smoothed, 0.0)
