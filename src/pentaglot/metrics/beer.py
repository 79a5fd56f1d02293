"""BEER: a metric that was trained to agree with people (Stanojević 2017, chapters 5 and 6)."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import tomli_w
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import base
from pentaglot.errors import InputError, PentaglotError, reading
from pentaglot.metrics.beer_features import TEMPLATES, BeerFeatures
from pentaglot.metrics.segment_mean import SegmentMean, signed

__all__ = ["Beer", "BeerModel", "Scaling", "ScalingKind"]

ScalingKind = Literal["share", "probability", "linear", "platt", "isotonic"]
_FORMAT = 1


@dataclass(frozen=True)
class Scaling:
    """How a raw score becomes one between 0 and 1. No kind of scaling changes a ranking.

    - `share`: the raw score divided by that of a copy of the reference, which gets 1;
    - `probability`: twice the chance that the translation beats its reference (§6.1.2); a copy of it gets 1;
    - `linear`: `numbers` are the slope and the intercept (§6.1.3);
    - `platt`: the same inside a logistic function;
    - `isotonic`: `numbers` are the points of a non-decreasing curve, first all x, then all y.
    """

    kind: ScalingKind = "share"
    numbers: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        none = not self.numbers
        wanted = {"share": none, "probability": none, "linear": len(self.numbers) == 2, "platt": len(self.numbers) == 2}
        rising = len(self.numbers) >= 4 and len(self.numbers) % 2 == 0 and self._rises()
        if not wanted.get(self.kind, rising) or not all(map(math.isfinite, self.numbers)):
            raise PentaglotError(f"a scaling of kind '{self.kind}' cannot have these {len(self.numbers)} numbers")

    def _rises(self) -> bool:
        x, y = np.split(np.array(self.numbers), 2)
        return bool((np.diff(x) > 0).all() and (np.diff(y) >= 0).all())

    def scores(self, raw: NDArray[np.float64], copies: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of translations, given their raw scores and those of copies of their references."""
        found: NDArray[np.float64]
        if self.kind == "share":
            found = np.where(copies > 0, raw / np.where(copies > 0, copies, 1.0), raw >= copies)
        elif self.kind == "probability":
            found = 2 * _logistic(raw - copies)
        elif self.kind == "isotonic":
            half = len(self.numbers) // 2
            found = np.interp(raw, np.array(self.numbers[:half]), np.array(self.numbers[half:]))
        else:
            found = self.numbers[0] * raw + self.numbers[1]
            found = _logistic(found) if self.kind == "platt" else found
        return np.clip(found, 0.0, 1.0)


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


@dataclass(frozen=True)
class Beer(SegmentMean):
    """How good translations are, by features weighted to agree with human rankings. The score of a text is the mean
    over its segments; with several references, the best score of each segment counts.

    >>> beer = Beer()
    >>> copied, near, far = beer.statistics(["the house is small", "the house is tiny", "a cat"],
    ...     [["the house is small"] * 3])[:, 0]
    >>> bool(copied == 1.0 > near > far)
    True
    """

    model: BeerModel | None = None  # default: the one that comes with Pentaglot
    threads: int = 1

    @property
    def name(self) -> str:
        return "BEER"

    @cached_property
    def _model(self) -> BeerModel:
        return BeerModel.shipped() if self.model is None else self.model

    def segment_scores(self, hypotheses: Sequence[str], reference: Sequence[str]) -> NDArray[np.float64]:
        return self._model.scores(hypotheses, reference, threads=self.threads)

    def signature(self, references: int = 1, **more: Any) -> str:
        features = self._model.features
        case = "lc" if features.lowercase else "mixed"
        kind = f"{features.template}{'-symmetric' if features.symmetric else ''}"
        return signed(references, more, f"case:{case}", f"features:{kind}", f"model:{self._model.checksum}")


def _texts(contents: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = contents.get(name, [])
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise ValueError(f"'{name}' must be a list of strings")
    return tuple(given)


def _logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 0.5 * (1 + np.tanh(values / 2))
    return found
