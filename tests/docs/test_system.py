"""The system of the documentation, as a package that somebody else has installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.console import ROOT
from tests.docs.packages import blocks_of, entries_of, install

from pentaglot import PentaglotError
from pentaglot.explain import explain, explanation_page
from pentaglot.systems import Model, TrainOptions, Translator, find_system, system_names, train

PAGE = (ROOT / "docs" / "translation.md").read_text("utf-8")
EXAMPLES = ROOT / "examples"
LINE = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[0]


def test_the_system_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = blocks_of(PAGE, "## A system of your own")
    assert sum(block.count("\n") for block in blocks.values()) <= 40
    entries = entries_of(blocks["toml"], "pentaglot.systems")
    install(tmp_path / "site", "even", entries, even=blocks["python"])
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert system_names() == ("hiero", "phrase", "even")

    texts = EXAMPLES / "train.de", EXAMPLES / "train.en"
    options = TrainOptions(system="even", order=3)
    trained = train(*texts, tmp_path / "model", options=options)
    assert "ratio" in trained.seconds
    words = [sum(map(len, map(str.split, path.read_text("utf-8").splitlines()))) for path in texts]
    ratio = json.loads((tmp_path / "model" / "ratio.json").read_text("utf-8"))
    assert ratio == pytest.approx(words[1] / words[0], rel=0.2)
    translator = Translator.open(tmp_path / "model")
    assert translator.model.weights["odd_length"] == translator.weights["odd_length"] == -0.1
    assert translator.translate(LINE).nbest[0][1].features["odd_length"] > 0
    assert "usual ratio of lengths" in explanation_page([explain(translator, LINE)])
    with pytest.raises(PentaglotError, match="no feature 'odd_lenght'; did you mean 'odd_length'"):
        translator.with_weights({"odd_lenght": 1.0})
    assert not train(*texts, tmp_path / "model", options=options).seconds
    # With much weight it decides.
    strict = translator.with_weights({**translator.weights, "odd_length": -100.0})
    said = [each.translate(LINE).nbest[0][1].features["odd_length"] for each in (translator, strict)]
    assert said[1] < said[0]

    # The command line knows it, as long as the package is there.
    run = [sys.executable, "-m", "pentaglot"]
    with_it = {"PYTHONPATH": str(tmp_path / "site")}
    told = subprocess.run(
        [*run, "translate", tmp_path / "model"], input=LINE, env=with_it, text=True, capture_output=True, check=True
    )
    assert told.stdout.strip() == translator.translate(LINE).text
    helped = subprocess.run([*run, "train", "--help"], env=with_it, text=True, capture_output=True, check=True)
    assert "[hiero|phrase|even]" in helped.stdout
    left = subprocess.run([*run, "translate", tmp_path / "model"], input="", env={}, text=True, capture_output=True)
    assert left.returncode == 2 and "names an unknown system 'even'" in left.stderr


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("broken", "the system 'broken' of odd cannot be loaded: division by zero"),
        ("missing", "the system 'missing' of odd cannot be loaded: .*has no attribute 'NONE'"),
        ("number", "the system 'number' of odd is not a System called 'number'; look at 'odd_good:ONE'$"),
        ("renamed", "the system 'renamed' of odd is not a System called 'renamed'"),
        ("twice", "odd and other both have a system 'twice'; uninstall one of them"),
        ("hieroo", "there is no system 'hieroo'; did you mean 'hiero'"),
        ("zzz", "there is no system 'zzz'; known: broken, hiero, missing, number, phrase, renamed, twice"),
    ],
)
def test_systems_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, problem: str) -> None:
    good = "from pentaglot.systems import find_system\nONE = 1\nSYSTEM = find_system('hiero')\n"
    entries = {"broken": "odd_bad:SYSTEM", "missing": "odd_good:NONE", "number": "odd_good:ONE"}
    entries |= {"renamed": "odd_good:SYSTEM", "twice": "odd_good:SYSTEM", "hiero": "odd_good:ONE"}
    install(tmp_path, "odd", entries, odd_bad="1 / 0\n", odd_good=good)
    install(tmp_path, "other", {"twice": "odd_good:OTHER"})
    monkeypatch.syspath_prepend(tmp_path)
    assert find_system("hiero").name == "hiero"  # nobody can take its name
    with pytest.raises(PentaglotError, match=problem):
        find_system(name)
    with pytest.raises(PentaglotError, match=problem):
        train(tmp_path / "a", tmp_path / "b", tmp_path / "model", options=TrainOptions(system=name))


def test_a_model_of_a_system_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "pentaglot.toml").write_text('format = 1\nsystem = "phrases"\n', "utf-8")
    with pytest.raises(PentaglotError, match="toml: names an unknown system 'phrases'; did you mean 'phrase'"):
        Model.open(tmp_path)


def test_an_unknown_system_on_the_command_line(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "pentaglot", "train", "a", "b", "-o", tmp_path / "model", "--system", "hirro"]
    told = subprocess.run(run, text=True, capture_output=True)
    assert told.returncode == 2 and "there is no system 'hirro'; did you mean 'hiero'?" in told.stderr
    assert not (tmp_path / "model").exists()
