"""`SentenceDecoder`: translates the same sentences again and again with other weights, for tuning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import forest as core
from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot.forest import (
    FeatureSpace,
    FeatureStructure,
    Forest,
    fixed_weights,
    linear_bleu,
    matches,
    one_after_the_other,
)
from pentaglot.forest.arrays import ARRAYS
from pentaglot.learn import Candidate, CandidateArrays, ForestSpace, PricedForest
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.rules.sentence_rules import SENTENCE_WORDS
from pentaglot.search import Cancellation
from pentaglot.systems.development import Development
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translation import join_hypotheses
from pentaglot.systems.translator import Translator

__all__ = ["LearningDecoder", "SentenceDecoder", "SentenceForest", "tunable"]

_NO_WORD = np.iinfo(np.int32).max
_LEFT_OUT = np.iinfo(np.uint32).max


def tunable(translator: Translator, features: Mapping[str, float]) -> dict[str, float]:
    """The features that a tuner may weight: not those that stand for what the user wants, nor those that were replaced
    by their bins or left out."""
    fixed = {*fixed_weights(translator.declared.values()), *translator.induction.replaced, *translator.without}
    return {name: value for name, value in features.items() if name not in fixed}


@dataclass(frozen=True, eq=False)
class SentenceForest:
    """The forest of a sentence, its words and features, and the ids of any other words."""

    forest: Forest
    features: FeatureSpace
    vocabulary: Vocabulary
    own_words: tuple[str, ...]  # with ids from SENTENCE_WORDS on

    @classmethod
    def joined(cls, parts: Sequence[tuple[SentenceRules, Forest]], features: FeatureSpace) -> SentenceForest:
        """Joins parts into one forest in which words with the same spelling have one id."""
        vocabulary = parts[0][0].target_vocabulary
        own: dict[str, int] = {}
        forests = []
        for rules, forest in parts:
            found = [vocabulary.find(word) for word in rules.copies]
            numbers = [
                SENTENCE_WORDS + own.setdefault(word, len(own)) if id == UNKNOWN else id
                for word, id in zip(rules.copies, found, strict=True)
            ]
            forests.append(_renumbered(forest, np.array(numbers, np.int64)))
        return cls(one_after_the_other(forests), features, vocabulary, tuple(own))

    def ids(self, words: Sequence[str]) -> list[int]:
        """The ids of words, such as those of a reference; words that no derivation has get an unused id."""
        own = {word: SENTENCE_WORDS + at for at, word in enumerate(self.own_words)}
        found = (self.vocabulary.find(word) for word in words)
        return [own.get(word, _NO_WORD) if id == UNKNOWN else id for word, id in zip(words, found, strict=True)]

    def word(self, symbol: int) -> str:
        """The spelling of a word of the forest."""
        return _spelt(self.vocabulary, self.own_words, symbol)


def _spelt(vocabulary: Vocabulary, own_words: Sequence[str], symbol: int) -> str:
    return own_words[symbol - SENTENCE_WORDS] if symbol >= SENTENCE_WORDS else vocabulary.word(symbol)


def _renumbered(forest: Forest, numbers: NDArray[np.int64]) -> Forest:
    """The same forest with other ids for its own words."""
    arrays = {name: getattr(forest.packed, name) for name in ARRAYS}
    symbols = arrays["symbols"].astype(np.int64)
    own = symbols >= SENTENCE_WORDS
    if not own.any():
        return forest
    symbols[own] = numbers[symbols[own] - SENTENCE_WORDS]
    arrays["symbols"] = symbols.astype(np.int32)
    return Forest(core.Forest(**arrays, goal=forest.goal), forest.scores)


class SentenceDecoder:
    """Translates the sentences on a shelf, with the same result for any number of threads."""

    def __init__(
        self,
        translator: Translator,
        shelf: RuleShelf,
        *,
        write: Callable[[int, Sequence[str]], str] | None = None,
        distinct: bool = True,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        """Candidates are words separated by spaces, or the text that `write` makes of them, given the number of their
        sentence. If they need not be `distinct`, they are the best derivations."""
        self._translator, self._shelf, self._threads, self._progress = translator, shelf, threads, progress
        self._write, self._distinct = write, distinct
        self._numbered = _Numbered(translator)

    def __len__(self) -> int:
        return len(self._shelf)

    @property
    def threads(self) -> int:
        """How many threads it uses."""
        return self._threads

    @property
    def features(self) -> FeatureSpace:
        """All features of the forests."""
        return self._translator.features

    def structure(self) -> FeatureStructure:
        """Neighbours, orders and groups of all features, induced or not."""
        return self._translator.induction.structure(self.features)

    def weights(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        """These weights, and those that no tuner changes."""
        return self._translator.with_weights(weights).weights

    def kbest(self, weights: Mapping[str, float], size: int) -> Iterator[CandidateArrays | list[Candidate]]:
        """Up to `size` translations of each sentence, best first: as arrays, except for sentences so long that they
        were translated in parts."""
        searching, unwanted = self._translator.with_weights(weights), Cancellation()

        def candidates(number: int) -> CandidateArrays | list[Candidate]:
            parts = self._shelf.rules(number)
            if len(parts) == 1:
                found = self._arrays(parts[0], searching.forest(parts[0], cancellation=unwanted), size)
                return found if self._write is None else self._written(found, number)
            work: dict[str, Any] = {"distinct": self._distinct, "cancellation": unwanted}
            joined = join_hypotheses([searching.hypotheses(part, size, **work) for part in parts], size)
            return [Candidate(self.written(number, each.words), tunable(searching, each.features)) for each in joined]

        with self._progress.task("translating the development set", total=len(self), unit="sentences") as task:
            for found in in_order(candidates, range(len(self)), self._threads, unwanted.cancel):
                yield found
                task.advance()

    def forests(self, weights: Mapping[str, float]) -> Iterator[SentenceForest]:
        """The whole search space of each sentence, as one forest even for a sentence translated in parts."""
        searching, unwanted = self._translator.with_weights(weights), Cancellation()

        def search(number: int) -> SentenceForest:
            parts = self._shelf.rules(number)
            return SentenceForest.joined(
                [(part, searching.forest(part, cancellation=unwanted)) for part in parts], searching.features
            )

        yield from in_order(search, range(len(self)), self._threads, unwanted.cancel)

    def written(self, number: int, words: Sequence[str]) -> str:
        """Words as the text of a candidate of a sentence."""
        return " ".join(words) if self._write is None else self._write(number, words)

    def _arrays(self, rules: SentenceRules, forest: Forest, size: int) -> CandidateArrays:
        found = forest.kbest_arrays(size, distinct=self._distinct)
        numbered = self._numbered
        if numbered.features != len(self._translator.features):  # a hook has named more features
            numbered = self._numbered = _Numbered(self._translator)
        ids, offsets, values = numbered.places[found.feature_ids], found.feature_offsets, found.feature_values
        kept = ids != _LEFT_OUT
        if not bool(kept.all()):
            offsets = np.concatenate([[0], np.cumsum(kept)]).astype(np.uint64)[offsets]
            ids, values = ids[kept], values[kept]
        return CandidateArrays(numbered.names, *rules.lines(found.word_offsets, found.words), offsets, ids, values)

    def _written(self, found: CandidateArrays, number: int) -> CandidateArrays:
        """The same candidates as lines of text."""
        assert self._write is not None
        words = (found.text_of(candidate).split(" ") for candidate in range(len(found)))
        lines = [self._write(number, each if each != [""] else []).encode() for each in words]
        offsets = np.concatenate([[0], np.cumsum([len(line) for line in lines], dtype=np.int64)]).astype(np.uint64)
        return replace(found, text=np.frombuffer(b"".join(lines), np.uint8), text_offsets=offsets)


@dataclass(frozen=True)
class LearningDecoder:
    """The decoder for tuners: k-best lists, and forests with costs by the references of a development set."""

    decoder: SentenceDecoder
    development: Development

    def __call__(self, weights: Mapping[str, float], size: int, /) -> Iterator[CandidateArrays | list[Candidate]]:
        return self.decoder.kbest(weights, size)

    def structure(self) -> FeatureStructure:
        """See `StructuredDecode.structure`."""
        return self.decoder.structure()

    def bins(self) -> list[str]:
        """See `StructuredDecode.bins`."""
        space = self.decoder.features
        return [space.name(each) for each in sorted(each for bins in space.bins for each in bins)]

    def forests(self, weights: Mapping[str, float], names: Sequence[str], edges: int, scale: float) -> ForestSpace:
        """See `ForestDecode.forests`. Costs are `linear_bleu` on the words of the model."""

        spelling: list[Callable[[int], str]] = []  # of the words of each sentence; unpruned forests are not kept

        def priced(number: int, sentence: SentenceForest) -> PricedForest:
            wanted = [reference[number].split() for reference in self.development.words]
            found = matches(sentence.forest.prune(edges=edges), [sentence.ids(words) for words in wanted])
            return PricedForest(found.forest, scale * linear_bleu(found, sum(map(len, wanted)) / len(wanted)))

        def each() -> Iterator[tuple[int, SentenceForest]]:
            for number, sentence in enumerate(self.decoder.forests(weights)):
                spelling.append(partial(_spelt, sentence.vocabulary, sentence.own_words))
                yield number, sentence

        def text(number: int, words: Sequence[int]) -> str:
            return self.decoder.written(number, [spelling[number](each) for each in words])

        made = list(in_order(lambda found: priced(*found), each(), self.decoder.threads))
        space, all_weights = self.decoder.features, self.decoder.weights(weights)
        places = np.array([space.id(name) for name in names], np.int64)
        return ForestSpace(made, places, space.dense(all_weights.items()), text)


class _Numbered:
    """The tunable features that a translator knows so far, and the place of every feature among their names."""

    def __init__(self, translator: Translator) -> None:
        names = translator.features.fork()  # no other thread adds to it
        self.features = len(names)
        self.names = tuple(tunable(translator, dict.fromkeys(translator.feature_names, 0.0)))
        self.places: NDArray[np.uint32] = names.native.places_in(FeatureSpace(self.names).native)
