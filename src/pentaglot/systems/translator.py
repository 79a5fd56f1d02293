"""`Translator`: a trained system at work."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.search import lattice as native_lattice
from pentaglot.errors import PentaglotError
from pentaglot.forest import Derivation, FeatureSpace, Weights
from pentaglot.index import AddedPair, Concordance, FindOptions, find
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import FeatureHook, IndexRules, RuleOptions, RuleSource, SentenceRules, TableRules, feature_space
from pentaglot.search import (
    DEFAULT_WEIGHTS,
    Cancellation,
    Found,
    Searcher,
    SearchOptions,
    add_given_words,
    prefix_constraint,
    reference_constraint,
    with_units,
)
from pentaglot.systems.assembly import word_links
from pentaglot.systems.growing import add_pairs
from pentaglot.systems.marks import Fixed
from pentaglot.systems.model import Model
from pentaglot.systems.ordered import in_order
from pentaglot.systems.rule_search import FoundRule, Scope, look_up, usual_forms
from pentaglot.systems.sentence import Segment, Sentence, TypedWords
from pentaglot.systems.standins import joiners_work
from pentaglot.systems.translation import Forced, Hypothesis, Part, Translation, join_hypotheses
from pentaglot.systems.word_lattice import WordLattice, path_of

if TYPE_CHECKING:
    from pentaglot.systems.explanation import Explanation

__all__ = ["REMEMBERED_WEIGHT", "Forced", "Hypothesis", "Part", "Request", "Translation", "Translator"]

# For each word of a remembered pair. No tuner changes it: there is nothing to be learnt about a person's own wish.
REMEMBERED_WEIGHT = 100.0

_LONGEST_CONSTRAINED = 250  # words of a line that cannot be cut
_FORCED_HYPOTHESES = 1_000_000  # an exact search stops somewhere


@dataclass(frozen=True)
class Request:
    """A line, and what is demanded of its translation: parts that are fixed, words that it begins with."""

    line: str
    prefix: str = ""
    fixed: tuple[Fixed, ...] = ()


@dataclass(frozen=True)
class _Prepared:
    """A request whose line is cut into words and segments; an empty line has none."""

    request: Request
    sentence: Sentence
    typed: TypedWords
    segments: list[Segment]


@dataclass(frozen=True)
class _Searched:
    """What is needed of a part. Rules and forests of many parts are too much to keep if nobody wants to see them."""

    hypotheses: tuple[Hypothesis, ...]
    limited: bool
    whole: Part | None

    @classmethod
    def keeping(cls, part: Part) -> _Searched:
        return cls(part.hypotheses, part.limited, part)

    @classmethod
    def forgetting(cls, part: Part) -> _Searched:
        return cls(tuple(replace(each, derivations=()) for each in part.hypotheses), part.limited, None)


@dataclass(frozen=True, eq=False)
class _Searching:
    """A searcher and the language model's ids of the target words that it knows."""

    language_ids: NDArray[np.uint32]
    searcher: Searcher


class Translator:
    """Translates with a model; any number of threads may use one translator, also while pairs are added."""

    def __init__(
        self,
        model: Model,
        *,
        weights: Mapping[str, float] | None = None,
        search: SearchOptions | None = None,
        rules: RuleOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
        longest: int = 100,
    ) -> None:
        """`weights`, `search` and `rules` are those of the model if they are not given; the source of its rules stays
        as it is."""
        self.model = model
        self.features: FeatureSpace = feature_space()
        self.weights = _with_defaults(model.weights if weights is None else weights)
        self.longest = longest
        self.search_options = search or model.description.search
        options = rules or model.description.rules
        self.rules: RuleSource
        placeables = model.source_tokenizer.recogniser
        if model.table is None:
            corpora = model.corpora
            self.rules = IndexRules(
                model.additions, self.features, options, hooks, corpora=corpora, placeables=placeables
            )
        else:
            self.rules = TableRules(model.table, self.features, options, hooks, placeables)
        ids = model.language.map_vocabulary(self.rules.target_vocabulary)
        self._searching = self._make_searcher(self.weights, ids)
        self._joiners = joiners_work(model.target_tokenizer)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Translator:
        """Opens the model directory at `path`."""
        return cls(Model.open(path))

    @functools.cached_property
    def indexed(self) -> IndexRules:
        """Rules from the index, also in a model that translates with a table (and may have nothing in its index)."""
        if isinstance(self.rules, IndexRules):
            return self.rules
        return IndexRules(self.model.additions, feature_space(), self.rules.options, corpora=self.model.corpora)

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; everything else is shared."""
        twin = object.__new__(Translator)
        twin.__dict__.update(self.__dict__)
        twin.weights = _with_defaults(weights)
        twin._searching = self._make_searcher(twin.weights, self._searching.language_ids)
        return twin

    def _make_searcher(self, weights: Weights, ids: NDArray[np.uint32]) -> _Searching:
        return _Searching(ids, Searcher(weights, self.features, self.model.language, ids, self.search_options))

    def _searcher(self, rules: SentenceRules) -> Searcher:
        """A searcher that knows which words of the language model the target words of these rules are."""
        searching, vocabulary = self._searching, rules.target_vocabulary
        if len(vocabulary) > len(searching.language_ids):
            find, known = self.model.language.vocabulary.find, len(searching.language_ids)
            new = [find(vocabulary.word(number)) for number in range(known, len(vocabulary))]
            ids = np.concatenate([searching.language_ids, np.array(new, np.uint32)])
            self._searching = searching = self._make_searcher(self.weights, ids)
        return searching.searcher

    def add(self, source_line: str, target_line: str, *, weight: float = 1.0) -> AddedPair:
        """Adds a sentence pair, which counts `weight` times; the next translation uses it, and so does every later
        process. The sentence itself is translated as it was given here from now on."""
        return self.add_all([(source_line, target_line)], weight=weight)[0]

    def add_all(
        self,
        lines: Iterable[tuple[str, str]],
        *,
        weight: float = 1.0,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> list[AddedPair]:
        """Adds several pairs: all of them or, if one cannot be used, none."""
        if self.model.table is not None:
            raise PentaglotError(
                "this model translates with a table, which cannot grow",
                path=self.model.path,
                hint='write source = "index" under [rules] in its pentaglot.toml to use its index',
            )
        return add_pairs(self.model, lines, weight=weight, threads=threads, progress=progress)

    def remove(self, number: int) -> None:
        """Takes an added pair out again; `added` gives the numbers."""
        self.model.additions.remove(number)

    def weigh(self, number: int, weight: float) -> None:
        """Lets an added pair count `weight` times."""
        self.model.additions.weigh(number, weight)

    @property
    def added(self) -> tuple[AddedPair, ...]:
        """The pairs that were added and not removed or folded into the index since."""
        return self.model.additions.pairs

    def explain(self, line: str) -> Explanation:
        """Translates a line and says how: the rules, what they add to the score, and where they were learnt."""
        from pentaglot.systems.explanation import explain

        return explain(self, line)

    def find(self, pattern: str, options: FindOptions | None = None) -> Concordance:
        """Where words with gaps between them occur in the training text and in added pairs, and how they were
        translated: `find("nicht nur X, sondern auch Y")`."""
        view = self.indexed.view
        return find(view.indexes, pattern, options, tokenise=lambda text: usual_forms(view, self._source_words(text)))

    def look_up(self, phrase: str, scope: Scope = "whole") -> list[FoundRule]:
        """The rules for a phrase, the most frequent first, with features and examples; `scope` as for `look_up`."""
        return look_up(self, phrase, scope)

    def _source_words(self, text: str) -> list[str]:
        return self.model.source_tokenizer.tokenise(text)

    def refresh(self) -> None:
        """Takes in what other processes have added since the model was opened."""
        self.model.additions.refresh()

    def translate(
        self,
        line: str,
        *,
        nbest: int = 1,
        prefix: str = "",
        fixed: Sequence[Fixed] = (),
        cancellation: Cancellation | None = None,
    ) -> Translation:
        """Translates one line; `nbest` asks for so many different translations.

        The translation begins with `prefix`, whose last word may be unfinished unless a space follows it. Where the
        rules cannot say so, words of the input are made to stand for words of the prefix, which the feature `given`
        counts. Parts of the line that are `fixed` become what was fixed, letter by letter, and nothing else.
        """
        prepared = self._prepare(Request(line, prefix, tuple(fixed)))
        parts = [self._search(segment, nbest, cancellation, prepared.typed) for segment in prepared.segments]
        return self._join(prepared, [_Searched.keeping(part) for part in parts], nbest)

    def translate_words(
        self, words: Sequence[str], *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Part:
        """Translates one sentence that is tokenised already."""
        return self._search(Segment(list(words), {}), nbest, cancellation)

    def translate_all(
        self, lines: Iterable[str | Request], *, nbest: int = 1, threads: int = 1, keep_parts: bool = False
    ) -> Iterator[Translation]:
        """Translates many lines, in order and as they come in; the result is the same with any number of threads.
        The parts, with rules and forests, are only kept on demand."""

        def pieces() -> Iterator[tuple[_Prepared, Segment | None]]:
            for line in lines:
                prepared = self._prepare(Request(line) if isinstance(line, str) else line)
                if not prepared.segments:
                    yield prepared, None
                yield from ((prepared, segment) for segment in prepared.segments)

        def search(piece: tuple[_Prepared, Segment | None]) -> tuple[_Prepared, _Searched | None]:
            prepared, segment = piece
            if segment is None:
                return prepared, None
            part = self._search(segment, nbest, None, prepared.typed)
            return prepared, _Searched.keeping(part) if keep_parts else _Searched.forgetting(part)

        done: list[_Searched] = []
        # The parts of a very long line are work for several threads, too.
        for prepared, searched in in_order(search, pieces(), threads):
            done += [] if searched is None else [searched]
            if len(done) == len(prepared.segments):
                yield self._join(prepared, done, nbest)
                done = []

    def translate_lattice(
        self, lattice: WordLattice, *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Translation:
        """Translates the path of a word lattice whose translation is best, the scores of its words included (feature
        `input`). The source of the translation is that path."""
        lattice = lattice.tokenised(self.model.source_tokenizer)
        longest = max(self.rules.options.max_span, self.rules.options.max_symbols)
        rules = self.rules.rules(lattice.sentence(longest, longest))
        ids = dict(zip(reversed(rules.words), reversed(rules.source.tolist()), strict=True))
        arcs = [(arc.start, arc.end, ids[arc.word]) for arc in lattice.arcs]
        found = self._searcher(rules).search(
            rules,
            whole_forest=nbest > 1,
            cancellation=cancellation,
            lattice=native_lattice(lattice.nodes, arcs, [arc.score for arc in lattice.arcs]),
        )
        part = self._part(rules, found, nbest)
        tokenizer = self.model.source_tokenizer
        source = tokenizer.detokenise(path_of(rules, part.hypotheses[0].derivation))
        sentence = self._sentence(Request(source))
        listed = tuple((sentence.text(each.surface), each) for each in part.hypotheses)
        return Translation(source, listed[0][0], (part,), listed, found.limited)

    def force(self, line: str, reference: str, *, cancellation: Cancellation | None = None) -> Forced:
        """Looks for the best derivation of exactly `reference` as a translation of `line`, and for all others. Nothing
        is pruned, but the search ends at the limits of the search options, or after a million hypotheses."""
        segment = self._whole(self._sentence(Request(line)))
        words = tuple(self.model.target_tokenizer.tokenise(reference))
        if not segment.words:
            return Forced(line, words, None, None, None, (), False)
        rules = self.rules.rules(segment.words)
        options = self.search_options.unpruned()
        options = replace(options, hypotheses=options.hypotheses or _FORCED_HYPOTHESES)
        found = self._searcher(rules).search_constrained(
            rules,
            reference_constraint(rules, words),
            options=options,
            whole_forest=True,
            cancellation=cancellation,
        )
        best = None if found.forest is None else self._hypothesis(rules, found.forest.viterbi())
        return Forced(line, words, best, found.forest, rules, words[: found.reached], found.limited)

    def hypotheses(self, rules: SentenceRules, nbest: int) -> list[Hypothesis]:
        """The best different translations of a sentence whose rules are known."""
        found = self._searcher(rules).search(rules, whole_forest=True)
        return [self._hypothesis(rules, derivation) for derivation in found.forest.kbest(nbest, distinct=True)]

    def _sentence(self, request: Request, *, inline: bool = False) -> Sentence:
        tokenizers = self.model.source_tokenizer, self.model.target_tokenizer
        return Sentence.read(request.line, request.fixed, *tokenizers, inline=inline)

    def _whole(self, sentence: Sentence) -> Segment:
        """For searches that cannot translate a line in parts."""
        if len(sentence.words) > _LONGEST_CONSTRAINED:
            raise PentaglotError(
                f"a line of {len(sentence.words)} words is too long for a translation that is given in part",
                hint=f"cut it into lines of at most {_LONGEST_CONSTRAINED} words",
            )
        return Segment(sentence.words, sentence.units, linked=sentence.linked)

    def _prepare(self, request: Request) -> _Prepared:
        # What somebody types may have its tags already.
        sentence = self._sentence(request, inline=not request.prefix)
        typed = TypedWords.read(request.prefix, self.model.target_tokenizer)
        if not sentence.words:
            return _Prepared(request, sentence, typed, [])
        segments = [self._whole(sentence)] if typed.words else sentence.segments(self.longest)
        return _Prepared(request, sentence, typed, segments)

    def _join(self, prepared: _Prepared, searched: Sequence[_Searched], nbest: int) -> Translation:
        line, sentence, typed = prepared.request.line, prepared.sentence, prepared.typed
        if not searched:
            return Translation(line, prepared.request.prefix, (), ())
        listed = []
        for each in join_hypotheses([part.hypotheses for part in searched], nbest):
            text = sentence.text(each.surface, each.links)
            listed.append((typed.before(text, sentence, each.surface), each))
        parts = tuple(part.whole for part in searched if part.whole is not None)
        return Translation(line, listed[0][0], parts, tuple(listed), any(part.limited for part in searched))

    def _search(
        self,
        segment: Segment,
        nbest: int,
        cancellation: Cancellation | None = None,
        typed: TypedWords | None = None,
    ) -> Part:
        rules = self.rules.rules(segment.words)
        surfaces = segment.surfaces(self._joiners) if segment.units else None
        if segment.units:
            rules = with_units(rules, segment.units, self.features, self.model.language.vocabulary)
        if typed is not None and typed.words:
            rules, found = self._search_beginning(rules, typed, nbest > 1, cancellation)
        else:
            found = self._searcher(rules).search(rules, whole_forest=nbest > 1, cancellation=cancellation)
        part = self._part(rules, found, nbest, surfaces)
        return _with_links(part, segment, surfaces or {}) if segment.linked else part

    def _part(
        self, rules: SentenceRules, found: Found, nbest: int, surfaces: Mapping[int, str | None] | None = None
    ) -> Part:
        derivations = found.forest.kbest(nbest, distinct=True) if nbest > 1 else [found.forest.viterbi()]
        hypotheses = tuple(self._hypothesis(rules, derivation, surfaces) for derivation in derivations)
        return Part(rules, found.forest, hypotheses, found.limited)

    def _search_beginning(
        self, rules: SentenceRules, typed: TypedWords, whole_forest: bool, cancellation: Cancellation | None
    ) -> tuple[SentenceRules, Found]:
        for helped in (False, True):
            if helped:
                rules = add_given_words(rules, typed.words, self.features)
            wanted = prefix_constraint(rules, typed.words, unfinished=typed.unfinished, ignore_case=typed.ignore_case)
            found = self._searcher(rules).search_constrained(
                rules, wanted, whole_forest=whole_forest, cancellation=cancellation
            )
            if found.forest is not None:
                return rules, Found(found.forest, found.limited, found.hypotheses)
        raise PentaglotError(
            f"no translation begins with '{typed.text}'", hint="fixed parts may be in the way; allow more hypotheses"
        )

    def _hypothesis(
        self, rules: SentenceRules, derivation: Derivation, surfaces: Mapping[int, str | None] | None = None
    ) -> Hypothesis:
        symbols = derivation.words
        words = tuple(rules.target_word(symbol) for symbol in symbols)
        features = {self.features.name(number): value for number, value in derivation.features.items()}
        surface = words
        if surfaces:
            written = (surfaces.get(symbol, word) for symbol, word in zip(symbols, words, strict=True))
            surface = tuple(word for word in written if word is not None)
        return Hypothesis(words, derivation.score, features, (derivation,), surface)


def _with_links(part: Part, segment: Segment, surfaces: Mapping[int, str | None]) -> Part:
    """With the words of the whole line that each word of the output translates."""
    hypotheses = []
    for each in part.hypotheses:
        found = zip(each.derivation.words, word_links(part.rules, part.forest, each.derivation), strict=True)
        links = [places for symbol, places in found if surfaces.get(symbol, "") is not None]
        moved = tuple(tuple(segment.begin + place for place in places) for places in links)
        hypotheses.append(replace(each, links=moved))
    return replace(part, hypotheses=tuple(hypotheses))


def _with_defaults(weights: Mapping[str, float]) -> Weights:
    """With what the search wants, and what memory needs: far above what else a sentence can score, so that an added
    sentence is translated as it was added."""
    return Weights(DEFAULT_WEIGHTS | {"remembered": REMEMBERED_WEIGHT} | dict(weights))
