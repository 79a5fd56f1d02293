"""Marked words in the terminal: in colour, or in brackets where there is none."""

from __future__ import annotations

from pentaglot.cli.marked import marked

WORDS = ["er", "geht", "nicht", "nur", "heute", "￭."]


def test_brackets_hold_words_that_stand_together() -> None:
    assert marked(WORDS, {2, 3, 5}, coloured=False).plain == "er geht [nicht nur] heute[.]"


def test_colour_adds_no_character() -> None:
    line = marked(WORDS, {1, 3}, coloured=True)
    assert line.plain == "er geht nicht nur heute."
    assert [line.plain[span.start : span.end] for span in line.spans if span.style == "bold yellow"] == ["geht", "nur"]


def test_of_a_long_sentence_only_what_is_near() -> None:
    line = marked([f"w{number}" for number in range(200)], {100}, coloured=False).plain
    assert "[w100]" in line and line.startswith("… ") and line.endswith(" …") and "w0 " not in line
