"""Fits bins, and finds which of them meet in rules."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot.errors import OptionError
from pentaglot.options import suggestion
from pentaglot.rules.binning import Bins, Histogram
from pentaglot.rules.fitting_context import FittingContext
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities
from pentaglot.rules.inducing import Surroundings
from pentaglot.rules.operators import ConjoinBins, CutIntoBins, Operator
from pentaglot.rules.quantities import Quantity, quantity_named
from pentaglot.rules.sentence_rules import SentenceRules

__all__ = ["BinCounts", "MeetingBins"]

_LOG = logging.getLogger(__name__)


class BinCounts:
    """Counts the values of quantities."""

    def __init__(self, operators: Sequence[Operator], context: FittingContext) -> None:
        self._around = Surroundings(context.space, context.language_ids)
        self._wanted: list[tuple[CutIntoBins, Quantity, native.Quantity, Histogram]] = []
        for operator in operators:
            if not isinstance(operator, CutIntoBins):
                continue
            for name in operator.chosen:
                quantity = quantity_named(name, context.declared, undeclared=context.undeclared)
                self._wanted.append((operator, quantity, quantity.compiled(context.space), Histogram()))

    def add(self, found: SentenceRules) -> None:
        for _, _, compiled, histogram in self._wanted:
            histogram.add(compiled.of_rules(found.table, self._around.of(found)))

    def fitted(self) -> tuple[BinnedQuantity, ...]:
        made = []
        for operator, quantity, _, histogram in self._wanted:
            values, counts = histogram.counted()
            if len(values) < 2:
                if operator.inputs:
                    raise _cannot_cut(quantity.name, values)
                _LOG.info("'%s' is the same in all rules and is not cut into bins", quantity.name)
                continue
            bins = Bins.fitted(values, counts, operator.bins)
            made.append(BinnedQuantity(quantity, bins, operator.kind, operator.keep, operator.shown))
        return tuple(made)


def _cannot_cut(name: str, values: NDArray[np.float32]) -> OptionError:
    if len(values) == 0:
        return OptionError(
            f"no rule of the development text has '{name}', so it cannot be cut into bins", hint="leave it out"
        )
    return OptionError(
        f"'{name}' is {float(values[0]):g} in all rules of the development text, so it cannot be cut into bins",
        hint="leave it out",
    )


class MeetingBins:
    """Finds which bins of several quantities meet in rules."""

    def __init__(
        self, operators: Sequence[ConjoinBins], binned: tuple[BinnedQuantity, ...], context: FittingContext
    ) -> None:
        self._around, self._binned = Surroundings(context.space, context.language_ids), binned
        self._compiled = [each.quantity.compiled(context.space) for each in binned]
        self._least: dict[tuple[int, ...], int] = {}
        self._counts: dict[tuple[int, ...], Counter[int]] = {}
        places = {each.name: place for place, each in enumerate(binned) if each.kind == "apart"}
        for operator in operators:
            for name in operator.inputs:
                if name not in places:
                    hint = suggestion(name, places) if places else "cut it with the operator 'bins' (kind 'apart')"
                    raise OptionError(f"'{name}' is not cut into bins, so its bins cannot be conjoined", hint=hint)
            chosen = sorted({places[name] for name in operator.inputs or places})
            if len(chosen) < operator.order:
                are_cut = f"{len(chosen)} {'is' if len(chosen) == 1 else 'are'} cut"
                raise OptionError(
                    f"'{operator.operator}' conjoins {operator.order} quantities, but only {are_cut} into bins",
                    hint="cut more of them with the operator 'bins' (kind 'apart')",
                )
            for sets in combinations(chosen, operator.order):
                self._least[sets] = min(operator.least, self._least.get(sets, operator.least))
                self._counts[sets] = Counter()

    @property
    def wanted(self) -> bool:
        return bool(self._counts)

    def add(self, found: SentenceRules) -> None:
        around = self._around.of(found)
        used = {each for sets in self._counts for each in sets}
        bins = {each: self._binned[each].bins.of(self._compiled[each].of_rules(found.table, around)) for each in used}
        for sets, counts in self._counts.items():
            there = np.logical_and.reduce([bins[each] >= 0 for each in sets])
            code = np.zeros(int(there.sum()), np.int64)
            for each in sets:
                code = code * len(self._binned[each].bins) + bins[each][there]
            codes, numbers = np.unique(code, return_counts=True)
            counts.update(dict(zip(codes.tolist(), numbers.tolist(), strict=True)))

    def fitted(self) -> tuple[ConjoinedQuantities, ...]:
        made = []
        for sets, counts in self._counts.items():
            kept = np.array(sorted(code for code, seen in counts.items() if seen >= self._least[sets]), np.int64)
            columns = []
            for each in reversed(sets):
                columns.append(kept % len(self._binned[each].bins))
                kept = kept // len(self._binned[each].bins)
            rows = np.array(columns[::-1], np.uint32).T.reshape(-1, len(sets))
            made.append(ConjoinedQuantities(sets, np.ascontiguousarray(rows)))
        return tuple(made)
