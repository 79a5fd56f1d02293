"""`KBestLists`: the candidate translations that a decoder has shown so far, with features and statistics, as arrays."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import learn as core
from pentaglot._core.forest import FeatureNames
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn.found import Found, arrays_of
from pentaglot.learn.numbering import Numbering
from pentaglot.learn.offset_rows import (
    concatenated,
    gathered_rows,
    joined_offsets,
    offsets_of,
    reordered_offsets,
    sizes_of,
)
from pentaglot.learn.stored_names import add_names, add_weights, stored_names
from pentaglot.metrics import Metric
from pentaglot.steady import opens

__all__ = ["Identity", "KBestLists", "StatisticsOf"]

_KIND, _VERSION = "k-best lists", 2
_ARRAYS = {
    "sentences": np.uint64,
    "text": np.uint8,
    "text_offsets": np.uint64,
    "feature_offsets": np.uint64,
    "feature_ids": np.uint32,
    "feature_values": np.float32,
    "statistics": np.float64,
}

Identity = Literal["features", "string"]
# Rows of statistics for some texts, given the number of the sentence that each of them translates.
StatisticsOf = Callable[[list[str], list[int]], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class KBestLists:
    """The candidates of every sentence, by sentence and then in the order in which they were first seen.

    >>> from pentaglot.learn import Candidate
    >>> from pentaglot.metrics import Bleu
    >>> statistics = lambda texts, sentences: Bleu().statistics(texts, [["the house"] * len(texts)])
    >>> found = [[Candidate("a house", {"lm": -2.0}), Candidate("the house", {"lm": -3.0})]]
    >>> nothing = KBestLists.empty(sentences=1)
    >>> lists = nothing.merged(nothing.novel(found, statistics))
    >>> len(lists), lists.texts(0), lists.best(np.array([1.0])).tolist()
    (2, ['a house', 'the house'], [0])
    """

    names: tuple[str, ...]
    sentences: NDArray[np.uint64]
    text: NDArray[np.uint8]
    text_offsets: NDArray[np.uint64]
    feature_offsets: NDArray[np.uint64]
    feature_ids: NDArray[np.uint32]
    feature_values: NDArray[np.float32]
    statistics: NDArray[np.float64]

    @classmethod
    def empty(cls, sentences: int, names: tuple[str, ...] = ()) -> KBestLists:
        """Lists without candidates; `names` are features that have a place whether or not a candidate has them."""
        start = np.zeros(1, np.uint64)
        features = (start, np.empty(0, np.uint32), np.empty(0, np.float32))
        return cls(names, np.zeros(sentences + 1, np.uint64), np.empty(0, np.uint8), start, *features, np.empty((0, 0)))

    def __len__(self) -> int:
        return len(self.text_offsets) - 1

    @property
    def sentence_count(self) -> int:
        return len(self.sentences) - 1

    @cached_property
    def native(self) -> core.CandidateLists:
        """These lists as the optimisers in the core read them."""
        features = (self.feature_offsets, self.feature_ids, self.feature_values)
        return core.CandidateLists(self.sentences, *features, self.statistics.reshape(-1), len(self.names))

    def forget(self) -> None:
        """Drops what optimisers computed from the arrays; it is computed anew when it is needed."""
        self.__dict__.pop("native", None)

    @cached_property
    def name_list(self) -> FeatureNames:
        """The names of the features, as a native list."""
        found = FeatureNames()
        found.add_all(self.names)
        return found

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The sentence of every candidate."""
        return np.repeat(np.arange(self.sentence_count), sizes_of(self.sentences))

    # Contents.

    def texts(self, sentence: int) -> list[str]:
        """The candidates of a sentence."""
        return self._texts(range(int(self.sentences[sentence]), int(self.sentences[sentence + 1])))

    def features(self, candidate: int) -> dict[str, float]:
        """The non-zero features of a candidate."""
        part = slice(int(self.feature_offsets[candidate]), int(self.feature_offsets[candidate + 1]))
        ids, values = self.feature_ids[part].tolist(), self.feature_values[part].tolist()
        return {self.names[name]: value for name, value in zip(ids, values, strict=True)}

    def vector(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Weights by name as a vector over the features of these lists; a missing weight is zero."""
        return Weights(weights).over(self.name_list)

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The model score of every candidate."""
        return self.native.scores(weights)

    def best(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """The best candidate of every sentence that has any; among equals the one seen first."""
        return self.native.best(weights).astype(np.int64)

    def score(self, metric: Metric, weights: NDArray[np.float64]) -> float:
        """The score of the best candidates of all sentences under these weights."""
        return metric.score(self.statistics[self.best(weights)])

    def of_sentences(self, chosen: NDArray[np.bool_]) -> KBestLists:
        """The same lists with the candidates of the chosen sentences only; the others have none.

        >>> KBestLists.empty(2).of_sentences(np.array([True, False])).sentence_count
        2
        """
        return self.rows(np.flatnonzero(chosen[self.owners]).astype(np.uint64))

    def thinned(self, most: int) -> KBestLists:
        """The same lists with at most `most` candidates of each sentence, evenly from its whole list.

        >>> KBestLists.empty(2).thinned(50).sentence_count
        2
        """
        sizes = sizes_of(self.sentences)
        places = np.arange(len(self)) - np.repeat(self.sentences[:-1].astype(np.int64), sizes)
        steps = np.repeat(np.maximum(1, -(-sizes // most)), sizes)
        return self.rows(np.flatnonzero(places % steps == 0).astype(np.uint64))

    # More candidates.

    def novel(self, found: Iterable[Found], statistics: StatisticsOf, identity: Identity = "features") -> KBestLists:
        """The candidates in `found` that are not here yet; statistics are computed only for these. Candidates are taken
        one sentence at a time, because as objects they need much more memory.

        With `identity="features"`, equal texts with different features are different candidates; with "string", the
        first feature vector of a text is kept, so that tuning ends even if features vary from run to run.
        """
        more = self._from_found(found)
        if more.sentence_count != self.sentence_count:
            raise PentaglotError(
                f"the decoder gave lists for {more.sentence_count} sentences instead of {self.sentence_count}"
            )
        chosen = more.rows(core.novel(self._identities(), more._identities(), identity == "features"))
        rows = statistics(chosen._texts(range(len(chosen))), chosen.owners.tolist())
        return dataclasses.replace(chosen, statistics=np.ascontiguousarray(rows, np.float64))

    def merged(self, more: KBestLists) -> KBestLists:
        """These lists with further candidates appended, sentence by sentence. `more` comes from `novel`."""
        if more.names[: len(self.names)] != self.names or more.sentence_count != self.sentence_count:
            raise PentaglotError("lists of different features or sentences cannot be merged")
        if len(self) and len(more) and self.statistics.shape[1] != more.statistics.shape[1]:
            raise PentaglotError("lists with statistics of different metrics cannot be merged")
        if len(more) == 0 or len(self) == 0:
            return dataclasses.replace(more if len(self) == 0 else self, names=more.names)
        owners = np.concatenate([self.owners, more.owners])
        order = np.argsort(owners, kind="stable").astype(np.uint64)
        texts = joined_offsets(self.text_offsets, more.text_offsets)
        features = joined_offsets(self.feature_offsets, more.feature_offsets)
        # One array after the other, so that only one of them is in memory three times at once.
        return KBestLists(
            more.names,
            offsets_of(np.bincount(owners, minlength=self.sentence_count)),
            gathered_rows(texts, np.concatenate([self.text, more.text]), order),
            reordered_offsets(texts, order),
            reordered_offsets(features, order),
            gathered_rows(features, np.concatenate([self.feature_ids, more.feature_ids]), order),
            gathered_rows(features, np.concatenate([self.feature_values, more.feature_values]), order),
            np.concatenate([self.statistics, more.statistics])[order],
        )

    def save(
        self,
        path: str | os.PathLike[str],
        facts: Mapping[str, Any] | None = None,
        weights: Mapping[str, Weights] | None = None,
    ) -> None:
        """Write the lists as a directory of arrays, with some facts about them, and weights by name."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for name in _ARRAYS:
                new.add(name, getattr(self, name))
            add_names(new, "names", self.name_list)
            for name, each in (weights or {}).items():
                add_weights(new, name, each)
            new.facts.update(facts or {})

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> tuple[KBestLists, storage.StoredDirectory]:
        """Open saved lists; return them and the directory, with the facts and weights saved with them."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        arrays = [stored.array(name, kind, 2 if name == "statistics" else 1) for name, kind in _ARRAYS.items()]
        with storage.damage_at(stored.path):
            lists = cls(tuple(stored_names(stored, "names").names()), *arrays)
            lists._check()
        return lists, stored

    def _check(self) -> None:
        """Raise an error if the arrays contradict each other."""
        if len(self.statistics) != len(self) or not np.isfinite(self.statistics).all():
            raise PentaglotError("statistics do not match candidates, or are not finite numbers")
        core.novel(self._identities(), self._identities(), True)  # looks at all offsets
        _ = self.native
        self._texts(range(len(self)))

    def _identities(self) -> core.Identities:
        features = (self.feature_offsets, self.feature_ids, self.feature_values)
        return core.Identities(self.sentences, self.text, self.text_offsets, *features)

    def _texts(self, candidates: Iterable[int]) -> list[str]:
        whole, ends = self.text.tobytes(), self.text_offsets.tolist()
        try:
            return [whole[ends[each] : ends[each + 1]].decode() for each in candidates]
        except UnicodeDecodeError:
            raise PentaglotError("a candidate is not valid UTF-8") from None

    def rows(self, chosen: NDArray[np.uint64]) -> KBestLists:
        """Some of the candidates, in the given order, which must be sorted by sentence."""
        return KBestLists(
            self.names,
            offsets_of(np.bincount(self.owners[chosen], minlength=self.sentence_count)),
            gathered_rows(self.text_offsets, self.text, chosen),
            reordered_offsets(self.text_offsets, chosen),
            reordered_offsets(self.feature_offsets, chosen),
            gathered_rows(self.feature_offsets, self.feature_ids, chosen),
            gathered_rows(self.feature_offsets, self.feature_values, chosen),
            self.statistics[chosen],
        )

    def _from_found(self, found: Iterable[Found]) -> KBestLists:
        """Candidates as arrays, without statistics; new names get the next ids."""
        numbering = Numbering(self.names)
        shown = [numbering.renumbered(arrays_of(each, sentence)) for sentence, each in enumerate(found, 1)]
        sizes = [sizes_of(each.text_offsets) for each in shown]
        features = [sizes_of(each.feature_offsets) for each in shown]
        return KBestLists(
            numbering.names,
            offsets_of(np.array([len(each) for each in shown], np.int64)),
            concatenated([each.text for each in shown], np.uint8),
            offsets_of(concatenated(sizes, np.int64)),
            offsets_of(concatenated(features, np.int64)),
            concatenated([each.feature_ids for each in shown], np.uint32),
            concatenated([each.feature_values for each in shown], np.float32),
            np.empty((sum(map(len, shown)), 0)),
        )
