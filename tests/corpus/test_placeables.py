"""What is not language: found by its kind, one word in every tokenizer, the same letters after a change of case."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot.corpus import Placeables, Tokenizer


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("%s, %1$d and %-5.2f; 30% of 100%", ["%s", "%1$d", "%-5.2f", "30", "100"]),
        ("{0} of {1}, {name}, {{x}}, ${HOME}, %(a)s, {}", ["{0}", "{1}", "{name}", "{{x}}", "${HOME}", "%(a)s", "{}"]),
        ("%*d of %.*f, %n file(s), %Ln, %L1", ["%*d", "%.*f", "%n", "%Ln", "%L1"]),
        ("%1!s! and %2!-10lu!, but %1! No!", ["%1!s!", "%2!-10lu!", "%1"]),
        ("%s%s, %d%s: %1$s%2$s, %1%2 and 5%s", ["%s", "%s", "%d", "%s", "%1$s", "%2$s", "%1", "%2", "5"]),
        ("%H:%M on %Y-%m-%d, 5%Y", ["%H", "%M", "%Y", "%m", "%d", "5"]),
        ("{time:%H:%M}, {x:%d %b}, {0:dd MMM yyyy} {note: see}", ["{time:%H:%M}", "{x:%d %b}", "{0:dd MMM yyyy}"]),
        ("100%n, %next, 5 %names", ["100", "5"]),
        ("[[x]] and [[user.name]], [[not this]], [[]], a[[", ["[[x]]", "[[user.name]]"]),
        ('<a title="b > c" x=\'>\'>d</a>, a < "b > c"', ["<a title=\"b > c\" x='>'>", "</a>"]),
        ("%FORMULA, %1, %PRODUCTNAME.", ["%FORMULA", "%1", "%PRODUCTNAME"]),
        ("$1 or $(ARG1), $[officename], $name$: $12,500", ["$1", "$(ARG1)", "$[officename]", "$name$", "12,500"]),
        ('<b>OK</b>, <a href="x y">z</a><br/>', ["<b>", "</b>", '<a href="x y">', "</a>", "<br/>"]),
        ("a < b and c > d, 1 <2> 3", ["1", "2", "3"]),
        ("See https://example.org/a?b=c&d (or www.example.org).", ["https://example.org/a?b=c&d", "www.example.org"]),
        ("Mail user@example.org, a.b+c@d-e.co.uk!", ["user@example.org", "a.b+c@d-e.co.uk"]),
        (
            "/usr/share/doc, ~/x, ../a/b, /etc or C:\\Users\\me",
            ["/usr/share/doc", "~/x", "../a/b", "/etc", "C:\\Users\\me"],
        ),
        ("and/or, On /Off, km/h", []),
        ("meta/info.xml, *.txt, read.me.html, .odt. So it is.", ["meta/info.xml", "*.txt", "read.me.html", ".odt"]),
        ("v1.2, 1.2.3-rc1, Python3.11", ["v1.2", "1.2.3-rc1"]),
        ("Run `ls -l`, then `x`", ["`ls -l`", "`x`"]),
        ("3.5, 12,345 and 1999.05-2000.12 at 10:30.", ["3.5", "12,345", "1999.05-2000.12", "10:30"]),
        ("R2D2, 2nd, A1:B2, ISO-8859-15, 3D", []),
        ("第3回は1999.05-2000.12年、R3", ["3", "1999.05-2000.12"]),
        ("هذا ٣٫٥ كيلو و ١٢٬٣٤٥, ３．５", ["٣٫٥", "١٢٬٣٤٥", "３．５"]),
        ("删除%s文件，共%1$d个，在%1!s!或%PRODUCTNAME中占30%", ["%s", "%1$d", "%1!s!", "%PRODUCTNAME", "30"]),
        ("ファイル%nを第$1章と変数$nameの%2に、50%", ["%n", "$1", "$name", "%2", "50"]),
        ("ลบ%sไฟล์ส่งถึงme@example.orgแล้ว", ["%s", "me@example.org"]),
        (r"One\nTwo\tX, \textbf, C:\new", ["\\n", "\\t", "C:\\new"]),
        ("&amp; &#13; R&D; Q&A", ["&amp;", "&#13;"]),
    ],
)
def test_kinds(line: str, found: list[str]) -> None:
    assert [each.text for each in Placeables().find(line)] == found
    assert all(line[each.start : each.end] == each.text for each in Placeables().find(line))


def test_patterns_of_ones_own_come_first() -> None:
    placeables = Placeables((r"(QX)-\d+ [A-Z]", "Acme (Inc|Ltd)"))
    found = [(each.kind, each.text) for each in placeables.find("Acme Inc 5 sells QX-77 B and QX-7.")]
    assert found == [("own", "Acme Inc"), ("number", "5"), ("own", "QX-77 B")]
    with pytest.raises(PentaglotError, match=r"'\(' is not a regular expression"):
        Placeables(("(",))
    with pytest.raises(PentaglotError, match="'x\\*' would protect nothing"):
        Tokenizer(protect=("x*",))


def test_percentages_are_the_same_on_either_side_of_the_sign() -> None:
    placeables = Placeables()
    assert placeables.of_line("30% of 2") == placeables.of_line("2'nin %30'u")
    assert placeables.of_line("30%") != placeables.of_line("30")
    assert placeables.of_line("%1") != placeables.of_line("%2")


LINE = "Say `ls -l` to <b>%FORMULA</b> (3.5 MB, 12,345) 第1999.05-2000.12回 of {0}{1}, me@example.org."


@pytest.mark.parametrize("mode", ["conservative", "aggressive", "characters"])
@pytest.mark.parametrize("casing", ["keep", "lowercase", "truecase"])
def test_each_is_one_word_and_keeps_its_letters(mode: str, casing: str) -> None:
    tokenizer = Tokenizer(mode, casing).train(["say it to me .", "of course"])  # type: ignore[arg-type]
    words = tokenizer.tokenise(LINE)
    placeables = Placeables()
    for each in placeables.find(LINE):
        assert sum(placeables.atoms(word) == (each.text,) for word in words) == 1, each
    assert tokenizer.detokenise(words) == tokenizer.normalise(LINE)
    assert placeables.of_line(tokenizer.recase(tokenizer.detokenise(words), "SAY IT")) == placeables.of_line(LINE)


def test_old_tokenizers_stay_as_they_were(tmp_path: Path) -> None:
    old = Tokenizer(placeables=False)
    assert old.tokenise("user@example.org") == ["user", "￭@￭", "example.org"]
    Tokenizer("aggressive", protect=("Q-[0-9]",)).save(tmp_path / "tokenizer")
    again = Tokenizer.open(tmp_path / "tokenizer")
    assert again == Tokenizer("aggressive", protect=("Q-[0-9]",))
    assert again.tokenise("a Q-7b") == ["a", "Q-7", "￭b"]


PIECES = st.sampled_from(
    ["a", "B.", " ", "%1", "{0}", "<b>", "</b>", "`", "10", ".5", "%", "￭", "｟", "第", "x@y.z", "/a/b"]
)


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from(["conservative", "aggressive", "characters"]))
def test_nothing_is_lost(line: str, mode: str) -> None:
    tokenizer = Tokenizer(mode)
    words = tokenizer.tokenise(line)
    assert tokenizer.detokenise(words) == tokenizer.normalise(line)
    assert not any(" " in word for word in words)


def test_capitals_beside_placeables() -> None:
    lines = ["%PRODUCTNAME Base Help", "%PRODUCTNAME Help is there.", "Open the house.", "we open it"]
    tokenizer = Tokenizer("conservative", "truecase").train(lines)
    assert tokenizer.tokenise("%PRODUCTNAME Help") == ["%PRODUCTNAME", "Help"]
    assert tokenizer.tokenise("<b>Open</b> it") == ["<b>￭", "open", "￭</b>", "it"]
    assert tokenizer.recase("<b>open</b> it", "<b>Öffnen</b>") == "<b>Open</b> it"
    assert tokenizer.recase("restart %PRODUCTNAME", "%PRODUCTNAME neu starten") == "Restart %PRODUCTNAME"
    assert tokenizer.recase("{0} files", "{0} Dateien") == "{0} files"
    assert tokenizer.recase("user@example.org writes", "Es schreibt user@example.org") == "user@example.org writes"
    assert tokenizer.recase("open {a} file", "DATEI {a} ÖFFNEN") == "OPEN {a} FILE"


@pytest.mark.parametrize(
    ("line", "placeables"),
    [
        ("%d%% done", ["%d", "%%"]),
        ("%%%d tamam", ["%%", "%d"]),
        ("%%d is no number", ["%%"]),
        ("100%%", ["100", "%%"]),
        ("{0!r} and {name:>10} and {x!s:<5.2}", ["{0!r}", "{name:>10}", "{x!s:<5.2}"]),
        ("{a<b}", []),
        ("<font color=red size=3>Stop</font>", ["<font color=red size=3>", "</font>"]),
        ("a <b and c> d", []),
    ],
)
def test_placeholders_of_other_programs(line: str, placeables: list[str]) -> None:
    assert [each.text for each in Placeables().find(line)] == placeables


@pytest.mark.parametrize(
    "part", ["[[", "[[x", "[[x]", "%1!", "%1!0", "%*", "%.*", "%L", "%n", '<a b="', '<a b=">', ' x=">"']
)
def test_hostile_lines_take_no_time_to_speak_of(part: str) -> None:
    """One of 100,000 characters takes a fraction of a second; if the time grew by its square, it would take minutes."""
    for between in ("", " "):
        line = ("<a" if part.startswith(" ") else "") + between.join([part] * (100_000 // len(part + between)))
        assert len(Placeables().find(line)) <= len(line)
