"""Accelerators of menus: out of the line, and back once, into the right word."""

from __future__ import annotations

import pytest

from pentaglot.corpus import Placeables
from pentaglot.systems.accelerators import Accelerator


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("~File", "File"),
        ("E~xit", "Exit"),
        ("Save ~As...", "As"),
        ("Insert &Time", "Time"),
        ("_Open", "Open"),
        ("&Öffnen", "Öffnen"),
        ("Metni &İçe aktar", "İçe"),
        ("_Över", "Över"),
        ("~Open {0}", "Open"),
    ],
)
def test_taken_out(line: str, word: str) -> None:
    accelerator, without = Accelerator.taken_out(line, Placeables())
    assert accelerator is not None
    assert accelerator.word == word
    assert without == line.replace(accelerator.sign, "")


@pytest.mark.parametrize(
    "line",
    [
        "R&D",
        "Date & Time",
        "~5 pages",
        "a ~/x",
        "a_b",
        "&amp; more",
        "~A or ~B",
        "rock&roll",
        "&c.",
        "_ab",
        "_AB",
        "`ls ~me`",
        "plain",
    ],
)
def test_what_is_none(line: str) -> None:
    assert Accelerator.taken_out(line, Placeables()) == (None, line)


def test_scripts_without_letters_have_it_at_the_end() -> None:
    accelerator, _ = Accelerator.taken_out("~Open file...", Placeables())
    assert accelerator is not None
    words = accelerator.put_in(["打", "开", "..."], [(0,), (0,), (2,)], 0)
    assert accelerator.finished("".join(words)) == "打开(~O)..."
