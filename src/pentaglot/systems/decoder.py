"""`SentenceDecoder`: the same sentences, translated under other weights again and again, as learners need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import Forest, fixed_weights
from pentaglot.learn import Candidate, CandidateArrays
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.search import Cancellation
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translation import join_hypotheses
from pentaglot.systems.translator import Translator

__all__ = ["SentenceDecoder", "tunable"]

_LEFT_OUT = np.iinfo(np.uint32).max


def tunable(translator: Translator, features: Mapping[str, float]) -> dict[str, float]:
    """Those features that a tuner may give weights: not those that carry out somebody's wish."""
    fixed = fixed_weights(translator.declared.values())
    return {name: value for name, value in features.items() if name not in fixed}


class SentenceDecoder:
    """Translates the sentences on a shelf. What it shows is the same with any number of threads."""

    def __init__(
        self,
        translator: Translator,
        shelf: RuleShelf,
        *,
        write: Callable[[int, Sequence[str]], str] | None = None,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        """Candidates are words with spaces between them, or what `write` makes of the words for the sentence of a
        number."""
        self._translator, self._shelf, self._threads, self._progress = translator, shelf, threads, progress
        self._write = write
        self._numbered = _Numbered(translator)

    def __len__(self) -> int:
        return len(self._shelf)

    def kbest(self, weights: Mapping[str, float], size: int) -> Iterator[CandidateArrays | list[Candidate]]:
        """For each sentence up to `size` different translations, the best first. They are arrays, but for a sentence
        so long that it was translated in parts."""
        searching, unwanted = self._translator.with_weights(weights), Cancellation()

        def candidates(number: int) -> CandidateArrays | list[Candidate]:
            parts = self._shelf.rules(number)
            if len(parts) == 1:
                found = self._arrays(parts[0], searching.forest(parts[0], cancellation=unwanted), size)
                return found if self._write is None else self._written(found, number)
            hypotheses = [searching.hypotheses(part, size, cancellation=unwanted) for part in parts]
            write = self._write or (lambda _, words: " ".join(words))
            joined = join_hypotheses(hypotheses, size)
            return [Candidate(write(number, each.words), tunable(searching, each.features)) for each in joined]

        with self._progress.task("translating the development set", total=len(self), unit="sentences") as task:
            for found in in_order(candidates, range(len(self)), self._threads, unwanted.cancel):
                yield found
                task.advance()

    def forests(self, weights: Mapping[str, float]) -> Iterator[list[tuple[SentenceRules, Forest]]]:
        """For each sentence the rules and the forest of each of its parts; there is one, unless it is very long."""
        searching, unwanted = self._translator.with_weights(weights), Cancellation()

        def search(number: int) -> list[tuple[SentenceRules, Forest]]:
            return [(part, searching.forest(part, cancellation=unwanted)) for part in self._shelf.rules(number)]

        yield from in_order(search, range(len(self)), self._threads, unwanted.cancel)

    def _arrays(self, rules: SentenceRules, forest: Forest, size: int) -> CandidateArrays:
        found = forest.kbest_arrays(size, distinct=True)
        numbered = self._numbered
        if numbered.features != len(self._translator.features):  # a hook has named more
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


class _Numbered:
    """The tunable features that a translator knows by now, and the place of every feature among their names."""

    def __init__(self, translator: Translator) -> None:
        named = translator.feature_names
        self.features = len(named)
        self.names = tuple(tunable(translator, dict.fromkeys(named, 0.0)))
        self.places: NDArray[np.uint32] = np.full(len(named), _LEFT_OUT, np.uint32)
        for place, name in enumerate(self.names):
            self.places[translator.features.id(name)] = place
