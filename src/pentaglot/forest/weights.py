"""`Weights`: what learning gives back to the search, as a text file that a person can read and change.

One feature a line: its name, a space, its weight. Lines that begin with `#` are remarks. In a name, white space, `%`
and a leading `#` are written as `%` and two hexadecimal digits of UTF-8, as in web addresses.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentaglot import storage
from pentaglot.errors import InputError, PentaglotError, reading
from pentaglot.forest.features import FeatureSpace
from pentaglot.options import suggestion

__all__ = ["Weights"]

_UNSAFE = re.compile(r"[\s%\x00-\x1f\x7f]|^#")


class Weights(Mapping[str, float]):
    """Feature names and their weights, in the order given. They do not change.

    >>> import tempfile
    >>> weights = Weights({"lm": 0.5, "word penalty": -1.0})
    >>> place = Path(tempfile.mkdtemp()) / "weights.txt"
    >>> weights.save(place)
    >>> print(place.read_text(), end="")
    lm 0.5
    word%20penalty -1.0
    >>> Weights.open(place) == weights
    True
    >>> weights.dense(FeatureSpace(["word penalty", "lm", "new"]))
    array([-1. ,  0.5,  0. ])
    """

    def __init__(
        self,
        values: Mapping[str, float] | Iterable[tuple[str, float]] = (),
        *,
        path: str | os.PathLike[str] | None = None,
        lines: Mapping[str, int] | None = None,
    ) -> None:
        """`path` and `lines` say where the weights stand, if they come from a file."""
        self._path, self._lines = path, dict(lines or {})
        self._values = {name: float(value) for name, value in dict(values).items()}
        for name, value in self._values.items():
            if not name:
                raise PentaglotError("a feature needs a name")
            if not math.isfinite(value):
                raise PentaglotError(f"the weight of '{name}' is {value}; it must be a finite number")

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Weights({self._values})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def dense(self, space: FeatureSpace) -> NDArray[np.float64]:
        """The weights as a vector over a space: 0 for names without a weight; names that the space lacks are left
        out, and so is what the search must not see."""
        values = space.dense(self.items())
        return np.where(space.visible()[: len(values)], values, 0.0)  # another thread may have added to the space

    def check_known(self, known: Iterable[str]) -> None:
        """Raises an error if there is a weight for a feature that is not known, which is most often a slip.

        >>> Weights({"langauge_model": 0.5}).check_known(["language_model", "words"])
        Traceback (most recent call last):
        pentaglot.errors.InputError: there is no feature 'langauge_model'; did you mean 'language_model'?
        """
        names = set(known)
        for name in self:
            if name not in names:
                raise self.error(name, f"there is no feature '{name}'", suggestion(name, names))

    def error(self, name: str, message: str, hint: str) -> InputError:
        """What is wrong with one of the weights, with file and line if it has them."""
        return InputError(message, path=self._path, line=self._lines.get(name), hint=hint)

    @classmethod
    def from_dense(cls, space: FeatureSpace, vector: ArrayLike, *, zeros: bool = True) -> Weights:
        """Names for a vector; `zeros=False` leaves out weights that are 0."""
        values = np.asarray(vector, np.float64)
        if values.shape != (len(space),):
            raise PentaglotError(f"there are {values.size} weights for {len(space)} features")
        return cls({name: value for name, value in zip(space.names, values.tolist(), strict=True) if zeros or value})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file whole or not at all."""
        storage.write_text(Path(path), "".join(f"{_escaped(name)} {value!r}\n" for name, value in self.items()))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Weights:
        """Reads a file; what is wrong in it is named by its line."""
        with reading(path):
            data = Path(path).read_bytes()
        values: dict[str, float] = {}
        lines: dict[str, int] = {}
        for number, line in enumerate(data.split(b"\n"), 1):
            try:
                text = line.decode("utf-8").strip()
            except UnicodeDecodeError as error:
                raise InputError("not valid UTF-8", path=path, line=number) from error
            if not text or text.startswith("#"):
                continue
            name, value = _read_line(text, path, number)
            if name in values:
                raise InputError(f"a second weight for '{name}'", path=path, line=number, hint="keep one of them")
            values[name], lines[name] = value, number
        return cls(values, path=path, lines=lines)


def _read_line(text: str, path: str | os.PathLike[str], number: int) -> tuple[str, float]:
    fields = text.split()
    if len(fields) != 2:
        raise InputError(
            f"a feature name and a weight are needed, not {len(fields)} fields",
            path=path,
            line=number,
            hint="write white space in a name as %20",
        )
    try:
        value = float(fields[1])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"'{fields[1]}' is not a finite number", path=path, line=number)
    try:
        return _unescaped(fields[0]), value
    except ValueError as error:
        raise InputError(
            f"'{fields[0]}' has a % that is not followed by two hexadecimal digits of UTF-8",
            path=path,
            line=number,
            hint="write % in a name as %25",
        ) from error


def _escaped(name: str) -> str:
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), name)


def _unescaped(text: str) -> str:
    """Undoes `_escaped`; a ValueError if it cannot be."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise ValueError
    return re.sub(rb"%(..)", lambda found: bytes([int(found[1], 16)]), text.encode()).decode("utf-8")
