"""Normalised text is composed, tidy, and stays as it is when normalised again."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core.corpus import not_plain
from pentaglot.corpus.normalisation import normalise

from .texts import texts

MISREAD = dict(zip(range(0x80, 0xA0), "€\x81‚ƒ„\x85†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ", strict=True))


@given(texts())
def test_normal_text_is_composed_and_tidy(text: str) -> None:
    normal = normalise(text)
    assert unicodedata.is_normalized("NFC", normal)
    assert normal == " ".join(normal.split())
    assert not any(unicodedata.category(c) in ("Cc", "Cs") or unicodedata.bidirectional(c) == "B" for c in normal)
    assert normalise(normal) == normal


@given(texts())
def test_only_what_is_no_language_goes(text: str) -> None:
    def kept(line: str) -> str:
        return "".join(
            c
            for c in line.translate(MISREAD)
            if not c.isspace()
            and unicodedata.category(c) not in ("Cc", "Cs")
            and c not in "\u00ad\ufeff"
            and not (0xFDD0 <= ord(c) <= 0xFDEF or ord(c) & 0xFFFE == 0xFFFE)
        )

    assert kept(normalise(text)) == unicodedata.normalize("NFC", kept(text)) or any(c.isspace() for c in text)
    assert len(kept(normalise(text))) <= len(unicodedata.normalize("NFD", kept(text)))


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("", ""),
        ("   ", ""),
        ("a\u2028b\u2029c\u0085d\x0be\x0cf", "a b c d e f"),
        ("a\tb\r", "a b"),
        ("a\x00b\x1bc\x7f", "abc"),
        ("\x84so\x93 \x96 it\x92s \x81", "„so“ – it’s"),
        ("\ufeffa", "a"),
        ("wort\u00adtrennung", "worttrennung"),
        ("e\u0301", "é"),
        ("e\x00\u0301", "é"),
        ("\u3000日本\u3000語", "日本 語"),
        ("10\u202f000\u00a0€", "10 000 €"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\ufffe\U0010ffffb\ufdd0", "ab"),
        ("a\ud800b", "ab"),
    ],
)
def test_examples(raw: str, normal: str) -> None:
    assert normalise(raw) == normal


def test_every_plain_character_is_normal_anywhere() -> None:
    """The native list of characters that need no care agrees with Python's knowledge of Unicode."""
    alphabet = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    careful = set(not_plain(alphabet)) | {alphabet.index(" ")}
    plain = [c for number, c in enumerate(alphabet) if number not in careful]
    assert len(plain) > 30_000 and {*"aZ09.,äßéщΩ漢かハ한“€"} <= set(plain)
    for c in plain:
        assert normalise(c) == c, hex(ord(c))
        assert unicodedata.combining(c) == 0 and unicodedata.category(c) not in ("Mn", "Mc", "Me"), hex(ord(c))
    # Composed whatever stands beside: no plain character joins with a plain one before it.
    composed = "".join(plain)
    assert unicodedata.is_normalized("NFC", composed) and unicodedata.is_normalized("NFC", composed[::-1])


@given(st.lists(texts(), max_size=5))
def test_plain_lines_need_no_normalising(lines: list[str]) -> None:
    careful = set(not_plain(lines))
    for number, line in enumerate(lines):
        assert number in careful or normalise(line) == line
