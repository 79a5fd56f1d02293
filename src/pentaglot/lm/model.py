"""`LanguageModel`: a back-off model with its vocabulary, in memory or mapped from disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import lm as core
from pentaglot._core.corpus import NULL, UNKNOWN, Text, Vocabulary
from pentaglot.corpus import encode, open_vocabulary, save_vocabulary
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.lm.arpa import is_arpa, read_arpa, write_arpa
from pentaglot.lm.scores import Scores
from pentaglot.progress import SILENT, Progress
from pentaglot.steady import opens

__all__ = ["LanguageModel"]

_KIND, _VERSION = "language model", 1
_NO_MAP = np.empty(0, np.uint32)


class LanguageModel:
    """A back-off language model.

    >>> from pentaglot.lm import BuildOptions, build
    >>> text, vocabulary = encode([["the", "house"], ["the", "old", "house"]])
    >>> import logging; logging.disable()  # two sentences are too few for proper discounts
    >>> model = build(text, vocabulary, BuildOptions(order=2))
    >>> logging.disable(logging.NOTSET)
    >>> model
    <LanguageModel of order 2: 6 1-grams, 5 2-grams>
    >>> scores = model.score([["the", "house"], ["a", "castle"]])
    >>> scores.unknown.tolist(), scores.totals().round(2).tolist()
    ([False, False, False, True, True, False], [-0.84, -3.0])
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        ngrams: core.NGrams | None = None,
        tables: tuple[list[NDArray[np.uint32]], list[int], list[int]] | None = None,
        facts: dict[str, Any] | None = None,
    ) -> None:
        """Made from n-grams or from tables; the other form is computed on demand."""
        self.vocabulary = vocabulary
        self.facts = dict(facts or {})
        self._ngrams = ngrams
        self._tables = tables
        self._native: core.LanguageModel | None = None

    def __getstate__(self) -> dict[str, Any]:
        """A model is sent to another process as its tables, which are checked there. It is never stored this way."""
        return {"vocabulary": self.vocabulary, "tables": self._with_tables(), "facts": self.facts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]
        _ = self.native

    @property
    def native(self) -> core.LanguageModel:
        """The native model, for state-by-state scoring."""
        if self._native is None:
            arrays, homes, _ = self._with_tables()
            made = core.language_model(arrays, homes)
            if made.vocabulary_size != len(self.vocabulary):
                raise PentaglotError("the vocabulary does not belong to the language model")
            self._native = made  # only now, so that one that does not fit is never returned, even if asked for again
        return self._native

    @property
    def ngrams(self) -> core.NGrams:
        """The n-grams in order, for writing and mixing."""
        if self._ngrams is None:
            self._ngrams = self.native.ngrams()
        return self._ngrams

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.counts)

    @property
    def counts(self) -> list[int]:
        """How many n-grams of each length there are."""
        if self._ngrams is not None:
            sizes = [self._ngrams.size(length) for length in range(1, self._ngrams.order + 1)]
            return [sizes[0] - 1, *sizes[1:]]  # the null word of alignments has an id but is not a unigram
        return list(self._with_tables()[2])

    @property
    def table_bytes(self) -> int:
        """The size of the tables that are searched."""
        return sum(array.nbytes for array in self._with_tables()[0])

    def __repr__(self) -> str:
        sizes = ", ".join(f"{count} {length}-grams" for length, count in enumerate(self.counts, 1))
        return f"<LanguageModel of order {self.order}: {sizes}>"

    def _with_tables(self) -> tuple[list[NDArray[np.uint32]], list[int], list[int]]:
        if self._tables is None:
            assert self._ngrams is not None
            self._tables = core.build_tables(self._ngrams)
        return self._tables

    def map_vocabulary(self, vocabulary: Vocabulary) -> NDArray[np.uint32]:
        """For each id of another vocabulary the id in this model; words that the model lacks become UNKNOWN."""
        ids = vocabulary.ids_in(self.vocabulary)
        ids[NULL] = UNKNOWN
        return ids

    def find_all(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The model's ids of words; UNKNOWN for those that it lacks."""
        find = self.vocabulary.find
        return np.array([find(word) for word in words], np.uint32)

    def estimated_from(
        self, texts: Text | Iterable[Text], vocabulary: Vocabulary, *, threads: int = 1, progress: Progress = SILENT
    ) -> LanguageModel:
        """A model of the same order, estimated from other texts."""
        from pentaglot.lm.build import build
        from pentaglot.lm.build_options import BuildOptions

        return build(texts, vocabulary, BuildOptions(order=self.order), threads=threads, progress=progress)

    def score(
        self,
        sentences: Text | Iterable[list[str]],
        vocabulary: Vocabulary | None = None,
        *,
        threads: int = 1,
    ) -> Scores:
        """Scores sentences, each between <s> and </s>. A `Text` has the ids of `vocabulary`, or of the model itself if
        none is given."""
        text = sentences if isinstance(sentences, Text) else encode(sentences, self.vocabulary)[0]
        ids = _NO_MAP if vocabulary is None else self.map_vocabulary(vocabulary)
        log_probabilities, lengths = self.native.score_text(text, ids, threads)
        tokens = text.tokens if vocabulary is None else ids[text.tokens]
        unknown = (tokens == UNKNOWN) | (tokens >= len(self.vocabulary))
        return Scores(log_probabilities, lengths, unknown, text.offsets)

    def save(self, path: str | os.PathLike[str], *, threads: int = 1, progress: Progress = SILENT) -> None:
        """Writes the model: as an ARPA file if the name says so (`.arpa`, `.arpa.gz`), else as a directory that is
        opened by memory map."""
        if is_arpa(path):
            write_arpa(path, self.ngrams, self.vocabulary, threads=threads, progress=progress)
            return
        arrays, homes, counts = self._with_tables()
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for length, array in enumerate(arrays, 1):
                new.add(f"ngrams{length}", array)
            new.facts.update(self.facts, order=len(arrays), homes=homes, counts=counts)
            save_vocabulary(self.vocabulary, new.path / "words.vocab")

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, progress: Progress = SILENT) -> LanguageModel:
        """Opens a saved model: maps a directory, reads an ARPA file."""
        if not Path(path).is_dir() and (is_arpa(path) or Path(path).is_file()):
            ngrams, vocabulary = read_arpa(path, progress=progress)
            return cls(vocabulary, ngrams=ngrams)
        return cls._mapped(path)

    @classmethod
    @opens
    def _mapped(cls, path: str | os.PathLike[str]) -> LanguageModel:
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        order, homes, counts = (
            stored.fact("order", int),
            stored.list_fact("homes", int),
            stored.list_fact("counts", int),
        )
        if not 1 <= order == len(homes) == len(counts) <= core.MAX_ORDER:
            raise StorageError("is damaged: its order is not that of its tables", path=path, hint="build it again")
        arrays = [stored.array(f"ngrams{length}", np.uint32) for length in range(1, order + 1)]
        facts = {name: fact for name, fact in stored.facts.items() if name not in ("order", "homes", "counts")}
        model = cls(open_vocabulary(stored.path / "words.vocab"), tables=(arrays, homes, counts), facts=facts)
        with storage.damage_at(stored.path):
            _ = model.native
        return model
