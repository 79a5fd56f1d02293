"""The parts of a fitted induction: quantities cut into bins, conjunctions of bins, features of words, domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.rules.binning import Bins
from pentaglot.rules.operators import WordOperator
from pentaglot.rules.quantities import Quantity, Shown
from pentaglot.rules.word_names import GAP, SIDES, split_words

__all__ = ["BinnedQuantity", "ConjoinedQuantities", "FittedDomains", "WordClassMaps", "WordFeatures"]

_NOTHING = np.empty(0, np.float32)
_NO_CLASSES = np.empty(0, np.uint32)
_ENDS = ("<s>", "</s>")  # of a sentence
_ORDERS = {"source_words": 1, "target_words": 1, "linked_pairs": 2, "all_pairs": 2, "triggers": 2}


@dataclass(frozen=True)
class BinnedQuantity:
    """A quantity cut into bins."""

    quantity: Quantity
    bins: Bins
    kind: str = "apart"
    keep: bool = True
    shown: Shown = "usual"

    @property
    def name(self) -> str:
        """What the names of its features begin with."""
        return self.quantity.name if self.kind == "apart" else f"{self.quantity.name}({self.kind})"

    @cached_property
    def labels(self) -> list[str]:
        """What the names of its features end with."""
        if self.kind == "probability":
            return ["value"]
        if self.kind == "thresholds":
            return [f"<{value}" for value in self.bins.written(self.quantity.shown(self.shown))[1:]]
        return self.quantity.labels(self.bins, self.shown)

    @cached_property
    def features(self) -> list[str]:
        """The names of its features, in order."""
        return [f"{self.name}={label}" for label in self.labels]

    def meanings(self) -> dict[str, str]:
        """What each feature means."""
        quantity, bins = self.quantity, self.bins
        if self.kind == "thresholds":
            said = quantity.thresholds(bins, self.shown)
        elif self.kind == "hats":
            said = quantity.hats(bins, self.shown)
        elif self.kind == "probability":
            said = [quantity.said.format("its value")]
        else:  # of two overlapping bins, only one fires
            beside = self.kind == "overlapping" and len(bins) > 2
            said = quantity.meanings(bins, self.shown, beside=int(beside))
        return dict(zip(self.features, said, strict=True))

    def ids(self, space: FeatureSpace) -> NDArray[np.uint32]:
        """The ids of its features, which are added to a space unless it has them."""
        known = [space.find(name) for name in self.features]
        if not known or None in known:
            return np.array(space.add_bins(self.name, self.labels) if self.labels else [], np.uint32)
        return np.array(known, np.uint32)

    def add_to(self, induction: native.Induction, space: FeatureSpace) -> None:
        """Adds it to a native induction."""
        centres = self.bins.centres if self.kind == "hats" else _NOTHING
        edges = _NOTHING if self.kind == "probability" else self.bins.edges
        induction.add_bins(self.quantity.compiled(space), self.kind, edges, centres, self.ids(space))

    def start(self, weight: float) -> dict[str, float]:
        """Weights that give each bin about what its mean value would have got from this weight. With thresholds, rules
        lose what the last bin would have got; a probability gets the line of least squares."""
        wanted = weight * np.array(self.bins.centres if self.kind == "hats" else self.bins.mean)
        if self.kind == "thresholds":
            wanted = -np.diff(wanted)
        elif self.kind == "overlapping" and len(wanted) > 2:  # inner bins fire with both neighbours
            wanted /= np.where((np.arange(len(wanted)) % (len(wanted) - 1)) == 0, 2, 3)
        elif self.kind == "probability":
            wanted = np.array([_slope(np.exp(self.bins.mean), wanted, np.array(self.bins.population, np.float64))])
        return dict(zip(self.features, map(float, wanted), strict=True))


def _slope(values: NDArray[np.float64], wanted: NDArray[np.float64], population: NDArray[np.float64]) -> float:
    """The slope of the line of least squares, each bin counting as often as it was seen."""
    values = values - np.average(values, weights=population)
    spread = float(np.sum(population * values**2))
    return float(np.sum(population * values * wanted)) / spread if spread else 0.0


@dataclass(frozen=True, eq=False)
class ConjoinedQuantities:
    """Bins of two or three quantities at once: `sets` are places of these among the binned quantities, and each row of
    `bins` is a feature."""

    sets: tuple[int, ...]
    bins: NDArray[np.uint32]

    def ids(self, space: FeatureSpace, binned: tuple[BinnedQuantity, ...]) -> NDArray[np.uint32]:
        """The ids of its features."""
        parts = [binned[each].ids(space) for each in self.sets]
        group = "^".join(sorted(binned[each].name for each in self.sets))
        rows = self.bins.tolist()
        found = ([int(ids[bin]) for ids, bin in zip(parts, row, strict=True)] for row in rows)
        return np.array([space.conjoin(row, ordered=False, group=group) for row in found], np.uint32)


@dataclass(frozen=True)
class FittedDomains:
    """The domains of the development text, and the features that have weights of their own in each."""

    metadata: str
    names: tuple[str, ...]
    features: tuple[str, ...]

    def known(self, domain: str) -> list[str]:
        """The known domains that a sentence of this one belongs to: itself and those around it.

        >>> FittedDomains("domain", ("news", "news/sport", "law"), ()).known("news/sport/chess")
        ['news', 'news/sport']
        """
        parts = domain.split("/")
        around = ["/".join(parts[: size + 1]) for size in range(len(parts))]
        return [each for each in around if each in self.names]

    def indicator(self, domain: str) -> str:
        """The name of a domain's indicator, which no search ever scores by itself."""
        return f"{self.metadata}={domain}"

    def pairs(self, space: FeatureSpace, binned: tuple[BinnedQuantity, ...]) -> dict[str, list[tuple[int, int]]]:
        """By domain, the ids of features and of their conjunctions with it. A name that ends with = stands for all bins
        of a quantity."""
        bins = {f"{each.name}=": each.features for each in binned}
        names = [name for each in self.features for name in bins.get(each, [each])]
        found = {}
        for domain in self.names:
            here = self.indicator(domain)
            indicator = space.add(here, group=here, visible=False)
            simple = [space.add(name) for name in names]
            found[domain] = [(each, space.conjoin([indicator, each], ordered=False, group=here)) for each in simple]
        return found


@dataclass(frozen=True, eq=False)
class WordClassMaps:
    """The classes of source and target words, numbered from 1 on."""

    source: Mapping[str, int]
    target: Mapping[str, int]

    def arrays(self, source: Vocabulary, target: Vocabulary) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The class of each word of two vocabularies; 0 if it has none."""
        return _numbers(self.source, source), _numbers(self.target, target)


def _numbers(classes: Mapping[str, int], vocabulary: Vocabulary) -> NDArray[np.uint32]:
    found = np.zeros(len(vocabulary), np.uint32)
    for word, number in classes.items():
        place = vocabulary.find(word)
        if place != UNKNOWN:
            found[place] = number
    return found


@dataclass(frozen=True, eq=False)
class WordFeatures:
    """Features of words: the `words` of each, joined as in its name."""

    operator: WordOperator
    words: tuple[str, ...]

    @cached_property
    def features(self) -> list[str]:
        """Their names."""
        prefix = self.operator.prefix
        return [f"{prefix}={each}" for each in self.words]

    @property
    def order(self) -> int | None:
        """How many words each conjoins, if all conjoin as many."""
        return _ORDERS.get(self.operator.template)

    def orders(self) -> NDArray[np.uint32]:
        """How many words each of them conjoins."""
        if self.order is not None:
            return np.full(len(self.words), self.order, np.uint32)
        return np.array([sum(bool(word) for word in _split(each)[0]) for each in self.words], np.uint32)

    def split(self) -> list[list[str]]:
        """The words of each."""
        return [_split(each)[0] for each in self.words]

    def add_to(
        self,
        induction: native.Induction,
        ids: NDArray[np.uint32],
        vocabularies: tuple[Vocabulary, Vocabulary],
        maps: WordClassMaps | None,
    ) -> int:
        """Adds them to a native induction; returns how many have words that the vocabularies lack."""
        symbols: list[int] = []
        offsets, kept = [0], []
        for place, each in enumerate(self.words):
            found = self._symbols(each, vocabularies)
            if found is not None:
                symbols += found
                offsets.append(len(symbols))
                kept.append(place)
        arrays = (_NO_CLASSES, _NO_CLASSES) if maps is None else maps.arrays(*vocabularies)
        template = native.WordTemplate(self.operator.template, self.operator.longest, *arrays)
        induction.add_words(template, np.array(offsets, np.uint64), np.array(symbols, np.int32), ids[kept])
        return len(self.words) - len(kept)

    def _symbols(self, joined: str, vocabularies: tuple[Vocabulary, Vocabulary]) -> list[int] | None:
        words, gaps = _split(joined)
        found: list[int] = []
        for word, gap, side in zip(words, gaps, self._sides(words), strict=True):
            number = native.BETWEEN_SIDES if side is None else self._number(word, gap, vocabularies[side])
            if number is None:
                return None
            found.append(number)
        return found

    def _sides(self, words: list[str]) -> list[int | None]:
        """For each word whether it is a source (0) or a target word (1); None for what is between the sides."""
        template = self.operator.template
        if template == "rules":
            between = words.index(SIDES)
            return [None if at == between else int(at > between) for at in range(len(words))]
        if template in ("linked_pairs", "all_pairs"):
            return [0, 1]
        return [int(template.startswith("target"))] * len(words)

    def _number(self, word: str, gap: bool, vocabulary: Vocabulary) -> int | None:
        if gap:
            matched = GAP.fullmatch(word)
            assert matched is not None
            return -int(matched[1])
        if self.operator.classes:
            return int(word)
        found = vocabulary.find(word)
        return None if found == UNKNOWN else found

    def check(self) -> None:
        """Raises an error unless each has as many words as such features have."""
        for each in self.words:
            words, gaps = _split(each)
            if self.operator.template == "rules":
                good = words.count(SIDES) == 1 and words[0] != SIDES
            else:
                most = self.order or self.operator.longest
                good = all(words) and not any(gaps) and (self.order or 2) <= len(words) <= most
            if not good:
                raise PentaglotError(f"'{each}' are not the words of a feature of '{self.operator.operator}'")
            if self.operator.classes:
                self._check_classes(word for word, gap in zip(words, gaps, strict=True) if word and not gap)

    def _check_classes(self, words: Iterable[str]) -> None:
        for word in words:
            number = word.isascii() and word.isdigit() and len(word) <= 9
            if not number and not (self.operator.crosses and word in _ENDS):
                raise PentaglotError(f"'{word}' is not the number of a class")


def _split(joined: str) -> tuple[list[str], list[bool]]:
    if "\\" in joined or "[" in joined:
        return split_words(joined)
    words = joined.split(">")
    return words, [False] * len(words)
