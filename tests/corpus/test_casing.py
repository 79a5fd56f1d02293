"""Capitals are given back where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.casing import recase


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
        ("exit (&X)", "退出(&X)", "Exit (&X)"),
        ("he works at IBM, now", "他在IBM，现在", "He works at IBM, now"),
        ("he works at IBM", "هو يعمل في IBM", "He works at IBM"),
        ("mauʻi", "MAUI, HAWAIʻI", "MAUʻI"),
        ("open file", "123 …", "Open file"),
        ("ǆ", None, "ǅ"),
        ("ß", None, "Ss"),
        ("“so,” he said", None, "“So,” he said"),
    ],
)
def test_recasing(line: str, like: str | None, expected: str) -> None:
    assert recase(line, like) == expected


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
