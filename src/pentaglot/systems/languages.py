"""Further language models of a model: each has a name, features and weights of its own."""

from __future__ import annotations

import os
from pathlib import Path

from pentaglot import placing
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.lm import LanguageModel
from pentaglot.rules.features import CLASSES
from pentaglot.search import language_features
from pentaglot.systems.corpora import check_name
from pentaglot.systems.growing import growing
from pentaglot.systems.model import language_paths

__all__ = ["add_language", "remove_language"]


def add_language(path: str | os.PathLike[str], name: str, language: LanguageModel) -> None:
    """Gives the model at `path` a further language model, in place of one of this name if there is one. Its weights are
    0 until they are tuned; nothing else has to be done again."""
    check_name(name, "language model")
    if name == CLASSES:
        raise OptionError(f"the language model over word classes is called '{name}'", hint="choose another name")
    directory = Path(path)
    with growing(directory):
        weights = Weights.open(directory / "weights.txt")
        Weights(dict.fromkeys(language_features(name), 0.0) | dict(weights)).save(directory / "weights.txt")
        try:
            language.save(directory / "languages" / name)
        except BaseException:
            weights.save(directory / "weights.txt")
            raise


def remove_language(path: str | os.PathLike[str], name: str) -> None:
    """Takes a further language model out of the model at `path`, with its weights."""
    directory = Path(path)
    with growing(directory):
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
