"""Weights: any name survives the file, and every mistake in a file is named by its line."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import InputError, OutputError, PentaglotError
from pentaglot.forest import FeatureSpace, Weights
from pentaglot.forest.weight_lines import escaped_name, read_line

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


_spaces = "".join(chr(code) for code in range(0x3100) if chr(code).isspace())
_sizes = st.integers(-320, 308).map(lambda size: float(f"1e{size}"))
_both = st.builds(lambda size, factor: size * factor, _sizes, st.floats(-10, 10)).filter(np.isfinite)


@settings(deadline=None, max_examples=200)
@given(
    values=st.dictionaries(_names | st.text(_spaces + "#%~\x7f", min_size=1), _numbers | _both | _sizes, max_size=8),
    first=st.dictionaries(_names, _numbers, max_size=2),
)
def test_written_as_python_writes_it(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, float], first: dict[str, float]
) -> None:
    place = tmp_path_factory.mktemp("weights") / "weights.txt"
    weights = first | Weights(values)
    weights.save(place)
    expected = (first | values).items()
    assert place.read_bytes() == "".join(f"{escaped_name(name)} {value!r}\n" for name, value in expected).encode()


def test_a_million_are_written_quickly(tmp_path: Path) -> None:
    """The text of each name alone would take Python longer than that."""
    names = [f"pair={number * 7919 % 200_000}_{number}" for number in range(200_000)]
    weights = Weights(zip(names, np.random.default_rng(3).normal(size=len(names)).tolist(), strict=True))
    begun = time.process_time()
    weights.save(tmp_path / "weights.txt")
    took = time.process_time() - begun
    begun = time.process_time()
    "".join(f"{escaped_name(name)} {value!r}\n" for name, value in weights.items())
    assert took < (time.process_time() - begun) / 2
    assert Weights.open(tmp_path / "weights.txt") == weights


@given(*[st.dictionaries(st.sampled_from("abcdef"), st.integers(-3, 3).map(float)) for _ in range(4)])
def test_joined_like_dictionaries(
    one: dict[str, float], two: dict[str, float], first: dict[str, float], more: dict[str, float]
) -> None:
    left, right = first | Weights(one), more | Weights(two)
    expected = first | one | {**more, **two}
    for other in (right, dict(right.items())):
        joined = left | other
        assert dict(joined) == expected and list(joined) == list(expected) and len(joined) == len(expected)
    given = dict(left)
    differences = [abs(given.get(name, 0.0) - dict(right).get(name, 0.0)) for name in {**given, **right}]
    assert left.distance(right) == right.distance(left) == max(differences, default=0.0)
    names, values = left.to_arrays()
    assert Weights.from_arrays(names, values) == left == Weights(zip(names.names(), values.tolist(), strict=True))
    wanted, _ = Weights({"f": 1.0, "a": 1.0, "z": 1.0}).to_arrays()
    assert left.over(wanted).tolist() == [given.get(name, 0.0) for name in "faz"]


def test_arrays_that_do_not_fit() -> None:
    names, _ = Weights({"a": 1.0, "b": 2.0}).to_arrays()
    with pytest.raises(PentaglotError, match="there are 3 weights for 2 features"):
        Weights.from_arrays(names, [1.0, 2.0, 3.0])
    with pytest.raises(PentaglotError, match="the weight of 'b' is nan"):
        Weights.from_arrays(names, [1.0, float("nan")])


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
    file.write_bytes(b"\xef\xbb\xbflm\t0.5\r\nlm 3\r\n")  # a mark at the beginning, as editors there write it
    with pytest.raises(InputError, match=r"weights.txt:2: a second weight for 'lm'"):
        Weights.open(file)


def test_dense_and_back() -> None:
    space = FeatureSpace(["a", "b"])
    space.add("hidden", visible=False)
    weights = Weights({"b": 2.0, "hidden": 3.0, "unknown": 4.0})
    assert weights.dense(space).tolist() == [0.0, 2.0, 0.0]
    assert dict(Weights.from_dense(space, [1.0, 0.0, 2.0], zeros=False)) == {"a": 1.0, "hidden": 2.0}
    with pytest.raises(PentaglotError, match="2 weights for 3 features"):
        Weights.from_dense(space, np.zeros(2))


@settings(deadline=None, max_examples=200)
@given(
    one=st.dictionaries(_names, _numbers, max_size=6),
    other=st.dictionaries(_names, _numbers, max_size=6),
    more=st.dictionaries(_names, _numbers, max_size=6),
)
def test_joined_weights_are_joined_dictionaries(
    one: dict[str, float], other: dict[str, float], more: dict[str, float]
) -> None:
    """A dictionary is the twin, its order included."""
    for weights, twin in (
        (Weights(one) | other, one | other),
        (other | Weights(one), other | one),
        (other | Weights(one) | more, other | one | more),
        (more | (other | Weights(one)), more | (other | one)),
        (more | (Weights(one) | other), more | (one | other)),
        (Weights(one) | Weights(other), one | other),
        (Weights(other | Weights(one)), other | one),
    ):
        assert list(weights.items()) == list(twin.items()) and list(weights) == list(twin) and len(weights) == len(twin)
        assert weights == Weights(twin) and all(weights[name] == value for name, value in twin.items())
        assert all(name in weights for name in twin) and weights.get("not there") is None
        space = FeatureSpace([*list(twin)[::-1], "extra"])
        assert weights.dense(space).tolist() == [twin.get(name, 0.0) for name in space.names]
        assert weights.dense(space, 1).tolist() == weights.dense(space).tolist()[1:]
        few = FeatureSpace([*list(twin)[:2], "extra"])
        assert weights.dense(few).tolist() == [twin.get(name, 0.0) for name in few.names]
        assert sorted(weights.unknown_to(few)) == sorted(set(twin) - set(few.names))


_fields = st.text("a%#0 \t.e-+_1\u0085\u2003\x1c\rü", max_size=8)


@settings(deadline=None, max_examples=300)
@given(lines=st.lists(st.builds("{} {}".format, _fields, st.sampled_from(["1", "-0.5e3", "1_0", "+2", "x", ".5", ""]))))
def test_the_quick_reader_reads_what_the_slow_one_does(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    place = tmp_path_factory.mktemp("weights") / "weights.txt"
    place.write_bytes("\n".join(lines).encode())
    try:
        expected: dict[str, float] | str = {}
        for number, line in enumerate("\n".join(lines).encode().split(b"\n"), 1):
            found = read_line(line, place, number)
            if found is not None and found[0] in expected:
                raise InputError(f"a second weight for '{found[0]}'", path=place, line=number, hint="keep one of them")
            if found is not None:
                expected[found[0]] = found[1]  # type: ignore[index]
    except InputError as error:
        expected = str(error)
    try:
        read: dict[str, float] | str = dict(Weights.open(place))
    except InputError as error:
        read = str(error)
    assert read == expected


def test_lines_are_known_of_many(tmp_path: Path) -> None:
    file = tmp_path / "weights.txt"
    file.write_text("# odd ones\n\n" + "".join(f"name{number} {number}.5\n" for number in range(3000)))
    weights = Weights.open(file) | {"name7": 1.0, "new": 2.0}
    space = FeatureSpace([name for name in weights if name != "name2000"])
    assert weights.unknown_to(space) == ["name2000"]
    assert str(weights.error("name2000", "what", "")) == f"{file}:2003: what"
    assert str(weights.error("new", "what", "")) == f"{file}: what"
    assert weights.starting_with("name299") == {f"name{n}": n + 0.5 for n in (299, *range(2990, 3000))}


def test_weights_do_not_change() -> None:
    space = FeatureSpace(["a", "b"])
    vector = np.array([1.0, 2.0])
    weights = Weights.from_dense(space, vector)
    vector[0] = 9.0
    dense = weights.dense(space)
    dense[1] = 9.0
    space.add("c")
    assert dict(weights) == {"a": 1.0, "b": 2.0} and weights.dense(space).tolist() == [1.0, 2.0, 0.0]
    assert hash(weights) == hash(Weights({"b": 2.0, "a": 1.0})) and weights != {"a": 1.0, "b": 2.0}
    assert pickle.loads(pickle.dumps({"c": 3.0} | weights)) == Weights({"c": 3.0, "a": 1.0, "b": 2.0})
