"""`Aligner`: a trained model, saved and loaded as a directory, applied to any sentence pair."""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import align as native
from pentaglot._core.corpus import END, FIRST_WORD, NULL, Text, Vocabulary
from pentaglot.align.alignment import Alignment, symmetrisation_of
from pentaglot.align.options import (
    DEFAULT_GROW,
    DEFAULT_SYMMETRISATION,
    DEFAULT_THRESHOLD,
    AlignOptions,
    SymmetrisationName,
)
from pentaglot.align.words import normal_forms, renumber, spellings, words_of
from pentaglot.corpus import Bitext, Tokenizer, open_vocabulary, save_vocabulary
from pentaglot.errors import PentaglotError, StorageError, refuse_text
from pentaglot.options import read_options
from pentaglot.progress import SILENT, Progress
from pentaglot.steady import opens

__all__ = ["Aligner", "Iteration", "LexicalEntry", "Posteriors"]

_KIND, _VERSION = "aligner", 1
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Iteration:
    """One line of the training log: perplexities of the corpus before the iteration's new parameters."""

    model: str
    number: int
    perplexity_to_target: float
    perplexity_to_source: float

    @classmethod
    def read(cls, line: dict[str, Any]) -> Iteration:
        """Reads one from its stored form."""
        if [type(value) for value in line.values()] != [str, int, float, float]:
            raise StorageError("is damaged: its training log is invalid")
        return cls(**line)


@dataclass(frozen=True)
class Posteriors:
    """What an aligner believes about one sentence pair. Matrices are source x target positions."""

    to_target: NDArray[np.float64]  # each column: where a target word comes from
    to_source: NDArray[np.float64]  # each row: where a source word comes from
    target_from_nothing: NDArray[np.float64]
    source_from_nothing: NDArray[np.float64]
    log_likelihoods: tuple[float, float]

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean of both directions."""
        return (self.to_target + self.to_source) / 2


@dataclass(frozen=True)
class LexicalEntry:
    """A pair of words with the chance of the target word given the source word, and the reverse."""

    source: str
    target: str
    target_given_source: float
    source_given_target: float


@dataclass(frozen=True)
class Aligner:
    """A trained word aligner. Make one with `train`, or `open` one that was saved.

    >>> from pentaglot.align import train
    >>> pairs = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    >>> aligner = train(pairs)
    >>> aligner.align_pair(["das", "Buch"], ["the", "book"])
    [(0, 0), (1, 1)]
    """

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    options: AlignOptions
    tables: dict[str, NDArray[Any]]
    log: tuple[Iteration, ...] = ()
    tokenizers: tuple[Tokenizer, Tokenizer] | None = None
    _native: native.Aligner = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = native.Aligner(
            self.tables,
            getattr(native.AlignmentModel, self.options.model),
            self.options.null_probability,
            self.options.jump_uniform,
            self.options.spelling,
        )
        object.__setattr__(self, "_native", made)
        sizes = len(self.tables["classes_to_target"]), len(self.tables["classes_to_source"])
        if (len(self.source_vocabulary), len(self.target_vocabulary)) != sizes:
            raise PentaglotError("the vocabularies of the aligner are not those of its tables")

    def __repr__(self) -> str:
        return f"Aligner({self.options.model}, {len(self.source_vocabulary)} and {len(self.target_vocabulary)} words)"

    def align(
        self,
        bitext: Bitext,
        *,
        symmetrise: SymmetrisationName = DEFAULT_SYMMETRISATION,
        threshold: float = DEFAULT_THRESHOLD,
        grow: float = DEFAULT_GROW,
        complete: float = 0.0,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> Alignment:
        """Aligns all pairs of a bitext, whether it was trained on them or not. Pairs with an empty side get no links;
        so do pairs with more than `options.longest` words on a side, and a warning says how many."""
        with progress.task("aligning", total=len(bitext), unit="pairs") as task:
            offsets, source, target, strengths, to_target, to_source, too_long = self._native.align(
                bitext.source,
                bitext.target,
                self._known(words_of(bitext.source_vocabulary), self.source_vocabulary),
                self._known(words_of(bitext.target_vocabulary), self.target_vocabulary),
                symmetrisation_of(symmetrise),
                threshold,
                grow,
                complete,
                self.options.longest,
                threads,
            )
            task.advance(len(bitext))
        if too_long:
            _LOG.warning("%d pairs have more than %d words on a side and got no links", too_long, self.options.longest)
        return Alignment(offsets, source, target, strengths, np.stack([to_target, to_source], axis=1))

    def align_pair(
        self,
        source: Sequence[str],
        target: Sequence[str],
        *,
        symmetrise: SymmetrisationName = DEFAULT_SYMMETRISATION,
        threshold: float = DEFAULT_THRESHOLD,
        grow: float = DEFAULT_GROW,
        complete: float = 0.0,
    ) -> list[tuple[int, int]]:
        """The links of one new pair; unknown words are placed by spelling and position. Takes well under a
        millisecond for a sentence of usual length."""
        aligned = self._native.align(
            _one_sentence(source),
            _one_sentence(target),
            self._known(source, self.source_vocabulary),
            self._known(target, self.target_vocabulary),
            symmetrisation_of(symmetrise),
            threshold,
            grow,
            complete,
            self.options.longest,
            1,
        )
        return list(zip(aligned[1].tolist(), aligned[2].tolist(), strict=True))

    def posteriors(self, source: Sequence[str], target: Sequence[str]) -> Posteriors:
        """How sure the aligner is of every possible link of one pair."""
        if max(len(source), len(target)) > self.options.longest:
            raise PentaglotError(f"a sentence has more than {self.options.longest} words")
        shape = (len(source), len(target))
        to_target, to_source, target_null, source_null, scores = self._native.posteriors(
            _ids(source),
            _ids(target),
            self._known(source, self.source_vocabulary),
            self._known(target, self.target_vocabulary),
        )
        return Posteriors(
            to_target.reshape(shape), to_source.reshape(shape), target_null, source_null, (scores[0], scores[1])
        )

    def new_words(self, source: Sequence[str], target: Sequence[str]) -> tuple[list[int], list[int]]:
        """The places of the words of both sides that the aligner was not trained on."""
        sides = (source, self.source_vocabulary), (target, self.target_vocabulary)
        ids = (renumber(words, known, lowercase=self.options.lowercase, add=False) for words, known in sides)
        first, second = (np.flatnonzero(each[FIRST_WORD:] < FIRST_WORD).tolist() for each in ids)
        return first, second

    def lexicon(self, *, minimum: float = 0.0) -> Iterator[LexicalEntry]:
        """All pairs of words that the training kept, those of the empty word (`<null>`) included, with a probability
        of `minimum` or more in one direction."""
        rows, columns = self.tables["rows"], self.tables["columns"]
        probabilities = self.tables["probabilities"].reshape(-1, 2)
        empty = self.source_vocabulary.word(NULL)
        for word, chance in enumerate(self.tables["null_to_target"].tolist()):
            if word >= FIRST_WORD and chance >= max(minimum, 1e-12):
                yield LexicalEntry(empty, self.target_vocabulary.word(word), chance, 0.0)
        for word, chance in enumerate(self.tables["null_to_source"].tolist()):
            if word >= FIRST_WORD and chance >= max(minimum, 1e-12):
                yield LexicalEntry(self.source_vocabulary.word(word), empty, 0.0, chance)
        for word in range(FIRST_WORD, len(rows) - 1):
            first, last = int(rows[word]), int(rows[word + 1])
            if first == last:
                continue
            source = self.source_vocabulary.word(word)
            targets = self.target_vocabulary.words(columns[first:last])
            for target, (forward, backward) in zip(targets, probabilities[first:last].tolist(), strict=True):
                if max(forward, backward) >= minimum:
                    yield LexicalEntry(source, target, forward, backward)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the aligner as one directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for name, array in self.tables.items():
                new.add(name, array)
            chosen = dataclasses.asdict(self.options)
            new.facts["options"] = {name: value for name, value in chosen.items() if value is not None}
            new.facts["log"] = [dataclasses.asdict(each) for each in self.log]
            new.facts["tokenizers"] = self.tokenizers is not None
            save_vocabulary(self.source_vocabulary, new.path / "source.vocab")
            save_vocabulary(self.target_vocabulary, new.path / "target.vocab")
            if self.tokenizers is not None:
                self.tokenizers[0].save(new.path / "source.tokenizer")
                self.tokenizers[1].save(new.path / "target.tokenizer")

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> Aligner:
        """Maps a saved aligner."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        tokenizers = None
        if stored.fact("tokenizers", bool):
            opened = [Tokenizer.open(stored.path / f"{side}.tokenizer") for side in ("source", "target")]
            tokenizers = (opened[0], opened[1])
        with storage.damage_at(stored.path):
            return cls(
                open_vocabulary(stored.path / "source.vocab"),
                open_vocabulary(stored.path / "target.vocab"),
                read_options(AlignOptions, stored.fact("options", dict), path=path),
                {name: stored.array(name) for name in sorted(stored.names())},
                tuple(Iteration.read(each) for each in stored.list_fact("log", dict)),
                tokenizers,
            )

    def _known(self, words: Sequence[str], vocabulary: Vocabulary) -> native.KnownWords:
        ids = renumber(words, vocabulary, lowercase=self.options.lowercase, add=False)
        return native.KnownWords(ids, spellings(normal_forms(words, lowercase=False)))


def _ids(words: Sequence[str]) -> NDArray[np.uint32]:
    refuse_text(words, lacks="words")
    return np.arange(FIRST_WORD, FIRST_WORD + len(words), dtype=np.uint32)


def _one_sentence(words: Sequence[str]) -> Text:
    # Every token has an id of its own: cheaper than finding repeated words in one sentence.
    tokens = np.append(_ids(words), np.uint32(END))
    return Text(tokens, np.array([0, len(tokens)], np.uint64))
