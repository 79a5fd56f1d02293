"""Words as written: put together they are the text again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Tokenizer
from pentaglot.explain.surface import as_written, near

LINES = ["»Halt!«, rief er (z.B. um 10.30 Uhr).", "Die Straße, die STRASSE", "a￭b ▁ ｟c｠", "İstanbul'da x"]


@given(st.one_of(st.sampled_from(LINES), st.text(st.characters(exclude_categories=["Cs"]))))
def test_text_is_kept(line: str) -> None:
    for casing in ("keep", "lowercase"):
        tokenizer = Tokenizer(casing=casing)
        words = tokenizer.tokenise(line)
        text = tokenizer.normalise(line)
        assert "".join(before + word for before, word in as_written(words, text)) == text


def test_spaces_and_capitals_come_from_the_text() -> None:
    assert as_written(["da", "￭,"], "Da  ,") == [("", "Da"), (" ", ",")]
    assert as_written(["第", "3", "回"], "第3回") == [("", "第"), ("", "3"), ("", "回")]
    assert as_written([], "") == []


def test_tags_and_accelerators_that_were_taken_out() -> None:
    line = "<p>Save <b>~As</b> <i>now</i> .</p>"
    written = as_written(["save", "as", "now", "."], line)
    assert "".join(before + word for before, word in written) == line
    assert [word for _, word in written] == ["Save", "~As", "now", ".", ""]
    assert as_written(["<b>", "x"], "<b> x") == [("", "<b>"), (" ", "x")]


def test_scripts_without_spaces() -> None:
    words = ["彼", "は", "IBM", "に", "行", "っ", "た", "。", "He", "left", "￭."]
    assert "".join(before + word for before, word in as_written(words, "")) == "彼はIBMに行った。He left."


def test_another_text_does_not_confuse() -> None:
    for text in ("Da war er nicht", "Da", "", "Dawar"):
        assert as_written(["da", "war￭", "(￭", "x"], text) == [("", "da"), (" ", "war"), ("", "("), ("", "x")]


@given(st.integers(1, 300), st.data())
def test_what_matters_is_near(length: int, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, length - 1), min_size=1))
    shown = near(["x"] * length, places)
    assert set(places) <= set(shown)
    assert length > 45 or len(shown) == length
    assert len(shown) <= max(45, max(places) - min(places) + 31)
