"""`pentaglot align` as a user runs it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, Run

WORDS = {"das": "the", "haus": "house", "buch": "book", "ist": "is", "klein": "small", "groß": "big", "ein": "a"}


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    """Raw text with punctuation, four hundred pairs, one of them empty."""
    chooser = random.Random(2)
    source, target = [], []
    for _ in range(400):
        words = chooser.choices(sorted(WORDS), k=chooser.randrange(1, 6))
        source.append(" ".join(words).capitalize() + ".")
        target.append(" ".join(WORDS[word] for word in words).capitalize() + ".")
    source[7] = target[7] = ""
    (tmp_path / "c.de").write_text("\n".join(source) + "\n")
    (tmp_path / "c.en").write_text("\n".join(target) + "\n")
    return "c.de", "c.en"


def test_align_save_load(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    done = pentaglot("align", *corpus, "-o", "links.txt", "--save", "model", "--tokens", "t.de", "t.en")
    assert (done.returncode, done.stdout) == (0, "") and "training hmm: done" in done.stderr
    lines = (tmp_path / "links.txt").read_text().split("\n")
    assert len(lines) == 401 and lines[7] == ""
    right = sum(line.split() == [f"{k}-{k}" for k in range(len(words.split()))]
                for line, words in zip(lines, (tmp_path / "t.de").read_text().split("\n"), strict=True))  # fmt: skip
    assert right > 390
    again = pentaglot("align", *corpus, "--load", "model", "--scores", "scores.tsv", "-q", "--threads", "1")
    assert again.stderr == "" and again.stdout == (tmp_path / "links.txt").read_text()
    scores = [line.split("\t") for line in (tmp_path / "scores.tsv").read_text().splitlines()]
    assert len(scores) == 400 and all(float(each) <= 0 for row in scores for each in row)


def test_options_before_files_and_models(pentaglot: Run, corpus: tuple[str, str]) -> None:
    outputs = {
        pentaglot(
            "align", "-q", "--threads", threads, "--model", model, "--symmetrise", "grow-diag-final-and", *corpus
        ).stdout
        for model in ("hmm", "fast", "ibm1")
        for threads in ("1", "2", "8")
    }
    assert len(outputs) <= 3 and all(text.count("\n") == 400 for text in outputs)


def test_training_goes_on(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    pentaglot("align", *corpus, "--save", "model", "-q", "-o", "links.txt")
    (tmp_path / "n.de").write_text("das neue haus\nneue\n" * 9)
    (tmp_path / "n.en").write_text("the new house\nnew\n" * 9)
    more = pentaglot("align", "n.de", "n.en", "--load", "model", "--save", "more", "-q")
    assert more.returncode == 0 and more.stdout == "0-0 1-1 2-2\n0-0\n" * 9
    lexicon = pentaglot("align", "lexicon", "--load", "more", "--minimum", "0.5").stdout
    assert lexicon.startswith("source\ttarget\t")
    assert {("neue", "new"), ("buch", "book")} <= {tuple(line.split("\t")[:2]) for line in lexicon.splitlines()}


def test_show(pentaglot: Run, corpus: tuple[str, str]) -> None:
    pentaglot("align", *corpus, "--save", "model", "-o", "links.txt", "-q", "--tokenizer", "none")
    drawn = pentaglot("align", "show", "--load", "model", "das Haus", "the house").stdout.splitlines()
    assert drawn[-2:] == [" das │██· ", "Haus │· ██"]
    assert "".join(line[6:8].strip() for line in drawn[:-2]) == "the"
    by_number = pentaglot("align", "show", "--links", "links.txt", "-n", "1", *corpus)
    assert by_number.returncode == 0 and "█" in by_number.stdout
    assert pentaglot("align", "show", "--load", "model", "-n", "3", *corpus).returncode == 0
    beyond = pentaglot("align", "show", "--load", "model", "-n", "999", *corpus)
    assert (beyond.returncode, beyond.stderr) == (2, "pentaglot: c.de: has only 400 lines\n")


def test_the_aligner_of_a_model(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    pair = "Der Lehrer sieht die Katze.", "The teacher sees the cat."
    drawn = pentaglot("align", "show", "--load", model, *pair)
    assert drawn.returncode == 0
    assert [line.partition("│")[0].strip() for line in drawn.stdout.splitlines()[-6:]] == [
        "der", "Lehrer", "sieht", "die", "Katze", "."
    ]  # fmt: skip
    for name, line in zip(("s", "t"), pair, strict=True):
        (tmp_path / name).write_text(line + "\n")
    assert pentaglot("align", "s", "t", "--load", model, "-q").stdout == "0-0 1-1 2-2 3-3 4-4 5-5\n"
    assert "\nKatze\tcat\t" in pentaglot("align", "lexicon", "--load", model).stdout.replace("katze", "Katze")
    bare = shutil.copytree(model, tmp_path / "bare", ignore=shutil.ignore_patterns("aligner"))
    done = pentaglot("align", "show", "--load", bare, *pair)
    assert done.returncode == 2 and "bare: has no aligner" in done.stderr and done.stderr.count("\n") == 1


def test_evaluate(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "links").write_text("5-5\n0-0 1-1\n")
    (tmp_path / "gold").write_text("1-1 2p2 2-9\n")
    (tmp_path / "s").write_text("a b\n")
    (tmp_path / "t").write_text("x y\n")
    done = pentaglot("align", "evaluate", "links", "gold", "--last", "--json", "--source", "s", "--target", "t")
    found = json.loads(done.stdout)
    assert (found["error_rate"], found["precision"], found["recall"], found["skipped"]) == (0.0, 1.0, 1.0, 1)
    assert "gold:1: 1 link outside of the sentences skipped; the first is 2-9" in done.stderr
    table = pentaglot("align", "evaluate", "links", "gold", "--last")
    assert "error rate" in table.stdout and "%" in table.stdout
    unequal = pentaglot("align", "evaluate", "links", "gold")
    assert unequal.returncode == 2 and "links: has 2 lines, but gold has 1" in unequal.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing", "c.en"], "missing: no such file"),
        (["c.de", "short"], "c.de: has 400 lines, but short has 1"),
        (["empty", "empty"], "empty: is empty"),
        (["c.de", "c.en", "--load", "nothing"], "nothing: there is no aligner here"),
        (["c.de", "c.en", "--threshold", "2"], "option 'threshold' is 2.0; it must be from 0.0 to 1.0"),
        (["c.de", "c.en", "--tokenizer", "non"], "there is no tokenizer 'non'; did you mean 'none'?"),
        (["blank", "blank"], "there is no sentence pair to train on"),
        (["show", "a", "b"], "give either --load or --links"),
        (["show", "a", "b", "--links", "l"], "--links needs --number"),
        (["show", "c.de", "c.en", "-n", "2", "--links", "far"], "far:2: 0-99 links words that are not there"),
        (["evaluate", "short", "bad"], "bad:1: 'x' is not a link"),
        (["c.de", "c.en", "-o", "."], "is a directory; a file would be written here"),
    ],
)
def test_mistakes_are_one_sentence(
    pentaglot: Run, corpus: tuple[str, str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "short").write_text("a\n")
    (tmp_path / "far").write_text("0-0\n0-99\n")
    (tmp_path / "bad").write_text("x\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "blank").write_text("\n\n")
    before = sorted(tmp_path.iterdir())
    done = pentaglot("align", *arguments, *(["-q"] if arguments[0] not in ("show", "evaluate") else []))
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_help_shows_both_uses(pentaglot: Run) -> None:
    shown = pentaglot("align", "--help").stdout
    assert "Usage: pentaglot align [OPTIONS] SOURCE TARGET" in shown
    for name in ("align evaluate", "align lexicon", "align show"):
        assert name in shown


def test_interruption_leaves_nothing(corpus: tuple[str, str], tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    command = [
        *PENTAGLOT,
        "align",
        *corpus,
        "-o",
        "links.txt",
        "--save",
        "model",
        "--iterations",
        "1000",
        "--stop",
        "0",
    ]
    # Many repetitions keep it busy until it is interrupted.
    for name in corpus:
        (tmp_path / name).write_text((tmp_path / name).read_text() * 50)
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"})
    assert process.stderr is not None
    while b"ibm1: done" not in process.stderr.readline():
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    said = process.stderr.read().decode()
    assert process.wait(30) == 130 and "nothing is left half-written" in said and "Traceback" not in said
    process.stderr.close()
    assert sorted(tmp_path.iterdir()) == before


def test_a_corpus_of_empty_pairs_is_named(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("\nHaus\n")
    (tmp_path / "a.en").write_text("house\n\n")
    for command in (("align",), ("preorder", "train")):
        done = pentaglot(*command, "a.de", "a.en", "-o", "out", "--threads", "1", "--quiet")
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
        assert "a.de: there is no sentence pair to train on: in every pair a side is empty" in done.stderr
