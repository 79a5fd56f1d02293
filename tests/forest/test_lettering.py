"""Words in pictures: harmless whatever they hold, and never wider than thought."""

from __future__ import annotations

import html
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.forest.lettering import is_right_to_left, safe, shortened, width


@given(st.text())
def test_safe_text_is_xml_and_says_the_same(text: str) -> None:
    written = safe(text)
    assert not set(written) & set("<>\"'")
    read = ElementTree.fromstring(f"<a>{written}</a>").text or ""
    assert read == html.unescape(written)
    assert len(read) == len(text)
    assert all(one in (other, "\ufffd") for one, other in zip(read, text, strict=True))


@given(st.text(), st.integers(1, 30))
def test_short_enough(text: str, longest: int) -> None:
    short = shortened(text, longest)
    assert len(short) <= longest
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]) and len(text) > longest)


@given(st.text(), st.text())
def test_widths_add_up(one: str, other: str) -> None:
    assert abs(width(one + other, 10) - width(one, 10) - width(other, 10)) < 1e-6
    assert abs(width(one, 20) - 2 * width(one, 10)) < 1e-6


def test_marks_take_no_room() -> None:
    assert width("a\u0301") == width("a")
    assert width("\u200d") == 0


def test_directions() -> None:
    assert is_right_to_left("والأرض (1)")
    assert not is_right_to_left("the word שלום here")
    assert not is_right_to_left("")
