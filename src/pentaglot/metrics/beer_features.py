"""The features of BEER: how far a translation and its reference agree in characters, words and pairs of words.

All templates are computed from the same counts, which the core collects in one pass (`overlaps`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import metrics as core

__all__ = ["TEMPLATES", "BeerFeatures", "Template"]

Template = Literal["thesis57", "release62"]

# The kinds of units, in the order in which the core counts them.
_CHARACTERS = [f"char{order}" for order in range(1, 7)]
_WORDS = [f"word{order}" for order in range(1, 5)]
_ANCHORED = [f"anchored{order}" for order in range(1, 5)]
_SKIPS = ["skip1", "skip2", "skip3", "skip4", "skip"]
_KINDS = [*_CHARACTERS, *_WORDS, *_ANCHORED, *_SKIPS]
_COUNTS = 3 * len(_KINDS) + 4

# The most by which one text is longer than the other, in lengths of the shorter: an empty line has no ratio.
_LONGEST = 10.0


@dataclass(frozen=True)
class _Units:
    """The kinds of units of a template, and the numbers computed for each."""

    kinds: tuple[str, ...]
    numbers: tuple[str, ...]


TEMPLATES: dict[str, _Units] = {
    # As in the thesis (Stanojević 2017, §5.2).
    "thesis57": _Units((*_CHARACTERS[:5], *_WORDS, "skip2", "skip"), ("precision", "recall", "f1", "f2", "f0.5")),
    # As in the released BEER 2.0: its character n-grams are one shorter than their names say, so the first
    # kind is how long the texts are.
    "release62": _Units(("char0", *_CHARACTERS[:5], *_ANCHORED, *_SKIPS), ("precision", "recall", "f1", "g1")),
}


@dataclass(frozen=True)
class BeerFeatures:
    """The features of BEER. Symmetric ones do not tell missing words from superfluous ones: precision and recall are
    replaced by the smaller and the larger of the two (§6.3.2).

    >>> features = BeerFeatures("thesis57", symmetric=False)
    >>> found = features.of(["the cat sat"], ["the cat sat down"])[0]
    >>> named = dict(zip(features.names, found.round(4).tolist(), strict=True))
    >>> len(named), named["word1 precision"], named["word1 recall"], named["word1 f2"], named["words longer"]
    (57, 1.0, 0.75, 0.7895, 0.3333)
    """

    template: Template = "thesis57"
    symmetric: bool = True
    lowercase: bool = False
    cut: bool = True  # tokenise; otherwise split at spaces
    pieces: int = 1  # of a piecewise linear curve for each share; 1: features as they are

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        units = TEMPLATES[self.template]
        called = {"precision": "smaller", "recall": "larger"} if self.symmetric else {}
        named = [f"{kind} {called.get(number, number)}" for kind in units.kinds for number in units.numbers]
        if self.pieces > 1:
            named = [f"{name} {piece}/{self.pieces}" for name in named for piece in range(1, self.pieces + 1)]
        return (*named, "words longer", "characters longer")

    @property
    def directions(self) -> NDArray[np.float64]:
        """For each feature, whether more of it is good (1) or bad (-1)."""
        found = np.ones(len(self.names))
        found[-2:] = -1
        return found

    def of(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> NDArray[np.float64]:
        """One row of features for each pair of hypothesis and reference."""
        return self.from_counts(self.counts(hypotheses, references, threads=threads))

    def counts(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> NDArray[np.float64]:
        """The counts that features are computed from, one row for each pair."""
        sides = [tuple(text.lower() for text in side) if self.lowercase else tuple(side)
                 for side in (hypotheses, references)]  # fmt: skip
        wanted = sum(1 << _KINDS.index(kind) for kind in TEMPLATES[self.template].kinds if kind in _KINDS)
        return core.overlaps(sides[0], sides[1], self.cut, threads, wanted).reshape(-1, _COUNTS)

    def from_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The features computed from counts."""
        units = TEMPLATES[self.template]
        common, said, wanted = (self._chosen(counts, units.kinds, part) for part in range(3))
        precision, recall = (common / np.maximum(side, 1) for side in (said, wanted))
        if self.symmetric or self.template == "release62":
            precision, recall = np.minimum(precision, recall), np.maximum(precision, recall)
        numbers = [_number(name, precision, recall) for name in units.numbers]
        shares = self._in_pieces(np.stack(numbers, axis=2).reshape(len(counts), len(units.kinds) * len(numbers)))
        return np.concatenate([shares, _longer(counts[:, -4:-2]), _longer(counts[:, -2:])], axis=1)

    def copies(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The features of a copy of each reference: 1, except for units that the reference is too short to
        have."""
        units = TEMPLATES[self.template]
        there = (self._chosen(counts, units.kinds, 2) > 0).astype(np.float64)
        shares = self._in_pieces(np.repeat(there, len(units.numbers), axis=1))
        return np.concatenate([shares, np.zeros((len(counts), 2))], axis=1)

    def _in_pieces(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each share fills each of the `pieces` equal parts of [0, 1]: a weighted sum of these is a piecewise
        linear curve, which never falls if no weight is negative."""
        if self.pieces == 1:
            return shares
        parts = np.clip(self.pieces * shares[:, :, None] - np.arange(self.pieces), 0.0, 1.0)
        return parts.reshape(len(shares), shares.shape[1] * self.pieces)

    def _chosen(self, counts: NDArray[np.float64], kinds: Sequence[str], part: int) -> NDArray[np.float64]:
        columns = []
        for kind in kinds:
            if kind == "char0":  # an empty string before every character
                lengths = counts[:, -2:]
                columns.append(lengths.min(axis=1) if part == 0 else lengths[:, part - 1])
            else:
                columns.append(counts[:, 3 * _KINDS.index(kind) + part])
        return np.stack(columns, axis=1)


def _number(name: str, precision: NDArray[np.float64], recall: NDArray[np.float64]) -> NDArray[np.float64]:
    if name in ("precision", "recall"):
        return precision if name == "precision" else recall
    if name == "g1":
        return np.sqrt(precision * recall)
    weight = float(name[1:]) ** 2
    below = weight * precision + recall
    found: NDArray[np.float64] = (1 + weight) * precision * recall / np.where(below > 0, below, 1)
    return found


def _longer(lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much one of two texts is longer than the other."""
    shorter, longer = lengths.min(axis=1), lengths.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(longer > shorter, (longer - shorter) / shorter, 0.0)
    return np.minimum(found, _LONGEST)[:, None]
