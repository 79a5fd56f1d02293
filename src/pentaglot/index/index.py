"""`Index`: a bitext with its suffix array, word links, word translation table and precomputed lists."""

from __future__ import annotations

import bisect
import contextlib
import dataclasses
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import index as native
from pentaglot._core.corpus import END
from pentaglot.align import Alignment
from pentaglot.corpus import Annotation, Bitext, Column, Side
from pentaglot.corpus.splitters import INNER_SPACE
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import parts
from pentaglot.index.limits import GrammarLimits, LookupOptions, PrecomputationOptions
from pentaglot.index.parts import Arrays
from pentaglot.index.stored_index import StoredIndex
from pentaglot.order.permutation import Permutation
from pentaglot.order.places import is_reordered, places_in_sentence, typed_bitext
from pentaglot.progress import SILENT, Progress
from pentaglot.steady import opens

__all__ = ["Index", "aligned_text"]

_LARGEST_WEIGHT = 1e30


@dataclass(frozen=True, eq=False, repr=False)
class Index:
    """The index in which translations are looked up. It is immutable and may be shared by threads.

    >>> bitext = Bitext.from_sentences([["das", "Haus"], ["das", "alte", "Haus"]], [["the", "house"], ["old", "house"]])
    >>> index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)], [(1, 0), (2, 1)]]))
    >>> index.count(["das"]), index.count(["das", "Haus"]), index.aligned.links(1)
    (2, 1, [(1, 0), (2, 1)])
    """

    bitext: Bitext
    source: native.SourceIndex
    aligned: native.AlignedText
    lexicon: native.LexicalTable
    precomputed: native.Precomputed | None
    weights: NDArray[np.float32] | None
    arrays: dict[str, Arrays]
    options: PrecomputationOptions | None
    folded: str = ""  # which part of which journal of additions is in here already
    added_from: int | None = None  # pairs from here on were added at run time and folded in; None if there are none
    path: Path | None = None  # where it was opened

    @classmethod
    def build(
        cls,
        bitext: Bitext,
        alignment: Alignment,
        options: PrecomputationOptions | None = None,
        *,
        weights: NDArray[np.float32] | None = None,
        both_sides: bool = False,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> Index:
        """Indexes a bitext. Without `options` nothing is precomputed: right for small texts and for models without
        gaps. `weights` says how much each sentence pair counts (1 if not given). With `both_sides` the suffixes of the
        target text are sorted now and saved with the index, not on first use."""
        with progress.task("arranging links", total=1):
            linked = parts.build_alignment(bitext, alignment)
        return cls.build_linked(
            bitext, linked, options, weights=weights, both_sides=both_sides, threads=threads, progress=progress
        )

    @classmethod
    def build_linked(
        cls,
        bitext: Bitext,
        linked: Arrays,
        options: PrecomputationOptions | None = None,
        *,
        weights: NDArray[np.float32] | None = None,
        both_sides: bool = False,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> Index:
        """The same, with links that are arranged already (see `parts.build_alignment`)."""
        bitext.check_words()
        with progress.task("sorting suffixes", total=1):
            suffixes = parts.build_suffixes(bitext.source)
            arrays = {"suffixes": suffixes, "alignment": linked}
            if both_sides:
                arrays["target_suffixes"] = parts.build_suffixes(bitext.target)
        with progress.task("counting word translations", total=1):
            arrays["lexicon"] = parts.build_lexicon(aligned_text(bitext, linked), weights)
        if options is not None:
            with progress.task("precomputing frequent patterns", total=1):
                source = native.SourceIndex(bitext.source, **suffixes)
                arrays["precomputation"] = parts.build_precomputation(
                    source, bitext.source, suffixes["suffixes"], options, threads
                )
        return cls.from_arrays(bitext, arrays, options, weights)

    @classmethod
    def from_arrays(
        cls,
        bitext: Bitext,
        arrays: dict[str, Arrays],
        options: PrecomputationOptions | None,
        weights: NDArray[np.float32] | None = None,
    ) -> Index:
        """Puts an index together from the arrays of its parts."""
        if weights is not None and len(weights) != len(bitext):
            raise PentaglotError(f"there are {len(weights)} weights for {len(bitext)} sentence pairs")
        if weights is not None and not bool(((weights > 0) & (weights < _LARGEST_WEIGHT)).all()):
            raise PentaglotError("a sentence pair has a weight that is not above 0, or too large")
        lists = arrays.get("precomputation")
        return cls(
            bitext,
            native.SourceIndex(bitext.source, **arrays["suffixes"]),
            aligned_text(bitext, arrays["alignment"]),
            native.LexicalTable(**arrays["lexicon"]),
            native.precomputed(options.compiled(), **lists) if lists is not None and options is not None else None,
            weights,
            arrays,
            options,
        )

    def save(
        self, path: str | os.PathLike[str], *, swapping: contextlib.AbstractContextManager[object] | None = None
    ) -> None:
        """Writes the index as a directory of parts; `swapping` as for `pentaglot.storage.create`."""
        stored = StoredIndex(self.bitext, self.arrays, self.options, self.weights, self.folded, self.added_from)
        stored.save(path, swapping)

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str], *, verify: bool | None = None, bare: bool = False) -> Index:
        """Maps a saved index; `verify` as in `pentaglot.storage.open_directory`. A `bare` one lacks the parts that only
        speed up lookups."""
        stored = StoredIndex.open(path, verify=verify, bare=bare)
        with storage.damage_at(stored.path):
            index = dataclasses.replace(
                cls.from_arrays(stored.bitext, stored.arrays, stored.options, stored.weights),
                folded=stored.folded,
                added_from=stored.added_from,
                path=stored.path,
            )
            if "target_suffixes" in stored.arrays:
                _ = index.target
        return index

    def __len__(self) -> int:
        return len(self.bitext)

    def __repr__(self) -> str:
        return f"Index({len(self)} pairs, {self.bitext.source.words} source words)"

    def weight(self, pair: int) -> float:
        """How much a sentence pair counts."""
        return 1.0 if self.weights is None else float(self.weights[pair])

    def written(self, pair: int) -> tuple[str, str]:
        """How the two lines of a pair were written; empty if that is not known."""
        return ("", "") if self.bitext.written is None else self.bitext.written.pair(pair)

    def layer(self, name: str, side: Side) -> Column:
        """A layer of one side of the text, one value per token; see `Bitext.layer`."""
        return self.bitext.layer(name, side)

    def metadata(self, name: str) -> Column:
        """One kind of metadata of the pairs; see `Bitext.metadata`."""
        return self.bitext.metadata(name)

    def with_annotation(self, annotation: Annotation) -> Index:
        """The same index with these layers and metadata added; nothing else is rebuilt."""
        bitext = dataclasses.replace(self.bitext, annotation=self.bitext.annotation.with_columns(annotation))
        return dataclasses.replace(self, bitext=bitext)

    @cached_property
    def typed(self) -> Index:
        """The index in which text is found as it was typed: this one, unless its source sentences are in another order.
        It differs in its source side only; links are those of this one."""
        if not is_reordered(self.bitext):
            return self
        self.bitext.check_words()
        bitext = typed_bitext(self.bitext)
        suffixes = parts.build_suffixes(bitext.source)
        source = native.SourceIndex(bitext.source, **suffixes)
        return dataclasses.replace(self, bitext=bitext, source=source, arrays={**self.arrays, "suffixes": suffixes})

    def typed_places(self, pair: int) -> tuple[int, ...]:
        """Where the source words of a pair were typed, counted from 0; in order unless the index has another order."""
        return places_in_sentence(self.bitext, pair)

    def typed_pair(self, pair: int) -> tuple[list[str], list[str]]:
        """The words of a pair, the source words as they were typed."""
        source, target = self.bitext.pair(pair)
        return Permutation(self.typed_places(pair)).apply(source), target

    def file_of(self, pair: int) -> str:
        """The name of the file that the source line of a pair was read from (as line `pair` + 1); empty if it is not
        known, or if the pair was added at run time."""
        if self.bitext.written is None or (self.added_from is not None and pair >= self.added_from):
            return ""
        return self.bitext.written.files[0]

    @cached_property
    def target(self) -> native.SourceIndex:
        """The target text with its suffix array, to count target phrases."""
        suffixes = self.arrays.get("target_suffixes")
        if suffixes is None:
            self.bitext.check_words()
            suffixes = parts.build_suffixes(self.bitext.target)
        return native.SourceIndex(self.bitext.target, **suffixes)

    @cached_property
    def longest_word(self) -> int:
        """No word of the source vocabulary has more characters."""
        offsets = self.bitext.source_vocabulary.flatten()[1]
        return int(np.diff(offsets).max(initial=0))

    @cached_property
    def has_inner_spaces(self) -> bool:
        """Whether words of the source vocabulary have spaces inside, as tags may."""
        return INNER_SPACE.encode() in self.bitext.source_vocabulary.flatten()[0].tobytes()

    def ids(self, words: list[str]) -> NDArray[np.uint32]:
        """The ids of source words; words that are not in the vocabulary get one that matches nothing."""
        return np.array([self.bitext.source_vocabulary.find(word) for word in words], np.uint32)

    def count(self, words: list[str]) -> int:
        """How often some words occur in a row in the source text."""
        begin, end = self.source.find(self.ids(words))
        return end - begin

    def whole_sentences(self, ids: NDArray[np.uint32]) -> list[int]:
        """The pairs whose source sentence is exactly these words, in order."""
        begin, end = self.source.find(ids)
        tokens = self.bitext.source.tokens
        suffixes = self.arrays["suffixes"]["suffixes"]

        def next_word(rank: int) -> int:
            after = int(suffixes[rank]) + len(ids)
            return int(tokens[after]) if after < len(tokens) else END

        # The closing id is smaller than any word, so what it follows comes first.
        closed = bisect.bisect_right(range(begin, end), END, key=next_word)
        starts = suffixes[begin : begin + closed].astype(np.int64)
        if len(starts) and int(starts.max()) >= len(tokens):
            raise StorageError("the suffix array is damaged: it points outside the text")
        starts = starts[(starts == 0) | (tokens[np.maximum(starts, 1) - 1] == END)]
        return sorted((np.searchsorted(self.bitext.source.offsets, starts, side="right") - 1).tolist())

    def finder(
        self,
        limits: GrammarLimits | None = None,
        options: LookupOptions | None = None,
        *,
        cache_bytes: int = 0,
    ) -> native.PatternFinder:
        """A finder of the patterns of sentences; it may keep `cache_bytes` of results from one sentence to the next."""
        limits, options = limits or GrammarLimits(), options or LookupOptions()
        cache = native.PatternCache(cache_bytes) if cache_bytes else None
        return native.PatternFinder(self.source, limits.compiled(), options.compiled(), self.precomputed, cache)


def aligned_text(bitext: Bitext, arrays: Arrays) -> native.AlignedText:
    """A bitext with the links that its arrays hold."""
    return native.AlignedText(bitext.source, bitext.target, **arrays)
