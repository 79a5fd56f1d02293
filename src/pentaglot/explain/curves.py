"""What a feature that was cut into bins contributes at each value: its learnt response, beside a log and a straight
line (Clark 2015, figure 6.10)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.rules.induced import BinnedQuantity

__all__ = ["Bin", "Fit", "ResponseCurve", "Turn", "binned_curve"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """One bin: values from `low` up to, but not including, `high`; the first and the last are open (infinite). `value`
    stands for it in fits and pictures."""

    name: str  # of the feature
    low: float
    high: float
    value: float
    population: float  # how many rules of the development sentences had such a value
    weight: float


@dataclass(frozen=True)
class Fit:
    """The weights as intercept + slope * value, or * log of the value: least squares, weighted by population."""

    kind: Literal["log", "linear"]
    intercept: float
    slope: float
    explained: float  # share of the variance of weights: 1 is a perfect fit
    residuals: tuple[float | None, ...]  # of each bin; None where the value has no logarithm

    def at(self, value: float) -> float:
        """The fitted weight."""
        return self.intercept + self.slope * (math.log(value) if self.kind == "log" else value)


@dataclass(frozen=True)
class Turn:
    """Bins `first` to `last` over which the weight goes against the direction of the whole curve, by `amount`."""

    first: int
    last: int
    amount: float
    population: float


@dataclass(frozen=True)
class ResponseCurve:
    """The weights of the bins of a feature, in order.

    >>> curve = ResponseCurve.of("count", [1.0, 2.0, 4.0, 8.0], [9, 5, 3, 1], [0.0, 1.0, 2.0, 3.0], highest=8.0)
    >>> curve.direction, curve.turns, round(curve.log.slope, 3), round(curve.log.explained, 3)
    ('rises', (), 1.443, 1.0)
    >>> curve.advice
    'best used as log'
    """

    feature: str
    bins: tuple[Bin, ...]

    @classmethod
    def of(
        cls,
        feature: str,
        lows: Sequence[float],
        populations: Sequence[float],
        weights: Sequence[float],
        *,
        names: Sequence[str] = (),
        values: Sequence[float] = (),
        highest: float = math.inf,
    ) -> ResponseCurve:
        """A curve from the least value of each bin, how many rules it has, and its weight. By default a bin is
        represented by its least value: bins are often single values, or wide ones with most of their rules at the low
        end."""
        lows = [float(each) for each in lows]
        sizes = {len(lows), len(populations), len(weights), len(values) or len(lows), len(names) or len(lows)}
        if len(sizes) > 1 or not lows:
            raise PentaglotError(f"the bins of '{feature}' have different numbers of edges, populations and weights")
        if any(not math.isfinite(each) for each in (*lows, *values)) or any(
            one >= other for one, other in pairwise(lows)
        ):
            raise PentaglotError(f"the bins of '{feature}' are not in order")
        highs = [*lows[1:], max(highest, lows[-1])]
        middle = [float(each) for each in values] or lows
        called = list(names) or [f"{feature}={each:g}" for each in lows]
        every = zip(called, lows, highs, middle, map(float, populations), map(float, weights), strict=True)
        return cls(feature, tuple(Bin(*each) for each in every))

    # The shape.

    @property
    def direction(self) -> Literal["rises", "falls", "is flat"]:
        """Where the curve goes as a whole: the sign of the slope of weights over bins, by population."""
        if np.ptp(self._weights) <= 1e-12:
            return "is flat"
        slope = _line(np.arange(len(self.bins), dtype=np.float64), self._weights, self._populations)[1]
        return "falls" if slope < 0 else "rises"

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The parts that are not monotone: steps against the direction of the whole, joined where they are adjacent."""
        sign = {"rises": 1.0, "falls": -1.0, "is flat": 0.0}[self.direction]
        against = [step * sign < -1e-12 for step in np.diff(self._weights).tolist()]
        found: list[Turn] = []
        begin: int | None = None
        for at, bad in enumerate([*against, False]):
            if bad and begin is None:
                begin = at
            elif not bad and begin is not None:
                amount = self.bins[at].weight - self.bins[begin].weight
                found.append(Turn(begin, at, amount, float(self._populations[begin : at + 1].sum())))
                begin = None
        return tuple(found)

    @property
    def monotone_share(self) -> float:
        """The share of the way that weights go in the direction of the whole: 1 for a monotone curve, 0.5 for noise."""
        steps = np.abs(np.diff(self._weights))
        back = sum(abs(turn.amount) for turn in self.turns)
        return 1.0 if not steps.sum() else float(1 - back / steps.sum())

    # Fits.

    @property
    def log(self) -> Fit | None:
        """The log fit; None unless two bins or more have values above zero."""
        return self._fit("log")

    @property
    def linear(self) -> Fit | None:
        """The straight line; None for a single bin."""
        return self._fit("linear")

    @property
    def advice(self) -> str:
        """How the feature is best used, by the better of the two fits; as it is if they are alike, as for two bins."""
        log, linear = self.log, self.linear
        if linear is None or self.direction == "is flat":
            return "no use: its weight is the same everywhere"
        logarithmic = log is not None and log.explained > linear.explained + 1e-9
        if max(fit.explained for fit in (log, linear) if fit is not None) < 0.8:
            return "best kept in bins: not monotone" if self.turns else "best kept in bins: neither log nor straight"
        return "best used as log" if logarithmic else "best used as it is"

    def _fit(self, kind: Literal["log", "linear"]) -> Fit | None:
        values = np.array([each.value for each in self.bins])
        usable = values > 0 if kind == "log" else np.ones(len(values), bool)
        if len(np.unique(values[usable])) < 2 or not float(self._populations[usable].sum()):
            return None
        at = np.log(values[usable]) if kind == "log" else values[usable]
        weights, populations = self._weights[usable], self._populations[usable]
        intercept, slope = _line(at, weights, populations)
        away = weights - (intercept + slope * at)
        centred = weights - np.average(weights, weights=populations)
        total = float((populations * centred**2).sum())
        explained = 1.0 if total <= 1e-24 else 1 - float((populations * away**2).sum()) / total
        residuals: list[float | None] = [None] * len(values)
        for place, rest in zip(np.flatnonzero(usable).tolist(), away.tolist(), strict=True):
            residuals[place] = rest
        return Fit(kind, intercept, slope, explained, tuple(residuals))

    @property
    def _weights(self) -> Numbers:
        return np.array([each.weight for each in self.bins])

    @property
    def _populations(self) -> Numbers:
        return np.array([each.population for each in self.bins])


def binned_curve(binned: BinnedQuantity, weights: Mapping[str, float]) -> ResponseCurve:
    """What a binned quantity of rules contributes in each of its bins, under some weights; logarithms of probabilities
    are shown as probabilities. Where several features fire for one value, their weights are added up."""
    shown = binned.quantity.shown(binned.shown)
    given = np.array([weights.get(name, 0.0) for name in binned.features])
    bins = binned.bins
    if binned.kind == "overlapping" and len(bins) > 2:  # of two, only one fires
        padded = np.concatenate([[0.0], given, [0.0]])
        responses = padded[:-2] + padded[1:-1] + padded[2:]
    elif binned.kind == "thresholds":  # those above the value
        responses = np.append(np.cumsum(given[::-1])[::-1], 0.0)
    elif binned.kind == "probability":
        responses = given[0] * np.exp(bins.mean)
    else:
        responses = given
    values = [shown(float(each)) for each in (bins.centres if binned.kind == "hats" else bins.mean)]
    lows = [shown(each) for each in bins.first]
    names = binned.features if len(binned.features) == len(lows) else ()
    highest = shown(bins.last[-1])
    return ResponseCurve.of(
        binned.name, lows, bins.population, responses.tolist(), names=names, values=values, highest=highest
    )


def _line(at: Numbers, values: Numbers, populations: Numbers) -> tuple[float, float]:
    """Intercept and slope of the line of least squares."""
    if not float(populations.sum()):
        populations = np.ones(len(at))
    middle, level = np.average(at, weights=populations), np.average(values, weights=populations)
    spread = float((populations * (at - middle) ** 2).sum())
    slope = float((populations * (at - middle) * (values - level)).sum()) / spread if spread else 0.0
    return float(level - slope * middle), slope
