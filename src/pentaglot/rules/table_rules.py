"""Finds the rules of sentences in a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.base import Cancellation
from pentaglot._core.corpus import Vocabulary
from pentaglot._core.index import GrammarLimits as CompiledLimits
from pentaglot.corpus import Placeables, Sentence
from pentaglot.forest import FeatureSpace
from pentaglot.index import GrammarLimits
from pentaglot.rules.fallbacks import KnownWords
from pentaglot.rules.lending import CountedWords
from pentaglot.rules.letters import Letters
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.sentence_rules import SentenceRules
from pentaglot.rules.source import FeatureHook, RuleSource
from pentaglot.rules.table import COUNT_COLUMNS, Table

__all__ = ["TableRules"]

_OFTEN = 1000


class TableRules(RuleSource):
    """Finds rules in a table, as `IndexRules` does in an index; any number of threads may use it.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pentaglot.rules import feature_space, import_table
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "small.moses").write_text("das Haus ||| the house ||| 0.5 0.5 1 0.5 ||| 0-0 1-1\\n")
    >>> table = import_table(folder / "small.moses", folder / "table")
    >>> rules = TableRules(table, feature_space()).rules(["das", "Haus"])
    >>> [" ".join(rules.target_side(rule)) for rule in range(rules.table.rules)]
    ['the house', 'das', 'Haus']
    """

    def __init__(
        self,
        table: Table,
        features: FeatureSpace,
        options: RuleOptions | None = None,
        hooks: Sequence[FeatureHook] = (),
        placeables: Placeables | None = None,
        letters: Letters | None = None,
    ) -> None:
        super().__init__(features, options, hooks, placeables, letters)
        self.table = table
        self._limits = self.options.limits.compiled()
        self._columns = [native.NO_FEATURE if name in COUNT_COLUMNS else features.add(name) for name in table.columns]
        # These are computed if the table has no column for them.
        wanted = (("coherence", table.has_coherence), ("rules", True), ("words", True))
        self._computed = [
            features.add(name) if there and name not in table.columns else native.NO_FEATURE for name, there in wanted
        ]

    @property
    def target_vocabulary(self) -> Vocabulary:
        return self.table.target_vocabulary

    def _find(self, sentence: Sentence, cancellation: Cancellation | None) -> SentenceRules:
        source = self._ids(sentence.words, self.table.source_vocabulary)
        found = self._look_up(source, self._limits)
        vocabularies = self.table.source_vocabulary, self.table.target_vocabulary
        return SentenceRules(sentence, source, found, *vocabularies, self._copies(sentence.words))

    def _look_up(self, source: NDArray[np.uint32], limits: CompiledLimits) -> native.RuleTable:
        coherence, rules, words = self._computed
        return self.table.stored.look_up(
            source, limits, self._columns, coherence, rules, words, self.options.reordering
        )

    def _counted_words(self) -> CountedWords:
        # A table does not know how often words occur: take all as frequent enough to be parts of compounds.
        vocabulary = self.table.source_vocabulary
        return CountedWords(vocabulary, np.full(len(vocabulary), _OFTEN, np.uint64), lambda _: 0)

    def _known_words(self, found: SentenceRules, target_symbol: Callable[[str], int]) -> KnownWords:
        known = self._counted_words()
        limits = GrammarLimits(1, 1, 0).compiled()
        return KnownWords(
            known.vocabulary, known.counts, lambda words: self._look_up(words, limits), lambda _: [], target_symbol
        )
