"""`pentaglot lm` as a user runs it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import kenlm
import pytest
from tests.lm import texts

from .conftest import Run

TEXT = "\n".join(" ".join(sentence) for sentence in texts.random_sentences(400)) + "\n"


@pytest.fixture
def model(pentaglot: Run, tmp_path: Path) -> Path:
    (tmp_path / "train.txt").write_text(TEXT)
    done = pentaglot("lm", "build", "train.txt", "-o", "model.arpa", "--order", "3", "--threads", "2")
    assert done.returncode == 0 and "model.arpa: 33 1-grams" in done.stderr and done.stdout == ""
    return tmp_path / "model.arpa"


def test_build_convert_score(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    assert pentaglot("lm", "convert", "model.arpa", "model", "-q").returncode == 0
    assert pentaglot("lm", "convert", "model", "back.arpa.gz", "-q").stderr == ""
    assert gzip.decompress((tmp_path / "back.arpa.gz").read_bytes()) == model.read_bytes()
    lines = ["w1 w8 zebra", "", "w29"]
    done = pentaglot("lm", "score", "model", stdin="\n".join(lines))
    other = kenlm.Model(str(model))
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [float(row[0]) for row in rows] == pytest.approx([other.score(line) for line in lines], abs=1e-4)
    assert [row[1:] for row in rows] == [["4", "1"], ["1", "0"], ["2", "0"]]
    objects = pentaglot("lm", "score", "model", "--format", "json", stdin="w1").stdout
    assert json.loads(objects)["tokens"] == 2


def test_score_words(pentaglot: Run, model: Path) -> None:
    done = pentaglot("lm", "score", "model.arpa", "--words", "--format", "json", stdin="w1 zebra\nw3\n")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["sentence"], row["token"], row["unknown"]) for row in rows] == [
        (1, "w1", 0), (1, "zebra", 1), (1, "</s>", 0), (2, "w3", 0), (2, "</s>", 0)
    ]  # fmt: skip
    expected = [score for line in ("w1 zebra", "w3") for score in kenlm.Model(str(model)).full_scores(line)]
    assert [row["log_probability"] for row in rows] == pytest.approx([score[0] for score in expected], abs=1e-5)
    assert [row["length"] for row in rows] == [score[1] for score in expected]


def test_perplexity(pentaglot: Run, model: Path) -> None:
    done = pentaglot("lm", "perplexity", "model.arpa", "train.txt", "train.txt", "--json")
    numbers = json.loads(done.stdout)
    assert numbers["sentences"] == 800 and numbers["unknown"] == 0
    people = pentaglot("lm", "perplexity", "model.arpa", "train.txt").stdout
    assert f"perplexity                  {numbers['including_unknown']:.4f}" in people
    nothing = json.loads(pentaglot("lm", "perplexity", "model.arpa", "--json").stdout)
    assert nothing["including_unknown"] is None and nothing["tokens"] == 0


def test_pipes(pentaglot: Run, model: Path) -> None:
    done = pentaglot("lm", "convert", "-", "-", stdin=model.read_text())
    assert done.stdout == model.read_text()
    done = pentaglot("lm", "perplexity", "-", "train.txt", stdin="hello")
    assert done.returncode == 2 and "standard input:1: an ARPA file begins with" in done.stderr


def test_tokenizer_is_remembered(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("Hello, world!\n" * 3)
    build = pentaglot(
        "lm", "build", "raw.txt", "-o", "model", "--order", "2", "--tokenizer", "aggressive", "--casing", "lowercase"
    )
    assert build.returncode == 0 and "too little text" in build.stderr
    assert pentaglot("lm", "score", "model", stdin="WORLD, hello!").stdout.split("\t")[1:] == ["5", "0\n"]
    other = pentaglot("lm", "score", "model", "--tokenizer", "none", stdin="WORLD, hello!")
    assert other.stdout.split("\t")[1:] == ["3", "2\n"]


def test_interpolate(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("w1 w2 w3\n" * 30)
    pentaglot("lm", "build", "other.txt", "-o", "other", "--order", "2", "-q")
    for flags, weights in (
        ((), "0.5000 0.5000"),
        (("--weights", "1,3"), "0.2500 0.7500"),
        (("--tune", "other.txt"), "0.0"),
    ):
        done = pentaglot("lm", "interpolate", "model.arpa", "other", "-o", "mixed.arpa", *flags)
        assert done.returncode == 0 and f"weights: {weights}" in done.stderr
    mixed = kenlm.Model(str(tmp_path / "mixed.arpa"))
    assert mixed.score("w1 w2 w3") > kenlm.Model(str(model)).score("w1 w2 w3")


def test_options_from_a_file(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(TEXT)
    (tmp_path / "options.toml").write_text('[lm]\norder = 2\nprune = "0 1"\n')
    done = pentaglot("lm", "build", "train.txt", "-o", "m.arpa", "--config", "options.toml")
    assert done.returncode == 0 and "3-grams" not in done.stderr
    (tmp_path / "options.toml").write_text("[lm]\nordr = 2\n")
    done = pentaglot("lm", "build", "train.txt", "-o", "m.arpa", "--config", "options.toml")
    assert done.returncode == 2 and "did you mean 'order'?" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "nowhere.txt", "-o", "x"), "nowhere.txt: no such file"),
        (("build", ".", "-o", "x"), "this is a directory"),
        (("build", "empty.txt", "-o", "x"), "there is no text to learn from"),
        (("build", "latin.txt", "-o", "x"), "latin.txt:2: not valid UTF-8"),
        (("build", "cut.gz", "-o", "x"), "cut.gz: "),
        (("build", "good.txt", "-o", "x", "--order", "8"), "from 1 to 7"),
        (("build", "good.txt", "-o", "x", "--prune", "1"), "must begin with 0"),
        (("build", "good.txt", "-o", "x", "--memory", "lots"), "like 500M or 2G"),
        (("build", "good.txt", "-o", "x", "--tokenizer", "non"), "did you mean 'none'"),
        (("build", "good.txt", "-o", "x", "--casing", "truecase"), "cannot be 'truecase'"),
        (("build", "good.txt", "-o", "good.txt"), "is a file; a directory would be written here"),
        (("score", "wrong.arpa", "good.txt"), "wrong.arpa:10: there are 4 1-grams, but the header says 5"),
        (("score", "good.txt", "good.txt"), r"good.txt:1: an ARPA file begins with \data\, not with 'a b'"),
        (("perplexity", "nowhere", "good.txt"), "there is no language model here"),
        (("convert", "nowhere.arpa", "x"), "nowhere.arpa: no such file"),
        (("interpolate", "nowhere.arpa", "-o", "x"), "no such file"),
        (("interpolate", "a", "b", "-o", "x", "--weights", "a b"), "one number for each model"),
        (("interpolate", "a", "-o", "x", "--weights", "1", "--tune", "good.txt"), "exclude each other"),
    ],
)
def test_bad_input(pentaglot: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "good.txt").write_text("a b\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "latin.txt").write_bytes(b"a\nb\xe4\n")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(TEXT.encode())[:-20])
    words = "-1\t<unk>\n-99\t<s>\n-1\t</s>\n-1\ta\n"
    (tmp_path / "wrong.arpa").write_text(f"\\data\\\nngram 1=5\n\n\n\\1-grams:\n{words}\n\\end\\\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = pentaglot("lm", *arguments)
    assert done.returncode == 2
    *before_it, sentence = done.stderr.strip().splitlines()
    assert message in sentence and sentence.startswith("pentaglot: ")
    assert all(each.startswith(("reading", "tokenising")) for each in before_it)
    assert not before_it or "would be written" not in message, "places are looked at before the work"
    assert sorted(path.name for path in tmp_path.iterdir()) == before, "nothing half-written"


@pytest.mark.parametrize(
    ("setting", "complaint"), [('prune = "1"', "option 'prune' must"), ('memory = "x"', "option 'memory'")]
)
def test_mistakes_in_a_file_of_options_name_the_line(
    pentaglot: Run, tmp_path: Path, setting: str, complaint: str
) -> None:
    (tmp_path / "a.toml").write_text(f"[lm]\norder = 2\n{setting}\n")
    (tmp_path / "text").write_text("a b\n")
    done = pentaglot("lm", "build", "text", "-o", "lm", "--config", "a.toml")
    assert done.returncode == 2 and f"a.toml:3: {complaint}" in done.stderr
