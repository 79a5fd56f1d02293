"""Rules on demand: finds all rules of a sentence in the indexed bitext."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.base import Cancellation
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Vocabulary
from pentaglot._core.index import LexicalTable
from pentaglot.corpus import Placeables, Sentence
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.index import Additions, Index
from pentaglot.options import checked
from pentaglot.rules.corpora import Corpora, View
from pentaglot.rules.fallbacks import Fallbacks, KnownWords
from pentaglot.rules.features import COPY_FEATURES, FALLBACK_FEATURES, MEMORY_FEATURES
from pentaglot.rules.inducing import Inducer
from pentaglot.rules.lending import CountedWords, Lender, with_known, with_stand_ins
from pentaglot.rules.letters import Letters
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.placeables import PlaceableRules
from pentaglot.rules.sentence_rules import SENTENCE_WORDS, SentenceRules
from pentaglot.rules.sparse import NameCache, SparseFeatures

__all__ = ["FeatureHook", "IndexRules", "RuleSource"]

_LINKED = 5  # words that a word may be translated to by the lexicon alone

# Numbers, addresses and the like are the same in every language, even without `placeables`.
_PLACEABLE = re.compile(r"[\d.,:/%+\-]*\d[\d.,:/%+\-]*|https?://\S+|www\.\S+|\S+@\S+\.\S+")


# Takes the rules of a sentence and returns further feature columns by name, one value for each rule.
FeatureHook = Callable[[SentenceRules], Mapping[str, NDArray[np.float32]] | SparseFeatures]


class RuleSource(ABC):
    """Finds the rules of a sentence: those of a subclass, copied words, and the columns of hooks."""

    def __init__(
        self,
        features: FeatureSpace,
        options: RuleOptions | None,
        hooks: Sequence[FeatureHook],
        placeables: Placeables | None = None,
        letters: Letters | None = None,
    ) -> None:
        """With `placeables`, no rule may lose, add or change one; with `letters`, words without a rule are spelt in
        another script."""
        self.features = features
        self.needs: tuple[str, ...] = ()  # layers that a sentence must have
        self.options = checked(options or RuleOptions())
        self.hooks = tuple(hooks)
        self.choice: FeatureHook | None = None  # see word_choice.py
        self.inducer: Inducer | None = None  # gives further features to all rules
        self._names = NameCache(features)
        self._keeping = None
        if placeables is not None:
            self._keeping = PlaceableRules(placeables, features.add(MEMORY_FEATURES[0]))
        lends = placeables is not None and "placeables" in self.options.fallbacks
        self._lender = Lender(placeables) if lends and placeables is not None else None
        self._loan_features = features.add(MEMORY_FEATURES[0]), features.add(FALLBACK_FEATURES["placeables"])
        self._fallbacks = Fallbacks(features, self.options.fallbacks, letters)
        self._copy_features = [features.add(name) for name in COPY_FEATURES]

    @property
    @abstractmethod
    def target_vocabulary(self) -> Vocabulary:
        """The current target vocabulary."""

    @abstractmethod
    def _find(self, sentence: Sentence, cancellation: Cancellation | None) -> SentenceRules:
        """Finds the rules of a sentence, before words are copied."""

    @abstractmethod
    def _counted_words(self) -> CountedWords:
        """The words of the source side."""

    @abstractmethod
    def _known_words(self, found: SentenceRules, target_symbol: Callable[[str], int]) -> KnownWords:
        """What is known about single words, in the same snapshot."""

    def remembers(self, words: Sequence[str]) -> bool:
        """Whether a pair was added that translates exactly these words as a whole."""
        return False

    def rules(self, words: Sequence[str], cancellation: Cancellation | None = None) -> SentenceRules:
        """Finds all rules of a sentence: a `Sentence` with layers and metadata, or plain words."""
        sentence = Sentence.of(words)
        if self.needs:
            sentence.check_has(self.needs, "this system")
        found = replace(self._find_kept(sentence, cancellation), limits=self.options.limits)
        self._copy_words(found)
        found = self._fall_back(found)
        for number, hook in enumerate(self._all_hooks):
            given = hook(found)
            if isinstance(given, SparseFeatures):
                self._add_sparse(found, number, given)
            else:
                self._add_columns(found, hook, given)
        return found if self.inducer is None else self.inducer.apply(found)

    def _find_kept(self, sentence: Sentence, cancellation: Cancellation | None) -> SentenceRules:
        """Finds the rules of a sentence that keep its placeables; those never seen are looked up as others."""
        loans = [] if self._lender is None else self._lender.loans(sentence.words, self._counted_words)
        found = self._find(with_known(sentence, loans) if loans else sentence, cancellation)
        if self._lender is not None and loans:
            own = self._ids(sentence.words, found.source_vocabulary)
            found = replace(found, sentence=sentence, source=own, copies=self._copies(sentence.words))
            found = self._lender.lend(found, loans, self._loan_features)
        if self._keeping is not None:
            copies = found.copies if loans else ()
            self._keeping.keep(found.table, found.words, found.source, found.target_vocabulary, copies)
        return with_stand_ins(found) if loans else found

    @property
    def _all_hooks(self) -> tuple[FeatureHook, ...]:
        return self.hooks if self.choice is None else (self.choice, *self.hooks)

    def _ids(self, words: Sequence[str], vocabulary: Vocabulary) -> NDArray[np.uint32]:
        """The ids of words; that of an unknown one is the same wherever it stands, so that it is dealt with once."""
        ids: dict[str, int] = {}
        for at, word in enumerate(words):
            if word not in ids:
                found = vocabulary.find(word)
                ids[word] = SENTENCE_WORDS + at if found == UNKNOWN else found
        return np.array([ids[word] for word in words], np.uint32)

    def _copies(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"⟨{word}⟩" if self.options.unknown == "mark" else word for word in words)

    def _copy_words(self, found: SentenceRules) -> None:
        target = found.target_vocabulary
        placeables = {word for word in set(found.words) if self._is_placeable(word)}
        placeable = np.array([word in placeables for word in found.words], np.uint8)
        copies = np.arange(SENTENCE_WORDS, SENTENCE_WORDS + len(found.words), dtype=np.uint32)
        for at in np.flatnonzero(placeable).tolist():
            if (known := target.find(found.words[at])) != UNKNOWN:
                copies[at] = known
        if self.options.unknown == "drop":
            copies[placeable == 0] = native.NO_COPY
        native.add_copies(found.table, found.source, copies, placeable, self._copy_features)

    def _fall_back(self, found: SentenceRules) -> SentenceRules:
        """Adds rules for words that were only copied, where similar words are found."""
        if not self._fallbacks.kinds:
            return found
        copied = np.flatnonzero(found.table.feature(self._copy_features[0]))
        patterns = np.searchsorted(found.table.rule_offsets, copied, side="right") - 1
        symbols = {int(found.table.source(pattern)[0]) for pattern in patterns.tolist()}
        unknown = {
            symbol: word
            for symbol, word in dict(zip(found.source.tolist(), found.words, strict=True)).items()
            if symbol in symbols and not self._is_placeable(word)
        }
        if not unknown:
            return found
        copies = list(found.copies)

        known = self._known_words(found, lambda word: found.target_symbol(word, copies))

        def keep(table: native.RuleTable) -> None:
            if self._keeping is not None:
                self._keeping.keep(table, (), np.empty(0, np.uint32), found.target_vocabulary)

        stand_ins = self._fallbacks.add(found.table, found.words, unknown, known, keep)
        return replace(found, stand_ins={**found.stand_ins, **stand_ins}, copies=tuple(copies))

    def _is_placeable(self, word: str) -> bool:
        return bool(_PLACEABLE.fullmatch(word) if self._keeping is None else self._keeping.placeables.atoms(word))

    def _add_columns(self, found: SentenceRules, hook: FeatureHook, columns: Mapping[str, NDArray[np.float32]]) -> None:
        if not isinstance(columns, Mapping):
            raise PentaglotError(
                f"{_called(hook)} returned {type(columns).__name__}, not features",
                hint="a feature hook returns a dictionary of columns, or SparseFeatures",
            )
        for name, values in columns.items():
            column = np.ascontiguousarray(values, np.float32)
            if column.shape != (found.table.rules,) or not np.isfinite(column).all():
                raise PentaglotError(
                    f"the feature '{name}' has {column.size} values for {found.table.rules} rules, or non-finite ones",
                    hint="a feature hook returns one finite number for each rule",
                )
            found.table.set_feature(self.features.add(name), column)

    def _add_sparse(self, found: SentenceRules, number: int, block: SparseFeatures) -> None:
        block.check(found.table.rules, _called(self._all_hooks[number]))
        ids = self._names.ids(number, block.names)[block.ids]
        found.table.add_sparse(block.offsets.astype(np.uint32), ids, block.values.astype(np.float32))


class IndexRules(RuleSource):
    """Finds rules in an index; any number of threads may use it.

    >>> from pentaglot.corpus import Bitext
    >>> from pentaglot.align import Alignment
    >>> from pentaglot.rules.features import feature_space
    >>> bitext = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    >>> index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]] * 2))
    >>> rules = IndexRules(index, feature_space(), RuleOptions(max_gaps=0)).rules(["das", "Haus"])
    >>> [" ".join(rules.target_side(rule)) for rule in range(rules.table.rules)]
    ['the', 'house', 'the house']
    """

    def __init__(
        self,
        index: Index | Additions,
        features: FeatureSpace,
        options: RuleOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
        *,
        corpora: Mapping[str, Index] | None = None,
        placeables: Placeables | None = None,
        letters: Letters | None = None,
    ) -> None:
        """Rules are looked up in `index`; if it is `Additions`, pairs may be added meanwhile. `corpora` are further
        indexes by name, each with its own features. All must use the same word ids."""
        super().__init__(features, options, hooks, placeables, letters)
        self._corpora = Corpora(index, corpora or {}, features, self.options)

    @property
    def view(self) -> View:
        """The current snapshot of the texts; it changes when pairs are added."""
        return self._corpora.view

    @property
    def target_vocabulary(self) -> Vocabulary:
        return self.view.target_vocabulary

    def remembers(self, words: Sequence[str]) -> bool:
        view = self._corpora.view
        return self._corpora.newest_addition(view, self._ids(words, view.source_vocabulary)) is not None

    def _find(self, sentence: Sentence, cancellation: Cancellation | None) -> SentenceRules:
        view = self._corpora.view
        source = self._ids(sentence.words, view.source_vocabulary)
        table = self._corpora.collect(view, source, cancellation)
        vocabularies = view.source_vocabulary, view.target_vocabulary
        return SentenceRules(sentence, source, table, *vocabularies, self._copies(sentence.words), view)

    def _counted_words(self) -> CountedWords:
        view = self._corpora.view

        def occurrences(words: Sequence[str]) -> int:
            return sum(index.count(list(words)) for index in view.indexes)

        return CountedWords(view.source_vocabulary, view.counts, occurrences)

    def _known_words(self, found: SentenceRules, target_symbol: Callable[[str], int]) -> KnownWords:
        view = found.view
        assert view is not None
        return KnownWords(
            view.source_vocabulary,
            view.counts,
            lambda words: self._corpora.collect_words(view, words),
            lambda word: _best(view.texts.lexicon, word),
            target_symbol,
        )


def _called(hook: FeatureHook) -> str:
    return f"the feature hook '{getattr(hook, '__qualname__', type(hook).__qualname__)}'"


def _best(lexicon: LexicalTable, word: int) -> list[tuple[int, float, float]]:
    """The words most often linked to a word."""
    found = [(target, *lexicon.find(word, target)) for target in lexicon.targets(word).tolist()]
    real = [each for each in found if each[0] >= FIRST_WORD and each[1] > 0]
    return sorted(real, key=lambda each: (-each[1], each[0]))[:_LINKED]
