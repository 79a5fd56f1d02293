"""`Inducer`: adds induced features to the rules of sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot.forest import FeatureSpace
from pentaglot.rules.induction import Induction
from pentaglot.rules.quantities import MADE, Around

if TYPE_CHECKING:
    from pentaglot.rules.sentence_rules import SentenceRules

__all__ = ["Inducer", "Surroundings"]

# The ids of all words of a vocabulary in a language model.
LanguageIds = Callable[[Vocabulary], NDArray[np.uint32]]
_NO_WORDS = np.empty(0, np.uint8)


class Surroundings:
    """What quantities of rules look at besides the rules; any number of threads may use one."""

    def __init__(self, space: FeatureSpace, language_ids: LanguageIds | None) -> None:
        """Without `language_ids`, no word is known to the language model."""
        self._made = [space.add(name) for name in MADE]
        self._language_ids = language_ids
        self._known: NDArray[np.uint8] = _NO_WORDS

    def of(self, found: SentenceRules) -> Around:
        """Those of the rules of a sentence."""
        if self._language_ids is None:
            return self._made, _NO_WORDS, _NO_WORDS
        known = self._known
        if len(known) < len(found.target_vocabulary):  # pairs may be added at any time
            known = (self._language_ids(found.target_vocabulary) != UNKNOWN).astype(np.uint8)
            self._known = known
        own = found.language_ids
        return self._made, known, _NO_WORDS if own is None else (own != UNKNOWN).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class _Compiled:
    induction: native.Induction
    sizes: tuple[int, int]  # of the vocabularies
    missing: int  # features whose words these lack


class Inducer:
    """Applies an induction; any number of threads may use it, even while pairs are added."""

    def __init__(self, induction: Induction, space: FeatureSpace, language_ids: LanguageIds | None = None) -> None:
        """All induced features are added to the space at once."""
        self.induction, self._space = induction, space
        self._ids = induction.ids(space)
        new = any(each.quantity.kind == "new_words" for each in induction.binned)
        self._around = Surroundings(space, language_ids if new else None)
        self._compiled: _Compiled | None = None
        self._pairs: dict[str, tuple[tuple[int, int], ...]] = {}

    def apply(self, found: SentenceRules) -> SentenceRules:
        """Adds the features of all rules to their table, and what the domain of the sentence is conjoined with."""
        self._native(found).apply(found.table, self._around.of(found))
        domains = self.induction.domains
        if domains is None or domains.metadata not in found.sentence.metadata:
            return found
        return replace(found, conjoined=self._conjoined(found.sentence.metadata[domains.metadata]))

    def _conjoined(self, domain: str) -> tuple[tuple[int, int], ...]:
        domains = self.induction.domains
        assert domains is not None
        known = domains.known(domain)
        key = known[-1] if known else ""
        if key not in self._pairs:
            self._pairs[key] = tuple(pair for each in known for pair in self._ids.pairs[each])
        return self._pairs[key]

    def _native(self, found: SentenceRules) -> native.Induction:
        vocabularies = found.source_vocabulary, found.target_vocabulary
        sizes = len(vocabularies[0]), len(vocabularies[1])
        known = self._compiled
        # Words that are added later may be those of a feature.
        if known is None or (known.missing and known.sizes != sizes):
            made, missing = self.induction.compiled(self._space, self._ids, vocabularies)
            self._compiled = known = _Compiled(made, sizes, missing)
        return known.induction
