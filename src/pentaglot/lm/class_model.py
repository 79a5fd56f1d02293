"""`ClassModel`: a language model over classes of words, which sees further than words do where text is scarce."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import align, lm
from pentaglot._core.corpus import END, FIRST_WORD, NULL, START, UNKNOWN, Text, Vocabulary
from pentaglot.align.options import MOST_CLASSES
from pentaglot.corpus import copy_vocabulary, open_vocabulary, save_vocabulary
from pentaglot.errors import StorageError
from pentaglot.guarded import inside
from pentaglot.lm.build import build
from pentaglot.lm.build_options import BuildOptions
from pentaglot.lm.model import LanguageModel
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress
from pentaglot.steady import opens

__all__ = ["ClassModel", "ClassOptions"]

_KIND, _VERSION = "class model", 2
_LANGUAGE, _WORDS, _NAMES = "lm", "words.vocab", "classes.vocab"
_MOST = 10_000  # classes
_SPECIAL = [UNKNOWN, START, END, NULL]


@dataclass(frozen=True)
class ClassOptions:
    """How words get their classes, and how long the n-grams of classes are."""

    classes: int = setting(100, "how many classes of words", minimum=2, maximum=MOST_CLASSES)
    order: int = setting(7, "length of the longest n-grams, 1 to 7", minimum=1, maximum=7)
    rounds: int = setting(5, "how often each word may change its class", minimum=1, maximum=1000)


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A language model over word classes, and words with the class of each. Words without a class are unknown to it.

    >>> from pentaglot.corpus import encode
    >>> text, words = encode([["the", "house"], ["a", "house"], ["the", "tree"], ["a", "tree"]])
    >>> model = ClassModel.build(text, words, ClassOptions(classes=3, order=2))
    >>> the, a, house, tree = model.find_all(["the", "a", "house", "tree"]).tolist()
    >>> the == a, house == tree, the == house
    (True, True, False)
    """

    language: LanguageModel
    words: Vocabulary
    names: Vocabulary  # of the classes
    classes: NDArray[np.uint32]  # for each id of `words` the id of its class in `names`

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
            found = align.exchange_classes(text, len(vocabulary), options.classes, options.rounds).astype(np.uint32)
        names, classes = _numbered(found)
        words = copy_vocabulary(vocabulary)
        known = _WordClasses(words, classes)
        return cls(known.language([text], vocabulary, names, options.order, threads, progress), words, names, classes)

    @classmethod
    def of_mapping(cls, language: LanguageModel, classes: Mapping[str, str]) -> ClassModel:
        """Makes a class model from a model estimated on text with words replaced by their classes, and the class of
        each word.

        >>> import logging; logging.disable()
        >>> from pentaglot.corpus import encode
        >>> tags = build(*encode([["D", "N"], ["D", "J", "N"]]), BuildOptions(order=2))
        >>> logging.disable(logging.NOTSET)
        >>> model = ClassModel.of_mapping(tags, {"the": "D", "house": "N", "old": "J", "a": "D"})
        >>> model.find_all(["a", "castle"]).tolist() == [tags.vocabulary.find("D"), UNKNOWN]
        True
        """
        return cls(language, *_named(classes))

    @classmethod
    def estimate(
        cls,
        texts: Text | Iterable[Text],
        vocabulary: Vocabulary,
        classes: Mapping[str, str],
        order: int = ClassOptions.order,
        *,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> ClassModel:
        """Estimates a model of texts in which each word is replaced by its class, for classes that are known.

        >>> import logging; logging.disable()
        >>> from pentaglot.corpus import encode
        >>> text, words = encode([["the", "house"], ["the", "old", "house"]])
        >>> model = ClassModel.estimate(text, words, {"the": "D", "house": "N", "castle": "N"}, order=2)
        >>> logging.disable(logging.NOTSET)
        >>> model.find_all(["castle", "old"]).tolist() == [model.language.vocabulary.find("N"), UNKNOWN]
        True
        """
        words, names, ids = _named(classes)
        pieces = [texts] if isinstance(texts, Text) else texts
        language = _WordClasses(words, ids).language(pieces, vocabulary, names, order, threads, progress)
        return cls(language, words, names, ids)

    @property
    def native(self) -> lm.LanguageModel:
        """The native model of the classes."""
        return self.language.native

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.language.order

    @cached_property
    def ids(self) -> NDArray[np.uint32]:
        """For each id of `words` the id of its class in the model of the classes."""
        return self.language.map_vocabulary(self.names)[self.classes]

    def find_all(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The ids of the classes of words; UNKNOWN for words without a class."""
        return self.ids[[self.words.find(word) for word in words]] if words else np.empty(0, np.uint32)

    def map_vocabulary(self, vocabulary: Vocabulary) -> NDArray[np.uint32]:
        """For each id of a vocabulary the id of the word's class."""
        return self.ids[vocabulary.ids_in(self.words)]

    def estimated_from(
        self, texts: Text | Iterable[Text], vocabulary: Vocabulary, *, threads: int = 1, progress: Progress = SILENT
    ) -> ClassModel:
        """A model of other texts, with the same classes and of the same order."""
        pieces = [texts] if isinstance(texts, Text) else texts
        known = _WordClasses(self.words, self.classes)
        return replace(self, language=known.language(pieces, vocabulary, self.names, self.order, threads, progress))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.add("classes", self.classes)
            save_vocabulary(self.words, new.path / _WORDS)
            save_vocabulary(self.names, new.path / _NAMES)
            self.language.save(new.path / _LANGUAGE)

    @staticmethod
    def is_at(path: str | os.PathLike[str]) -> bool:
        """Whether the directory holds a class model, not another language model."""
        return storage.kind_of(path) == _KIND

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str], words: Vocabulary | None = None) -> ClassModel:
        """Opens a saved model. Older ones were written without their words, which have the ids of another vocabulary:
        `words`."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        classes = stored.array("classes", np.uint32)
        if stored.version == 1:
            return cls._first_version(stored, classes, words)
        own, names = (open_vocabulary(inside(stored.path, name)) for name in (_WORDS, _NAMES))
        if len(classes) != len(own) or int(classes.max()) >= len(names) or list(classes[:FIRST_WORD]) != _SPECIAL:
            raise StorageError("is damaged: words have classes that do not exist", path=stored.path)
        return cls(LanguageModel.open(inside(stored.path, _LANGUAGE)), own, names, classes)

    @classmethod
    def _first_version(
        cls, stored: storage.StoredDirectory, classes: NDArray[np.uint32], words: Vocabulary | None
    ) -> ClassModel:
        if words is None:
            raise StorageError("belongs to a model and has no words itself", path=stored.path, hint="train again")
        if not FIRST_WORD <= len(classes) <= len(words) or int(classes.max()) >= _MOST:
            raise StorageError("is damaged: words have classes that do not exist", path=stored.path)
        names, numbered = _numbered(classes)
        return cls(
            LanguageModel.open(inside(stored.path, _LANGUAGE)), copy_vocabulary(words, len(classes)), names, numbered
        )


class _WordClasses:
    """Turns words into their classes, also words of a vocabulary that grows while its text is read."""

    def __init__(self, words: Vocabulary, classes: NDArray[np.uint32]) -> None:
        self._words, self._classes = words, classes
        self._found = np.empty(0, np.uint32)  # for each id of the vocabulary of the text

    def language(
        self,
        texts: Iterable[Text],
        vocabulary: Vocabulary,
        names: Vocabulary,
        order: int,
        threads: int,
        progress: Progress,
    ) -> LanguageModel:
        """A model of texts in which each word is replaced by its class."""
        replaced = (self._replaced(text, vocabulary) for text in texts)
        options = BuildOptions(order=order)
        return build(replaced, names, options, threads=threads, progress=progress, few_words=True)

    def _replaced(self, text: Text, vocabulary: Vocabulary) -> Text:
        if len(vocabulary) > len(self._found):
            self._found = self._classes[vocabulary.ids_in(self._words)]
        return Text(self._found[text.tokens], np.asarray(text.offsets))


def _named(classes: Mapping[str, str]) -> tuple[Vocabulary, Vocabulary, NDArray[np.uint32]]:
    """Words, the names of classes, and the id of the class of each word."""
    words, names = Vocabulary(), Vocabulary()
    for word in classes:
        words.add(word)
    found = [names.add(name) for name in classes.values()]
    return words, names, np.array([*_SPECIAL, *found], np.uint32)


def _numbered(classes: NDArray[np.uint32]) -> tuple[Vocabulary, NDArray[np.uint32]]:
    """Names for classes that have numbers, and the ids of these for each word."""
    names = Vocabulary()
    for number in range(int(classes.max(initial=0)) + 1):
        names.add(f"class{number}")
    ids = classes + np.uint32(FIRST_WORD)
    ids[:FIRST_WORD] = _SPECIAL
    return names, ids
