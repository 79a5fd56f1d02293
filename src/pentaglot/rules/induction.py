"""`Induction`: features induced from others, fitted on development sentences (Clark 2015, chapters 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace, FeatureStructure
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities, FittedDomains, WordClassMaps, WordFeatures
from pentaglot.rules.operators import Operator

__all__ = ["Induction"]

_ALWAYS_REAL = ("words", "rules")  # they balance the language model


@dataclass(frozen=True, eq=False)
class Induction:
    """Operators that were fitted (see `fit_induction`), ready to be applied to the rules of any sentence."""

    operators: tuple[Operator, ...]
    binned: tuple[BinnedQuantity, ...] = ()
    conjoined: tuple[ConjoinedQuantities, ...] = ()
    worded: tuple[WordFeatures, ...] = ()
    domains: FittedDomains | None = None
    classes: Mapping[int, WordClassMaps] = field(default_factory=dict)  # by the number of classes

    def check(self) -> None:
        """Raises an error if the parts contradict each other."""
        names = [each.name for each in self.binned]
        if len(set(names)) != len(names):
            raise PentaglotError("a quantity is cut into bins twice")
        for each in self.conjoined:
            if any(set_ >= len(self.binned) or self.binned[set_].kind != "apart" for set_ in each.sets):
                raise PentaglotError("a quantity is conjoined that is not cut into bins")
            sizes = [len(self.binned[set_].bins) for set_ in each.sets]
            if each.bins.shape[1:] != (len(sizes),) or bool((each.bins >= np.array(sizes)).any()):
                raise PentaglotError("a bin is conjoined that does not exist")
        for words in self.worded:
            words.check()
            if words.operator.classes and words.operator.classes not in self.classes:
                raise PentaglotError(f"the {words.operator.classes} classes of words are missing")

    @property
    def replaced(self) -> frozenset[str]:
        """Features whose bins count in their place; the number of words always counts itself."""
        gone = (name for each in self.binned if not each.keep for name in each.quantity.columns)
        return frozenset(name for name in gone if name not in _ALWAYS_REAL)

    def ids(self, space: FeatureSpace) -> InducedIds:
        """The ids of all induced features; those that a space lacks are added to it."""
        for each in self.binned:
            each.ids(space)
        conjoined = [each.ids(space, self.binned) for each in self.conjoined]
        worded = [space.add_all(each.features) for each in self.worded]
        pairs = {} if self.domains is None else self.domains.pairs(space, self.binned)
        return InducedIds(conjoined, worded, pairs)

    def compiled(
        self, space: FeatureSpace, ids: InducedIds, vocabularies: tuple[Vocabulary, Vocabulary]
    ) -> tuple[native.Induction, int]:
        """The same for native code, and how many features of words have words that the vocabularies lack."""
        made, missing = native.Induction(), 0
        for each in self.binned:
            each.add_to(made, space)
        for conjoined, places in zip(self.conjoined, ids.conjoined, strict=True):
            made.add_conjunction(list(conjoined.sets), conjoined.bins.reshape(-1), places)
        for words, places in zip(self.worded, ids.worded, strict=True):
            if words.operator.crosses:  # they are features of the search
                continue
            missing += words.add_to(made, places, vocabularies, self.classes.get(words.operator.classes))
        return made, missing

    def start(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Weights to begin with: bins that replace a feature take over its weight, each for its mean value; all others
        are 0."""
        found: dict[str, float] = {}
        for each in self.binned:
            columns = each.quantity.columns
            if not each.keep and columns and columns[0] in self.replaced:
                found |= each.start(weights.get(columns[0], 0.0))
        return found | dict.fromkeys(self.replaced, 0.0)

    def structure(self, space: FeatureSpace) -> FeatureStructure:
        """What penalties must know of the features of a space, induced or not: bins are neighbours, conjunctions have
        their order, and what an operator makes is a group."""
        known = FeatureStructure.of(space)
        orders, groups = known.orders.copy(), dict(known.groups)
        for each in self.worded:
            places = np.array([space.id(name) for name in each.features], np.uint32)
            orders[places] = each.orders()
            if len(places):
                groups[each.operator.group] = places
        return replace(known, orders=orders, groups=groups)

    def names(self) -> Iterator[str]:
        """The names of all induced features."""
        space = FeatureSpace()
        ids = self.ids(space)
        for each in self.binned:
            yield from each.features
        yield from (space.name(each) for places in ids.conjoined for each in places.tolist())
        for words in self.worded:
            yield from words.features
        yield from (space.name(product) for pairs in ids.pairs.values() for _, product in pairs)

    def many_names(self) -> list[str]:
        """The names of features that are kept only if they have a weight: of words, and conjunctions of bins."""
        space = FeatureSpace()
        ids = self.ids(space)
        conjoined = [space.name(each) for places in ids.conjoined for each in places.tolist()]
        return [*conjoined, *(name for each in self.worded for name in each.features)]

    def without_zeros(self, weights: Mapping[str, float]) -> Induction:
        """The same without features of words and conjunctions of bins that have no weight."""
        space = FeatureSpace()
        ids = self.ids(space)
        kept = np.array([bool(weights.get(name, 0.0)) for name in space.names], np.bool_)
        conjoined = [
            replace(each, bins=each.bins[kept[places]])
            for each, places in zip(self.conjoined, ids.conjoined, strict=True)
        ]
        worded = []
        for words, places in zip(self.worded, ids.worded, strict=True):
            chosen = tuple(word for word, there in zip(words.words, kept[places].tolist(), strict=True) if there)
            worded.append(WordFeatures(words.operator, chosen))
        return replace(self, conjoined=tuple(conjoined), worded=tuple(worded))

    @cached_property
    def meanings(self) -> dict[str, str]:
        """What the bins mean, by the names of their features."""
        return {name: meaning for each in self.binned for name, meaning in each.meanings().items()}


@dataclass(frozen=True, eq=False)
class InducedIds:
    """The ids of induced features in a space."""

    conjoined: list[NDArray[np.uint32]]
    worded: list[NDArray[np.uint32]]
    pairs: dict[str, list[tuple[int, int]]]  # by domain: a feature, and its conjunction with the domain
