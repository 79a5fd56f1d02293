"""Casing is learnt where a capital means something, and given back where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.casing import Truecaser, recase

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


@pytest.mark.parametrize(
    ("line", "like", "expected"),
    [
        ("der Mann.", None, "Der Mann."),
        ("der Mann. das Haus! „ja?“", None, "Der Mann. Das Haus! „Ja?“"),
        ("z.B. der Mann usw. und so: der", None, "Z.B. der Mann usw. und so: der"),
        ("iPhone kommt", None, "iPhone kommt"),
        ("open file", "datei öffnen", "open file"),
        ("open file", "Datei öffnen", "Open file"),
        ("open file", "DATEI ÖFFNEN", "OPEN FILE"),
        ("open file", "X", "Open file"),
        ("open file", "123 …", "Open file"),
        ("ǆ", None, "ǅ"),
        ("ß", None, "Ss"),
        ("“so,” he said", None, "“So,” he said"),
    ],
)
def test_recasing(line: str, like: str | None, expected: str) -> None:
    assert recase(line, like) == expected


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


def test_dotted_and_dotless() -> None:
    lines = ["Bu ikinci ışık.", "Işık ile ikinci İstanbul ışığı.", "Ilık su İzmir'den."]
    tokenizer = Tokenizer("conservative", "truecase").train(lines)
    assert tokenizer.language == "tr"
    assert tokenizer.tokenise("İkinci ışık.") == ["ikinci", "ışık", "￭."]
    assert tokenizer.tokenise("Işık yok.") == ["ışık", "yok", "￭."]
    assert tokenizer.recase("ikinci ışık.", "Second light.") == "İkinci ışık."
    assert tokenizer.recase("ışık ikinci", "THE LIGHT") == "IŞIK İKİNCİ"
    lowered = Tokenizer("conservative", "lowercase", language="tr-TR").train(["Das ist IBM."])
    assert lowered.tokenise("IŞIK İLE") == ["ışık", "ile"]


def test_the_language_that_is_said_counts(tmp_path: Path) -> None:
    lines = ["Kullanıcı dosyayı açar.", "Bir IT kullanıcısı."]
    assert Tokenizer("conservative", "truecase", language="de").train(lines).recase("ikinci", "Two") == "Ikinci"
    turkish = Tokenizer("conservative", "truecase").train(lines)
    turkish.save(tmp_path / "tokenizer")
    assert Tokenizer.open(tmp_path / "tokenizer") == turkish
    assert Tokenizer.open(tmp_path / "tokenizer").recase("ikinci", "Two") == "İkinci"
    assert Tokenizer("conservative", "truecase").train(["I like it."]).language is None


def test_scripts_without_capitals_give_no_hint(tmp_path: Path) -> None:
    large = Tokenizer("conservative", "truecase").train(["The house.", "A man."])
    small = Tokenizer("conservative", "truecase").train(["open the file", "close it"])
    assert large.recase("open it", "打开。") == "Open it"
    assert small.recase("open it", "打开。") == "open it"
    assert small.recase("open it", "Öffnen") == "Open it"
    small.save(tmp_path / "tokenizer")
    assert Tokenizer.open(tmp_path / "tokenizer").recase("open it", "打开。") == "open it"
