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
from pentaglot.rules.source import SentenceRules
from pentaglot.steady import opens

__all__ = ["WordChoice"]

_KIND, _VERSION = "word choice", 1
# The penalty on weights, and the least association of two words (log-likelihood ratio). Of 0.03 to 3 and of 5 to 20,
# these predict words best in text held out of five corpora of 10,000 pairs; all five agree.
_PENALTY, _ASSOCIATION = 0.15, 10.0


@dataclass(frozen=True, eq=False)
class WordChoice:
    """A logistic regression for each target word: is it in the translation of a sentence, given all words of the
    sentence? (Mauser, Hasan and Ney 2009.) As a feature of rules it adds up, for their target words, how much the
    sentence raises or lowers the log-odds of the word. So words that are not part of a rule have a say, too.

    >>> from pentaglot.corpus import Bitext
    >>> source = [["Bank", "Geld"], ["Bank", "Park"]] * 20
    >>> target = [["bank", "money"], ["bench", "park"]] * 20
    >>> bitext = Bitext.from_sentences(source, target)
    >>> choice = WordChoice.learn(bitext)
    >>> raised = choice.raised(np.array([bitext.source_vocabulary.find(word) for word in ["Bank", "Geld"]], np.uint32))
    >>> [bool(raised[bitext.target_vocabulary.find(word)] > 0) for word in ("bank", "bench")]
    [True, False]
    """

    rows: NDArray[np.uint64]  # for each source word the first of its weights; one more at the end
    targets: NDArray[np.uint32]  # of each weight
    weights: NDArray[np.float32]
    alone: NDArray[np.float32]  # for each target word how far its log-odds fall if no word calls for it

    @classmethod
    def learn(cls, bitext: Bitext, *, threads: int = 1, progress: Progress = SILENT) -> WordChoice:
        """Learns from a bitext; neither links nor rules are needed."""
        words = len(bitext.source_vocabulary), len(bitext.target_vocabulary)
        with progress.task("learning word choice"):
            found = native.learn_word_choice(bitext.source, bitext.target, *words, _PENALTY, _ASSOCIATION, threads)
        alone = found["biases"] - found["priors"]
        return cls(found["rows"], found["targets"], found["weights"], alone)

    def raised(self, sentence: NDArray[np.uint32]) -> NDArray[np.float32]:
        """For each target word how much a sentence of source words raises its log-odds."""
        return native.weigh_target_words(self.rows, self.targets, self.weights, self.alone, sentence)

    def __call__(self, found: SentenceRules) -> dict[str, NDArray[np.float32]]:
        """The feature of the rules of a sentence; words treated like others count as these."""
        like = [word for each in found.stand_ins.values() for word in each.like]
        sentence = np.concatenate([found.source, np.array(like, np.uint32)])
        return {WORD_CHOICE: native.sum_target_values(found.table, self.raised(sentence))}

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
        kinds = {"rows": np.uint64, "targets": np.uint32, "weights": np.float32, "alone": np.float32}
        found = cls(**{name: stored.array(name, kind) for name, kind in kinds.items()})
        together = len(found.rows) > FIRST_WORD and len(found.targets) == len(found.weights)
        if not together or not (np.isfinite(found.weights).all() and np.isfinite(found.alone).all()):
            raise StorageError("is damaged: these are no weights of words", path=stored.path, hint="train it again")
        return found
