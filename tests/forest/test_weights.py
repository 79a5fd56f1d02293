"""Weights: any name survives the file, and every mistake in a file is named by its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import InputError, OutputError, PentaglotError
from pentaglot.forest import FeatureSpace, Weights

_names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
_numbers = st.floats(allow_nan=False, allow_infinity=False)


@settings(deadline=None, max_examples=100)
@given(values=st.dictionaries(_names | st.text("# %\t\n\x85a0", min_size=1), _numbers, max_size=8))
def test_any_name_and_number_survives(tmp_path_factory: pytest.TempPathFactory, values: dict[str, float]) -> None:
    place = tmp_path_factory.mktemp("weights") / "weights.txt"
    Weights(values).save(place)
    again = Weights.open(place)
    assert dict(again) == values and list(again) == list(values)
    assert len(place.read_text("utf-8").splitlines()) >= len(values)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"lm 0.5\nlength\n", 2, "a feature name and a weight are needed, not 1 fields"),
        (b"# remark\n\nlm half\n", 3, "'half' is not a finite number"),
        (b"lm nan\n", 1, "not a finite number"),
        (b"lm 1\nlm 2\n", 2, "a second weight for 'lm'"),
        (b"a b 1\n", 1, "not 3 fields; write white space in a name as %20"),
        (b"a%2 1\n", 1, "has a %"),
        (b"a%FF 1\n", 1, "has a %"),
        (b"lm 1\n\xff 1\n", 2, "not valid UTF-8"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: bytes, line: int, message: str) -> None:
    file = tmp_path / "weights.txt"
    file.write_bytes(text)
    with pytest.raises(InputError) as caught:
        Weights.open(file)
    assert str(caught.value).startswith(f"{file}:{line}: ") and message in str(caught.value)


def test_missing_and_unwritable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Weights.open(tmp_path / "none")
    with pytest.raises(OutputError):
        Weights({"a": 1}).save(tmp_path / "none" / "weights.txt")
    with pytest.raises(PentaglotError, match="finite"):
        Weights({"a": float("inf")})
    with pytest.raises(PentaglotError, match="needs a name"):
        Weights({"": 1.0})


def test_windows_line_ends_and_remarks(tmp_path: Path) -> None:
    file = tmp_path / "weights.txt"
    file.write_bytes(b"# made by hand\r\nlm\t0.5\r\n\r\n%23odd 2\r\n")
    assert dict(Weights.open(file)) == {"lm": 0.5, "#odd": 2.0}


def test_dense_and_back() -> None:
    space = FeatureSpace(["a", "b"])
    space.add("hidden", visible=False)
    weights = Weights({"b": 2.0, "hidden": 3.0, "unknown": 4.0})
    assert weights.dense(space).tolist() == [0.0, 2.0, 0.0]
    assert dict(Weights.from_dense(space, [1.0, 0.0, 2.0], zeros=False)) == {"a": 1.0, "hidden": 2.0}
    with pytest.raises(PentaglotError, match="2 weights for 3 features"):
        Weights.from_dense(space, np.zeros(2))
