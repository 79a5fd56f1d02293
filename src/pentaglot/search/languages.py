"""`LanguageUse`: one more language model in a search, over words or over classes of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import END, FIRST_WORD, START, UNKNOWN, Vocabulary
from pentaglot.errors import PentaglotError
from pentaglot.lm import LanguageModel

__all__ = ["LanguageUse", "language_features"]


def language_features(name: str) -> tuple[str, str]:
    """The features of a further language model: the logarithm of the chance that it gives a translation, and the number
    of words in the translation that it does not know.

    >>> language_features("news")
    ('language_model@news', 'language_model_unknown@news')
    """
    return f"language_model@{name}", f"language_model_unknown@{name}"


@dataclass(frozen=True, eq=False)
class LanguageUse:
    """A language model that a search uses besides its own, under a name. `ids` has the model's id of every target word.
    With `classes` it is a model over classes: it was estimated from text in which the class of each word stood in its
    place, and it does not know words that have no class.

    >>> import logging; logging.disable()
    >>> from pentaglot.corpus import encode
    >>> from pentaglot.lm import BuildOptions, build
    >>> text, words = encode([["the", "house"], ["the", "old", "house"]])
    >>> model = build(*encode([["D", "N"], ["D", "J", "N"]]), BuildOptions(order=2))
    >>> use = LanguageUse.over("classes", model, words, {"the": "D", "house": "N", "old": "J", "a": "D"})
    >>> logging.disable(logging.NOTSET)
    >>> use.find("a") == use.find("the") == model.vocabulary.find("D")
    True
    """

    name: str
    model: LanguageModel
    ids: NDArray[np.uint32]
    classes: Mapping[str, str] | None = None

    @classmethod
    def over(
        cls, name: str, model: LanguageModel, vocabulary: Vocabulary, classes: Mapping[str, str] | None = None
    ) -> LanguageUse:
        """A use of `model` for translations into the words of `vocabulary`."""
        special = np.full(FIRST_WORD, UNKNOWN, np.uint32)
        special[START], special[END] = START, END
        return cls(name, model, special, classes).grown(vocabulary)

    def grown(self, vocabulary: Vocabulary) -> LanguageUse:
        """The same after words were added to the vocabulary."""
        new = vocabulary.words(np.arange(len(self.ids), len(vocabulary), dtype=np.uint32))
        return replace(self, ids=np.concatenate([self.ids, self.find_all(new)]))

    def find(self, word: str) -> int:
        """The model's id of a word, or of its class."""
        if self.classes is None:
            return self.model.vocabulary.find(word)
        return self.model.vocabulary.find(self.classes[word]) if word in self.classes else UNKNOWN

    def find_all(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The same for several."""
        return np.array([self.find(word) for word in words], np.uint32)


def check_names(uses: Iterable[LanguageUse]) -> None:
    """Raises an error if two models have one name."""
    known: set[str] = set()
    for use in uses:
        if use.name in known:
            raise PentaglotError(f"two language models are called '{use.name}'", hint="give them different names")
        known.add(use.name)
