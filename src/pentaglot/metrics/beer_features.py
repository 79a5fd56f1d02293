"""The features of BEER: how far a translation and its reference agree in characters, words and pairs of words.

All templates are computed from the same counts, which the core collects in one pass (`overlaps`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import metrics as core
from pentaglot.errors import OptionError, refuse_text
from pentaglot.metrics import beer_order
from pentaglot.metrics.beer_shares import Matrix, agreement, longer_by, unedited
from pentaglot.metrics.beer_templates import EDITS, GROUPS, KINDS, TEMPLATES, Template, Units, belongs
from pentaglot.metrics.spelling import spelled
from pentaglot.options import check_choice, check_number, suggestion

__all__ = ["BeerFeatures"]

_COUNTS = 3 * len(KINDS) + len(EDITS) + 4


@dataclass(frozen=True)
class BeerFeatures:
    """The features of BEER. Symmetric ones do not tell missing words from superfluous ones: precision and recall are
    replaced by the smaller and the larger of the two (§6.3.2). Groups of features can be left out.

    >>> features = BeerFeatures("thesis57", symmetric=False)
    >>> found = features.of(["the cat sat"], ["the cat sat down"])[0]
    >>> named = dict(zip(features.names, found.round(4).tolist(), strict=True))
    >>> len(named), named["word1 precision"], named["word1 recall"], named["word1 f2"], named["words longer"]
    (57, 1.0, 0.75, 0.7895, 0.3333)
    >>> len(BeerFeatures("thesis57", without=("characters", "f")).names)
    14
    """

    template: Template = "thesis57"
    symmetric: bool = True
    lowercase: bool = False
    cut: bool = True  # tokenise; otherwise split at spaces
    pieces: int = 1  # of a piecewise linear curve for each share; 1: features as they are
    without: tuple[str, ...] = ()  # groups of features that are left out
    function_words: tuple[str, ...] = ()  # for release11

    def __post_init__(self) -> None:
        check_choice("template", self.template, TEMPLATES)
        object.__setattr__(self, "pieces", check_number("pieces", self.pieces, 1, 100))
        for name in ("without", "function_words"):
            refuse_text(getattr(self, name), lacks="names" if name == "without" else "words")
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in self.without:
            if name not in GROUPS:
                raise OptionError(f"there is no group of features '{name}'", hint=suggestion(name, GROUPS))
        if not self._kept.any():
            raise OptionError("no features are left", hint="leave out fewer groups")

    @property
    def _units(self) -> Units:
        return TEMPLATES[self.template]

    @property
    def _kinds(self) -> tuple[str, ...]:
        """Kinds of units with precision and recall."""
        return (*self._units.kinds, *(beer_order.MATCHED if self._units.order else ()))

    @property
    def _all_names(self) -> list[str]:
        called = {"precision": "smaller", "recall": "larger"} if self.symmetric else {}
        named = [f"{kind} {called.get(number, number)}" for kind in self._kinds for number in self._units.numbers]
        named += EDITS if self._units.edits else ()
        if self.pieces > 1:
            named = [f"{name} {piece}/{self.pieces}" for name in named for piece in range(1, self.pieces + 1)]
        named += beer_order.ORDERED if self._units.order else ()
        return [*named, *(("words longer", "characters longer") if self._units.lengths else ())]

    @property
    def _kept(self) -> NDArray[np.bool_]:
        """Which features are not left out."""
        return np.array([not any(belongs(name, group) for group in self.without) for name in self._all_names])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(name for name, kept in zip(self._all_names, self._kept.tolist(), strict=True) if kept)

    @property
    def directions(self) -> Matrix:
        """For each feature, whether more of it is good (1) or bad (-1)."""
        bad = ("words longer", "characters longer", "trees turned", "trees four", "trees more")
        return np.array([-1.0 if name in bad else 1.0 for name in self.names])

    def of(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> Matrix:
        """One row of features for each pair of hypothesis and reference."""
        return self.from_counts(self.counts(hypotheses, references, threads=threads))

    def counts(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        *,
        needed: Sequence[str] | None = None,
        threads: int = 1,
    ) -> Matrix:
        """The counts that features are computed from, one row for each pair. If some features are `needed` only, the
        counts of others may be 0."""
        sides = [spelled(side, lowercase=self.lowercase) for side in (hypotheses, references)]
        needed = self.names if needed is None else needed
        wanted = sum(1 << at for at, kind in enumerate((*KINDS, *EDITS))
                     if any(name == kind or name.startswith(f"{kind} ") for name in needed))  # fmt: skip
        found = core.overlaps(sides[0], sides[1], self.cut, threads, wanted).reshape(-1, _COUNTS)
        if not self._units.order:
            return found
        further = beer_order.order_counts(
            *sides, cut=self.cut, symmetric=self.symmetric, function_words=self.function_words, threads=threads
        )
        return np.concatenate([found, further], axis=1)

    def from_counts(self, counts: Matrix) -> Matrix:
        """The features computed from counts."""
        counts, order = counts[:, :_COUNTS], counts[:, _COUNTS:]
        parts = [self._chosen(counts, part) for part in range(3)]
        if self._units.order:
            words = beer_order.matched(order, self.symmetric)
            parts = [np.concatenate(both, axis=1) for both in zip(parts, words, strict=True)]
        common, said, wanted = parts
        precision, recall = (common / np.maximum(side, 1) for side in (said, wanted))
        if self.sides_are_alike:
            precision, recall = np.minimum(precision, recall), np.maximum(precision, recall)
        numbers = [agreement(name, precision, recall) for name in self._units.numbers]
        shares = np.stack(numbers, axis=2).reshape(len(counts), len(self._kinds) * len(numbers))
        if self._units.edits:
            shares = np.concatenate([shares, unedited(counts)], axis=1)
        ordered = [beer_order.ordered(order, self.symmetric)] if self._units.order else []
        lengths = [longer_by(counts[:, -4:-2]), longer_by(counts[:, -2:])] if self._units.lengths else []
        return np.concatenate([self._in_pieces(shares), *ordered, *lengths], axis=1)[:, self._kept]

    def copies(self, counts: Matrix, *, of_either: bool = False) -> Matrix:
        """The features of a copy of each reference: 1, except for units that the reference is too short to have;
        `of_either`: except for units that both texts are too short to have."""
        counts, order = counts[:, :_COUNTS], counts[:, _COUNTS:]
        there = self._chosen(counts, 2) > 0
        if of_either:
            there |= self._chosen(counts, 1) > 0
        if self._units.order:
            there = np.concatenate([there, beer_order.copies_matched(order, self.symmetric, of_either)], axis=1)
        shares = np.repeat(there.astype(np.float64), len(self._units.numbers), axis=1)
        if self._units.edits:
            shares = np.concatenate([shares, np.ones((len(counts), len(EDITS)))], axis=1)
        ordered = [beer_order.copies_ordered(order, self.symmetric, of_either)] if self._units.order else []
        lengths = [np.zeros((len(counts), 2))] if self._units.lengths else []
        return np.concatenate([self._in_pieces(shares), *ordered, *lengths], axis=1)[:, self._kept]

    @property
    def sides_are_alike(self) -> bool:
        """Whether no feature tells the translation from the reference."""
        return self.symmetric or self.template == "release62"

    def one_is_empty(self, counts: Matrix) -> NDArray[np.bool_]:
        """Of each pair whether one text has words and the other has none."""
        words = counts[:, _COUNTS - 4 : _COUNTS - 2] > 0
        found: NDArray[np.bool_] = words[:, 0] != words[:, 1]
        return found

    def _in_pieces(self, shares: Matrix) -> Matrix:
        """How far each share fills each of the `pieces` equal parts of [0, 1]: a weighted sum of these is a piecewise
        linear curve, which never falls if no weight is negative."""
        if self.pieces == 1:
            return shares
        parts = np.clip(self.pieces * shares[:, :, None] - np.arange(self.pieces), 0.0, 1.0)
        return parts.reshape(len(shares), shares.shape[1] * self.pieces)

    def _chosen(self, counts: Matrix, part: int) -> Matrix:
        columns = []
        for kind in self._units.kinds:
            if kind == "char0":  # an empty string before every character
                lengths = counts[:, -2:]
                columns.append(lengths.min(axis=1) if part == 0 else lengths[:, part - 1])
            else:
                columns.append(counts[:, 3 * KINDS.index(kind) + part])
        return np.stack(columns, axis=1)
