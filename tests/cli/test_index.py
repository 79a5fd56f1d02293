"""`pentaglot index` and `pentaglot find` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

SOURCE = ["das Haus ist nicht nur alt sondern auch schön", "nicht nur heute sondern auch morgen", "", "das X"]
TARGET = ["the house is not only old but also nice", "not only today but also tomorrow", "", "the X"]
LINKS = ["0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8", "0-0 1-1 2-2 3-3 4-4 5-5", "", "0-0 1-1"]


@pytest.fixture
def index(pentaglot: Run, tmp_path: Path) -> Path:
    for name, lines in (("source", SOURCE), ("target", TARGET), ("links", LINKS)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    built = pentaglot("index", "build", "source", "target", "links", "-o", "index", "--frequent", "5", "-q")
    assert built.returncode == 0, built.stderr
    assert built.stderr == "index: 4 pairs, 17 source words\n"
    return tmp_path / "index"


def test_find(pentaglot: Run, index: Path) -> None:
    shown = pentaglot("find", index, "nicht nur X sondern auch Y")
    assert shown.returncode == 0
    assert shown.stdout == (
        "found 2 times\n"
        "\n"
        "     2  not only … but also\n"
        "        das Haus ist [nicht nur] alt [sondern auch] schön\n"
        "        the house is [not only] old [but also] nice  (line 1 of source)\n"
        "        [nicht nur] heute [sondern auch] morgen\n"
        "        [not only] today [but also] tomorrow  (line 2 of source)\n"
    )
    assert pentaglot("find", index, "fehlt").stdout == "found nothing\n"
    assert pentaglot("find", index, "\\X").stdout.startswith("found once\n")
    assert "stopped there" in pentaglot("find", index, "nicht", "--most", "1").stdout


def test_find_json(pentaglot: Run, index: Path) -> None:
    found = json.loads(pentaglot("find", index, "Haus", "--json").stdout)
    assert found["count"] == 1 and found["translations"][0]["text"] == "house"
    assert found["translations"][0]["examples"][0]["chunks"] == [[1, 2]]


def test_additions(pentaglot: Run, index: Path) -> None:
    added = pentaglot("index", "add", index, "das alte Haus", "the old house", "--links", "0-0 1-1 2-2")
    assert (added.returncode, added.stdout) == (0, "1\n")
    assert pentaglot("find", index, "Haus").stdout.startswith("found 2 times\n")
    assert pentaglot("index", "weigh", index, "1", "2.5").returncode == 0
    assert pentaglot("index", "added", index).stdout == "1\t2.5\tdas alte Haus\tthe old house\n"
    assert pentaglot("index", "add", index, "falsch", "wrong").stdout == "2\n"
    assert pentaglot("index", "remove", index, "2").returncode == 0
    merged = pentaglot("index", "merge", index, "-q")
    assert (merged.returncode, merged.stderr) == (0, f"{index}: 1 pair folded in\n")
    facts = json.loads(pentaglot("index", "info", index, "--json", "--verify").stdout)
    assert (facts["pairs"], facts["added pairs"]) == (5, 0)
    assert "pairs                       5\n" in pentaglot("index", "info", index).stdout
    assert pentaglot("find", index, "Haus").stdout.startswith("found 2 times\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("find", "nowhere", "x"), "nowhere: there is no index here; check the path"),
        (("find", "index", "X"), "there is no word to look for"),
        (("find", "index", "das", "--min-gap", "0"), "min_gap"),
        (("index", "remove", "index", "7"), "there is no added pair 7"),
        (("index", "add", "index", "a", "b", "--links", "5-0"), "the link 5-0 points to a word"),
        (("index", "add", "index", "a", "b", "--links", "x"), "links are written as 0-0 1-2"),
        (("index", "add", "index", "a", ""), "empty side"),
        (("index", "build", "source", "target", "source", "-o", "new"), "source:1: "),
        (("index", "build", "source", "target", "short", "-o", "new"), "1 line of links for 4 sentence pairs"),
        (("index", "build", "source", "target", "far", "-o", "new"), "far:3: 0-9 links words that are not there"),
        (("index", "build", "source", "target", "missing", "-o", "new"), "missing: no such file"),
    ],
)
def test_mistakes(pentaglot: Run, index: Path, arguments: tuple[str, ...], message: str) -> None:
    (index.parent / "short").write_text("0-0\n")
    (index.parent / "far").write_text("0-0\n\n0-9\n\n")
    shown = pentaglot(*arguments)
    assert shown.returncode == 2
    assert message in shown.stderr and "Traceback" not in shown.stderr
    assert not (index.parent / "new").exists()
