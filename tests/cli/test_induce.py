"""`--induce` in train and tune, as a user runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Run

DEV = ("--dev", EXAMPLES / "test.de", EXAMPLES / "test.en")
QUICK = ("--rounds", "2", "--size", "10", "--tuner", "pro", "--pro-samples", "50", "--quiet")

OPERATORS = """
[[induce]]
operator = "bins"
inputs = ["pair_count", "lexical_target"]
bins = 4

[[induce]]
operator = "pairs"

[[induce]]
operator = "domains"
features = ["language_model", "pair_count="]
"""


@pytest.fixture
def mine(model: Path, tmp_path: Path) -> Path:
    shutil.copytree(model, tmp_path / "mine")
    # With word choice, hardly anything in so small a text is left to learn.
    shutil.rmtree(tmp_path / "mine" / "choice")
    weights = tmp_path / "mine" / "weights.txt"
    lines = weights.read_text("utf-8").splitlines(keepends=True)
    weights.write_text("".join(line for line in lines if not line.startswith("word_ch")), "utf-8")
    (tmp_path / "ops.toml").write_text(OPERATORS)
    (tmp_path / "domains").write_text("news\n" * 20 + "law/eu\n" * 20)
    return tmp_path / "mine"


def test_tuned_translated_explained(pentaglot: Run, mine: Path, tmp_path: Path) -> None:
    done = pentaglot("tune", mine, *DEV, "--metadata", "domain=domains", "--induce", "ops.toml", *QUICK)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    weights = (mine / "weights.txt").read_text("utf-8")
    assert "domain=law/eu^language_model " in weights and "pair_count=1" in weights and "pair=" in weights
    assert (mine / "induction" / "pair.txt").read_text("utf-8").count("\n") == sum(
        line.startswith("pair=") for line in weights.splitlines()
    )
    plain = pentaglot("translate", mine, EXAMPLES / "test.de")
    assert plain.returncode == 0 and len(plain.stdout.splitlines()) == 40
    for options in (["--domain", "news"], ["--metadata", "domain=domains"], ["--domain", "unheard/of"]):
        domained = pentaglot("translate", mine, EXAMPLES / "test.de", *options, "--threads", "2")
        assert domained.returncode == 0, domained.stderr
        again = pentaglot("translate", mine, EXAMPLES / "test.de", *options, "--threads", "1")
        assert domained.stdout == again.stdout
    unheard = pentaglot("translate", mine, EXAMPLES / "test.de", "--domain", "unheard/of")
    assert unheard.stdout == plain.stdout
    explained = pentaglot("explain", mine, "das kleine Haus", "--features")
    assert "phrase seen " in explained.stdout, explained.stdout
    in_domain = pentaglot("explain", mine, "das kleine Haus", "--features", "--domain", "law/eu/x")
    assert "how well the translation reads, in the domain law/eu" in in_domain.stdout, in_domain.stderr
    assert "in the domain" not in explained.stdout
    everything = ("--metadata", "domain=domains", "--json")
    shown = pentaglot("explain", mine, "--input", EXAMPLES / "test.de", *everything).stdout.splitlines()
    found = pentaglot("translate", mine, EXAMPLES / "test.de", *everything).stdout.splitlines()
    assert [json.loads(each)["score"] for each in shown] == pytest.approx(
        [json.loads(each)["nbest"][0]["score"] for each in found], abs=1e-3
    )
    refused = pentaglot("explain", mine, "das", *everything)
    assert refused.returncode == 2 and "go with the lines of a file; give the lines by --input" in refused.stderr
    listed = pentaglot("rules", mine, "das", "--features")
    assert "phrase seen" in listed.stdout
    tried = pentaglot("separability", mine, EXAMPLES / "test.de", EXAMPLES / "test.en", "--sentences", "5", "--quiet")
    assert "induced features (see --json)" in tried.stdout and "pair=" not in tried.stdout, tried.stderr
    # What was induced stays if weights are tuned again, and goes with operators that replace it.
    assert pentaglot("tune", mine, *DEV, *QUICK).returncode == 0
    assert (mine / "induction").is_dir()
    one = pentaglot("tune", mine, *DEV, *QUICK, "--induce", "gimpel2012", "-o", "other.txt")
    assert one.returncode == 0, one.stderr
    assert "ngram=" in (tmp_path / "other.txt").read_text("utf-8")
    assert (tmp_path / "other.txt.induction").is_dir()
    assert pentaglot("translate", mine, EXAMPLES / "test.de", "--weights", "other.txt").returncode == 0


def test_operators_of_the_model(pentaglot: Run, mine: Path, tmp_path: Path) -> None:
    """They are in its pentaglot.toml, where training puts them and a user may change them."""
    (tmp_path / "ops.toml").write_text(
        '[[induce]]\noperator = "bins"\ninputs = ["pair_count"]\nbins = 3\nkeep = false\n'
    )
    made = pentaglot(
        "train",
        EXAMPLES / "train.de",
        EXAMPLES / "train.en",
        "-o",
        "new",
        *DEV,
        "--induce",
        "ops.toml",
        *QUICK[:6],
        "--quiet",
        "--order",
        "2",
        "--word-classes",
        "0",
    )
    assert made.returncode == 0, made.stderr
    described = (tmp_path / "new" / "pentaglot.toml").read_text("utf-8")
    assert '[[induce]]\noperator = "bins"' in described and (tmp_path / "new" / "induction").is_dir()
    assert pentaglot("translate", "new", EXAMPLES / "test.de").returncode == 0
    (tmp_path / "new" / "pentaglot.toml").write_text(described.replace("bins = 3", "bins = 1"), "utf-8")
    wrong = pentaglot("translate", "new", EXAMPLES / "test.de")
    assert wrong.returncode == 2 and "option 'bins' is 1" in wrong.stderr and "pentaglot.toml" in wrong.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[induce]]\noperator = "bins"\ninputs = ["language_model"]\n', "'language_model' looks across rules"),
        ('[[induce]]\noperator = "bins"\ninputs = ["rules"]\n', "'rules' is 1 in all rules"),
        ('[[induce]]\noperator = "bins"\ninputs = ["wrods"]\n', "no feature 'wrods' to cut into bins; did you mean"),
        ('[[induce]]\noperator = "domains"\n', "no development sentence has the metadata 'domain'"),
        ('[[induce]]\noperator = "binz"\n', "ops.toml:2: there is no operator 'binz'"),
        ('[[induce]]\noperator = "bins"\nbinz = 3\n', "ops.toml:3: unknown option 'binz'"),
        ('[induce]\noperator = "bins"\n', "'induce' must be a list of tables"),
        ("[[induct]]\n", "unknown table 'induct'"),
        ("", "has no operators"),
        ("[[induce]\n", "is not valid TOML"),
    ],
)
def test_bad_operators(pentaglot: Run, model: Path, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "ops.toml").write_text(text)
    before = (model / "weights.txt").read_bytes()
    done = pentaglot("tune", model, *DEV, "--induce", "ops.toml", *QUICK)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert (model / "weights.txt").read_bytes() == before and not (model / "induction").exists()


def test_damage(pentaglot: Run, mine: Path) -> None:
    assert pentaglot("tune", mine, *DEV, "--domain", "news", "--induce", "ops.toml", *QUICK).returncode == 0
    (mine / "induction" / "pair.txt").write_bytes(b"\xff\n")
    done = pentaglot("translate", mine, EXAMPLES / "test.de")
    assert done.returncode == 2 and "pair.txt:1" in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_rounds_are_chosen_in_the_domain_of_all_lines(pentaglot: Run, mine: Path, tmp_path: Path) -> None:
    """The development text itself, named as the text to choose on, has the scores of the development text."""
    (tmp_path / "ops.toml").write_text('[[induce]]\noperator = "domains"\nfeatures = ["words", "language_model"]\n')
    choose = ("--choose", *DEV[1:])
    done = pentaglot("tune", mine, *DEV, *choose, "--domain", "news", "--induce", "ops.toml", *QUICK, "-o", "w.txt")
    assert done.returncode == 0, done.stderr
    rounds = json.loads((tmp_path / "w.tuning.json").read_text("utf-8"))["rounds"]
    assert len(rounds) > 1 and all(each["held_out"] == each["score"] for each in rounds)


def test_operators_that_make_nothing(pentaglot: Run, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "ops.toml").write_text('[[induce]]\noperator = "pairs"\nleast = 9999\n')
    done = pentaglot("tune", mine, *DEV, "--induce", "ops.toml", *QUICK, "-o", "w.txt")
    assert done.returncode == 0
    assert "the operator 'pairs' makes no features: nothing is there often enough" in done.stderr
    (tmp_path / "ops.toml").write_text('[[induce]]\noperator = "domains"\nleast = 30\n')
    done = pentaglot("tune", mine, *DEV, "--induce", "ops.toml", "--metadata", "domain=domains", *QUICK, "-o", "x.txt")
    assert done.returncode == 2
    complaint = "ops.toml:2: the operator 'domains' finds no domain with 30 development sentences (at most 20)"
    assert complaint in done.stderr


def test_probabilities_without_a_list(pentaglot: Run, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "ops.toml").write_text('[[induce]]\noperator = "bins"\nkind = "probability"\n')
    done = pentaglot("tune", mine, *DEV, "--induce", "ops.toml", *QUICK, "-o", "w.txt")
    assert done.returncode == 0, done.stderr
    named = [
        line.partition("=")[0] for line in (tmp_path / "w.txt").read_text("utf-8").splitlines() if "=value" in line
    ]
    assert sorted(named) == [f"{each}(probability)" for each in ("coherent", "lexical_source", "lexical_target")]
