"""`LanguageUse`: a further language model in a search, over words or word classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.lm import AnyLanguageModel

__all__ = ["LanguageUse", "language_features"]


def language_features(name: str) -> tuple[str, str]:
    """The features of a further language model: the log probability of a translation, and the number of its words that
    the model does not know.

    >>> language_features("news")
    ('language_model@news', 'language_model_unknown@news')
    """
    return f"language_model@{name}", f"language_model_unknown@{name}"


@dataclass(frozen=True, eq=False)
class LanguageUse:
    """A further language model of a search, over words or word classes, with a name. `ids` has the model's id of every
    target word.

    >>> import logging; logging.disable()
    >>> from pentaglot.corpus import encode
    >>> from pentaglot.lm import BuildOptions, ClassModel, build
    >>> text, words = encode([["the", "house"], ["the", "old", "house"]])
    >>> tags = build(*encode([["D", "N"], ["D", "J", "N"]]), BuildOptions(order=2))
    >>> model = ClassModel.of_mapping(tags, {"the": "D", "house": "N", "old": "J"})
    >>> use = LanguageUse.over("tags", model, words)
    >>> logging.disable(logging.NOTSET)
    >>> bool(use.ids[words.find("old")] == tags.vocabulary.find("J"))
    True
    """

    name: str
    model: AnyLanguageModel
    ids: NDArray[np.uint32]

    @classmethod
    def over(cls, name: str, model: AnyLanguageModel, vocabulary: Vocabulary) -> LanguageUse:
        """Uses `model` for translations into the words of `vocabulary`."""
        return cls(name, model, model.map_vocabulary(vocabulary))

    def grown(self, vocabulary: Vocabulary) -> LanguageUse:
        """The same after words were added to the vocabulary."""
        new = vocabulary.words(np.arange(len(self.ids), len(vocabulary), dtype=np.uint32))
        return replace(self, ids=np.concatenate([self.ids, self.model.find_all(new)]))


def check_names(uses: Iterable[LanguageUse]) -> None:
    """Raises an error if two models have the same name."""
    known: set[str] = set()
    for use in uses:
        if use.name in known:
            raise PentaglotError(f"two language models are called '{use.name}'", hint="give them different names")
        known.add(use.name)
