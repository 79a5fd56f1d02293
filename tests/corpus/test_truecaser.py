"""Casing is learnt where a capital means something."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from pentaglot.corpus.truecaser import Truecaser

from .texts import texts

CORPUS = [
    "Der Mann sieht das Haus. Das Haus ist alt.",
    "Heute sieht der Mann die NATO.",
    "Sie sagte: „Der iPhone kommt.“ Und der Mann ging.",
    "ALLES IN GROSSEN BUCHSTABEN ZÄHLT NICHT",
    "Weil der Weg weit ist, geht Weg nicht weg vom Weg.",
    "Er mag das Das, das Das aber das.",
]


@pytest.fixture(scope="module")
def truecaser() -> Truecaser:
    return Truecaser.train(CORPUS)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Der Mann", "der Mann"),
        ("Mann, der Weg.", "Mann, der Weg."),
        ("Haus. Der Mann! „Das Haus?“ Heute", "Haus. der Mann! „das Haus?“ Heute"),
        ("(Das Haus)", "(das Haus)"),
        ("NATO sieht", "NATO sieht"),
        ("DAS alte", "DAS alte"),
        ("DAS HAUS DER NATO", "das Haus der NATO"),
        ("das Haus", "das Haus"),
        ("Unbekannt ist das", "Unbekannt ist das"),
        ("", ""),
        ("...", "..."),
        ("Sagt: Der Mann", "Sagt: der Mann"),
    ],
)
def test_truecasing(truecaser: Truecaser, line: str, expected: str) -> None:
    assert truecaser.truecase(line) == expected


def test_restoring(truecaser: Truecaser) -> None:
    assert truecaser.restore("der mann sieht die nato") == "der Mann sieht die NATO"


@given(texts())
def test_only_case_changes(text: str) -> None:
    truecaser = Truecaser.train(CORPUS)
    assert truecaser.truecase(text).lower() == text.lower()
    assert truecaser.truecase(truecaser.truecase(text)) == truecaser.truecase(text)


def test_ties_are_broken_by_spelling_not_by_order() -> None:
    one = Truecaser.train(["x Weg weg", "x weg Weg"])
    other = Truecaser.train(["x weg Weg", "x Weg weg"])
    assert one == other and one.restore("weg") == "Weg"


def test_storage(tmp_path: Path, truecaser: Truecaser) -> None:
    truecaser.save(tmp_path / "casing")
    assert Truecaser.open(tmp_path / "casing") == truecaser and len(truecaser) > 10
    Truecaser({}).save(tmp_path / "nothing")
    assert Truecaser.open(tmp_path / "nothing") == Truecaser({})
