"""What counts as UTF-8 natively is what Python can decode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core.base import is_utf8


def _decodable(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# Bytes at the borders of what may follow what, among others.
_BORDERS = b"\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"


@pytest.mark.parametrize("length", [0, 1, 2])
def test_all_short_sequences(length: int) -> None:
    for number in range(256**length):
        text = number.to_bytes(length, "big")
        assert is_utf8(text) == _decodable(text), text


@given(st.lists(st.sampled_from(_BORDERS), max_size=24).map(bytes))
def test_sequences_at_the_borders(text: bytes) -> None:
    assert is_utf8(text) == _decodable(text)


@given(st.text(max_size=40), st.binary(max_size=3), st.text(max_size=40))
def test_texts_with_something_between(before: str, between: bytes, after: str) -> None:
    text = before.encode() + between + after.encode()
    assert is_utf8(text) == _decodable(text)


def test_every_character() -> None:
    everything = "".join(chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000).encode()
    assert is_utf8(everything)
    assert not is_utf8(everything[:-1])
