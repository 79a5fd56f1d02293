"""Options from dictionaries and TOML: every value checked, every mistake named with a way out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from pentaglot.errors import InputError, OptionError
from pentaglot.options import checked, cpu_count, read_options, read_toml, setting, settings_of, suggestion


@dataclass(frozen=True)
class Kitchen:
    minutes: int = setting(30, "how long", minimum=1, maximum=90)
    heat: Literal["low", "high"] = setting("low", "how hot")
    share: float = setting(0.5, "how much", minimum=0.0)
    covered: bool = setting(False, "with a lid")
    name: str = setting("soup", "what it is")
    seed: int | None = setting(None, "of the dice")
    spices: tuple[str, ...] = setting((), "what to add")
    below: float | None = setting(None, "a limit", maximum=3)


def test_settings() -> None:
    minutes, heat, *_, seed, spices, below = settings_of(Kitchen)
    assert (minutes.name, minutes.type, minutes.default, minutes.help) == ("minutes", int, 30, "how long")
    assert (minutes.minimum, minutes.maximum, minutes.optional, minutes.choices) == (1, 90, False, None)
    assert heat.choices == ("low", "high") and heat.type is str
    assert seed.optional and seed.type is int and below.optional and below.type is float
    assert spices.type == tuple[str, ...]


def test_defaults_and_values() -> None:
    assert read_options(Kitchen, {}) == Kitchen()
    given = {"minutes": 90, "heat": "high", "share": 1, "covered": True, "seed": 3, "spices": ["salt"], "below": 3}
    kitchen = read_options(Kitchen, given)
    assert kitchen == Kitchen(90, "high", 1.0, True, "soup", 3, ("salt",), 3.0)
    assert isinstance(kitchen.share, float)
    assert read_options(Kitchen, {"seed": None}).seed is None


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"minuts": 3}, "unknown option 'minuts'; did you mean 'minutes'"),
        ({"zzz": 3}, "unknown option 'zzz'; known: below, covered, heat"),
        ({"minutes": 0}, "option 'minutes' is 0; it must be from 1 to 90"),
        ({"minutes": 91}, "from 1 to 90"),
        ({"minutes": 2.5}, "option 'minutes' must be a whole number, not 2.5"),
        ({"minutes": True}, "must be a whole number, not True"),
        ({"minutes": None}, "must be a whole number, not None"),
        ({"share": -0.1}, "it must be at least 0"),
        ({"share": float("nan")}, "it must be at least 0"),
        ({"share": float("inf")}, "option 'share' is inf; it must be a finite number"),
        ({"share": True}, "must be a number"),
        ({"below": 4}, "it must be at most 3"),
        ({"heat": "hihg"}, "option 'heat' cannot be 'hihg'; did you mean 'high'"),
        ({"heat": ["low"]}, "option 'heat' cannot be"),
        ({"covered": 1}, "must be true or false"),
        ({"name": 7}, "must be a string"),
        ({"seed": "3"}, "must be a whole number, not '3'"),
        ({"spices": "salt"}, "must be a list"),
        ({"spices": [1]}, "option 'spices' holds 1; every entry must be a string"),
    ],
)
def test_mistakes(values: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_options(Kitchen, values, path="kitchen.toml")
    assert str(caught.value).startswith("kitchen.toml: ")
    assert complaint in str(caught.value)


def test_numbers_and_paths_of_other_libraries(tmp_path: Path) -> None:
    """A program computes its options; their types need not be Python's own."""

    @dataclass(frozen=True)
    class Options:
        seed: int = setting(1, "")
        share: float = setting(0.5, "", maximum=1.0)
        seeds: tuple[int, ...] = setting((), "", maximum=9)
        shares: tuple[float, ...] = setting((), "")
        file: str | None = setting(None, "")

    given = Options(np.int64(3), np.float32(0.25), (np.int32(4), 5), (np.float32(0.5), 1), tmp_path)  # type: ignore[arg-type]
    found = checked(given)
    assert found == Options(3, 0.25, (4, 5), (0.5, 1.0), str(tmp_path))
    values = [found.seed, found.share, *found.seeds, *found.shares, found.file]
    assert [type(each) for each in values] == [int, float, int, int, float, float, str]
    for wrong, complaint in (
        (Options(seeds=(np.int64(10),)), "'seeds' is 10; it must be at most 9"),  # type: ignore[arg-type]
        (Options(seeds=(True,)), "'seeds' holds True; every entry must be a whole number"),
        (Options(seeds=(1.5,)), "'seeds' holds 1.5; every entry"),  # type: ignore[arg-type]
        (Options(share=True), "'share' must be a number, not True"),
        (Options(share=np.float32(np.nan)), "'share' is nan"),  # type: ignore[arg-type]
    ):
        with pytest.raises(OptionError, match=complaint):
            checked(wrong)


def test_hyphens_are_underscores() -> None:
    @dataclass(frozen=True)
    class Options:
        two_words: int = setting(1, "a name of two words")

    assert read_options(Options, {"two-words": 5}) == Options(5)


def test_toml(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[kitchen]\nminutes = 5\n")
    assert read_toml(file) == {"kitchen": {"minutes": 5}}
    file.write_bytes(b"\xef\xbb\xbf[kitchen]\r\nminutes = 5\r\n")  # as editors of Windows write
    assert read_toml(file) == {"kitchen": {"minutes": 5}}
    for content, complaint in (
        (b"minutes = \n", r"a\.toml:1: is not valid TOML: Invalid value \(column 11\)$"),
        (b"minutes = [", r"a\.toml: is not valid TOML: Invalid value \(at end of document\)"),
        (b"\xef\xbb\xbf# salt\r\nname = '\xff'", r"a\.toml:2: is not valid TOML: it is not text in UTF-8"),
        (b"[a]\n[b]\n[a]\n", r"a\.toml:3: is not valid TOML: Cannot declare \('a',\) twice \(column 3\)$"),
    ):
        file.write_bytes(content)
        with pytest.raises(InputError, match=complaint):
            read_toml(file)
    with pytest.raises(InputError, match="no such file"):
        read_toml(tmp_path / "b.toml")


def test_suggestion() -> None:
    assert suggestion("hmn", ["hmm", "ibm1"]) == "did you mean 'hmm'?"
    assert suggestion("x", ["b", "a"]) == "known: a, b"


def test_processors() -> None:
    assert cpu_count() >= 1


def test_names_of_a_registry_are_asked_for_when_they_are_needed() -> None:
    known = ["oak"]

    @dataclass(frozen=True)
    class Planting:
        tree: str = setting("oak", "what to plant", known=lambda: known)

    with pytest.raises(OptionError, match="there is no tree 'elm'; known: oak"):
        read_options(Planting, {"tree": "elm"})
    known.append("elm")
    assert read_options(Planting, {"tree": "elm"}) == checked(Planting("elm")) == Planting("elm")
    with pytest.raises(OptionError, match="trees.toml: there is no tree 'elk'; did you mean 'elm'"):
        read_options(Planting, {"tree": "elk"}, path="trees.toml")
    with pytest.raises(OptionError, match="option 'tree' must be a string, not 3"):
        checked(Planting(3))  # type: ignore[arg-type]
