"""`Translator`: a trained system at work."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import Derivation, FeatureSpace, Forest, Weights
from pentaglot.index import AddedPair
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import FeatureHook, IndexRules, SentenceRules, feature_space
from pentaglot.search import Cancellation, Searcher, SearchOptions
from pentaglot.systems.growing import add_pairs
from pentaglot.systems.model import Model
from pentaglot.systems.segments import split_words

__all__ = ["REMEMBERED_WEIGHT", "Hypothesis", "Part", "Translation", "Translator"]

# For each word of a remembered pair. No tuner changes it: there is nothing to be learnt about a person's own wish.
REMEMBERED_WEIGHT = 100.0


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
        hooks: Sequence[FeatureHook] = (),
        longest: int = 100,
    ) -> None:
        self.model = model
        self.features: FeatureSpace = feature_space()
        self.weights = _with_memory(model.weights if weights is None else weights)
        self.longest = longest
        self.search_options = search or model.description.search
        self.rules = IndexRules(model.additions, self.features, model.description.rules, hooks, corpora=model.corpora)
        ids = model.language.map_vocabulary(self.rules.view.target_vocabulary)
        self._searching = self._make_searcher(self.weights, ids)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Translator:
        """Opens the model directory at `path`."""
        return cls(Model.open(path))

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; everything else is shared."""
        twin = object.__new__(Translator)
        twin.__dict__.update(self.__dict__)
        twin.weights = _with_memory(weights)
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

    def refresh(self) -> None:
        """Takes in what other processes have added since the model was opened."""
        self.model.additions.refresh()

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
        found = self._searcher(rules).search(rules, whole_forest=nbest > 1, cancellation=cancellation)
        derivations = found.forest.kbest(nbest, distinct=True) if nbest > 1 else [found.forest.viterbi()]
        hypotheses = tuple(self._hypothesis(rules, derivation) for derivation in derivations)
        return Part(rules, found.forest, hypotheses, found.limited)

    def hypotheses(self, rules: SentenceRules, nbest: int) -> list[Hypothesis]:
        """The best different translations of a sentence whose rules are known."""
        found = self._searcher(rules).search(rules, whole_forest=True)
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


def _with_memory(weights: Mapping[str, float]) -> Weights:
    """Far above what else a sentence can score: an added sentence is translated as it was added."""
    return Weights({"remembered": REMEMBERED_WEIGHT} | dict(weights))
