"""`Translator`: a trained system at work."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from pentaglot.forest import Derivation, FeatureSpace, Forest, Weights
from pentaglot.rules import FeatureHook, IndexRules, SentenceRules, feature_space
from pentaglot.search import Cancellation, Searcher, SearchOptions
from pentaglot.systems.model import Model
from pentaglot.systems.segments import split_words

__all__ = ["Hypothesis", "Part", "Translation", "Translator"]


@dataclass(frozen=True)
class Hypothesis:
    """One translation of one part of a line: its words, its score, and the features that make up the score."""

    words: tuple[str, ...]
    score: float
    features: dict[str, float]
    derivation: Derivation


@dataclass(frozen=True)
class Part:
    """A piece of input that was translated as one sentence."""

    rules: SentenceRules
    forest: Forest
    hypotheses: tuple[Hypothesis, ...]
    limited: bool


@dataclass(frozen=True)
class Translation:
    """The translation of a line. Only very long lines have more than one part."""

    source: str
    text: str
    parts: tuple[Part, ...]
    nbest: tuple[tuple[str, Hypothesis], ...]

    @property
    def score(self) -> float:
        """The model score of the best translation."""
        return sum(part.hypotheses[0].score for part in self.parts)

    @property
    def limited(self) -> bool:
        """Whether a limit on time or memory cut the search short."""
        return any(part.limited for part in self.parts)

    def __str__(self) -> str:
        return self.text


class Translator:
    """Translates with a model; any number of threads may use one translator."""

    def __init__(
        self,
        model: Model,
        *,
        weights: Mapping[str, float] | None = None,
        search: SearchOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
        longest: int = 100,
    ) -> None:
        self.model = model
        self.features: FeatureSpace = feature_space()
        self.weights = Weights(model.weights if weights is None else weights)
        self.longest = longest
        self.search_options = search or model.description.search
        self.rules = IndexRules(model.index, self.features, model.description.rules, hooks)
        self._language_ids = model.language.map_vocabulary(model.index.bitext.target_vocabulary)
        self._searcher = self._make_searcher(self.weights)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Translator:
        """Opens the model directory at `path`."""
        return cls(Model.open(path))

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; everything else is shared."""
        twin = object.__new__(Translator)
        twin.__dict__.update(self.__dict__)
        twin.weights = Weights(weights)
        twin._searcher = self._make_searcher(twin.weights)
        return twin

    def _make_searcher(self, weights: Weights) -> Searcher:
        return Searcher(weights, self.features, self.model.language, self._language_ids, self.search_options)

    def translate(self, line: str, *, nbest: int = 1, cancellation: Cancellation | None = None) -> Translation:
        """Translates one line; `nbest` asks for so many different translations."""
        words = self.model.source_tokenizer.tokenise(line)
        if not words:
            return Translation(line, "", (), ())
        parts = tuple(
            self.translate_words(part, nbest=nbest, cancellation=cancellation)
            for part in split_words(words, self.longest)
        )
        best = [word for part in parts for word in part.hypotheses[0].words]
        listed: tuple[tuple[str, Hypothesis], ...] = ()
        if len(parts) == 1:
            listed = tuple((self._finished(each.words, line), each) for each in parts[0].hypotheses)
        return Translation(line, self._finished(best, line), parts, listed)

    def translate_words(
        self, words: Sequence[str], *, nbest: int = 1, cancellation: Cancellation | None = None
    ) -> Part:
        """Translates one sentence that is tokenised already."""
        rules = self.rules.rules(words)
        found = self._searcher.search(rules, whole_forest=nbest > 1, cancellation=cancellation)
        derivations = found.forest.kbest(nbest, distinct=True) if nbest > 1 else [found.forest.viterbi()]
        hypotheses = tuple(self._hypothesis(rules, derivation) for derivation in derivations)
        return Part(rules, found.forest, hypotheses, found.limited)

    def hypotheses(self, rules: SentenceRules, nbest: int) -> list[Hypothesis]:
        """The best different translations of a sentence whose rules are known."""
        found = self._searcher.search(rules, whole_forest=True)
        return [self._hypothesis(rules, derivation) for derivation in found.forest.kbest(nbest, distinct=True)]

    def translate_all(self, lines: Iterable[str], *, nbest: int = 1, threads: int = 1) -> Iterator[Translation]:
        """Translates many lines, in order; the result is the same with any number of threads."""
        if threads <= 1:
            for line in lines:
                yield self.translate(line, nbest=nbest)
            return
        remaining = iter(lines)
        with ThreadPoolExecutor(threads) as pool:
            waiting = deque(pool.submit(self.translate, line, nbest=nbest) for line in islice(remaining, 4 * threads))
            try:
                while waiting:
                    done = waiting.popleft().result()
                    for line in islice(remaining, 1):
                        waiting.append(pool.submit(self.translate, line, nbest=nbest))
                    yield done
            finally:
                pool.shutdown(cancel_futures=True)

    def _hypothesis(self, rules: SentenceRules, derivation: Derivation) -> Hypothesis:
        words = tuple(rules.target_word(symbol) for symbol in derivation.words)
        features = {self.features.name(number): value for number, value in derivation.features.items()}
        return Hypothesis(words, derivation.score, features, derivation)

    def _finished(self, words: Sequence[str], line: str) -> str:
        tokenizer = self.model.target_tokenizer
        return tokenizer.recase(tokenizer.detokenise(list(words)), line)
