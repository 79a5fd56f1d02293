"""`pentaglot table` as a person uses it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

SOURCE = "das Haus ist klein\ndas Buch ist alt\nein kleines Haus\n"
TARGET = "the house is small\nthe book is old\na small house\n"
LINKS = "0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3\n0-0 1-1 2-2\n"


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    for name, text in (("de", SOURCE), ("en", TARGET), ("links", LINKS)):
        (tmp_path / name).write_text(text)
    return ["de", "en", "links"]


def test_from_texts_to_moses_and_back(pentaglot: Run, tmp_path: Path, texts: list[str]) -> None:
    limits = ["--max-gaps", "0", "--max-span", "3", "--reordering"]
    done = pentaglot("table", "extract", *texts, "-o", "table", *limits)
    assert done.returncode == 0, done.stderr
    assert "table: 21 rules" in done.stderr.splitlines()[-1]
    facts = json.loads(pentaglot("table", "info", "table", "--json", "--verify").stdout)
    assert facts["rules"] == 21 and facts["made"]["limits"]["max_span"] == 3 and facts["orientations"]
    shown = pentaglot("table", "info", "table").stdout
    assert "translation, inverse" in shown and "counting" in shown
    done = pentaglot("table", "export", "table", "-o", "phrases.gz", "--reordering", "orientations")
    assert done.returncode == 0, done.stderr
    lines = gzip.decompress((tmp_path / "phrases.gz").read_bytes()).decode().splitlines()
    assert "das ||| the ||| 1 1 1 1 ||| 0-0 ||| 2 2 2" in lines
    done = pentaglot("table", "import", "phrases.gz", "-o", "again", "--reordering", "orientations")
    assert done.returncode == 0, done.stderr
    again = pentaglot("table", "export", "again", "--format", "moses", "-q")
    assert sorted(again.stdout.splitlines()) == sorted(lines)


def test_filter_and_estimate(pentaglot: Run, tmp_path: Path, texts: list[str]) -> None:
    assert pentaglot("table", "extract", *texts, "-o", "table", "-q", "--min-gap", "1").stderr == ""
    (tmp_path / "test").write_text("das alte Haus\n")
    done = pentaglot("table", "filter", "table", "test", "-o", "small")
    assert done.returncode == 0, done.stderr
    lines = pentaglot("table", "export", "small", "-q").stdout.splitlines()
    sides = {line.split(" ||| ")[1] for line in lines}
    assert sides == {"das", "Haus", "das [X,1]", "[X,1] Haus"}
    estimate = json.loads(pentaglot("table", "estimate", *texts, "--json", "-q", "--min-gap", "1").stdout)
    table = json.loads(pentaglot("table", "info", "table", "--json").stdout)
    assert estimate["instances"] == table["made"]["instances"]
    assert "distinct rules" in pentaglot("table", "estimate", *texts, "--share", "0.5", "-q").stdout


BAD = {
    "two arguments": (["extract", "de", "en", "-o", "out"], "give a model or an index, or two texts and their links"),
    "no model": (["extract", "none", "-o", "out"], "none: there is no model here"),
    "links": (["extract", "de", "en", "one", "-o", "out"], "one: has 1 line of links for 3 sentence pairs"),
    "link": (["extract", "de", "en", "far", "-o", "out"], "far:2: 9-0 links words that are not there"),
    "bad line": (["import", "bad.moses", "-o", "out"], "bad.moses:2: a rule has at least 3 fields between |||"),
    "no file": (["import", "none", "-o", "out"], "none: no such file; check the path"),
    "no table": (["export", "de"], "de: holds no table: it has no contents.toml"),
    "limits": (["extract", "de", "en", "links", "-o", "out", "--max-gaps", "9"], "option 'max_gaps' is 9"),
    "counting": (
        ["extract", "de", "en", "links", "-o", "out", "--counting", "all"],
        "option '--counting' must be one of pairs, occurrences",
    ),
    "share": (
        ["estimate", "de", "en", "links", "--share", "0"],
        "option '--share' must be a number, above 0 and at most 1",
    ),
    "taken": (["extract", "de", "en", "links", "-o", "de"], "de: is a file; a directory would be written here"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input(pentaglot: Run, tmp_path: Path, texts: list[str], arguments: list[str], message: str) -> None:
    (tmp_path / "one").write_text("0-0\n")
    (tmp_path / "far").write_text("0-0\n9-0\n\n")
    (tmp_path / "bad.moses").write_text("a ||| b ||| 1\na ||| b\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = pentaglot("table", *arguments)
    assert done.returncode == 2
    sentence = done.stderr.splitlines()[-1]
    assert message in sentence and "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before
