"""A trained model of BEER, saved as a readable TOML file."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import numpy as np
import tomli_w
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import base
from pentaglot.errors import InputError, PentaglotError, reading
from pentaglot.metrics.beer_features import BeerFeatures
from pentaglot.metrics.beer_templates import TEMPLATES
from pentaglot.metrics.scaling import Scaling, ScalingKind

__all__ = ["BeerModel"]

_FORMAT = 1


@dataclass(frozen=True)
class BeerModel:
    """A trained model: a weight for each feature, and a scaling. It is saved as a readable TOML file.

    >>> model = BeerModel.shipped()
    >>> model.features.symmetric, len(model.weights) == len(model.features.names)
    (True, True)
    """

    features: BeerFeatures
    weights: tuple[float, ...]
    scaling: Scaling
    about: str = ""  # how it was trained

    @classmethod
    def shipped(cls) -> BeerModel:
        """The model that comes with Pentaglot."""
        with resources.as_file(resources.files("pentaglot.metrics") / "beer.toml") as path:
            return cls.open(path)

    @cached_property
    def checksum(self) -> str:
        """A checksum that identifies the model in signatures."""
        features = self.features
        known = (features.template, features.symmetric, features.lowercase, features.cut, features.pieces)
        said = repr((known, features.without, features.function_words, self.weights, self.scaling))
        return f"{base.checksum(said.encode()) & 0xFFFFFFFF:08x}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, atomically."""
        features = self.features
        contents = {
            "format": _FORMAT,
            "about": self.about,
            "template": features.template,
            "symmetric": features.symmetric,
            "lowercase": features.lowercase,
            "cut": features.cut,
            "pieces": features.pieces,
            "scaling": {"kind": self.scaling.kind, "numbers": list(self.scaling.numbers)},
            **({"without": list(features.without)} if features.without else {}),
            **({"function_words": list(features.function_words)} if features.function_words else {}),
            "weights": dict(zip(features.names, self.weights, strict=True)),
        }
        storage.write_text(Path(path), tomli_w.dumps(contents))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> BeerModel:
        """Read a model from a file."""
        with reading(path):
            data = Path(path).read_bytes()
        try:
            contents = tomllib.loads(data.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"is not a model of BEER: {error}", path=path) from error
        try:
            return cls._read(contents)
        except (KeyError, TypeError, ValueError, PentaglotError) as error:
            said = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
            raise InputError(f"is not a model of BEER: {said}", path=path, hint="train it again") from error

    @classmethod
    def _read(cls, contents: Mapping[str, Any]) -> BeerModel:
        if contents["format"] != _FORMAT:
            raise ValueError(f"its format is {contents['format']}, but only {_FORMAT} is supported")
        symmetric, lowercase, cut = switches = [contents[name] for name in ("symmetric", "lowercase", "cut")]
        if contents["template"] not in TEMPLATES or not all(isinstance(each, bool) for each in switches):
            raise ValueError("unknown template of features")
        if not isinstance(contents["pieces"], int) or not 1 <= contents["pieces"] <= 100:
            raise ValueError("curves have 1 to 100 pieces")
        without, function_words = (_texts(contents, name) for name in ("without", "function_words"))
        features = BeerFeatures(
            contents["template"], symmetric, lowercase, cut, contents["pieces"], without, function_words
        )
        given = contents["weights"]
        if tuple(given) != features.names:
            raise ValueError("its weights do not match its features")
        weights = tuple(float(weight) for weight in given.values())
        if not all(map(math.isfinite, weights)):
            raise ValueError("a weight is not a finite number")
        if contents["scaling"]["kind"] not in get_args(ScalingKind):
            raise ValueError(f"unknown scaling '{contents['scaling']['kind']}'")
        scaling = Scaling(contents["scaling"]["kind"], tuple(map(float, contents["scaling"]["numbers"])))
        return cls(features, weights, scaling, str(contents["about"]))

    def raw(self, counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Raw scores of translations, and of copies of their references, from the counts of each pair."""
        weights = np.array(self.weights)
        return self.features.from_counts(counts) @ weights, self.features.copies(counts) @ weights

    def scores(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> NDArray[np.float64]:
        """A score between 0 and 1 for each pair of translation and reference."""
        counts = self.features.counts(hypotheses, references, threads=threads)
        return self.scaling.scores(*self.raw(counts))


def _texts(contents: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = contents.get(name, [])
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise ValueError(f"'{name}' must be a list of strings")
    return tuple(given)
