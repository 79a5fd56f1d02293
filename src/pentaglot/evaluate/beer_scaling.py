"""Scales for BEER, fitted to the scores that people gave (Stanojević 2017, §6.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.evaluate.judgments import Judged
from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.scaling import Scaling, ScalingKind
from pentaglot.wording import number_of

__all__ = ["fitted"]

_TOLERANCE = 0.05  # epsilon of the regression: smaller errors do not count
_FARTHEST = 10.0  # that standardised scores lie from 0
_LEAST = 1e-6  # correlation of scores by people and by the model


def fitted(model: BeerModel, judged: Judged, kind: ScalingKind = "linear", *, threads: int = 1) -> BeerModel:
    """The model with a scale fitted to direct scores by people (between 0 and 1, 0 and 100, or standardised): a
    straight line by support vector regression, a logistic curve, or a non-decreasing curve."""
    if kind in ("share", "probability"):
        return replace(model, scaling=Scaling(kind))
    there = np.flatnonzero(np.isfinite(judged.direct))
    if len(there) < 10:
        raise PentaglotError(
            f"'{judged.name}' has {number_of(len(there), 'direct score')}, but a scale needs at least 10"
        )
    wanted = _shares(judged.direct[there], judged.name)
    texts = ([side[place] for place in there.tolist()] for side in (judged.hypotheses, judged.references))
    raw, _ = model.raw(model.features.counts(*texts, threads=threads))
    numbers = _isotonic(raw, wanted) if kind == "isotonic" else _line(raw, wanted, logistic=kind == "platt")
    return replace(model, scaling=Scaling(kind, numbers))


def _shares(scores: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Scores by people between 0 and 1. Standardised ones, by which WMT corrects for mild and severe judges, become the
    share of a normal distribution below them, so that the mean score is 0.5."""
    from scipy.stats import norm

    if scores.min() >= 0 and scores.max() <= 100:
        return scores / (100.0 if scores.max() > 1 else 1.0)
    if np.abs(scores).max() > _FARTHEST:
        raise PentaglotError(
            f"the direct scores of '{name}' go from {scores.min():g} to {scores.max():g}",
            hint="they must lie between 0 and 1, between 0 and 100, or be standardised (z)",
        )
    shares: NDArray[np.float64] = norm.cdf(scores)
    return shares


def _line(raw: NDArray[np.float64], wanted: NDArray[np.float64], *, logistic: bool) -> tuple[float, float]:
    from scipy.optimize import minimize

    def loss(numbers: NDArray[np.float64]) -> float:
        line = numbers[0] * raw + numbers[1]
        if logistic:  # the cross entropy, with scores as probabilities
            return float(np.mean(np.logaddexp(0.0, line) - wanted * line))
        return float(np.maximum(0.0, np.abs(line - wanted) - _TOLERANCE).mean())

    together, spread = float(np.cov(raw, wanted)[0, 1]), raw.std(ddof=1)
    _check_rise(together > _LEAST * spread * wanted.std(ddof=1) > 0)
    slope = together / spread**2
    start = np.array([slope, wanted.mean() - slope * raw.mean()])
    found = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9, "maxiter": 4000})
    _check_rise(found.x[0] > 0)
    return float(found.x[0]), float(found.x[1])


def _check_rise(rises: bool) -> None:
    if not rises:
        raise PentaglotError("direct scores do not rise with the model's", hint="are higher scores better?")


def _isotonic(raw: NDArray[np.float64], wanted: NDArray[np.float64]) -> tuple[float, ...]:
    """Points of the non-decreasing curve nearest to the scores, by pooling adjacent violators."""
    known, places = np.unique(raw, return_inverse=True)
    weights = np.bincount(places).astype(np.float64)
    means = np.bincount(places, wanted) / weights
    blocks: list[tuple[float, float, int]] = []  # mean, weight, points
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        block = (mean, weight, 1)
        while blocks and blocks[-1][0] >= block[0]:
            other = blocks.pop()
            total = other[1] + block[1]
            block = ((other[0] * other[1] + block[0] * block[1]) / total, total, other[2] + block[2])
        blocks.append(block)
    heights = np.repeat([block[0] for block in blocks], [block[2] for block in blocks])
    if len(known) < 2:
        raise PentaglotError("a curve needs translations of different quality")
    _check_rise(len(blocks) > 1)
    return (*known.tolist(), *heights.tolist())
