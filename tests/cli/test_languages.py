"""Further language models on the command line: in training, later, and out again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TEXT = [EXAMPLES / "train.de", EXAMPLES / "train.en"]
QUICK = ["-o", "model", "--order", "2", "--word-classes", "10", "--hold-out", "0"]
LINE = "Der Lehrer sieht das Buch.\n"


@pytest.fixture
def models(pentaglot: Run, tmp_path: Path) -> Path:
    (tmp_path / "tags.txt").write_text("D N V D N P\nD N V P\n" * 5)
    (tmp_path / "tags.tsv").write_text("the\tD\nteacher\tN\nbook\tN\nsees\tV\n￭.\tP\n", "utf-8")
    for text, model in ((EXAMPLES / "test.en", "news.arpa"), ("tags.txt", "tags.arpa")):
        done = pentaglot("lm", "build", text, "-o", model, "--order", "2")
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_train_translate_remove_add(pentaglot: Run, models: Path) -> None:
    given = ["--lm", "news=news.arpa", "--lm", "tags=tags.arpa,tags.tsv", "--monolingual", EXAMPLES / "test.en"]
    done = pentaglot("train", *TEXT, *QUICK, *given)
    assert done.returncode == 0, done.stderr
    assert "language model tags" in done.stderr
    listed = pentaglot("translate", "model", "--nbest", "1", stdin=LINE).stdout
    assert "language_model@news= " in listed and "language_model@tags= " in listed
    assert "language_model_unknown@tags= " not in listed  # every word of this sentence has a class
    more = pentaglot("train", *TEXT, *QUICK, *given[:4])
    assert "language model: again, because the monolingual text 1 changed\n" in more.stderr
    assert "language model news: kept\n" in more.stderr
    listed = pentaglot("translate", "model", "--nbest", "1", stdin=LINE).stdout
    assert pentaglot("add", "model", "--remove-lm", "tags").returncode == 0
    assert "language_model@tags" not in pentaglot("translate", "model", "--nbest", "1", stdin=LINE).stdout
    added = pentaglot("add", "model", "--lm", "tags=tags.arpa,tags.tsv")
    assert "its weights are 0 until" in added.stdout
    assert pentaglot("translate", "model", "--nbest", "1", stdin=LINE).stdout == listed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--lm", "a=news.arpa", "--lm", "a=tags.arpa"], "two language models are called 'a'"),
        (["--lm", "news.arpa", "--lm", "tags.arpa"], "'news.arpa' and 'tags.arpa' have no names"),
        (["--lm", "a="], "'a=' is not a named language model"),
        (["--lm", "a=news.arpa,"], "'a=news.arpa,' is not a named language model"),
        (["--lm", "classes=news.arpa"], "over word classes is called 'classes'"),
        (["--lm", "a b=news.arpa"], "a language model cannot be called 'a b'"),
        (["--lm", "a=news.arpa,bad.tsv"], "bad.tsv:2: not a word, a tab and a class"),
        (["--lm", "a=news.arpa,tags.tsv"], "tags.tsv: has no class that news.arpa knows"),
        (["--lm", "a=none.arpa"], "none.arpa: no such file"),
        (["--monolingual", "none.en"], "none.en: no such file"),
        (["--monolingual", "bad.en"], "bad.en:2: "),
    ],
)
def test_bad_input(pentaglot: Run, models: Path, given: list[str], message: str) -> None:
    (models / "bad.tsv").write_text("the\tD\nhouse\n")
    (models / "bad.en").write_bytes(b"good\nb\xffd\n")
    done = pentaglot("train", *TEXT, *QUICK, *given)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert message in done.stderr.splitlines()[-1]
    assert not (models / "model" / "pentaglot.toml").exists()
