"""`Engine`: a model with weights and options, ready to search."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from pentaglot.corpus import Sentence, Tokenizer
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import DeclaredFeature, Derivation, FeatureSpace, Forest, Weights
from pentaglot.lm import AnyLanguageModel
from pentaglot.options import check_number, checked, suggestion
from pentaglot.order import OrderOptions
from pentaglot.rules import (
    FeatureHook,
    IndexRules,
    Inducer,
    Induction,
    LatticeInput,
    RuleOptions,
    RuleSource,
    SentenceRules,
    Structure,
    feature_space,
)
from pentaglot.rules.features import FEATURES, ORDER, PRECEDENCE
from pentaglot.rules.meanings import meaning_in
from pentaglot.search import (
    Cancellation,
    LanguageUse,
    Searcher,
    SearchOptions,
    language_features,
)
from pentaglot.systems.lattice_runs import Known
from pentaglot.systems.model import Model
from pentaglot.systems.remembered import added_lines
from pentaglot.systems.searching import Searching, crossing_ngrams
from pentaglot.systems.settling import completed
from pentaglot.systems.standins import joiners_work
from pentaglot.systems.translation import Hypothesis
from pentaglot.systems.weighing import check_weights, with_defaults
from pentaglot.systems.word_lattice import WordLattice

__all__ = ["Engine"]

_LONGEST = 1000  # most words of one part
_MOST_LISTED = 1_000_000  # translations of one line


class Engine:
    """A model with weights and options, ready to search: its features, its rules, its searchers. Any number of threads
    may use it, even while pairs are added."""

    def __init__(
        self,
        model: Model,
        *,
        weights: Mapping[str, float] | None = None,
        search: SearchOptions | None = None,
        rules: RuleOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
        languages: Mapping[str, AnyLanguageModel] | None = None,
        longest: int | None = None,
        order: OrderOptions | None = None,
        induction: Induction | None = None,
        without: Sequence[str] = (),
    ) -> None:
        """`weights`, `search` and `rules` default to those of the model; the source of its rules cannot be changed. A
        weight for an unknown feature is an error, unless there are `hooks`, which may define it. `languages` are
        further language models by name, besides those of the model; see `language_features`. Lines of more than
        `longest` words (by default set by the system) are translated in parts. `order` is how the words of the input
        are ordered, by a model that was trained in another order. `induction` takes the place of the model's own;
        `Induction(())` induces nothing. Features that it is `without` weigh nothing, and no tuner changes that."""
        if order is not None and model.ordering is not None:
            model = replace(model, ordering=model.ordering.with_options(checked(order)))
        self.model, self._order = model, order
        system = model.system
        self.declared: dict[str, DeclaredFeature] = model.declared
        self.without = tuple(without)
        for name in self.without:
            if name not in self.declared:
                raise OptionError(f"there is no feature '{name}'", hint=suggestion(name, self.declared))
        self.features = _first_features(model, bool(hooks or system.hooks))
        self.longest = check_number("longest", system.longest if longest is None else longest, 1, _LONGEST)
        self.search_options = completed(search and checked(search), checked(model.description.search))
        system.check_labels(self.search_options)
        options = checked(rules or model.description.rules)
        if self.search_options.search == "stack":
            options = replace(options, max_gaps=0)  # it uses no gaps
        self._open = bool(hooks)  # to any feature: what hooks will name is not known yet
        self.rules: RuleSource = system.source(model, self.features, options, (*system.hooks, *hooks))
        self.rules.needs = (*self.rules.needs, *system.needs)
        weights = model.weights if weights is None else weights
        self.induction = _weighted(model.induction, weights) if induction is None else induction
        self._hooks, self._languages = tuple(hooks), dict(languages or {})
        further = {**model.languages, **self._languages}
        for name in further:
            for feature in language_features(name):
                self.features.add(feature, group="search")
        before = len(self.features)
        if self.induction.operators:
            self.rules.inducer = Inducer(self.induction, self.features, model.language.map_vocabulary)
        self._induced = range(before, len(self.features))
        vocabulary = self.rules.target_vocabulary
        ngrams = crossing_ngrams(self.induction, self.features, vocabulary)
        self.weights = self._checked(weights)
        uses = tuple(LanguageUse.over(name, each, vocabulary) for name, each in further.items())
        ids = model.language.map_vocabulary(vocabulary)
        self._searching = Searching(
            self.weights, self.features, self.search_options, model.language, ids, uses, tuple(ngrams)
        )
        self._joiners = joiners_work(model.target_tokenizer)
        self._first_named = len(self.features)  # by a hook that names features as it goes

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Opens the model directory at `path`."""
        return cls(Model.open(path))

    def __reduce__(self) -> tuple[Any, ...]:
        """A translator is sent to another process as the path of its model and its options; the model is opened
        there."""
        if not self.model.stored:
            raise PentaglotError("a model only in memory cannot be sent to another process", path=self.model.path)
        return _received, (type(self), self.model.path, self._options())

    def _options(self) -> dict[str, Any]:
        return {
            "weights": dict(self.weights),
            "search": self.search_options,
            "rules": self.rules.options,
            "hooks": self._hooks,
            "languages": self._languages,
            "longest": self.longest,
            "order": self._order,
            "induction": self.induction,
            "without": self.without,
        }

    @property
    def feature_names(self) -> list[str]:
        """The features known so far, in an order that does not depend on threads: those that the translator came with,
        others that have weights, then those that hooks have named since, by name."""
        names, visible = self.features.names, self.features.visible()
        hidden = {names[place] for place in np.flatnonzero(~visible).tolist()}
        first = dict.fromkeys(names[: self._first_named]) | dict.fromkeys(self.weights)
        known = [*first, *sorted(set(names[self._first_named :]).difference(first))]
        return [name for name in known if name not in hidden] if hidden else known

    @property
    def induced_names(self) -> list[str]:
        """The names of all induced features; an indicator of a domain, which no search scores, is none."""
        names, visible = self.features.names, self.features.visible()
        return [names[place] for place in self._induced if visible[place]]

    def induced_meaning(self, feature: str) -> str:
        """What an induced feature means, in words; empty for other features."""
        return meaning_in(self.induction, feature) if self.induction.operators else ""

    def with_induction(self, induction: Induction) -> Self:
        """A translator with other induced features, whose weights are 0 or taken over from features that they replace;
        all else is the same. Features that were replaced before have their usual weights."""
        old = set(self.induced_names)
        weights = self.model.system.weights if self.induction.replaced else {}
        kept = {**weights, **{name: value for name, value in self.weights.items() if name not in old}}
        started = induction.start(kept)
        options = {**self._options(), "induction": induction, "weights": kept | started}
        return type(self)(self.model, **options)

    def save_features(self, path: str | os.PathLike[str]) -> bool:
        """Saves the features that hooks have named, in the format of the directory `features` of a model and in an
        order that does not depend on threads. Saves nothing and returns False if there are none."""
        space = self.features.fork()  # no other thread adds to it
        first = self._first_named
        later = sorted((space[each] for each in range(first, len(space))), key=lambda each: (each.order, each.name))
        if all(each.name in self.declared for each in later):
            return False
        space.reordered([*range(first), *(each.id for each in later)]).save(path)
        return True

    def with_weights(self, weights: Mapping[str, float]) -> Self:
        """The same translator with other weights; everything else is shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.weights = self._checked(weights)
        twin._searching = replace(self._searching, weights=twin.weights)
        return twin

    def _checked(self, weights: Mapping[str, float]) -> Weights:
        if not self._open:
            check_weights(weights, self.features, indexed=self.model.table is None)
        if (ordering := self.model.ordering) is not None:
            name = PRECEDENCE if ordering.searched else ORDER
            weights = weights if name in weights else {**weights, name: FEATURES[name].weight}
        replaced = self.induction.replaced
        if any(name in weights for name in replaced):  # their bins count in their place
            weights = {name: value for name, value in weights.items() if name not in replaced}
        found = with_defaults(weights, self.declared.values())
        return found | {name: 0.0 for name in self.without if name in found}

    def _searcher(self, rules: SentenceRules) -> Searcher:
        """A searcher whose language models know the target words of these rules."""
        known = self._searching
        searching = known.knowing(rules.target_vocabulary)
        if searching is not known:
            self._searching = searching
        return searching.searcher

    def rules_of(self, words: Sequence[str] | WordLattice, cancellation: Cancellation | None = None) -> SentenceRules:
        """The rules of a sentence, or of all paths of a lattice."""
        if not isinstance(words, WordLattice):
            return self._with_precedence(self.rules.rules(words, cancellation))
        longest = max(self.rules.options.max_span, self.rules.options.max_symbols)
        runs = words.sentence(longest, longest, self._known_runs)
        rules = self.rules.rules(Sentence(runs.words, metadata=words.metadata), cancellation)
        ids = dict(zip(reversed(rules.words), reversed(rules.source.tolist()), strict=True))
        arcs = tuple((arc.start, arc.end, ids[arc.word]) for arc in words.arcs)
        feature = ORDER if words.has_orders else "input"
        scores, depth = tuple(arc.score for arc in words.arcs), words.depths[-1] if words.has_orders else 0
        shortened = runs.longest < longest
        return replace(rules, lattice=LatticeInput(words.nodes, arcs, scores, feature, depth, shortened))

    def _with_precedence(self, rules: SentenceRules) -> SentenceRules:
        """The same rules, with the order that the words of the sentence are expected in, if the search weighs it."""
        ordering = self.model.ordering
        if ordering is None or (precedence := ordering.precedence(rules.words)) is None:
            return rules
        return replace(rules, structure=replace(rules.structure or Structure(), precedence=precedence))

    @property
    def _known_runs(self) -> Known | None:
        """Which words in a row may be the source side of a rule: those of the text, if rules have no gaps."""
        options, rules = self.rules.options, self.rules
        if options.max_gaps or not isinstance(rules, IndexRules):
            return None
        indexes = rules.view.indexes
        return lambda words: any(index.count(list(words)) for index in indexes)

    def hypotheses(
        self, rules: SentenceRules, nbest: int, *, distinct: bool = True, cancellation: Cancellation | None = None
    ) -> list[Hypothesis]:
        """The best translations of a sentence whose rules are known; if they need not be `distinct`, its best
        derivations."""
        nbest = check_number("nbest", nbest, 1, _MOST_LISTED)
        found = self.forest(rules, cancellation=cancellation).kbest(nbest, distinct=distinct)
        return [self._hypothesis(rules, derivation) for derivation in found]

    def forest(self, rules: SentenceRules, *, cancellation: Cancellation | None = None) -> Forest:
        """The whole search space of a sentence whose rules are known."""
        return self._searcher(rules).search(rules, whole_forest=True, cancellation=cancellation).forest

    def _hypothesis(
        self, rules: SentenceRules, derivation: Derivation, surfaces: Mapping[int, str | None] | None = None
    ) -> Hypothesis:
        symbols = derivation.words
        words = tuple(rules.target_word(symbol) for symbol in symbols)
        named = [(number, self.features.name(number), value) for number, value in derivation.features.items()]
        named.sort(key=lambda each: (min(each[0], self._first_named), each[1]))  # as in feature_names
        features = {name: value for _, name, value in named}
        surface = words
        if surfaces:
            written = (surfaces.get(symbol, word) for symbol, word in zip(symbols, words, strict=True))
            surface = tuple(word for word in written if word is not None)
        added = added_lines(rules, derivation) if features.get("remembered") else None
        return Hypothesis(words, derivation.score, features, (derivation,), surface, added=added)

    @functools.cached_property
    def indexed(self) -> IndexRules:
        """The rules of the index, even in a model that translates with a table (and may have an empty index)."""
        if isinstance(self.rules, IndexRules):
            return self.rules
        return IndexRules(self.model.additions, feature_space(), self.rules.options, corpora=self.model.corpora)

    @property
    def source_tokenizer(self) -> Tokenizer:
        """The tokenizer of the input."""
        return self.model.source_tokenizer


def _first_features(model: Model, hooks: bool) -> FeatureSpace:
    """The features of a model and its system, before any others are named."""
    features: FeatureSpace = feature_space()
    if model.features is not None and hooks:  # only hooks give the features beyond those
        features = model.features.fork()
    for each in model.system.features:
        if each.always:
            features.add(each.name, group=each.group)
    return features


def _weighted(induction: Induction | None, weights: Mapping[str, float]) -> Induction:
    """An induction if weights were tuned for it, else none."""
    used = induction is not None and any(name in weights for name in induction.names())
    return induction if induction is not None and used else Induction(())


def _received(kind: type[Engine], path: Path, options: dict[str, Any]) -> Engine:
    """A translator received from another process."""
    return kind(Model.open(path), **options)
