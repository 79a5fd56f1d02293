"""`WordChoice`: which words of a translation the words of the input call for, wherever they stand in it."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD
from pentaglot.corpus import Bitext
from pentaglot.errors import StorageError
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.features import WORD_CHOICE
from pentaglot.rules.sentence_rules import SentenceRules
from pentaglot.steady import opens

__all__ = ["WordChoice"]

Floats = NDArray[np.float32]

_KIND, _VERSION = "word choice", 1
# The penalty on weights, and the least association of two words (log-likelihood ratio). Of 0.03 to 3 and of 5 to 20,
# these predict words best in text held out of five corpora of 10,000 pairs; all five agree.
_PENALTY, _ASSOCIATION = 0.15, 10.0


@dataclass(frozen=True, eq=False)
class WordChoice:
    """A logistic regression for each target word: is it in the translation of a sentence, given all words of the
    sentence? (Mauser, Hasan and Ney 2009.) It gives rules two features, sums over their target words: how far the
    sentence moves the log-odds of the word, and the logarithm of its chance. So words outside of a rule have a say.

    >>> from pentaglot.corpus import Bitext
    >>> source = [["Bank", "Geld"], ["Bank", "Park"]] * 20
    >>> target = [["bank", "money"], ["bench", "park"]] * 20
    >>> bitext = Bitext.from_sentences(source, target)
    >>> choice = WordChoice.learn(bitext)
    >>> sentence = [bitext.source_vocabulary.find(word) for word in ("Bank", "Geld")]
    >>> moved = choice.moved_odds(np.array(sentence, np.uint32))
    >>> [bool(moved[bitext.target_vocabulary.find(word)] > 0) for word in ("bank", "bench")]
    [True, False]
    """

    rows: NDArray[np.uint64]  # for each source word the first of its weights; one more at the end
    targets: NDArray[np.uint32]  # of each weight
    weights: Floats
    biases: Floats  # for each target word its log-odds in a sentence where no word calls for it
    priors: Floats  # for each target word its log-odds in any sentence

    @classmethod
    def learn(cls, bitext: Bitext, *, threads: int = 1, progress: Progress = SILENT) -> WordChoice:
        """Learns from a bitext; neither links nor rules are needed."""
        words = len(bitext.source_vocabulary), len(bitext.target_vocabulary)
        with progress.task("learning word choice"):
            found = native.learn_word_choice(bitext.source, bitext.target, *words, _PENALTY, _ASSOCIATION, threads)
        return cls(**found)

    def moved_odds(self, sentence: NDArray[np.uint32]) -> Floats:
        """For each target word how far a sentence of source words moves its log-odds."""
        return native.moved_odds(*self._arrays, sentence)

    def __call__(self, found: SentenceRules) -> dict[str, Floats]:
        """The features of the rules of a sentence; words treated like others count as these."""
        like = [word for each in found.stand_ins.values() for word in each.like]
        sentence = np.concatenate([found.source, np.array(like, np.uint32)])
        return dict(zip(WORD_CHOICE, native.choose_words(found.table, *self._arrays, sentence), strict=True))

    @property
    def _arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], Floats, Floats, Floats]:
        return self.rows, self.targets, self.weights, self.biases, self.priors

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves to a directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for field in fields(self):
                new.add(field.name, getattr(self, field.name))

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> WordChoice:
        """Opens a saved directory."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        kinds = {"rows": np.uint64, "targets": np.uint32, "weights": np.float32}
        kinds |= {"biases": np.float32, "priors": np.float32}
        found = cls(**{name: stored.array(name, kind) for name, kind in kinds.items()})
        together = len(found.targets) == len(found.weights) and len(found.biases) == len(found.priors)
        numbers = (found.weights, found.biases, found.priors)
        if len(found.rows) <= FIRST_WORD or not together or not all(np.isfinite(each).all() for each in numbers):
            raise StorageError("is damaged: these are not weights of words", path=stored.path, hint="train it again")
        return found
