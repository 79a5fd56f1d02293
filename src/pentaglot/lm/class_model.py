"""`ClassModel`: a language model over classes of words, which sees further than words do where text is scarce."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import align as native
from pentaglot._core.corpus import END, FIRST_WORD, START, UNKNOWN, Text, Vocabulary
from pentaglot.errors import StorageError
from pentaglot.guarded import inside
from pentaglot.lm.build import BuildOptions, build
from pentaglot.lm.model import LanguageModel
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress
from pentaglot.steady import opens

__all__ = ["ClassModel", "ClassOptions"]

_KIND, _VERSION = "class model", 1
_LANGUAGE = "lm"
_MOST = 10_000  # classes


@dataclass(frozen=True)
class ClassOptions:
    """How words get their classes, and how long the n-grams of classes are."""

    classes: int = setting(100, "how many classes of words", minimum=1, maximum=_MOST)
    order: int = setting(7, "length of the longest n-grams, 1 to 7", minimum=1, maximum=7)
    rounds: int = setting(5, "how often each word may change its class", minimum=1, maximum=1000)


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A language model of the classes of words, and the class of each word of a vocabulary. Words that came later have
    none.

    >>> from pentaglot.corpus import encode
    >>> text, words = encode([["the", "house"], ["a", "house"], ["the", "tree"], ["a", "tree"]])
    >>> model = ClassModel.build(text, words, ClassOptions(classes=3, order=2))
    >>> of = {word: int(model.classes[words.find(word)]) for word in ("the", "a", "house", "tree")}
    >>> of["the"] == of["a"], of["house"] == of["tree"], of["the"] == of["house"]
    (True, True, False)
    """

    language: LanguageModel
    classes: NDArray[np.uint32]  # by the ids of words

    @classmethod
    def build(
        cls,
        text: Text,
        vocabulary: Vocabulary,
        options: ClassOptions | None = None,
        *,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> ClassModel:
        """Finds classes by the exchange algorithm (Kneser and Ney 1993) and estimates a model of them."""
        options = options or ClassOptions()
        with progress.task("finding word classes"):
            found = native.exchange_classes(text, len(vocabulary), options.classes, options.rounds)
        return cls.of_classes(text, found.astype(np.uint32), options.order, threads=threads, progress=progress)

    @classmethod
    def of_classes(
        cls, text: Text, classes: NDArray[np.uint32], order: int, *, threads: int = 1, progress: Progress = SILENT
    ) -> ClassModel:
        """The same with classes that are known."""
        names = Vocabulary()
        for number in range(int(classes.max(initial=0)) + 1):
            names.add(_name(number))
        tokens = np.asarray(text.tokens)
        in_classes = np.where(tokens < FIRST_WORD, tokens, classes[tokens] + FIRST_WORD).astype(np.uint32)
        text, options = Text(in_classes, np.asarray(text.offsets)), BuildOptions(order=order)
        return cls(build(text, names, options, threads=threads, progress=progress, few_words=True), classes)

    @cached_property
    def ids(self) -> NDArray[np.uint32]:
        """For each word the model's id of its class."""
        numbers = range(int(self.classes.max(initial=0)) + 1)
        ids = np.array([self.language.vocabulary.find(_name(number)) for number in numbers], np.uint32)[self.classes]
        ids[:FIRST_WORD] = UNKNOWN
        ids[[START, END]] = START, END
        return ids

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.add("classes", self.classes)
            self.language.save(new.path / _LANGUAGE)

    @staticmethod
    def is_at(path: str | os.PathLike[str]) -> bool:
        """Whether the directory holds a class model, and no other language model."""
        return (Path(path) / "classes.npy").exists()

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> ClassModel:
        """Opens what was saved."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        classes = stored.array("classes", np.uint32)
        if len(classes) < FIRST_WORD or int(classes.max()) >= _MOST:
            raise StorageError("is damaged: words have classes that there are not", path=stored.path)
        return cls(LanguageModel.open(inside(stored.path, _LANGUAGE)), classes)


def _name(number: int) -> str:
    return f"class{number}"
