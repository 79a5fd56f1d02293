"""A trained model of BEER, saved as a readable TOML file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any, get_args

import numpy as np
import tomli_w
from numpy.typing import NDArray

from pentaglot._core import base
from pentaglot.corpus import open_output
from pentaglot.corpus.compression import read_blocks, shown
from pentaglot.errors import InputError, PentaglotError
from pentaglot.metrics.beer_features import BeerFeatures
from pentaglot.metrics.beer_templates import TEMPLATES
from pentaglot.metrics.scaling import Scaling, ScalingKind

__all__ = ["BeerModel"]

_FORMAT = 1
_LARGEST = 1e300  # value of a weight


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

    def __post_init__(self) -> None:
        weights = tuple(map(float, self.weights))
        if len(weights) != len(self.features.names):
            raise PentaglotError(f"{len(weights)} weights do not match {len(self.features.names)} features")
        for name, weight in zip(self.features.names, weights, strict=True):
            _number(name, weight)
        object.__setattr__(self, "weights", weights)

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
        """Write the model to a file, atomically; `-` is standard output."""
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
        with open_output(path) as out:
            out.write(tomli_w.dumps(contents))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> BeerModel:
        """Read a model from a file; `-` is standard input."""
        data, path = b"".join(read_blocks(path)), shown(path)
        try:
            text = data.decode("utf-8-sig")
            contents = tomllib.loads(text)
        except UnicodeDecodeError as error:
            raise InputError("is not a model of BEER: it is not text in UTF-8", path=path) from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"is not a model of BEER: {error}", path=path) from error
        try:
            return cls._read(contents)
        except (KeyError, TypeError, ValueError, PentaglotError) as error:
            said = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
            line = _line_of(text, error.name) if isinstance(error, _MistakeError) else None
            raise InputError(f"is not a model of BEER: {said}", path=path, line=line, hint="train it again") from error

    @classmethod
    def _read(cls, contents: Mapping[str, Any]) -> BeerModel:
        if contents["format"] != _FORMAT:
            raise _MistakeError("format", f"its format is {contents['format']}, but only {_FORMAT} is supported")
        if contents["template"] not in list(TEMPLATES):
            raise _MistakeError("template", "unknown template of features")
        for name in ("symmetric", "lowercase", "cut"):
            if not isinstance(contents[name], bool):
                raise _MistakeError(name, f"'{name}' must be true or false")
        if type(contents["pieces"]) is not int or not 1 <= contents["pieces"] <= 100:
            raise _MistakeError("pieces", "curves have 1 to 100 pieces")
        without, function_words = (_texts(contents, name) for name in ("without", "function_words"))
        symmetric, lowercase, cut = (contents[name] for name in ("symmetric", "lowercase", "cut"))
        features = BeerFeatures(
            contents["template"], symmetric, lowercase, cut, contents["pieces"], without, function_words
        )
        given, scaling = contents["weights"], contents["scaling"]
        for name, table in (("weights", given), ("scaling", scaling)):
            if not isinstance(table, dict):
                raise _MistakeError(name, f"'{name}' must be a table")
        if tuple(given) != features.names:
            raise ValueError("its weights do not match its features")
        weights = tuple(_number(name, weight) for name, weight in given.items())
        if scaling["kind"] not in get_args(ScalingKind):
            raise _MistakeError("kind", f"unknown scaling '{scaling['kind']}'")
        if not isinstance(scaling["numbers"], list):
            raise _MistakeError("numbers", "'numbers' must be a list")
        numbers = tuple(_number("numbers", each) for each in scaling["numbers"])
        return cls(features, weights, Scaling(scaling["kind"], numbers), str(contents["about"]))

    def raw(self, counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Raw scores of translations, and of copies of their references, from the counts of each pair. So that shares
        by symmetric features are symmetric, too, they are those of the most that either text could have."""
        weights = np.array(self.weights)
        either = self.features.sides_are_alike and self.scaling.kind == "share"
        return self.features.from_counts(counts) @ weights, self.features.copies(counts, of_either=either) @ weights

    def from_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores between 0 and 1 from counts: 0 if one of the texts is empty and the other is not."""
        return np.where(self.features.one_is_empty(counts), 0.0, self.scaling.scores(*self.raw(counts)))

    def scores(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> NDArray[np.float64]:
        """A score between 0 and 1 for each pair of translation and reference."""
        needed = [name for name, weight in zip(self.features.names, self.weights, strict=True) if weight != 0]
        counts = self.features.counts(hypotheses, references, needed=needed, threads=threads)
        return self.from_counts(counts)


class _MistakeError(PentaglotError):
    """What is wrong with the value of a name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(problem)
        self.name = name


def _line_of(text: str, name: str) -> int | None:
    """The line where a name has its value."""
    keys = tuple(f"{key}{space}=" for key in (name, f'"{name}"') for space in ("", " "))
    return next((number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith(keys)), None)


def _number(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) < _LARGEST:
        raise _MistakeError(name, f"'{name}' has a value that is not a finite number")
    return float(value)


def _texts(contents: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = contents.get(name, [])
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise _MistakeError(name, f"'{name}' must be a list of strings")
    return tuple(given)
