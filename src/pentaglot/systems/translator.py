"""`Translator`: translates with a trained model."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pentaglot.corpus import Sentence
from pentaglot.errors import PentaglotError, refuse_text
from pentaglot.explain import Explanation, FoundRule, NoRule, explain, look_up, why_no_rule
from pentaglot.explain.assembly import word_links
from pentaglot.explain.rule_search import Scope
from pentaglot.index import AddedPair, Concordance, FindOptions, find
from pentaglot.options import check_number
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import (
    SentenceRules,
    with_given_words,
    with_units,
)
from pentaglot.search import (
    Cancellation,
    Found,
    prefix_constraint,
    reference_constraint,
)
from pentaglot.systems.adding import add_pairs
from pentaglot.systems.engine import Engine
from pentaglot.systems.lattice_paths import path_of
from pentaglot.systems.line import Line, Request, uncut
from pentaglot.systems.marks import Fixed
from pentaglot.systems.prepared import PreparedLine, PreparedPart, TypedWords
from pentaglot.systems.translation import Forced, Hypothesis, Part, PartHypotheses, Translation, join_hypotheses
from pentaglot.systems.word_lattice import WordLattice

__all__ = ["Forced", "Hypothesis", "Part", "Request", "Translation", "Translator"]

_CONSTRAINED_HYPOTHESES = 1_000_000  # most hypotheses of a search for a given reference
_MOST_LISTED = 1_000_000  # translations of one line
_MOST_THREADS = 1024


class Translator(Engine):
    """Translates with a model; any number of threads may use one translator, even while pairs are added."""

    def __repr__(self) -> str:
        return f"Translator('{self.model.path}', {self.model.description.system})"

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

    def remove(self, *numbers: int) -> None:
        """Removes added pairs, or none if one is not there; `added` has the numbers."""
        self.model.additions.remove(*numbers)

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
        nbest = check_number("nbest", nbest, 1, _MOST_LISTED)
        cut = self._line(Request(line, prefix, tuple(fixed), order_by))
        return cut.joined([self._search(each, nbest, cancellation, cut.typed) for each in cut.parts], nbest)

    def translate_words(
        self, words: Sequence[str], *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Part:
        """Translates one sentence that is already cut into the words of the model."""
        nbest = check_number("nbest", nbest, 1, _MOST_LISTED)
        order = self.model.order(words)
        sentence = Sentence.of(words)
        return self._search(PreparedPart(sentence.select(order) if order else sentence, {}, order), nbest, cancellation)

    def translate_all(
        self, lines: Iterable[str | Sentence | Request], *, nbest: int = 1, threads: int = 1, keep_parts: bool = False
    ) -> Iterator[Translation]:
        """Translates many lines in order, as they come in, with the same result for any number of threads. The parts,
        with rules and forests, are kept only on request."""
        nbest = check_number("nbest", nbest, 1, _MOST_LISTED)
        check_number("threads", threads, 1, _MOST_THREADS)
        refuse_text(lines, lacks="lines")
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
        nbest = check_number("nbest", nbest, 1, _MOST_LISTED)
        tokenizer = self.model.source_tokenizer
        lattices = lattice.tokenised(tokenizer).parts(self.longest)
        parts = [self._search_lattice(each, nbest, cancellation) for each in lattices]
        paths = (path_of(part.rules, part.hypotheses[0].derivation) for part in parts)
        surfaces = (each.surface_of(path) for each, path in zip(lattices, paths, strict=True))
        source = tokenizer.detokenise([word for surface in surfaces for word in surface])
        prepared = self._prepared(source)
        joined = join_hypotheses([part.hypotheses for part in parts], nbest)
        listed: dict[str, Hypothesis] = {}
        for each in joined:
            listed.setdefault(prepared.text(each.surface), each)
        limited = any(part.limited for part in parts)
        return Translation(source, next(iter(listed)), tuple(parts), tuple(listed.items()), limited)

    def _search_lattice(self, lattice: WordLattice, nbest: int, cancellation: Cancellation | None) -> Part:
        begun = time.monotonic()
        rules = self.rules_of(lattice, cancellation)
        found = self._searcher(rules).search(rules, whole_forest=nbest > 1, cancellation=cancellation, begun=begun)
        return self._part(rules, found, nbest)

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

    def _prepared(self, line: str | Sentence) -> PreparedLine:
        return PreparedLine.read(line, (), self.model.source_tokenizer, self.model.target_tokenizer)

    def _line(self, request: Request) -> Line:
        return Line.read(request, self.model, self.longest, self._remembers)

    def _remembers(self, words: Sequence[str]) -> bool:
        """Whether a sentence was added, and its translation is to be used as it is."""
        order = self.model.order(words)
        ordered = [words[place] for place in order] if order else words
        return self.weights.get("remembered", 0.0) > 0 and self.rules.remembers(ordered)

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
