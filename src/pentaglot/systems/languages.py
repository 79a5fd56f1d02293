"""Further language models of a model: each has its own name, features and weights."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pentaglot import placing
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.lm import AnyLanguageModel, ClassModel, LanguageModel, open_language, read_classes
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.features import CLASSES
from pentaglot.search import language_features
from pentaglot.systems.adding import word_ids_locked
from pentaglot.systems.corpora import check_name
from pentaglot.systems.model import language_paths

__all__ = ["GivenLanguage", "add_language", "check_language_name", "remove_language"]

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class GivenLanguage:
    """The path of a language model, and the file of word classes if it is over classes."""

    path: Path
    classes: Path | None = None

    @classmethod
    def of(cls, given: StrPath | tuple[StrPath, StrPath]) -> GivenLanguage:
        """From the path of a model, or from those of a model and its classes.

        >>> GivenLanguage.of(("tags.arpa", "tags.tsv")).classes.name
        'tags.tsv'
        """
        return cls(*map(Path, given)) if isinstance(given, tuple) else cls(Path(given))

    def check(self) -> None:
        """Raises an error if the classes cannot be used."""
        if self.classes is not None:
            read_classes(self.classes)

    def open(self, progress: Progress = SILENT) -> LanguageModel | ClassModel:
        """Opens the model."""
        return open_language(self.path, self.classes, progress=progress)


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
