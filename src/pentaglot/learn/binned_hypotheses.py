"""Candidates with the features of each of their rules, and in bins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Binned", "Hypothesis", "Vector", "global_bins", "local_bins"]

Vector = Mapping[str, float]
Binned = Callable[[str, float], str | None]  # the name of the bin of a value; None: it fires nothing


@dataclass(frozen=True)
class Hypothesis:
    """A candidate with the features of each of its rules, and how good it is."""

    rules: Sequence[Vector]
    quality: float

    @property
    def features(self) -> dict[str, float]:
        """The sum over rules."""
        return _sum(self.rules)


def local_bins(hypothesis: Hypothesis, binned: Binned) -> dict[str, float]:
    """How many rules have a value in each bin."""
    fired = [bin for rule in hypothesis.rules for name, value in rule.items() if (bin := binned(name, value))]
    return {bin: float(fired.count(bin)) for bin in dict.fromkeys(fired)}


def global_bins(hypothesis: Hypothesis, binned: Binned) -> dict[str, float]:
    """Which bins the sums over all rules are in."""
    return {bin: 1.0 for name, value in hypothesis.features.items() if (bin := binned(name, value))}


def _sum(vectors: Iterable[Vector]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for name, value in vector.items():
            total[name] = total.get(name, 0.0) + value
    return total
