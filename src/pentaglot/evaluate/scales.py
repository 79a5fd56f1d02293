"""Scales of plots: from values to places on paper, and the round numbers that are written beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Scale"]


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` are drawn from `begin` to `end`, evenly or by their logarithm.

    >>> scale = Scale(0.0, 10.0, 100.0, 200.0)
    >>> scale.at(2.5), [text for _, text in scale.ticks()]
    (125.0, ['0', '2', '4', '6', '8', '10'])
    >>> [text for _, text in Scale(0.002, 3.0, 0.0, 1.0, log=True).ticks()]
    ['0.01', '0.1', '1']
    """

    low: float
    high: float
    begin: float
    end: float
    log: bool = False

    @classmethod
    def over(cls, values: Sequence[float], begin: float, end: float, *, room: float = 0.06) -> Scale:
        """A scale that has all values and some room at both ends."""
        low, high = min(values), max(values)
        more = (high - low) * room or max(abs(high), 1.0) * 0.02
        return cls(low - more, high + more, begin, end)

    @classmethod
    def logarithmic(cls, values: Sequence[float], begin: float, end: float, *, room: float = 0.03) -> Scale:
        """The same for logarithms of values, all of them above zero."""
        low, high = math.log(min(values)), math.log(max(values))
        more = (high - low) * room or 0.5
        return cls(math.exp(low - more), math.exp(high + more), begin, end, log=True)

    def at(self, value: float) -> float:
        """The place of a value."""
        low, high, value = (
            (math.log(each) for each in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        )
        return self.begin + (value - low) / (high - low) * (self.end - self.begin)

    def ticks(self) -> list[tuple[float, str]]:
        """About five round numbers, and how they are written."""
        if self.log and self.high / self.low > 20:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            every = 1 + (last - first) // 6
            return [(10.0**power, _power(power)) for power in range(first, last + 1, every)]
        rough = (self.high - self.low) / 5
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * each for each in (1, 2, 5, 10) if unit * each >= rough)
        digits = max(0, -math.floor(math.log10(step)))
        first = math.ceil(self.low / step)
        marks = [step * each for each in range(first, math.floor(self.high / step) + 1)]
        return [(mark, f"{mark + 0.0:.{digits}f}".replace("-", "−")) for mark in marks if not self.log or mark > 0]


def _power(power: int) -> str:
    """A power of ten as people write it.

    >>> _power(-2), _power(3), _power(-6)
    ('0.01', '1,000', '10⁻⁶')
    """
    if -3 <= power <= 5:
        return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
