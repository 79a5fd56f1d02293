"""What the page on the architecture tells you to write, as packages that somebody else has installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.console import ROOT
from tests.docs.packages import blocks_of, entries_of, install

from pentaglot import PentaglotError
from pentaglot.corpus import read_pairs
from pentaglot.evaluate import CompareOptions, compare
from pentaglot.metrics import ScoringOptions, score_translations

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


def run(site: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pentaglot", *map(str, arguments)]
    return subprocess.run(command, env={"PYTHONPATH": str(site)}, text=True, capture_output=True)


def installed(site: Path, heading: str, group: str, module: str) -> None:
    blocks = blocks_of(PAGE, heading)
    install(site, module, entries_of(blocks["toml"], group), group=group, **{module: blocks["python"]})


def test_a_metric(site: Path, tmp_path: Path) -> None:
    installed(site, "### A new metric", "pentaglot.metrics", "overlap")
    said, wanted = ["the old house", "a dog"], ["the house", "a cat"]
    options = ScoringOptions(metrics="overlap,bleu")
    found = score_translations(said, [wanted], options)
    assert [score.name for score in found] == ["overlap", "BLEU"]
    assert found[0].value == pytest.approx(200 * 3 / 9)  # 2 of 3 + 2 words, 1 of 2 + 2
    assert found[0].interval is not None
    report = compare({"other": [wanted], "said": [said]}, [wanted], CompareOptions(metrics="overlap"))
    assert report.metrics[0].name == "overlap" and report.metrics[0].verdicts[0].difference < 0
    for name, lines in (("said", said), ("wanted", wanted)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    told = run(site, "evaluate", tmp_path / "said", tmp_path / "wanted", "--metrics", "bleu,overlap")
    assert told.returncode == 0 and "66.67" in told.stdout and "overlap|nrefs:1" in told.stdout
    wrong = run(site, "evaluate", tmp_path / "said", tmp_path / "wanted", "--metrics", "overlapp")
    assert wrong.returncode == 2 and "there is no metric 'overlapp'; did you mean 'overlap'?" in wrong.stderr


def test_a_reader(site: Path, tmp_path: Path) -> None:
    installed(site, "### A new reader", "pentaglot.readers", "cards")
    cards = tmp_path / "words.cards"
    cards.write_text("das Haus\nthe house\n\n\nder Hund\nthe dog\n", "utf-8")
    assert [tuple(pair) for pair in read_pairs([cards])] == [
        ("das Haus", "the house", 1, ""),
        ("der Hund", "the dog", 5, ""),
    ]
    told = run(site, "corpus", "convert", cards, "-o", tmp_path / "words.tsv")
    assert told.returncode == 0, told.stderr
    assert (tmp_path / "words.tsv").read_text("utf-8") == "das Haus\tthe house\nder Hund\tthe dog\n"
    cards.write_text("das Haus\nthe house\nthe building\n", "utf-8")
    wrong = run(site, "corpus", "convert", cards, "-o", tmp_path / "more.tsv")
    assert wrong.returncode == 2 and "words.cards:3: this card has a third line" in wrong.stderr
    assert not (tmp_path / "more.tsv").exists()


def test_a_reader_that_cannot_be_used(site: Path, tmp_path: Path) -> None:
    install(site, "odd", {"cards": "odd:NUMBER"}, group="pentaglot.readers", odd="NUMBER = 1\n")
    (tmp_path / "words.cards").write_text("a\nb\n", "utf-8")
    with pytest.raises(PentaglotError, match="reader 'cards' of odd is not a function that reads pairs; look at"):
        read_pairs([tmp_path / "words.cards"])
