"""Scores between 0 and 1 from raw scores of BEER."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.options import check_choice

__all__ = ["Scaling", "ScalingKind"]

ScalingKind = Literal["share", "probability", "linear", "platt", "isotonic"]


@dataclass(frozen=True)
class Scaling:
    """How a raw score becomes one between 0 and 1. No kind of scaling changes a ranking, except `share` with symmetric
    features where texts are too short to have all n-grams.

    - `share`: the raw score divided by that of a copy of the reference, which gets 1 (with symmetric features, by the
      most that either text could have);
    - `probability`: twice the chance that the translation beats its reference (§6.1.2); a copy of it gets 1;
    - `linear`: `numbers` are the slope and the intercept (§6.1.3);
    - `platt`: the same inside a logistic function;
    - `isotonic`: `numbers` are the points of a non-decreasing curve, first all x, then all y.
    """

    kind: ScalingKind = "share"
    numbers: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", tuple(map(float, self.numbers)))
        check_choice("kind", self.kind, get_args(ScalingKind))
        none = not self.numbers
        wanted = {"share": none, "probability": none, "linear": len(self.numbers) == 2, "platt": len(self.numbers) == 2}
        rising = len(self.numbers) >= 4 and len(self.numbers) % 2 == 0 and self._rises()
        if not wanted.get(self.kind, rising) or not all(map(math.isfinite, self.numbers)):
            raise PentaglotError(f"a scaling of kind '{self.kind}' cannot have these {len(self.numbers)} numbers")
        if self.kind in ("linear", "platt") and self.numbers[0] <= 0:
            raise PentaglotError(f"a scaling of kind '{self.kind}' with the slope {self.numbers[0]:g} does not rise")

    def _rises(self) -> bool:
        x, y = np.split(np.array(self.numbers), 2)
        return bool((np.diff(x) > 0).all() and (np.diff(y) >= 0).all())

    def scores(self, raw: NDArray[np.float64], copies: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of translations, given their raw scores and those of copies of their references. None exceeds the
        latter."""
        found: NDArray[np.float64]
        raw = np.minimum(raw, copies)
        if self.kind == "share":
            found = np.where(copies > 0, raw / np.where(copies > 0, copies, 1.0), raw >= copies)
        elif self.kind == "probability":
            found = 2 * _logistic(raw - copies)
        elif self.kind == "isotonic":
            half = len(self.numbers) // 2
            found = np.interp(raw, np.array(self.numbers[:half]), np.array(self.numbers[half:]))
        else:
            found = self.numbers[0] * raw + self.numbers[1]
            found = _logistic(found) if self.kind == "platt" else found
        return np.clip(found, 0.0, 1.0)


def _logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 0.5 * (1 + np.tanh(values / 2))
    return found
