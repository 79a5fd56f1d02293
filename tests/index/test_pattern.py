"""Patterns as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.index.pattern import literal, parse_pattern, readings

_PIECES = ["X", "Y2", "...", "…", "\\", "a", "彼", "。", ",", ".", '"', " ", "\u00a0", "\t"]


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("nicht nur X, sondern auch Y", ["nicht nur", None, ", sondern auch", None]),
        ("nicht  nur\tX", ["nicht  nur", None]),
        ("... und …", [None, "und", None]),
        ("X-Strahl X1. a", ["X-Strahl", None, ". a"]),
        (r"Plan \X, oder \\X? \X", [r"Plan X, oder \X? X"]),
        (r"a \... b ... c", ["a ... b", None, "c"]),
        ("Ja... ja", ["Ja... ja"]),
        ("彼は…ない", ["彼は", None, "ない"]),
        (r"彼は\…ない", ["彼は…ない"]),
        ("aXb 彼Xb", ["aXb 彼Xb"]),
    ],
)
def test_gaps_and_texts(pattern: str, parts: list[str | None]) -> None:
    assert parse_pattern(pattern) == parts


@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=8).map("".join))
def test_any_text_can_be_written_as_a_pattern(text: str) -> None:
    if text.strip():
        assert parse_pattern(literal(text)) == [text.strip()]


@pytest.mark.parametrize("pattern", ["", "X", "X ... Y", "a X Y b", "  "])
def test_what_cannot_be_looked_for(pattern: str) -> None:
    with pytest.raises(PentaglotError, match="no word|side by side"):
        parse_pattern(pattern)


def test_text_is_tried_before_anything_is_taken_freely() -> None:
    assert list(readings("a ... b")) == [(["a", None, "b"], True), (["a ... b"], True), (["a", None, "b"], False)]
    assert list(readings("a b")) == [(["a b"], True), (["a b"], False)]
