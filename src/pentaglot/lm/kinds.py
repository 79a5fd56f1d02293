"""Language models of either kind: over words, or over classes of words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import lm as core
from pentaglot._core.corpus import UNKNOWN, Text, Vocabulary
from pentaglot.corpus import read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError
from pentaglot.lm.class_model import ClassModel
from pentaglot.lm.model import LanguageModel
from pentaglot.progress import SILENT, Progress

__all__ = ["AnyLanguageModel", "open_language", "read_classes"]


class AnyLanguageModel(Protocol):
    """What search needs from a language model, and training from one that it estimates."""

    @property
    def native(self) -> core.LanguageModel:
        """The native model, which scores ids."""

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""

    def find_all(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The model's ids of words, or of their classes."""

    def map_vocabulary(self, vocabulary: Vocabulary) -> NDArray[np.uint32]:
        """The model's id for each id of a vocabulary."""

    def estimated_from(
        self, texts: Text | Iterable[Text], vocabulary: Vocabulary, *, threads: int = 1, progress: Progress = SILENT
    ) -> Self:
        """The same kind of model of other texts."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a directory."""


def open_language(
    path: str | os.PathLike[str],
    classes: str | os.PathLike[str] | Mapping[str, str] | None = None,
    *,
    words: Vocabulary | None = None,
    progress: Progress = SILENT,
) -> LanguageModel | ClassModel:
    """Opens a language model: an ARPA file or a directory of either kind. With `classes` of words, or a file of them
    (see `read_classes`), it is a model over these. `words` are as for `ClassModel.open`."""
    if classes is None and ClassModel.is_at(path):
        return ClassModel.open(path, words)
    language = LanguageModel.open(path, progress=progress)
    if classes is None:
        return language
    found = classes if isinstance(classes, Mapping) else read_classes(classes)
    if not (language.find_all(sorted(set(found.values()))) != UNKNOWN).any():
        hint = "the model must be one of text in which each word is replaced by its class"
        if isinstance(classes, Mapping):
            raise InputError("knows none of the classes of words", path=shown(path), hint=hint)
        raise InputError(f"has no class that {path} knows", path=shown(classes), hint=hint)
    return ClassModel.of_mapping(language, found)


def read_classes(path: str | os.PathLike[str]) -> dict[str, str]:
    """Reads the classes of words: on each line a word, a tab, and its class.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tags.tsv")
    >>> _ = file.write_text("the\\tD\\nhouse\\tN\\n")
    >>> read_classes(file)
    {'the': 'D', 'house': 'N'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, tab, name = line.partition("\t")
        problem = ""
        if not tab or not name or any(each.isspace() for each in name):
            problem = "not a word, a tab and a class"
        elif len(word.split()) != 1 or word != word.strip():
            problem = "there must be exactly one word before the tab"
        elif word in found:
            problem = f"the word '{word}' has a class already"
        if problem:
            raise InputError(problem, path=shown(path), line=number, hint="write 'house<tab>N'")
        found[word] = name
    if not found:
        raise InputError("has no classes", path=shown(path), hint="write a word, a tab and its class on each line")
    return found
