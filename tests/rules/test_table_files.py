"""Tables as text: nothing is lost there and back, odd words are safe, and bad lines are named."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.tables import Pair, bitexts, contents, encoded
from tests.rules.test_extraction import files, large

from pentaglot._core.rules import escaped, unescaped
from pentaglot.errors import InputError, OptionError, OutputError
from pentaglot.rules import (
    RuleOptions,
    Table,
    TableRules,
    TextOptions,
    export_table,
    extract_table,
    feature_space,
    import_table,
)

MOSES = """\
das ||| the ||| 0.5 0.25 0.8 0.0263158 ||| 0-0 ||| 4 5 2
das Haus ||| the house ||| 1 0.5 1 1e-09 ||| 0-0 1-1 ||| 1 1 1
das Haus ||| house ||| 0.1 0.01 0.5 0 ||| 1-0 ||| 10 2 1
"""
CDEC = """\
[X] ||| nicht [X,1] ||| not [1] ||| a=-0.5 b/c=2 ||| 0-0
[X] ||| nicht [X,1] auch [X,2] ||| [2] also [1] ||| a=0.125 b/c=0
"""
JOSHUA = """\
[X] ||| nicht [X,1] ||| not [X,1] ||| -0.5 2 ||| 0-0
[X] ||| nicht [X,1] auch [X,2] ||| [X,2] also [X,1] ||| 0.125 0
"""


def lines(text: str) -> list[str]:
    return sorted(text.splitlines())


@pytest.mark.parametrize(("text", "form"), [(MOSES, "moses"), (CDEC, "cdec"), (JOSHUA, "joshua")])
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_there_and_back(tmp_path: Path, text: str, form: str, ending: str) -> None:
    file, again, third = (tmp_path / f"{name}.{form}{ending}" for name in ("given", "again", "third"))
    file.write_bytes(gzip.compress(text.encode()) if ending else text.encode())
    table = import_table(file, tmp_path / "table")
    export_table(table, again)
    written = gzip.decompress(again.read_bytes()).decode() if ending else again.read_text("utf-8")
    assert lines(written) == lines(text)
    second = import_table(again, tmp_path / "second")
    export_table(second, third)
    assert third.read_bytes() == again.read_bytes()
    assert files_but_facts(tmp_path / "second") == files_but_facts(tmp_path / "table")
    export_table(second, tmp_path / "unnamed")  # in the format that fits
    assert lines((tmp_path / "unnamed").read_text()) == lines(
        CDEC.replace("a=", "score1=").replace("b/c=", "score2=") if form == "joshua" else text
    )
    renamed = tmp_path / "any-name"
    renamed.write_text(text)
    import_table(renamed, tmp_path / "guessed")
    assert files_but_facts(tmp_path / "guessed") == files_but_facts(tmp_path / "table")


def files_but_facts(path: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(path).items() if name != "contents.toml"}


@settings(max_examples=40, deadline=None)
@given(bitexts(), st.booleans())
def test_extracted_tables_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair], gaps: bool
) -> None:
    folder = tmp_path_factory.mktemp("there-and-back")
    rules = RuleOptions(max_span=6, max_gaps=2 if gaps else 0, min_gap=1, reordering=not gaps)
    table = extract_table(encoded(pairs), folder / "table", rules)
    if len(table) == 0:
        return
    for form in ("cdec", "joshua") if gaps else ("cdec", "joshua", "moses"):
        every = tuple(table.features)
        out = TextOptions(format=form, features=every)  # type: ignore[arg-type]
        oriented = None if gaps else folder / "orientations"
        export_table(table, folder / form, out, reordering=oriented)
        back = TextOptions(format=form, features=() if form == "cdec" else every)  # type: ignore[arg-type]
        again = import_table(folder / form, folder / f"{form}.table", back, reordering=oriented)
        assert contents(again, folder) == contents(table, folder)  # every value the same float
        assert again.has_reordering == (not gaps)
        export_table(again, folder / f"{form}.again", out, reordering=None if gaps else folder / "orientations.again")
        if form == "moses":
            assert lines((folder / "moses.again").read_text()) == lines((folder / "moses").read_text())
        if not gaps:
            assert lines((folder / "orientations.again").read_text()) == lines((folder / "orientations").read_text())


def test_large_table_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pentaglot.rules import making, table_files, table_reading

    table = extract_table(encoded(large(40)), tmp_path / "table")
    monkeypatch.setattr(table_reading, "_RUN_BYTES", 1000)
    monkeypatch.setattr(making, "_RUN_BYTES", 1000)
    monkeypatch.setattr(making, "_RULES_AT_ONCE", 10)
    monkeypatch.setattr(table_files, "_WRITE_BYTES", 100)
    export_table(table, tmp_path / "text.cdec.gz")
    again = import_table(tmp_path / "text.cdec.gz", tmp_path / "again")
    assert contents(again, tmp_path) == contents(table, tmp_path)


ODD = ["|||", "|", "[X,1]", "[X]", "&", "&amp;", "&#124;", "<s>", "'s", '"', "a|b", "日本", "[", "X1"]


@pytest.mark.parametrize("form", ["moses", "cdec", "joshua"])
def test_odd_words(tmp_path: Path, form: str) -> None:
    pairs: list[Pair] = [([word, "und"], ["and", word], [(0, 1), (1, 0)]) for word in ODD]
    table = extract_table(encoded(pairs), tmp_path / "table", RuleOptions(max_gaps=0))
    options = TextOptions(format=form, features=("translation",))  # type: ignore[arg-type]
    export_table(table, tmp_path / "text", options)
    back = TextOptions(format=form, features=() if form == "cdec" else ("translation",))  # type: ignore[arg-type]
    again = import_table(tmp_path / "text", tmp_path / "again", back)
    assert all(again.source_vocabulary.find(word) for word in ODD)
    assert len(again) == len(table)
    with pytest.raises(OutputError, match="cannot be written without escaping"):
        export_table(table, tmp_path / "raw", TextOptions(format=form, escaping="none"))  # type: ignore[arg-type]
    assert not (tmp_path / "raw").exists()


@given(st.text())
def test_escaping(word: str) -> None:
    assert unescaped(escaped(word)) == word
    assert not set("|<>'\"[]") & set(escaped(word))


def test_words_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "table.moses").write_text("l'eau ||| the &apos; ||| 0.5 ||| 0-0 |||  ||| |||\n")
    options = TextOptions(escaping="none", features=("translation",))
    table = import_table(tmp_path / "table.moses", tmp_path / "table", options)
    assert table.target_vocabulary.find("&apos;")
    export_table(table, tmp_path / "again.moses", options)
    assert (tmp_path / "again.moses").read_text() == "l'eau ||| the &apos; ||| 0.5 ||| 0-0\n"


def test_gaps_may_be_numbered_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "a.cdec").write_text("[X] ||| [X,2] a [X,1] ||| [X,1] b [2] ||| f=1 ||| 1-1\n")
    (tmp_path / "b.cdec").write_text("[X] ||| [X] a [X] ||| [2] b [1] ||| f=1 ||| 1-1\n")
    tables = [import_table(tmp_path / f"{name}.cdec", tmp_path / name) for name in "ab"]
    assert (
        contents(tables[0], tmp_path)
        == contents(tables[1], tmp_path)
        == {("X1 a X2", "X2 b X1"): ({"f": 1}, ((1, 1),))}
    )


def test_reordering_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "table.moses").write_text(MOSES)
    text = "das ||| the ||| 0.5 0.25 0.25 0.2 0.2 0.6\nnein ||| no ||| 1 0 0 1 0 0\n"
    (tmp_path / "orientations").write_text(text)
    with caplog.at_level(logging.WARNING):
        table = import_table(tmp_path / "table.moses", tmp_path / "table", reordering=tmp_path / "orientations")
    assert "2 of 3 rules are not in" in caplog.text
    export_table(table, tmp_path / "again.moses", reordering=tmp_path / "again")
    written = (tmp_path / "again").read_text().splitlines()
    assert "das ||| the ||| 0.5 0.25 0.25 0.2 0.2 0.6" in written
    assert len(written) == 3


BAD = {
    "moses": [
        ("das ||| the", "at least 3 fields"),
        ("das ||| the ||| 0.5 x", "'x' is not a number"),
        ("das ||| the ||| -0.5 1", "'-0.5' is not a probability"),
        ("das ||| the ||| nan 1", "'nan' is not a number"),
        ("das ||| the ||| 1e999 1", "'1e999' is not a number"),
        ("das ||| the ||| 0.5", "1 scores here, but 2 on the first line"),
        (" ||| the ||| 0.5 1", "the source side has no words"),
        ("das ||| the ||| 0.5 1 ||| 0-1", "the link 0-1 points outside the rule"),
        ("das ||| the ||| 0.5 1 ||| 0:0", "a link looks like 0-1, not like '0:0'"),
        ("das ||| the ||| 0.5 1 ||| 0-0 ||| 1 2 3 4", "more than three counts"),
        ("das ||| the ||| 0.5 1 ||| 0-0 ||| -1", "'-1' is not a count"),
        ("das ||| the ||| 0.5 1 ||| 0-0 ||| 1 ||| sparse=1", "one field too many"),
        ("das [X][X] [X] ||| the [X][X] [X] ||| 0.5 1", "a grammar of Moses"),
        ("a " * 251 + "||| the ||| 0.5 1", "more than 250 words"),
    ],
    "cdec": [
        ("das ||| the ||| a=1", "begins with [X], not with 'das '"),
        ("[NP] ||| das ||| the ||| a=1", "begins with [X]"),
        ("[X] ||| das [NP,1] ||| the [1] ||| a=1", "a label other than X"),
        ("[X] ||| das [X,1] ||| the ||| a=1", "the target side lacks a gap"),
        ("[X] ||| das ||| the [1] ||| a=1", "the source side lacks the gap '[1]'"),
        ("[X] ||| [X,1] das [X,1] ||| the [1] ||| a=1", "occurs twice on the source side"),
        ("[X] ||| [X,1] das ||| [1] the [1] ||| a=1", "occurs twice on the target side"),
        ("[X] ||| [X,1] ||| [1] ||| a=1", "the source side has no words"),
        ("[X] ||| das ||| [x] ||| a=1", "'[x]' is not a gap"),
        ("[X] ||| das ||| the ||| a", "a feature looks like name=value"),
        ("[X] ||| das ||| the ||| a=1 a=2", "'a' occurs twice"),
        ("[X] ||| das ||| the ||| a=inf", "'inf' is not a number"),
        ("[X] ||| " + "[X,1] a [X,2] a [X,3] a [X,4] a [X,5] a [X,6] a [X,7] ||| a ||| a=1", "at most 6 gaps"),
    ],
    "joshua": [("[X] ||| das ||| the ||| 1 a=2", "'a=2' is not a number")],
}
GOOD = {"moses": "a ||| b ||| 1 1\n", "cdec": "[X] ||| a ||| b ||| a=1\n", "joshua": "[X] ||| a ||| b ||| 1 1\n"}


@pytest.mark.parametrize(
    ("form", "line", "message"), [(form, *bad) for form, all_bad in BAD.items() for bad in all_bad]
)
def test_bad_lines(tmp_path: Path, form: str, line: str, message: str) -> None:
    file = tmp_path / f"table.{form}"
    file.write_text(GOOD[form] + line + "\n" + GOOD[form])
    with pytest.raises(InputError) as caught:
        import_table(file, tmp_path / "table")
    assert caught.value.path == file and caught.value.line == 2
    assert message in caught.value.message
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_bad_files(tmp_path: Path) -> None:
    (tmp_path / "empty.moses").write_text("\n \n")
    with pytest.raises(InputError, match=r"empty\.moses: has no rules"):
        import_table(tmp_path / "empty.moses", tmp_path / "table")
    with pytest.raises(InputError, match="no such file"):
        import_table(tmp_path / "none", tmp_path / "table")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(MOSES.encode())[:-20])
    with pytest.raises(InputError, match="cut short"):
        import_table(tmp_path / "cut.gz", tmp_path / "table")
    (tmp_path / "latin").write_bytes(b"das ||| the ||| 1\nf\xfcr ||| for ||| 1\n")
    with pytest.raises(InputError, match="latin:2: not valid UTF-8"):
        import_table(tmp_path / "latin", tmp_path / "table")
    (tmp_path / "good.moses").write_text(MOSES)
    with pytest.raises(InputError, match="has 4 scores, but 2 names"):
        import_table(tmp_path / "good.moses", tmp_path / "table", TextOptions(features=("a", "b")))
    with pytest.raises(OptionError, match="standard input must be given"):
        import_table("-", tmp_path / "table")
    assert not (tmp_path / "table").exists()
    table = import_table(tmp_path / "good.moses", tmp_path / "table")
    with pytest.raises(OptionError, match=r"no feature 'lexical'.*lexical_"):
        export_table(table, tmp_path / "out", TextOptions(features=("lexical",)))
    with pytest.raises(OutputError, match="no orientations"):
        export_table(table, tmp_path / "out", reordering=tmp_path / "orientations")
    (tmp_path / "gaps.cdec").write_text(CDEC)
    gapped = import_table(tmp_path / "gaps.cdec", tmp_path / "gaps")
    with pytest.raises(OutputError, match="rules with gaps cannot be written as a phrase table; use cdec or joshua"):
        export_table(gapped, tmp_path / "gaps.moses")


def test_equal_rules_are_all_kept(tmp_path: Path) -> None:
    (tmp_path / "twice.moses").write_text("a ||| b ||| 0.5\na ||| b ||| 0.25\n")
    table = import_table(tmp_path / "twice.moses", tmp_path / "table")
    export_table(table, tmp_path / "again.moses")
    assert (tmp_path / "again.moses").read_text() == "a ||| b ||| 0.5\na ||| b ||| 0.25\n"
    assert isinstance(Table.open(tmp_path / "table"), Table)


def test_the_table_of_the_thesis(tmp_path: Path) -> None:
    """Lopez 2008, figure 3.1: six source sides, eleven rules, probabilities."""
    figure = """\
北 ||| north ||| 0.88 0.53 0.69 0.43
北 ||| northbound ||| 0.02 0.31 0.00 0.09
北 ||| northern side ||| 0.33 0.15 0.00 0.00
北 风 ||| north wind ||| 0.33 0.16 0.16 0.05
北约 ||| nato ||| 0.79 0.19 0.82 0.10
北约 ||| by nato ||| 0.43 0.19 0.00 0.10
依然 ||| remained strong ||| 0.07 0.01 0.00 0.00
依然 ||| is still very ||| 0.03 0.01 0.08 0.03
依然 充满 ||| is filled with ||| 0.05 0.00 0.25 0.00
十分 ||| is still clear ||| 1.00 0.00 0.11 0.00
十分 ||| is still very ||| 0.05 0.00 0.22 0.01
"""
    (tmp_path / "figure.moses").write_text(figure, "utf-8")
    table = import_table(tmp_path / "figure.moses", tmp_path / "table")
    assert (len(table), table.facts["source_sides"]) == (11, 6)
    found = TableRules(table, feature_space(), RuleOptions(max_gaps=0)).rules(["北", "风", "依然"])
    space = feature_space()
    chances = np.exp([found.table.feature(space.id(name)) for name in ("inverse", "lexical_source", "translation")])
    values = {" ".join(found.target_side(rule)): chances[:, rule].tolist() for rule in range(found.table.rules)}
    assert values["north"] == pytest.approx([0.88, 0.53, 0.69])
    assert values["north wind"] == pytest.approx([0.33, 0.16, 0.16])
    assert "is still very" in values and "nato" not in values
