"""A searcher that grows with the target words of rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Vocabulary
from pentaglot.forest import FeatureSpace, Weights
from pentaglot.lm import LanguageModel
from pentaglot.rules import Induction
from pentaglot.search import LanguageUse, NgramUse, Searcher, SearchOptions, TriggerUse

__all__ = ["Searching", "crossing_ngrams"]


@dataclass(frozen=True, eq=False)
class Searching:
    """A searcher, and what it is made of."""

    weights: Weights
    features: FeatureSpace
    options: SearchOptions
    language: LanguageModel
    language_ids: NDArray[np.uint32]  # the language model's ids of target words
    further: tuple[LanguageUse, ...]
    ngrams: tuple[NgramUse | TriggerUse, ...]
    searcher: Searcher = field(init=False)

    def __post_init__(self) -> None:
        made = Searcher(
            self.weights,
            self.features,
            self.language,
            self.language_ids,
            self.options,
            further=self.further,
            ngrams=self.ngrams,
        )
        object.__setattr__(self, "searcher", made)

    def knowing(self, vocabulary: Vocabulary) -> Searching:
        """Itself, or one whose language models know the words of a vocabulary that has grown."""
        known = len(self.language_ids)
        if len(vocabulary) <= known:
            return self
        new = vocabulary.words(np.arange(known, len(vocabulary), dtype=np.uint32))
        ids = np.concatenate([self.language_ids, self.language.find_all(new)])
        return replace(self, language_ids=ids, further=tuple(use.grown(vocabulary) for use in self.further))


def crossing_ngrams(
    induction: Induction, features: FeatureSpace, vocabulary: Vocabulary
) -> list[NgramUse | TriggerUse]:
    """The induced n-grams and triggers that a search counts across rules."""
    found: list[NgramUse | TriggerUse] = []
    for each in induction.worded:
        if each.operator.crosses:
            maps = induction.classes.get(each.operator.classes)
            ids = features.add_all(each.features)
            kind = TriggerUse if each.operator.template == "triggers" else NgramUse
            found.append(kind.over(vocabulary, each.split(), ids, None if maps is None else maps.target))
    return found
