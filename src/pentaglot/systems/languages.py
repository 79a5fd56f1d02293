"""Further language models of a model: each has its own name, features and weights."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pentaglot import placing
from pentaglot.corpus import Bitext
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.guarded import inside
from pentaglot.index import Index
from pentaglot.lm import AnyLanguageModel, ClassModel, LanguageModel, classes_of_layer, open_language, read_classes
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.features import CLASSES
from pentaglot.search import language_features
from pentaglot.systems.adding import word_ids_locked
from pentaglot.systems.corpora import check_name
from pentaglot.systems.further_parts import language_paths

__all__ = ["GivenLanguage", "TargetLayer", "add_language", "check_language_name", "open_languages", "remove_language"]

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class TargetLayer:
    """A layer of the target side of the training text, whose values are classes of words: each word has the class that
    it has most often there (see `pentaglot.lm.classes_of_layer`)."""

    name: str


Classes = StrPath | TargetLayer


@dataclass(frozen=True)
class GivenLanguage:
    """A further language model: the path of one over words; or of one over classes, which come from a file or a layer.
    Without a path, a model over the classes of a layer is estimated from the training text."""

    path: Path | None
    classes: Path | TargetLayer | None = None

    @classmethod
    def of(cls, given: Classes | tuple[StrPath, Classes] | GivenLanguage) -> GivenLanguage:
        """From the path of a model, a layer, or the path of a model and its classes.

        >>> GivenLanguage.of(("tags.arpa", "tags.tsv")).classes.name
        'tags.tsv'
        >>> GivenLanguage.of(TargetLayer("upos"))
        GivenLanguage(path=None, classes=TargetLayer(name='upos'))
        """
        if isinstance(given, GivenLanguage):
            return given
        if isinstance(given, TargetLayer):
            return cls(None, given)
        if isinstance(given, tuple):
            path, classes = given
            return cls(Path(path), classes if isinstance(classes, TargetLayer) else Path(classes))
        return cls(Path(given))

    @property
    def layer(self) -> str | None:
        """The layer that the classes come from, if they do."""
        return self.classes.name if isinstance(self.classes, TargetLayer) else None

    def check(self) -> None:
        """Raises an error if the classes cannot be used."""
        if isinstance(self.classes, Path):
            read_classes(self.classes)

    def open(
        self, bitext: Bitext | None = None, *, threads: int = 1, progress: Progress = SILENT
    ) -> LanguageModel | ClassModel:
        """Opens the model. One over a layer of a text needs that `bitext`."""
        if not isinstance(self.classes, TargetLayer):
            assert self.path is not None
            return open_language(self.path, self.classes, progress=progress)
        assert bitext is not None
        text, words, name = bitext.target, bitext.target_vocabulary, self.classes.name
        classes = classes_of_layer(text, words, bitext.annotation.layer(name, "target", text), name)
        if self.path is not None:
            return open_language(self.path, classes, progress=progress)
        return ClassModel.estimate(text, words, classes, threads=threads, progress=progress)


def open_languages(
    path: StrPath, given: Mapping[str, GivenLanguage], *, threads: int = 1, progress: Progress = SILENT
) -> dict[str, LanguageModel | ClassModel]:
    """Opens language models that are to be added to the model at `path`, whose text has the layers that they need."""
    directory, bitext = Path(path), None
    if any(each.layer is not None for each in given.values()):
        bitext = Index.open(inside(directory, "index"), bare=True).bitext
    found = {}
    for name, each in given.items():
        try:
            found[name] = each.open(bitext, threads=threads, progress=progress)
        except PentaglotError as error:
            if each.layer is None or error.path is not None:
                raise
            raise PentaglotError(error.message, path=directory, hint=error.hint) from error
    return found


def check_language_name(name: str) -> None:
    """Raises an error if this is not a valid name of a further language model."""
    check_name(name, "language model")
    if name == CLASSES:
        raise OptionError(f"the language model over word classes is called '{name}'", hint="choose another name")


def add_language(path: StrPath, name: str, language: AnyLanguageModel) -> None:
    """Adds a further language model to the model at `path`, replacing one of the same name. Its weights are 0 until
    they are tuned; nothing else has to be redone."""
    check_language_name(name)
    directory = Path(path)
    with word_ids_locked(directory):
        weights = Weights.open(directory / "weights.txt")
        Weights(dict.fromkeys(language_features(name), 0.0) | dict(weights)).save(directory / "weights.txt")
        try:
            language.save(directory / "languages" / name)
        except BaseException:
            weights.save(directory / "weights.txt")
            raise


def remove_language(path: StrPath, name: str) -> None:
    """Removes a further language model from the model at `path`, with its weights."""
    directory = Path(path)
    with word_ids_locked(directory):
        known = [each.name for each in language_paths(directory)]
        if name not in known:
            listed = ", ".join(known) or "none"
            raise PentaglotError(
                f"the model has no language model '{name}'", hint=f"its further language models are: {listed}"
            )
        weights = Weights.open(directory / "weights.txt")
        kept = {each: value for each, value in weights.items() if each not in language_features(name)}
        with placing.take_away(directory / "languages" / name):
            Weights(kept).save(directory / "weights.txt")
