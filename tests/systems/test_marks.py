"""Marks in a line: markup that is escaped, glossaries that find whole words, and clear complaints."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot.corpus.case_mapping import CaseMapping
from pentaglot.systems import Fixed, Glossary, read_markup
from pentaglot.systems.marks import check_marks

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12)


@given(st.lists(st.tuples(TEXTS, TEXTS.filter(str.strip), st.none() | TEXTS), max_size=4), TEXTS)
def test_what_is_escaped_comes_back(parts: list[tuple[str, str, str | None]], end: str) -> None:
    text, line, marks = "", "", []
    for before, inside, translation in parts:
        line += before
        marks.append(Fixed(len(line), len(line) + len(inside), inside if translation is None else translation))
        line += inside
        opening = "<keep>" if translation is None else f'<fix translation="{html.escape(translation)}">'
        closing = "</keep>" if translation is None else "</fix>"
        text += html.escape(before) + opening + html.escape(inside) + closing
    # An entity that is in the text itself is escaped once more, so it comes back as it was.
    assert read_markup(text + html.escape(end)) == (line + end, marks)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ein <keep>Haus", r"'<keep>' is never closed \(column 5\)"),
        ("ein Haus</keep>", r"'</keep>' closes nothing \(column 9\)"),
        ('<fix translation="x">Haus</keep>', r"'</keep>' closes nothing"),
        ("<keep>ein <keep>Haus</keep></keep>", r"'<keep>' inside another mark \(column 11\)"),
        ("<keep> </keep>", "nothing is between"),
        ("a < b", r"'<' is not valid markup \(column 3\); write '&lt;' for the sign itself"),
        ("<b>fett</b>", "'<b>fett</b>' is not valid markup"),
        ("<fix>Haus</fix>", "'<fix>Haus</fix>' is not valid markup"),
        ("Max & Moritz", "'&' is not valid markup.* write '&amp;' for the sign itself"),
        ("&nbsp;", "'&nbsp;' is not valid markup"),
        ('<fix translation="R&B">Musik</fix>', "'&B\">Musik</fix>' is not valid markup"),
    ],
)
def test_mistakes_in_markup(text: str, complaint: str) -> None:
    with pytest.raises(PentaglotError, match=f"a.txt, line 7: {complaint}|a.txt:7: {complaint}"):
        read_markup(text, path="a.txt", line=7)


def test_marks_must_fit() -> None:
    assert check_marks("ein Haus", [Fixed(4, 8, "b"), Fixed(0, 3, "a")]) == [Fixed(0, 3, "a"), Fixed(4, 8, "b")]
    for wrong in ([Fixed(4, 4, "x")], [Fixed(-1, 2, "x")], [Fixed(4, 9, "x")], [Fixed(3, 4, "x")]):
        with pytest.raises(PentaglotError, match="a fixed part goes from"):
            check_marks("ein Haus", wrong)
    with pytest.raises(PentaglotError, match="two fixed parts overlap at character 2"):
        check_marks("ein Haus", [Fixed(0, 3, "x"), Fixed(2, 8, "y")])


def test_glossaries_find_whole_words_and_the_longest() -> None:
    glossary = Glossary({"New York": "NYC", "New": "neu", "Rat": "council", "東京": "Tokyo", "C++": "C++"})

    def found(line: str) -> list[tuple[str, str]]:
        return [(line[mark.start : mark.end], mark.translation) for mark in glossary.marks(line)]

    assert found("Rathaus Rat, Rat-Haus") == [("Rat", "council"), ("Rat", "council")]
    assert found("New York und New") == [("New York", "NYC"), ("New", "neu")]
    assert found("私は東京に") == [("東京", "Tokyo")]
    assert found("(C++)") == [("C++", "C++")]
    assert found("") == []
    line = "New York"
    assert glossary.marks(line, [Fixed(4, 8, "x")]) == [Fixed(0, 3, "neu", cased=True)]


def test_glossary_files(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("Haus\thouse\n\nalter Mann \t old man\n", "utf-8")
    assert Glossary.open(path).terms == {"Haus": "house", "alter Mann": "old man"}
    path.write_text("Haus\thouse\nBuch\n", "utf-8")
    with pytest.raises(PentaglotError, match="a line needs a term, a tab and its translation") as problem:
        Glossary.open(path)
    assert "terms.tsv" in str(problem.value) and "2" in str(problem.value)
    path.write_text("Haus\thouse\nHaus\thome\n", "utf-8")
    with pytest.raises(PentaglotError, match="'Haus' already has another translation"):
        Glossary.open(path)
    path.write_text("BMW\n\n New York \n", "utf-8")
    kept = Glossary.open_kept(path)
    assert kept.terms == {"BMW": "BMW", "New York": "New York"}
    assert (Glossary({"BMW": "x", "y": "z"}) | kept).terms == {"BMW": "BMW", "y": "z", "New York": "New York"}


def test_terms_match_whatever_their_case() -> None:
    glossary = Glossary({"file menu": "dosya menüsü", "it": "bilişim", "NATO": "Nordatlantikpakt", "Rat": "council"})

    def found(line: str, letters: CaseMapping | None = None) -> list[str]:
        return [mark.translation for mark in glossary.marks(line, letters=letters)]

    assert found("The File menu, the FILE MENU") == ["Dosya menüsü", "DOSYA MENÜSÜ"]
    assert found("IT", CaseMapping(dotted=True)) == ["BİLİŞİM"]
    assert found("NATO, Nato, nato") == ["Nordatlantikpakt"] * 3
    assert found("rat RAT Rat") == ["council", "COUNCIL", "council"]
    both = Glossary({"march": "yürümek", "March": "mart"})
    assert [mark.translation for mark in both.marks("march in March, MARCH")] == ["yürümek", "mart", "YÜRÜMEK"]
    kept = Glossary({"iPhone": "iPhone"})
    assert [mark.translation for mark in kept.marks("iphone IPHONE")] == ["iphone", "IPHONE"]
