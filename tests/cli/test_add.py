"""`pentaglot add`: pairs and corpora, and the other commands on a model that grows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

LINE, ANSWER = "Der schöne Arzt kauft den großen Hund.", "That handsome physician acquires a huge puppy."


def test_add_see_remove_merge(pentaglot: Run, grown: Path) -> None:
    before = pentaglot("translate", grown, stdin=LINE + "\n").stdout
    done = pentaglot("add", grown, LINE, ANSWER)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "added as pair 1"
    assert before.strip() in done.stdout and ANSWER in done.stdout
    assert pentaglot("translate", grown, stdin=LINE + "\n").stdout == ANSWER + "\n"
    assert pentaglot("add", grown, "-q", "Neu.", "New.", "--weight", "2.5").stdout == "2\n"
    assert pentaglot("add", grown, "--list").stdout == f"1\t1\t{LINE}\t{ANSWER}\n2\t2.5\tNeu.\tNew.\n"
    record = json.loads(pentaglot("add", grown, "--json").stdout.splitlines()[1])
    assert (record["number"], record["weight"], record["target_words"]) == (2, 2.5, ["New", "."])
    assert pentaglot("add", grown, "--weigh", "2", "4").returncode == 0
    assert json.loads(pentaglot("add", grown, "--json").stdout.splitlines()[1])["weight"] == 4
    assert pentaglot("add", grown, "--remove", "2").returncode == 0
    info = json.loads(pentaglot("index", "info", grown, "--json").stdout)
    assert (info["pairs"], info["added pairs"]) == (400, 1)
    assert "1 pair folded in" in pentaglot("index", "merge", grown, "-q").stderr
    info = json.loads(pentaglot("index", "info", grown, "--json").stdout)
    assert (info["pairs"], info["added pairs"]) == (401, 0)
    assert pentaglot("translate", grown, stdin=LINE + "\n").stdout == ANSWER + "\n"


def test_files(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("Eins.\n\nZwei.\n", "utf-8")
    (tmp_path / "b").write_text("One.\nNothing.\nTwo.\n", "utf-8")
    done = pentaglot("add", grown, "--from", "a", "b")
    assert done.stdout == "2 pairs added as 1 to 2; 1 with an empty side left out\n"
    assert pentaglot("translate", grown, stdin="Zwei.\n").stdout == "Two.\n"
    (tmp_path / "b").write_text("One.\n", "utf-8")
    done = pentaglot("add", grown, "--from", "a", "b")
    assert done.returncode == 2 and "b: ends after 1 line, but a has 3" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give SOURCE and TARGET"),
        (["only one"], "give SOURCE and TARGET"),
        (["a", "b", "c"], "give SOURCE and TARGET"),
        (["a", "b", "--list"], "give SOURCE and TARGET"),
        (["a", ""], "pair 1 has no words on its target side; give both sides"),
        (["a", "b", "--weight", "-1"], "a weight of -1.0 cannot be used; weights are above 0"),
        (["a", "b", "--weight", "nan"], "a weight of nan cannot be used; weights are above 0"),
        (["a", "b", "--weight", "1e300"], "a weight of 1e+300 cannot be used; weights are below 1,000,000,000"),
        (["--remove", "7"], "there is no added pair 7"),
        (["--from", "missing", "missing"], "missing: no such file"),
    ],
)
def test_bad_input(pentaglot: Run, grown: Path, arguments: list[str], message: str) -> None:
    done = pentaglot("add", grown, *arguments)
    assert done.returncode == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (grown / "index.additions").exists()


def test_pairs_are_removed_together_or_not_at_all(pentaglot: Run, grown: Path) -> None:
    for number in ("1", "2", "3"):
        assert pentaglot("add", grown, "-q", f"Wort {number}", f"word {number}").returncode == 0
    assert pentaglot("add", grown, "--remove", "1", "--remove", "7").returncode == 2
    assert len(pentaglot("add", grown, "--list").stdout.splitlines()) == 3
    assert pentaglot("add", grown, "--remove", "1", "--remove", "3", "--remove", "1").returncode == 0
    assert pentaglot("add", grown, "--list").stdout == "2\t1\tWort 2\tword 2\n"


def test_no_model(pentaglot: Run, tmp_path: Path) -> None:
    done = pentaglot("add", "nowhere", "a", "b")
    assert done.returncode == 2 and "nowhere: there is no model here" in done.stderr


def test_a_corpus_of_its_own(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("Der Quastenflosser sieht die Katze.\nDer Quastenflosser schläft.\n", "utf-8")
    (tmp_path / "b").write_text("The coelacanth sees the cat.\nThe coelacanth sleeps.\n", "utf-8")
    done = pentaglot("add", grown, "--from", "a", "b", "--corpus", "fish")
    assert "2 pairs as corpus 'fish'" in done.stdout
    assert "coelacanth" in pentaglot("translate", grown, stdin="Der Quastenflosser\n").stdout
    assert "translation@fish" in (grown / "weights.txt").read_text("utf-8")
    for arguments in (["a", "b", "--corpus", "x"], ["--from", "a", "b", "--corpus", "x", "--weight", "2"]):
        done = pentaglot("add", grown, *arguments)
        assert done.returncode == 2 and "--corpus needs --from" in done.stderr
    done = pentaglot("add", grown, "--from", "a", "b", "--corpus", "no name")
    assert done.returncode == 2 and "a corpus cannot be called 'no name'" in done.stderr
    assert pentaglot("add", grown, "--remove-corpus", "fish").returncode == 0
    assert "coelacanth" not in pentaglot("translate", grown, stdin="Der Quastenflosser\n").stdout
    done = pentaglot("add", grown, "--remove-corpus", "fish")
    assert done.returncode == 2 and "the model has no corpus 'fish'" in done.stderr


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["x"], "'x' is not a corpus; write --corpus NAME=SOURCE,TARGET"),
        (["x=a"], "'x=a' is not a corpus"),
        (["x=a,b", "x=a,b"], "two corpora are called 'x'"),
        (["a@b=a,b"], "a corpus cannot be called 'a@b'"),
        (["x=missing,missing"], "missing: no such file"),
    ],
)
def test_bad_corpora_in_training(pentaglot: Run, tmp_path: Path, given: list[str], message: str) -> None:
    for name in "ab":
        (tmp_path / name).write_text("eins\n", "utf-8")
    flags = [flag for each in given for flag in ("--corpus", each)]
    done = pentaglot("train", "a", "b", "-o", "model", *flags)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "model" / "pentaglot.toml").exists()
