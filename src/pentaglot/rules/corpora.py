"""The indexed texts that a sentence's rules are collected from: a main one that may grow, and any number of others.

Pairs that were added to the main text count together with it, as if they had always been there. Every other corpus is
sampled by itself and has its own features, `translation@NAME` and so on (Lopez 2008, §5.2.3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.base import Cancellation
from pentaglot._core.corpus import Vocabulary
from pentaglot._core.index import AlignedText, LexicalTable, PatternFinder, SourceIndex
from pentaglot.corpus import sentence_ids
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.forest import FeatureSpace
from pentaglot.index import Additions, GrammarLimits, Index, Snapshot
from pentaglot.rules.features import (
    CORPUS_FEATURES,
    FOUND,
    INVERSE_ESTIMATE,
    MEMORY_FEATURES,
    RULE_FEATURES,
    corpus_feature,
)
from pentaglot.rules.options import RuleOptions

__all__ = ["Corpora", "View"]

_Part = tuple[PatternFinder, AlignedText, NDArray[np.float32] | None, int]

# The places of words in a rule are kept in a byte.
_MOST_PLACES = 256

_WORDS = GrammarLimits(max_span=1, max_symbols=1, max_gaps=0)


@dataclass(frozen=True, eq=False)
class _Texts:
    """The texts that the rules of one corpus are collected from."""

    parts: list[_Part]
    lexicon: LexicalTable
    targets: list[SourceIndex]  # of the parts; empty if rules are not scored by them


@dataclass(frozen=True, eq=False)
class View:
    """A snapshot of the texts that are searched; it never changes. The corpus of a sighting is a place in `indexes`."""

    snapshot: Snapshot
    indexes: tuple[Index, ...]
    names: tuple[str, ...]  # of the indexes
    texts: _Texts
    words: _Texts  # the same, for source sides of a single word

    @property
    def source_vocabulary(self) -> Vocabulary:
        """All source words, including added ones."""
        return self.snapshot.added.index.bitext.source_vocabulary

    @property
    def target_vocabulary(self) -> Vocabulary:
        """All target words, including added ones."""
        return self.snapshot.added.index.bitext.target_vocabulary

    @cached_property
    def counts(self) -> NDArray[np.uint64]:
        """The number of occurrences of each source word in all texts."""
        total = np.zeros(len(self.source_vocabulary), np.uint64)
        for index in self.indexes:
            ranks = index.arrays["suffixes"]["first_ranks"].astype(np.uint64)
            counts = (ranks[1:] - ranks[:-1])[: len(total)]
            total[: len(counts)] += counts
        return total

    def pair_number(self, corpus: int, sentence: int) -> int:
        """The number of a sentence pair for users: the number that an added pair was given, the line of any other."""
        return self.snapshot.added.pairs[sentence].number if corpus == 1 else sentence + 1


class Corpora:
    """Collects the rules of sentences; any number of threads may use it while pairs are added."""

    def __init__(
        self,
        main: Index | Additions,
        others: Mapping[str, Index],
        features: FeatureSpace,
        options: RuleOptions,
    ) -> None:
        self.additions = main if isinstance(main, Additions) else Additions(main)
        self.options = options
        self._limits = options.extract_limits
        self._cache_bytes = options.cache_megabytes << 20
        index = self.additions.snapshot.main
        self._word_finder = index.finder(_WORDS)
        self._finder = index.finder(options.limits, cache_bytes=self._cache_bytes)
        self._features = [features.add(name) for name in (*RULE_FEATURES, INVERSE_ESTIMATE)]
        self._memory_features = [features.add(name) for name in MEMORY_FEATURES]
        self._others = {name: _Other(name, others[name], number, self) for number, name in enumerate(others, 2)}
        self._found = features.add(FOUND) if others else None
        for other in self._others.values():
            other.name_features(features)
        self._view = self._view_of(self.additions.snapshot)

    @property
    def view(self) -> View:
        """The current snapshot."""
        view, snapshot = self._view, self.additions.snapshot
        if view.snapshot is not snapshot:
            # Two threads may both do this; their views are the same.
            self._view = view = self._view_of(snapshot)
        return view

    def _view_of(self, snapshot: Snapshot) -> View:
        main, added = snapshot.main, snapshot.added.index
        parts: list[_Part] = [(self._finder, main.aligned, main.weights, 0)]
        words: list[_Part] = [(self._word_finder, main.aligned, main.weights, 0)]
        lexicon = main.lexicon
        if snapshot.added.pairs:
            parts.append((added.finder(self.options.limits), added.aligned, added.weights, 1))
            words.append((added.finder(_WORDS), added.aligned, added.weights, 1))
            lexicon = main.lexicon.together_with(added.lexicon)
        others = tuple(other.index for other in self._others.values())
        texts = _Texts(parts, lexicon, self.targets_of(main, added) if snapshot.added.pairs else self.targets_of(main))
        single = replace(texts, parts=words)
        return View(snapshot, (main, added, *others), ("", "added", *self._others), texts, single)

    def targets_of(self, *indexes: Index) -> list[SourceIndex]:
        """The target sides, if rules are scored by them."""
        return [index.target for index in indexes] if self.options.inverse else []

    def collect(
        self, view: View, source: NDArray[np.uint32], cancellation: Cancellation | None = None
    ) -> native.RuleTable:
        """Collects the rules of a sentence given as ids of the view."""
        table = self._collect(view.texts, source, cancellation)
        self._remember(view, source, table)
        return table

    def collect_words(self, view: View, words: NDArray[np.uint32]) -> native.RuleTable:
        """Collects the rules of single words."""
        return self._collect(view.words, words, None, single=True)

    def _collect(
        self, texts: _Texts, source: NDArray[np.uint32], cancellation: Cancellation | None, *, single: bool = False
    ) -> native.RuleTable:
        table = self.collect_from(texts, source, self._features, cancellation)
        if self._found is not None:
            table.set_feature(self._found, np.ones(table.rules, np.float32))
        for other in self._others.values():
            further = other.collect(source, cancellation, single=single)
            table = native.join_tables(table, further, self.options.corpora == "merge")
        return table

    def collect_from(
        self, texts: _Texts, source: NDArray[np.uint32], features: list[int], cancellation: Cancellation | None
    ) -> native.RuleTable:
        """Collects the rules of a sentence from the parts of one corpus; the last of `features` is the inverse
        estimate."""
        options = self.options
        table = native.collect_rules(
            texts.parts,
            texts.lexicon,
            source,
            self._limits,
            features[:-1],
            options.sample,
            options.sightings,
            True,
            options.reordering,
            options.pool if options.sampling == "context" else 0,
            cancellation,
        )
        if texts.targets:
            native.add_inverse(table, texts.targets, features[-1])
        return table

    def newest_addition(self, view: View, source: NDArray[np.uint32]) -> tuple[int, int] | None:
        """The pair that was added for a sentence and is remembered as a whole: its index, and its number there."""
        if not 0 < len(source) < _MOST_PLACES or int(source.max()) >= len(view.source_vocabulary):
            return None
        return view.snapshot.newest_addition(source) if self.options.remember else None

    def _remember(self, view: View, source: NDArray[np.uint32], table: native.RuleTable) -> None:
        newest = self.newest_addition(view, source)
        if newest is None:
            return
        part, pair = newest
        index = view.indexes[part]
        target = sentence_ids(index.bitext.target, pair)
        if len(target) and int(target.max()) >= len(view.target_vocabulary):
            raise StorageError("the target text is damaged: it has words that its vocabulary lacks")
        links = [link for link in index.aligned.links(pair) if max(link) < _MOST_PLACES]
        where = (part, pair, 0)
        native.remember(
            table, source.tolist(), target.tolist(), links, index.weight(pair), where, self._memory_features
        )


class _Other:
    """A further corpus with its own features."""

    def __init__(self, name: str, index: Index, number: int, corpora: Corpora) -> None:
        if not name or "@" in name or name.split() != [name]:
            raise PentaglotError(f"invalid corpus name '{name}'", hint="use letters and digits, such as 'news'")
        self.name = name
        self.index = index
        self._corpora = corpora
        finder = index.finder(corpora.options.limits, cache_bytes=corpora.options.cache_megabytes << 20)
        parts: list[_Part] = [(finder, index.aligned, index.weights, number)]
        self._texts = _Texts(parts, index.lexicon, corpora.targets_of(index))
        self._words = replace(self._texts, parts=[(index.finder(_WORDS), index.aligned, index.weights, number)])

    def name_features(self, features: FeatureSpace) -> None:
        self._found = features.add(corpus_feature(FOUND, self.name))
        self._features = [
            features.add(corpus_feature(name, self.name) if name in CORPUS_FEATURES else name)
            for name in (*RULE_FEATURES, INVERSE_ESTIMATE)
        ]

    def collect(
        self, source: NDArray[np.uint32], cancellation: Cancellation | None, *, single: bool
    ) -> native.RuleTable:
        texts = self._words if single else self._texts
        table = self._corpora.collect_from(texts, source, self._features, cancellation)
        table.set_feature(self._found, np.ones(table.rules, np.float32))
        return table
