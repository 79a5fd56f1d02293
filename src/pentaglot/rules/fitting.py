"""`fit_induction`: fits operators on the rules of development sentences."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus import Text
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import DeclaredFeature, FeatureSpace
from pentaglot.options import suggestion
from pentaglot.rules.binning import Bins, Histogram
from pentaglot.rules.features import FEATURES, declared_feature
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities, FittedDomains, WordClassMaps, WordFeatures
from pentaglot.rules.inducing import LanguageIds, Surroundings
from pentaglot.rules.induction import Induction
from pentaglot.rules.operators import (
    ConjoinBins,
    CutIntoBins,
    Domains,
    Operator,
    WordOperator,
    check_operators,
)
from pentaglot.rules.quantities import Quantity, quantity_named
from pentaglot.rules.source import SentenceRules
from pentaglot.rules.text_ngrams import frequent_ngrams
from pentaglot.rules.word_names import SIDES, joined_words

__all__ = ["USUAL_INPUTS", "FittingContext", "fit_induction"]

_LOG = logging.getLogger(__name__)

# Clark 2015, §6.5; the language model and the number of words stay beside the bins.
USUAL_INPUTS = ("coherent", "lexical_target", "lexical_source", "source_words", "words", "unknown", "new_words")
_NO_CLASSES = np.empty(0, np.uint32)


@dataclass(frozen=True)
class FittingContext:
    """What operators are fitted with, besides rules: the `space` of their features; all `declared` features; those to
    multiply by domains unless others are named (`dense`); the words that the language model knows; how to find word
    classes; and the target side of the training `text`. Hooks may give `undeclared` features."""

    space: FeatureSpace
    declared: Mapping[str, DeclaredFeature] = field(default_factory=lambda: FEATURES)
    dense: Sequence[str] = ()
    language_ids: LanguageIds | None = None
    find_classes: Callable[[int], WordClassMaps] | None = None
    text: tuple[Text, Vocabulary] | None = None
    undeclared: bool = False


def fit_induction(
    operators: Sequence[Operator], sentences: Callable[[], Iterable[SentenceRules]], context: FittingContext
) -> Induction:
    """Fits operators on the rules of sentences, every rule of every sentence counting once. The sentences are read
    once, or twice if bins are conjoined."""
    operators = check_operators(operators)
    bins = _Binning(operators, context)
    words: list[_Wording | _CrossingNgrams] = [
        (_CrossingNgrams if each.crosses else _Wording)(each, context)
        for each in operators
        if isinstance(each, WordOperator)
    ]
    domains = _DomainCounts([each for each in operators if isinstance(each, Domains)], context)
    seen = 0
    for found in sentences():
        bins.add(found)
        domains.add(found)
        for each in words:
            each.add(found)
        seen += found.table.rules
    if not seen:
        raise PentaglotError("the development sentences have no rules to fit operators on")
    binned = bins.fitted()
    conjoined = _Conjoining([each for each in operators if isinstance(each, ConjoinBins)], binned, context)
    if conjoined.wanted:
        for found in sentences():
            conjoined.add(found)
    classes = {each.operator.classes: each.maps for each in words if each.maps is not None}
    replaced = Induction(operators, binned).replaced
    made = Induction(
        operators,
        binned,
        conjoined.fitted(),
        tuple(each.fitted() for each in words),
        domains.fitted([f"{each.name}=" for each in binned], replaced),
        classes,
    )
    made.check()
    return made


class _Binning:
    """Counts the values of quantities."""

    def __init__(self, operators: Sequence[Operator], context: FittingContext) -> None:
        self._around = Surroundings(context.space, context.language_ids)
        self._wanted: list[tuple[CutIntoBins, Quantity, native.Quantity, Histogram]] = []
        names: set[tuple[str, str]] = set()
        for operator in operators:
            if not isinstance(operator, CutIntoBins):
                continue
            for name in operator.inputs or USUAL_INPUTS:
                if (name, operator.kind) in names:
                    raise OptionError(f"'{name}' is cut into bins twice", hint="leave one of them out")
                names.add((name, operator.kind))
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


class _Conjoining:
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
                    hint = suggestion(name, places) if places else "cut it with the operator 'bins'"
                    raise OptionError(f"'{name}' is not cut into bins, so its bins cannot be conjoined", hint=hint)
            chosen = sorted({places[name] for name in operator.inputs or places})
            if len(chosen) < operator.order:
                raise OptionError(
                    f"{operator.order} quantities are conjoined, but only {len(chosen)} are cut into bins",
                    hint="cut more of them with the operator 'bins'",
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


class _Wording:
    """Counts what rules have by a template of words."""

    def __init__(self, operator: WordOperator, context: FittingContext) -> None:
        self.operator = operator
        self.maps: WordClassMaps | None = None
        if operator.classes:
            if context.find_classes is None:
                raise PentaglotError("there is no text to find word classes in")
            self.maps = context.find_classes(operator.classes)
        self._counter: native.WordCounter | None = None
        self._vocabularies: tuple[Vocabulary, Vocabulary] | None = None

    def add(self, found: SentenceRules) -> None:
        vocabularies = found.source_vocabulary, found.target_vocabulary
        if self._counter is None:
            maps = (_NO_CLASSES, _NO_CLASSES) if self.maps is None else self.maps.arrays(*vocabularies)
            template = native.WordTemplate(self.operator.template, self.operator.longest, *maps)
            self._counter = native.WordCounter(template)
        self._vocabularies = vocabularies
        self._counter.add(found.table)

    def fitted(self) -> WordFeatures:
        assert self._counter is not None and self._vocabularies is not None
        lengths = self.operator.longest > 1  # so many of each
        offsets, symbols, _ = self._counter.counted(self.operator.least, 0 if lengths else self.operator.most)
        source, target = (_Spelling(each, self.operator.classes) for each in self._vocabularies)
        ends, numbers = offsets.tolist(), symbols.tolist()
        keys = [numbers[begin:end] for begin, end in pairwise(ends)]
        if lengths and self.operator.most:
            keys = _most_of_each_length(keys, self.operator.most)
        return WordFeatures(self.operator, tuple(_joined(key, self.operator.template, source, target) for key in keys))


class _CrossingNgrams:
    """Finds the n-grams of the training text that rules can say."""

    def __init__(self, operator: WordOperator, context: FittingContext) -> None:
        if context.text is None or len(context.text[0]) == 0:
            raise PentaglotError("there is no training text to find n-grams in")
        self.operator, self._text = operator, context.text
        self.maps = context.find_classes(operator.classes) if operator.classes and context.find_classes else None
        self._said = np.zeros(len(self._text[1]), np.bool_)

    def add(self, found: SentenceRules) -> None:
        words = found.table.target_symbols
        self._said[words[(words >= 0) & (words < len(self._said))]] = True

    def fitted(self) -> WordFeatures:
        text, vocabulary = self._text
        said, names = self._said, _Spelling(vocabulary, 0)
        if self.maps is not None:
            numbers = self.maps.arrays(vocabulary, vocabulary)[1]
            classes = np.where(np.arange(len(numbers)) < FIRST_WORD, np.arange(len(numbers)), numbers + FIRST_WORD)
            text = Text(classes.astype(np.uint32)[text.tokens], np.asarray(text.offsets))
            said = np.zeros(self.operator.classes + FIRST_WORD + 1, np.bool_)
            said[classes[self._said]] = True
            said[FIRST_WORD] = False  # words without a class
            spelt = {FIRST_WORD + each: str(each) for each in range(1, self.operator.classes + 1)}
            names = _Spelling(vocabulary, 0, spelt)
        found = frequent_ngrams(text, self.operator.longest, self.operator.least, self.operator.most, said)
        return WordFeatures(self.operator, tuple(joined_words(list(map(names, ngram))) for ngram in found))


def _most_of_each_length(keys: list[list[int]], most: int) -> list[list[int]]:
    seen: Counter[int] = Counter()
    kept = []
    for key in keys:  # the most frequent first
        seen[len(key)] += 1
        if seen[len(key)] <= most:
            kept.append(key)
    return kept


class _Spelling:
    """The spelling of words or classes."""

    def __init__(self, vocabulary: Vocabulary, classes: int, known: dict[int, str] | None = None) -> None:
        self._vocabulary, self._classes = vocabulary, classes
        self._known = known or {}

    def __call__(self, number: int) -> str:
        if number not in self._known:
            self._known[number] = str(number) if self._classes else self._vocabulary.word(number)
        return self._known[number]


def _joined(key: list[int], template: str, source: _Spelling, target: _Spelling) -> str:
    if template == "rules":
        between = key.index(native.BETWEEN_SIDES)
        sides = [source] * between + [source] + [target] * (len(key) - between - 1)
        words = [
            SIDES if at == between else f"[{-symbol}]" if symbol < 0 else sides[at](symbol)
            for at, symbol in enumerate(key)
        ]
        return joined_words(words, [symbol < 0 and at != between for at, symbol in enumerate(key)])
    if template in ("linked_pairs", "all_pairs"):
        return joined_words([source(key[0]), target(key[1])])
    return joined_words(list(map(target if template.startswith("target") else source, key)))


class _DomainCounts:
    """Counts the domains of sentences."""

    def __init__(self, operators: Sequence[Domains], context: FittingContext) -> None:
        self._operator = operators[0] if operators else None
        self._context = context
        self._counts: Counter[str] = Counter()

    def add(self, found: SentenceRules) -> None:
        domain = "" if self._operator is None else found.sentence.metadata.get(self._operator.metadata, "")
        parts = domain.split("/")
        if domain:
            self._counts.update({"/".join(parts[: size + 1]): 1 for size in range(len(parts))})

    def fitted(self, binned: Sequence[str], replaced: frozenset[str]) -> FittedDomains | None:
        operator = self._operator
        if operator is None:
            return None
        names = tuple(sorted(name for name, seen in self._counts.items() if seen >= operator.least and name))
        if not names:
            raise PentaglotError(
                f"no development sentence has the metadata '{operator.metadata}', which the operator 'domains' needs",
                hint="give --metadata domain=FILE, or leave the operator out",
            )
        for name in operator.features:
            if name in binned or self._context.undeclared or declared_feature(name, self._context.declared):
                continue
            hint = suggestion(name, [*self._context.declared, *binned])
            raise OptionError(f"there is no feature '{name}' to multiply by domains", hint=hint)
        dense = tuple(name for name in self._context.dense if name not in replaced)
        return FittedDomains(operator.metadata, names, operator.features or dense)
