"""Rules on demand: for one sentence, everything the indexed bitext knows about translating it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.index import GrammarLimits, Index
from pentaglot.options import setting
from pentaglot.rules.features import COPY_FEATURES, RULE_FEATURES

__all__ = ["FeatureHook", "IndexRules", "RuleOptions", "SentenceRules"]

# Numbers, addresses and the like stand the same in every language.
_PLACEABLE = re.compile(r"[\d.,:/%+\-]*\d[\d.,:/%+\-]*|https?://\S+|www\.\S+|\S+@\S+\.\S+")


@dataclass(frozen=True)
class RuleOptions:
    """Which rules there are. The defaults are those of Chiang 2007; `max_gaps=0` gives phrases."""

    max_span: int = setting(10, "most words a rule covers on the source side, gaps included", minimum=1, maximum=100)
    max_symbols: int = setting(5, "most words and gaps on the source side", minimum=1, maximum=100)
    max_gaps: int = setting(2, "most gaps in a rule", minimum=0, maximum=6)
    min_gap: int = setting(2, "fewest words that a gap covers in the training text", minimum=1, maximum=100)
    max_target_span: int = setting(10, "most words a rule covers on the target side", minimum=1, maximum=250)
    extraction: Literal["tight", "loose"] = setting(
        "tight", "whether the edges of a rule must be aligned words (tight) or may be unaligned ones (loose)"
    )
    sample: int = setting(300, "occurrences of a pattern that are looked at; 0: all", minimum=0)
    sightings: int = setting(3, "training sentences remembered for each rule", minimum=0, maximum=1000)
    unknown: Literal["copy", "drop", "mark"] = setting("copy", "what becomes of words without any rule")
    reordering: bool = setting(False, "count how phrases stand to their neighbours, for the stack search")
    cache_megabytes: int = setting(64, "memory for lookups kept from sentence to sentence", minimum=0)

    @property
    def limits(self) -> GrammarLimits:
        """The patterns that are looked up."""
        return GrammarLimits(self.max_span, self.max_symbols, self.max_gaps, self.min_gap)


@dataclass(frozen=True)
class SentenceRules:
    """The rules of one sentence. Ids from the size of a vocabulary on are words of this sentence that it lacks."""

    words: tuple[str, ...]
    source: NDArray[np.uint32]
    table: native.RuleTable
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    copies: tuple[str, ...]

    def source_word(self, symbol: int) -> str:
        """The spelling of a source symbol."""
        known = len(self.source_vocabulary)
        return self.source_vocabulary.word(symbol) if symbol < known else self.words[symbol - known]

    def target_word(self, symbol: int) -> str:
        """The spelling of a target symbol."""
        known = len(self.target_vocabulary)
        return self.target_vocabulary.word(symbol) if symbol < known else self.copies[symbol - known]

    def source_side(self, pattern: int) -> list[str]:
        """A source side with its gaps as X1, X2, ..."""
        return [f"X{-s}" if s < 0 else self.source_word(s) for s in self.table.source(pattern).tolist()]

    def target_side(self, rule: int) -> list[str]:
        """A target side with its gaps as X1, X2, ..."""
        return [f"X{-s}" if s < 0 else self.target_word(s) for s in self.table.target(rule).tolist()]


# Gets the rules of a sentence and gives further feature columns by name, one value for each rule.
FeatureHook = Callable[[SentenceRules], Mapping[str, NDArray[np.float32]]]


class IndexRules:
    """The rule source over an index; any number of threads may ask it.

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
        index: Index,
        features: FeatureSpace,
        options: RuleOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
    ) -> None:
        self.index = index
        self.features = features
        self.options = options or RuleOptions()
        self.hooks = tuple(hooks)
        self._limits = native.ExtractLimits(
            self.options.max_span,
            self.options.max_target_span,
            self.options.min_gap,
            self.options.extraction == "tight",
        )
        self._finder = index.finder(self.options.limits, cache_bytes=self.options.cache_megabytes << 20)
        self._rule_features = [features.add(name) for name in RULE_FEATURES]
        self._copy_features = [features.add(name) for name in COPY_FEATURES]

    def rules(self, words: Sequence[str]) -> SentenceRules:
        """All rules of a sentence."""
        bitext = self.index.bitext
        source = self.index.ids(list(words))
        unknown = source == UNKNOWN
        source[unknown] = (len(bitext.source_vocabulary) + np.flatnonzero(unknown)).astype(np.uint32)
        table = native.collect_rules(
            self._finder,
            self.index.aligned,
            self.index.lexicon,
            source,
            self._limits,
            self._rule_features,
            self.options.sample,
            self.options.sightings,
            True,
            self.options.reordering,
        )
        copies = tuple(f"⟨{word}⟩" if self.options.unknown == "mark" else word for word in words)
        found = SentenceRules(tuple(words), source, table, bitext.source_vocabulary, bitext.target_vocabulary, copies)
        self._copy_words(found)
        for hook in self.hooks:
            self._add_columns(found, hook)
        return found

    def _copy_words(self, found: SentenceRules) -> None:
        target = found.target_vocabulary
        placeable = np.array([bool(_PLACEABLE.fullmatch(word)) for word in found.words], np.uint8)
        copies = np.empty(len(found.words), np.uint32)
        for at, word in enumerate(found.words):
            known = target.find(word) if placeable[at] else UNKNOWN
            copies[at] = len(target) + at if known == UNKNOWN else known
        if self.options.unknown == "drop":
            copies[placeable == 0] = native.NO_COPY
        native.add_copies(found.table, found.source, copies, placeable, self._copy_features)

    def _add_columns(self, found: SentenceRules, hook: FeatureHook) -> None:
        for name, values in hook(found).items():
            column = np.ascontiguousarray(values, np.float32)
            if column.shape != (found.table.rules,) or not np.isfinite(column).all():
                raise PentaglotError(
                    f"the feature '{name}' has {column.size} values for {found.table.rules} rules, or odd ones",
                    hint="a feature hook gives one finite number for each rule",
                )
            found.table.set_feature(self.features.add(name), column)
