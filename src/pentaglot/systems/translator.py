"""`Translator`: translates with a trained model."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import Sentence, Tokenizer
from pentaglot.errors import PentaglotError
from pentaglot.explain import Explanation, FoundRule, NoRule, explain, look_up, why_no_rule
from pentaglot.explain.assembly import word_links
from pentaglot.explain.rule_search import Scope
from pentaglot.forest import DeclaredFeature, Derivation, FeatureSpace, Forest, Weights
from pentaglot.index import AddedPair, Concordance, FindOptions, find
from pentaglot.lm import AnyLanguageModel
from pentaglot.options import check_number, checked
from pentaglot.order import OrderOptions
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import (
    FeatureHook,
    IndexRules,
    Inducer,
    Induction,
    LatticeInput,
    RuleOptions,
    RuleSource,
    SentenceRules,
    feature_space,
    with_given_words,
    with_units,
)
from pentaglot.rules.features import FEATURES, ORDER
from pentaglot.rules.meanings import meaning_in
from pentaglot.search import (
    Cancellation,
    Found,
    LanguageUse,
    NgramUse,
    Searcher,
    SearchOptions,
    TriggerUse,
    language_features,
    prefix_constraint,
    reference_constraint,
)
from pentaglot.systems.adding import add_pairs
from pentaglot.systems.lattice_paths import path_of
from pentaglot.systems.lattice_runs import Known
from pentaglot.systems.line import Line, Request, uncut
from pentaglot.systems.marks import Fixed
from pentaglot.systems.model import Model
from pentaglot.systems.prepared import PreparedLine, PreparedPart, TypedWords
from pentaglot.systems.standins import joiners_work
from pentaglot.systems.translation import Forced, Hypothesis, Part, PartHypotheses, Translation, join_hypotheses
from pentaglot.systems.weighing import check_weights, with_defaults
from pentaglot.systems.word_lattice import WordLattice

__all__ = ["Forced", "Hypothesis", "Part", "Request", "Translation", "Translator"]

_LONGEST = 1000  # most words of one part
_CONSTRAINED_HYPOTHESES = 1_000_000  # most hypotheses of a search for a given reference
_MOST_LISTED = 1_000_000  # translations of one line
_MOST_THREADS = 1024


@dataclass(frozen=True, eq=False)
class _Searching:
    """A searcher, and the language models' ids of its target words."""

    language_ids: NDArray[np.uint32]
    further: tuple[LanguageUse, ...]
    searcher: Searcher


class Translator:
    """Translates with a model; any number of threads may use one translator, even while pairs are added."""

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
    ) -> None:
        """`weights`, `search` and `rules` default to those of the model; the source of its rules cannot be changed. A
        weight for an unknown feature is an error, unless there are `hooks`, which may define it. `languages` are
        further language models by name, besides those of the model; see `language_features`. Lines of more than
        `longest` words (by default set by the system) are translated in parts. `order` is how the words of the input
        are ordered, by a model that was trained in another order. `induction` takes the place of the model's own;
        `Induction(())` induces nothing."""
        if order is not None and model.ordering is not None:
            model = replace(model, ordering=model.ordering.with_options(checked(order)))
        self.model, self._order = model, order
        system = model.system
        self.declared: dict[str, DeclaredFeature] = FEATURES | {each.name: each for each in system.features}
        self.features: FeatureSpace = feature_space()
        if model.features is not None and (hooks or system.hooks):  # only hooks give the features beyond those
            self.features = model.features.fork()
        for each in system.features:
            if each.always:
                self.features.add(each.name, group=each.group)
        self.longest = check_number("longest", system.longest if longest is None else longest, 1, _LONGEST)
        self.search_options = checked(search or model.description.search)
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
        self._ngrams = _crossing_ngrams(self.induction, self.features, self.rules.target_vocabulary)
        self.weights = self._checked(weights)
        vocabulary = self.rules.target_vocabulary
        uses = tuple(LanguageUse.over(name, each, vocabulary) for name, each in further.items())
        self._searching = self._make_searcher(self.weights, model.language.map_vocabulary(vocabulary), uses)
        self._joiners = joiners_work(model.target_tokenizer)
        self._first_named = len(self.features)  # by a hook that names features as it goes

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Translator:
        """Opens the model directory at `path`."""
        return cls(Model.open(path))

    def __reduce__(self) -> tuple[Any, ...]:
        """A translator is sent to another process as the path of its model and its options; the model is opened
        there."""
        if not self.model.stored:
            raise PentaglotError("a model only in memory cannot be sent to another process", path=self.model.path)
        return _received, (self.model.path, self._options())

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
        }

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
        """The names of all induced features."""
        return self.features.names[self._induced.start : self._induced.stop]

    def induced_meaning(self, feature: str) -> str:
        """What an induced feature means, in words; empty for other features."""
        return meaning_in(self.induction, feature) if self.induction.operators else ""

    def with_induction(self, induction: Induction) -> Translator:
        """A translator with other induced features, whose weights are 0 or taken over from features that they replace;
        all else is the same. Features that were replaced before have their usual weights."""
        old = set(self.induced_names)
        weights = self.model.system.weights if self.induction.replaced else {}
        kept = {**weights, **{name: value for name, value in self.weights.items() if name not in old}}
        started = induction.start(kept)
        options = {**self._options(), "induction": induction, "weights": kept | started}
        return Translator(self.model, **options)

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

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; everything else is shared."""
        twin = object.__new__(Translator)
        twin.__dict__.update(self.__dict__)
        twin.weights = self._checked(weights)
        twin._searching = self._make_searcher(twin.weights, self._searching.language_ids, self._searching.further)
        return twin

    def _checked(self, weights: Mapping[str, float]) -> Weights:
        if not self._open:
            check_weights(weights, self.features, indexed=self.model.table is None)
        if self.model.ordering is not None and ORDER not in weights:
            weights = {**weights, ORDER: FEATURES[ORDER].weight}
        replaced = self.induction.replaced
        if any(name in weights for name in replaced):  # their bins count in their place
            weights = {name: value for name, value in weights.items() if name not in replaced}
        return with_defaults(weights, self.declared.values())

    def _make_searcher(self, weights: Weights, ids: NDArray[np.uint32], further: tuple[LanguageUse, ...]) -> _Searching:
        searcher = Searcher(
            weights,
            self.features,
            self.model.language,
            ids,
            self.search_options,
            further=further,
            ngrams=self._ngrams,
        )
        return _Searching(ids, further, searcher)

    def _searcher(self, rules: SentenceRules) -> Searcher:
        """A searcher whose language models know the target words of these rules."""
        searching, vocabulary = self._searching, rules.target_vocabulary
        if len(vocabulary) > len(searching.language_ids):
            new = vocabulary.words(np.arange(len(searching.language_ids), len(vocabulary), dtype=np.uint32))
            ids = np.concatenate([searching.language_ids, self.model.language.find_all(new)])
            further = tuple(use.grown(vocabulary) for use in searching.further)
            self._searching = searching = self._make_searcher(self.weights, ids, further)
        return searching.searcher

    def add(self, source_line: str | Sentence, target_line: str | Sentence, *, weight: float = 1.0) -> AddedPair:
        """Adds a sentence pair, which counts `weight` times; the next translation uses it, and so does every later
        process. From now on, the sentence itself is translated exactly like this."""
        return self.add_all([(source_line, target_line)], weight=weight)[0]

    def add_all(
        self,
        lines: Iterable[tuple[str | Sentence, str | Sentence]],
        *,
        weight: float = 1.0,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> list[AddedPair]:
        """Adds several pairs: all of them or, if one cannot be used, none. Layers and metadata are kept."""
        if self.model.table is not None:
            raise PentaglotError(
                "this model translates with a table, which cannot grow",
                path=self.model.path,
                hint='write source = "index" under [rules] in its pentaglot.toml to use its index',
            )
        added = add_pairs(self.model, lines, weight=weight, threads=threads, progress=progress)
        return [pair.typed for pair in added]

    def remove(self, number: int) -> None:
        """Removes an added pair; `added` has the numbers."""
        self.model.additions.remove(number)

    def weigh(self, number: int, weight: float) -> None:
        """Lets an added pair count `weight` times."""
        self.model.additions.weigh(number, weight)

    @property
    def added(self) -> tuple[AddedPair, ...]:
        """The pairs that were added and not removed or folded into the index since."""
        return tuple(pair.typed for pair in self.model.additions.pairs)

    def explain(self, line: str | Sentence) -> Explanation:
        """Translates a line and explains the translation: the rules, what they add to the score, and where they were
        learnt."""
        return explain(self, line)

    def find(self, pattern: str, options: FindOptions | None = None) -> Concordance:
        """Finds words with gaps in the training text and in added pairs, and how they were translated: `find("nicht nur
        X, sondern auch Y")`."""
        return find(self.indexed.view.indexes, pattern, options, tokenizer=self.model.source_tokenizer)

    def look_up(self, phrase: str, scope: Scope = "whole") -> list[FoundRule]:
        """The rules for a phrase, the most frequent first, with features and examples; `scope` as for `look_up`."""
        return look_up(self, phrase, scope)

    def ordered(self, words: Sequence[str]) -> list[str]:
        """Words of the model in the order in which it translates them, if that is known."""
        if self.model.needs_translations:
            return list(words)
        return [words[place] for place in self.model.order(words)] or list(words)

    def why_no_rule(self, phrase: str) -> NoRule:
        """Why a phrase of the training text is not the source side of any rule."""
        return why_no_rule(self, phrase)

    def refresh(self) -> None:
        """Loads what other processes have added since the model was opened."""
        self.model.additions.refresh()

    def translate(
        self,
        line: str | Sentence,
        *,
        nbest: int = 1,
        prefix: str = "",
        fixed: Sequence[Fixed] = (),
        order_by: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> Translation:
        """Translates one line; returns up to `nbest` distinct translations.

        The translation begins with `prefix`, whose last word may be unfinished unless a space follows it. Where the
        rules cannot produce it, words of the input stand for words of the prefix, which the feature `given` counts. The
        `fixed` parts of the line are translated exactly as given. An annotated `Sentence` is cut into the words of the
        model like any line, and keeps its layers. A model that was trained in another word order orders the line first,
        by the translation `order_by` if that is given.
        """
        check_number("nbest", nbest, 1, _MOST_LISTED)
        cut = self._line(Request(line, prefix, tuple(fixed), order_by))
        return cut.joined([self._search(each, nbest, cancellation, cut.typed) for each in cut.parts], nbest)

    def translate_words(
        self, words: Sequence[str], *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Part:
        """Translates one sentence that is already cut into the words of the model."""
        check_number("nbest", nbest, 1, _MOST_LISTED)
        order = self.model.order(words)
        sentence = Sentence.of(words)
        return self._search(PreparedPart(sentence.select(order) if order else sentence, {}, order), nbest, cancellation)

    def translate_all(
        self, lines: Iterable[str | Sentence | Request], *, nbest: int = 1, threads: int = 1, keep_parts: bool = False
    ) -> Iterator[Translation]:
        """Translates many lines in order, as they come in, with the same result for any number of threads. The parts,
        with rules and forests, are kept only on request."""
        check_number("nbest", nbest, 1, _MOST_LISTED)
        check_number("threads", threads, 1, _MOST_THREADS)
        return self._translate_all(lines, nbest, threads, keep_parts)

    def _translate_all(
        self, lines: Iterable[str | Sentence | Request], nbest: int, threads: int, keep_parts: bool
    ) -> Iterator[Translation]:
        unwanted = Cancellation()

        def read(line: str | Sentence | Request) -> Line:
            return self._line(line if isinstance(line, Request) else Request(line))

        def pieces() -> Iterator[tuple[Line, PreparedPart | None]]:
            # Ordering takes time, so lines are read by several threads, too.
            for line in in_order(read, lines, threads if self.model.ordering else 1):
                if not line.parts:
                    yield line, None
                yield from ((line, part) for part in line.parts)

        def search(piece: tuple[Line, PreparedPart | None]) -> tuple[Line, list[PartHypotheses]]:
            line, prepared = piece
            if prepared is None:
                return line, []
            part = self._search(prepared, nbest, unwanted, line.typed)
            return line, [part if keep_parts else part.forgotten()]

        done: list[PartHypotheses] = []
        # Several threads may share the parts of a very long line.
        for line, found in in_order(search, pieces(), threads, unwanted.cancel):
            done += found
            if len(done) == len(line.parts):
                yield line.joined(done, nbest)
                done = []

    def translate_lattice(
        self, lattice: WordLattice, *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Translation:
        """Finds the best translation of any path of a word lattice, including the scores of its words (feature
        `input`). The source of the translation is that path. A long lattice is cut into parts where all paths meet."""
        check_number("nbest", nbest, 1, _MOST_LISTED)
        tokenizer = self.model.source_tokenizer
        lattices = lattice.tokenised(tokenizer).parts(self.longest)
        parts = [self._search_lattice(each, nbest, cancellation) for each in lattices]
        paths = (path_of(part.rules, part.hypotheses[0].derivation) for part in parts)
        surfaces = (each.surface_of(path) for each, path in zip(lattices, paths, strict=True))
        source = tokenizer.detokenise([word for surface in surfaces for word in surface])
        prepared = self._prepared(source)
        joined = join_hypotheses([part.hypotheses for part in parts], nbest)
        listed = tuple((prepared.text(each.surface), each) for each in joined)
        return Translation(source, listed[0][0], tuple(parts), listed, any(part.limited for part in parts))

    def _search_lattice(self, lattice: WordLattice, nbest: int, cancellation: Cancellation | None) -> Part:
        begun = time.monotonic()
        rules = self.rules_of(lattice, cancellation)
        found = self._searcher(rules).search(rules, whole_forest=nbest > 1, cancellation=cancellation, begun=begun)
        return self._part(rules, found, nbest)

    def rules_of(self, words: Sequence[str] | WordLattice, cancellation: Cancellation | None = None) -> SentenceRules:
        """The rules of a sentence, or of all paths of a lattice."""
        if not isinstance(words, WordLattice):
            return self.rules.rules(words, cancellation)
        longest = max(self.rules.options.max_span, self.rules.options.max_symbols)
        runs = words.sentence(longest, longest, self._known_runs)
        rules = self.rules.rules(Sentence(runs.words, metadata=words.metadata), cancellation)
        ids = dict(zip(reversed(rules.words), reversed(rules.source.tolist()), strict=True))
        arcs = tuple((arc.start, arc.end, ids[arc.word]) for arc in words.arcs)
        feature = ORDER if words.has_orders else "input"
        scores, depth = tuple(arc.score for arc in words.arcs), words.depths[-1] if words.has_orders else 0
        shortened = runs.longest < longest
        return replace(rules, lattice=LatticeInput(words.nodes, arcs, scores, feature, depth, shortened))

    @property
    def _known_runs(self) -> Known | None:
        """Which words in a row may be the source side of a rule: those of the text, if rules have no gaps."""
        options, rules = self.rules.options, self.rules
        if options.max_gaps or not isinstance(rules, IndexRules):
            return None
        indexes = rules.view.indexes
        return lambda words: any(index.count(list(words)) for index in indexes)

    def force(self, line: str | Sentence, reference: str, *, cancellation: Cancellation | None = None) -> Forced:
        """Finds all derivations of exactly `reference` as a translation of `line`, and the best of them. Nothing is
        pruned, but the search ends at the limits of the search options, or after a million hypotheses."""
        model = self.model
        order_by = model.target_tokenizer.tokenise(reference) if model.needs_translations else None
        part = uncut(self._prepared(line).ordered_by(model, self.longest, order_by))
        line = line if isinstance(line, str) else line.line
        words = tuple(self.model.target_tokenizer.tokenise(reference))
        if not part.words:
            return Forced(line, words, None, None, None, (), False)
        begun = time.monotonic()
        rules = self.rules_of(part.lattice or part.words, cancellation)
        options = self.search_options.unpruned()
        options = replace(options, hypotheses=options.hypotheses or _CONSTRAINED_HYPOTHESES)
        found = self._searcher(rules).search(
            rules,
            constraint=reference_constraint(rules, words),
            options=options,
            whole_forest=True,
            cancellation=cancellation,
            begun=begun,
        )
        best = None if found.nothing else self._hypothesis(rules, found.forest.viterbi())
        return Forced(line, words, best, found.found, rules, words[: found.reached], found.limited)

    def hypotheses(
        self, rules: SentenceRules, nbest: int, *, cancellation: Cancellation | None = None
    ) -> list[Hypothesis]:
        """The best distinct translations of a sentence whose rules are known."""
        check_number("nbest", nbest, 1, _MOST_LISTED)
        found = self.forest(rules, cancellation=cancellation).kbest(nbest, distinct=True)
        return [self._hypothesis(rules, derivation) for derivation in found]

    def forest(self, rules: SentenceRules, *, cancellation: Cancellation | None = None) -> Forest:
        """The whole search space of a sentence whose rules are known."""
        return self._searcher(rules).search(rules, whole_forest=True, cancellation=cancellation).forest

    def _prepared(self, line: str | Sentence) -> PreparedLine:
        return PreparedLine.read(line, (), self.model.source_tokenizer, self.model.target_tokenizer)

    def _line(self, request: Request) -> Line:
        return Line.read(request, self.model, self.longest)

    def _search(
        self,
        prepared: PreparedPart,
        nbest: int,
        cancellation: Cancellation | None = None,
        typed: TypedWords | None = None,
    ) -> Part:
        begun = time.monotonic()
        rules = self.rules_of(prepared.lattice or prepared.words, cancellation)
        surfaces = prepared.surfaces(self._joiners, len(rules.copies)) if prepared.units else None
        if prepared.units:
            rules = with_units(rules, prepared.units, self.features, self.model.language.vocabulary)
        if typed is not None and typed.words:
            rules, found = self._search_beginning(rules, typed, nbest > 1, cancellation, begun)
        else:
            found = self._searcher(rules).search(rules, whole_forest=nbest > 1, cancellation=cancellation, begun=begun)
        part = self._part(rules, found, nbest, surfaces)
        if prepared.lattice is not None:
            path = prepared.lattice.path(rules, part.hypotheses[0].derivation)
            part = replace(part, places=path.places, path=path)
        elif prepared.order or (prepared.places and prepared.places[0]):
            part = replace(part, places=prepared.places)
        return _with_links(part, prepared, surfaces or {}) if prepared.linked else part

    def _part(
        self, rules: SentenceRules, found: Found, nbest: int, surfaces: Mapping[int, str | None] | None = None
    ) -> Part:
        derivations = found.forest.kbest(nbest, distinct=True) if nbest > 1 else [found.forest.viterbi()]
        hypotheses = tuple(self._hypothesis(rules, derivation, surfaces) for derivation in derivations)
        shortened = rules.lattice is not None and rules.lattice.shortened
        return Part(hypotheses, found.limited or shortened, rules, found.forest)

    def _search_beginning(
        self,
        rules: SentenceRules,
        typed: TypedWords,
        whole_forest: bool,
        cancellation: Cancellation | None,
        begun: float,
    ) -> tuple[SentenceRules, Found]:
        most = self.search_options.hypotheses or _CONSTRAINED_HYPOTHESES
        options = replace(self.search_options, hypotheses=most)
        for helped in (False, True):
            if helped:
                rules = with_given_words(rules, typed.words, self.features)
            wanted = prefix_constraint(rules, typed.words, unfinished=typed.unfinished, ignore_case=typed.ignore_case)
            found = self._searcher(rules).search(
                rules,
                constraint=wanted,
                options=options,
                whole_forest=whole_forest,
                cancellation=cancellation,
                begun=begun,
            )
            if not found.nothing:
                return rules, found
        raise PentaglotError(
            f"no translation begins with '{typed.text}'", hint="fixed parts may be in the way; allow more hypotheses"
        )

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
        return Hypothesis(words, derivation.score, features, (derivation,), surface)


def _weighted(induction: Induction | None, weights: Mapping[str, float]) -> Induction:
    """An induction if weights were tuned for it, else none."""
    used = induction is not None and any(name in weights for name in induction.names())
    return induction if induction is not None and used else Induction(())


def _crossing_ngrams(
    induction: Induction, features: FeatureSpace, vocabulary: Vocabulary
) -> list[NgramUse | TriggerUse]:
    """The induced n-grams and triggers that a search counts across rules."""
    found: list[NgramUse | TriggerUse] = []
    for each in induction.worded:
        if each.operator.crosses:
            maps = induction.classes.get(each.operator.classes)
            ids = features.add_all(each.features)
            kind = TriggerUse if each.operator.template == "triggers" else NgramUse
            found.append(kind.over(vocabulary, each.split(), ids, None if maps is None else maps.target))
    return found


def _received(path: Path, options: dict[str, Any]) -> Translator:
    """A translator received from another process."""
    return Translator(Model.open(path), **options)


def _with_links(part: Part, prepared: PreparedPart, surfaces: Mapping[int, str | None]) -> Part:
    """The same with links to the words of the whole line."""
    hypotheses = []
    for each in part.hypotheses:
        path = None if prepared.lattice is None else prepared.lattice.path(part.rules, each.derivation)
        nodes, typed = ((), prepared.places) if path is None else (path.nodes, path.places)
        found = zip(each.derivation.words, word_links(part.rules, part.forest, each.derivation, nodes), strict=True)
        links = [places for symbol, places in found if surfaces.get(symbol, "") is not None]
        moved = tuple(tuple(sorted(typed[place] if typed else place for place in places)) for places in links)
        hypotheses.append(replace(each, links=moved))
    return replace(part, hypotheses=tuple(hypotheses))
