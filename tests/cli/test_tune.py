"""`pentaglot tune` as a user runs it."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import EXAMPLES, Run
from tests.systems.training_runs import Killed, KilledAt

from pentaglot.learn import Mira, TuneOptions
from pentaglot.steps import beside
from pentaglot.systems import Translator, tune

DEV = ("--dev", EXAMPLES / "test.de", EXAMPLES / "test.en")
QUICK = ("--rounds", "1", "--size", "5", "--tuner", "mert", "--mert-restarts", "1")


def test_weights_beside_the_model(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    before = (model / "weights.txt").read_text()
    tuned = pentaglot("tune", model, *DEV, *QUICK, "-o", "other.txt")
    assert tuned.returncode == 0, tuned.stderr
    assert "development BLEU" in tuned.stderr
    assert (tmp_path / "other.txt").read_text() != before
    assert (model / "weights.txt").read_text() == before


def test_weights_in_the_model(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "mine")
    one = pentaglot("tune", "mine", *DEV, *QUICK, "--threads", "1", "--quiet")
    assert one.returncode == 0 and one.stderr == "", one.stderr
    weights = (tmp_path / "mine" / "weights.txt").read_text()
    assert weights != (model / "weights.txt").read_text()
    assert pentaglot("tune", model, *DEV, *QUICK, "--threads", "3", "-o", "again.txt").returncode == 0
    assert (tmp_path / "again.txt").read_text() == weights, "threads change nothing"


def test_metric_and_references(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    """A translation that is given as a second reference cannot be better."""
    translated = pentaglot("translate", model, EXAMPLES / "test.de")
    (tmp_path / "second").write_text(translated.stdout, "utf-8")
    quick = (*QUICK, "--no-set-length", "--metric", "ter", "--quiet", "-o", "other.txt")
    done = pentaglot("tune", model, *DEV, *quick[:-3], "-o", "other.txt", "--reference", "second")
    assert done.returncode == 0, done.stderr
    assert "development TER 0.00 (round 0 of 0)" in done.stderr
    (tmp_path / "second").write_text("One line.\n", "utf-8")
    done = pentaglot("tune", model, *DEV, *quick, "--reference", "second")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "second: has 1 line but" in done.stderr
    assert (
        "there is no metric 'blue'; did you mean 'bleu'?" in pentaglot("tune", model, *DEV, "--metric", "blue").stderr
    )


def test_options_of_a_tuner_in_a_file(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text('[tune]\ntuner = "mert"\nsize = 5\nrounds = 1\n[tune.mert]\nrestarts = 1\n')
    one = pentaglot("tune", model, *DEV, "--config", "options.toml", "--quiet", "-o", "one.txt")
    assert one.returncode == 0, one.stderr
    assert pentaglot("tune", model, *DEV, *QUICK, "--quiet", "-o", "two.txt").returncode == 0
    assert (tmp_path / "one.txt").read_text() == (tmp_path / "two.txt").read_text()
    (tmp_path / "options.toml").write_text("[tune.mirra]\npull = 0.5\n")
    done = pentaglot("tune", model, *DEV, "--config", "options.toml")
    assert done.returncode == 2 and "options.toml:1: there is no tuner 'mirra'; did you mean 'mira'?" in done.stderr


def test_further_language_models(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "mine")
    assert pentaglot("lm", "build", EXAMPLES / "test.en", "-o", "other.arpa", "--order", "2").returncode == 0
    tuned = pentaglot("tune", "mine", *DEV, *QUICK, "--lm", "one=other.arpa", "--lm", "two=other.arpa")
    assert tuned.returncode == 0, tuned.stderr
    weights = (tmp_path / "mine" / "weights.txt").read_text()
    for name in (
        "language_model@one",
        "language_model_unknown@one",
        "language_model@two",
        "language_model_unknown@two",
    ):
        assert name in weights
    found = pentaglot("translate", "mine", EXAMPLES / "test.de", "--nbest", "1")
    assert found.returncode == 0, found.stderr
    assert "language_model@two" in found.stdout
    shutil.rmtree(tmp_path / "mine" / "languages" / "two")
    without = pentaglot("translate", "mine", EXAMPLES / "test.de")
    assert without.returncode == 2
    assert "mine/languages/two: is missing; the model has weights for it" in without.stderr


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["x"], "is not a named language model"),
        (["x=a.arpa", "x=b.arpa"], "two language models are called 'x'"),
        (["x=nowhere.arpa"], "nowhere.arpa"),
        (["a/b=other.arpa"], "a language model cannot be called 'a/b'"),
    ],
)
def test_language_models_that_will_not_do(
    pentaglot: Run, model: Path, tmp_path: Path, given: list[str], complaint: str
) -> None:
    shutil.copytree(model, tmp_path / "mine")
    assert pentaglot("lm", "build", EXAMPLES / "test.en", "-o", "other.arpa", "--order", "2").returncode == 0
    tuned = pentaglot("tune", "mine", *DEV, *QUICK, *(part for each in given for part in ("--lm", each)))
    assert tuned.returncode == 2
    assert complaint in tuned.stderr
    assert [each.name for each in (tmp_path / "mine" / "languages").iterdir()] == ["classes"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--tuner", "pro", "--penalty", "l1=1@nowhere"], "there is no group of features 'nowhere'"),
        (["--tuner", "mert", "--penalty", "l1=1"], "the tuner 'mert' takes no penalties"),
        (["--metric", "length"], "length cannot be tuned for"),
        (["--aside", "99"], "99 of 40 development sentences cannot be set aside"),
        (["--aside", "5", "--final", "last"], "the last round is kept"),
        (["--tuner", "ramp3", "--loss-folds", "1"], "sentences cannot be cut into 1 part"),
        (["--induce", "constant.toml"], "constant.toml:3: 'rules' is 1 in all rules"),
        (["--weights", "odd.txt"], "odd.txt:2: there is no feature 'langauge_model@one'; did you mean"),
    ],
)
def test_a_language_model_is_added_when_all_else_will_do(
    pentaglot: Run, model: Path, tmp_path: Path, options: list[str], complaint: str
) -> None:
    shutil.copytree(model, tmp_path / "mine")
    assert pentaglot("lm", "build", EXAMPLES / "test.en", "-o", "other.arpa", "--order", "2").returncode == 0
    (tmp_path / "constant.toml").write_text('[[induce]]\noperator = "bins"\ninputs = ["rules"]\n')
    (tmp_path / "odd.txt").write_text("language_model@one 1.0\nlangauge_model@one 1.0\n")
    tuned = pentaglot("tune", "mine", *DEV, "--lm", "one=other.arpa", *options)
    assert tuned.returncode == 2 and complaint in tuned.stderr, tuned.stderr
    assert [each.name for each in (tmp_path / "mine" / "languages").iterdir()] == ["classes"]
    assert (tmp_path / "mine" / "weights.txt").read_bytes() == (model / "weights.txt").read_bytes()


def test_a_run_that_was_stopped_goes_on(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    """Its rounds are kept beside the weights until these are there, and count for the same development text only."""
    lines = [(EXAMPLES / name).read_text("utf-8").splitlines()[:20] for name in ("test.de", "test.en")]
    options = TuneOptions(rounds=3, size=5, settings=Mira(epochs=2))
    with pytest.raises(Killed):
        kept = beside(grown / "weights.txt")
        tune(Translator.open(grown), *lines, options, checkpoint=kept, progress=KilledAt("translating", after=2))
    for name, each in zip(("a.de", "a.en"), lines, strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in each), "utf-8")
    quick = ("--size", "5", "--mira-epochs", "2")
    for number, rounds in enumerate(("4", "1")):
        shutil.copytree(grown, tmp_path / f"copy{number}")
        done = pentaglot("tune", f"copy{number}", "--dev", "a.de", "a.en", "--rounds", rounds, *quick)
        assert done.returncode == 0, done.stderr
        decodings = done.stderr.count("translating the development set: done")
        fresh = pentaglot("tune", grown, "--dev", "a.de", "a.en", "--rounds", rounds, *quick, "-o", "fresh.txt")
        assert (tmp_path / f"copy{number}" / "weights.txt").read_text() == (tmp_path / "fresh.txt").read_text()
        expected = fresh.stderr.count("translating the development set: done")
        assert decodings == expected - (2 if rounds == "4" else 1)
        assert not list((tmp_path / f"copy{number}").glob(".weights*")) and not list(tmp_path.glob(".fresh*"))
    done = pentaglot("tune", grown, *DEV, *QUICK)
    assert done.returncode == 0, done.stderr


def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "short.en").write_text("One line.\n")
    (tmp_path / "empty").write_text("")
    for arguments, message in (
        (("nothing", "--dev", "a", "b"), "there is no model here"),
        ((model, "--dev", "none.de", EXAMPLES / "test.en"), "none.de: no such file"),
        ((model, "--dev", EXAMPLES / "test.de", "short.en"), "short.en: ends after 1 line, but"),
        ((model, "--dev", "empty", "empty"), "some text"),
    ):
        done = pentaglot("tune", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr


def test_a_round_is_chosen_on_another_text(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    lines = [(EXAMPLES / name).read_text("utf-8").splitlines(keepends=True) for name in ("test.de", "test.en")]
    for side, text in zip(("de", "en"), lines, strict=True):
        (tmp_path / f"tune.{side}").write_text("".join(text[:20]), "utf-8")
        (tmp_path / f"choose.{side}").write_text("".join(text[20:30]), "utf-8")
    (tmp_path / "start.txt").write_text("language_model 0.2\ntranslation 0.1\nwords -0.5\n")
    given = ("tune", model, "--dev", "tune.de", "tune.en", *QUICK, "--weights", "start.txt", "-o", "out.txt")
    done = pentaglot(*given, "--choose", "choose.de", "choose.en")
    assert done.returncode == 0, done.stderr
    assert '"held_out": null' not in (tmp_path / "out.tuning.json").read_text()
    odd = pentaglot(*given, "--choose", "choose.de", "choose.en", "--final", "last")
    assert odd.returncode == 2 and "the last round is kept, so there is nothing to choose" in odd.stderr
    few = pentaglot(*given, "--aside", "20")
    assert few.returncode == 2 and "20 of 20 development sentences cannot be set aside" in few.stderr
    (tmp_path / "start.txt").write_text("wrods 1\n")
    slip = pentaglot(*given)
    assert slip.returncode == 2 and "start.txt:1: there is no feature 'wrods'; did you mean 'words'?" in slip.stderr


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            ["--tuner", "mert", "--penalty", "l1=1"],
            "the tuner 'mert' takes no penalties: it ignores the length of weights",
        ),
        (["--penalty", "l1=1"], "the tuner 'mira' takes no penalties; use pro or a loss such as ramp3"),
        (["--tuner", "pro", "--penalty", "l3=1"], "there is no penalty 'l3'"),
        (["--tuner", "pro", "--penalty", "l1=1@nowhere"], "there is no group of features 'nowhere'"),
        (["--tuner", "pro", "--pro-solver", "lbfgs", "--penalty", "l1=1"], "L-BFGS needs a smooth penalty"),
    ],
)
def test_penalties_that_will_not_do(pentaglot: Run, model: Path, given: list[str], complaint: str) -> None:
    done = pentaglot(
        "tune", model, *DEV, "--rounds", "1", "--size", "5", "--no-set-length", "-q", "-o", "x.txt", *given
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    assert complaint in done.stderr


def test_a_penalty_that_will_not_do_is_told_before_the_work(pentaglot: Run, model: Path) -> None:
    done = pentaglot("tune", model, *DEV, "--tuner", "pro", "--penalty", "curv=1")
    assert (done.returncode, done.stderr) == (2, "pentaglot: there is no penalty 'curv'; did you mean 'curve'?\n")


def test_bins_that_keep_their_curve(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    """Held strongly, bins are the feature again whose place they took, with another weight."""
    (tmp_path / "bins.toml").write_text(
        '[[induce]]\noperator = "bins"\nbins = 6\nkeep = false\ninputs = ["translation"]\n'
    )
    given = (
        *DEV,
        "--induce",
        "bins.toml",
        "--tuner",
        "pro",
        "--size",
        "20",
        "--final",
        "last",
        "--pro-squared",
        "0",
        "-q",
    )
    found = {}
    for name, further in {
        "begun": ("--rounds", "1", "--pro-share", "0"),
        "free": (),
        "held": ("--penalty", "curve=1e9"),
    }.items():
        done = pentaglot("tune", model, *given, "--rounds", "1", *further, "-o", f"{name}.txt")
        assert done.returncode == 0, done.stderr
        [curve] = json.loads(pentaglot("weights", f"{name}.txt", "--json").stdout)["curves"]
        found[name] = np.array([each["weight"] for each in curve["bins"]])
    begun = found["begun"]
    away = {name: bins - begun * (begun @ bins) / (begun @ begun) for name, bins in found.items()}
    assert np.abs(away["held"]).max() < 1e-3 * np.abs(found["held"]).max()
    assert np.abs(away["free"]).max() > 0.05 * np.abs(found["free"]).max()


def test_bins_with_monotone_neighbours(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    """From operators to a curve: the penalty makes it monotone."""
    (tmp_path / "bins.toml").write_text(
        '[[induce]]\noperator = "bins"\nbins = 6\nkeep = false\ninputs = ["coherent"]\n'
    )
    tuning = ("--tuner", "pro", "--rounds", "1", "--size", "20", "--final", "last", "--pro-squared", "0.01", "-q")
    turns = {}
    for strength in ("0", "1e6"):
        given = ("--induce", "bins.toml", *tuning, "--penalty", f"isotonic={strength},rising", "-o", f"{strength}.txt")
        done = pentaglot("tune", model, *DEV, *given)
        assert done.returncode == 0, done.stderr
        shown = json.loads(pentaglot("weights", f"{strength}.txt", "--json").stdout)
        [curve] = shown["curves"]
        assert len(curve["bins"]) == 6 and all(each["population"] > 0 for each in curve["bins"])
        weights = [each["weight"] for each in curve["bins"]]
        turns[strength] = sum(max(0.0, one - other) for one, other in itertools.pairwise(weights))
    assert turns["1e6"] < 1e-9 < turns["0"], turns


def test_a_model_is_left_alone_if_anything_cannot_be_read(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    (tmp_path / "more.en").write_text("The dog sees the cat .\n" * 9)
    assert pentaglot("lm", "build", "more.en", "-o", "more", "--order", "2", "--quiet").returncode == 0
    before = sorted(grown.rglob("*"))
    done = pentaglot("tune", grown, "--lm", "more=more", "--dev", "none.de", EXAMPLES / "test.en")
    assert done.returncode == 2 and "none.de: no such file" in done.stderr
    assert sorted(grown.rglob("*")) == before


def test_places_where_no_weights_can_be_written(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place, message in (("pipe", "is a pipe or a device"), (".", "is a directory"), ("no/w", "no such directory")):
        done = pentaglot("tune", model, *DEV, *QUICK, "-o", place)
        assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize(
    ("second", "line", "complaint"),
    [
        ('operator = "bin"', 5, "there is no operator 'bin'"),
        ('operator = "bins"\nbins = 1', 6, "option 'bins' is 1; it must be from 2"),
        ('operator = "bins"\nbns = 9', 6, "unknown option 'bns'"),
        ('operator = "bins"\ninputs = ["distortion"]', 6, "'distortion' looks across rules"),
        ('operator = "bins"\ninputs = ["wrds"]', 6, "there is no feature 'wrds' to cut into bins"),
        ('operator = "domains"\nfeatures = ["wrds"]', 6, "there is no feature 'wrds' to multiply by domains"),
        ('operator = "bins"\ninputs = ["words"]\nkind = "probability"', 6, "'words' is not the logarithm"),
        ('operator = "conjoined_bins"\ninputs = ["words", "glue"]', 6, "'words' is not cut into bins"),
        ('operator = "conjoined_bins"', 5, "'conjoined_bins' conjoins 2 quantities, but only 1 is cut into bins"),
        ('operator = "domains"', 5, "no development sentence has the metadata 'domain'"),
        ("bins = 3", 4, "a table of 'induce' names no operator"),
    ],
)
def test_mistakes_in_operators_name_file_and_line(
    pentaglot: Run, grown: Path, tmp_path: Path, second: str, line: int, complaint: str
) -> None:
    text = f'[[induce]]\noperator = "bins"\ninputs = ["coherent"]\n[[induce]]\n{second}\n'
    (tmp_path / "odd.toml").write_text(text)
    few = ("--size", "5", "--rounds", "1", "-q")
    done = pentaglot("tune", grown, *DEV, "--induce", "odd.toml", *few)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"odd.toml:{line}: {complaint}" in done.stderr
    file = grown / "pentaglot.toml"
    before = file.read_text("utf-8")
    file.write_text(before + text, "utf-8")
    done = pentaglot("tune", grown, *DEV, *few)
    assert done.returncode == 2 and f"pentaglot.toml:{len(before.splitlines()) + line}: {complaint}" in done.stderr
