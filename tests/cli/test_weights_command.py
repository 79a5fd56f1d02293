"""`pentaglot weights` as a user runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import EXAMPLES, Run

from pentaglot.forest import Weights
from pentaglot.rules import Induction, save_induction
from pentaglot.rules.binning import Bins
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities
from pentaglot.rules.operators import ConjoinBins, CutIntoBins
from pentaglot.rules.quantities import quantity_named

DEV = ("--dev", EXAMPLES / "test.de", EXAMPLES / "test.en")
QUICK = ("--rounds", "1", "--size", "5", "--mira-epochs", "2", "--quiet")


def test_the_weights_of_a_model(pentaglot: Run, model: Path) -> None:
    shown = pentaglot("weights", model)
    assert shown.returncode == 0, shown.stderr
    weights = Weights.open(model / "weights.txt")
    for name, value in weights.items():
        assert (f"  {name} " in shown.stdout) or not value
    assert "how well the translation reads" in shown.stdout and "default ×1" in shown.stdout
    found = json.loads(pentaglot("weights", model, "--json").stdout)
    rows = {each["name"]: each for group in found["groups"] for each in group["features"]}
    assert {name: row["weight"] for name, row in rows.items()} == dict(weights)
    assert sum(group["active"] for group in found["groups"]) == sum(value != 0 for value in weights.values())


def test_tuned_weights_beside_others(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        done = pentaglot("tune", model, *DEV, *QUICK, "--seed", seed, "-o", f"run{seed}.txt")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / f"run{seed}.tuning.json").exists()
    shown = pentaglot("weights", "run1.txt", "--beside", "second=run2.txt", "--beside", model, "--most", "3")
    assert shown.returncode == 0, shown.stderr
    assert "second ×" in shown.stdout and f"{model.name} ×" in shown.stdout and "more (see --most)" in shown.stdout
    assert "BLEU by round, one run" in shown.stdout
    both = pentaglot("weights", model, "--tuning", "run1.txt", "--tuning", "run2.tuning.json", "--svg", "a.svg")
    assert "2 runs" in both.stdout and " ± " in both.stdout, both.stderr
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg ")
    twice = pentaglot("weights", model, "--tuning", "run1.txt", "--tuning", "run1.tuning.json")
    assert twice.returncode == 2 and "run1.tuning.json: is given twice" in twice.stderr


def test_long_names_and_meanings_leave_room_for_weights(pentaglot: Run, tmp_path: Path) -> None:
    logs = Bins((-9.0, -3.0, -0.5), (-4.0, -1.0, 0.0), (-5.0, -2.0, -0.1), (10, 100, 90))
    names = ("coherent", "lexical_target", "lexical_source")
    binned = tuple(BinnedQuantity(quantity_named(name), logs) for name in names)
    cells = ConjoinedQuantities((0, 1, 2), np.array([[0, 1, 2], [1, 1, 1]], np.uint32))
    induction = Induction((CutIntoBins(names), ConjoinBins(order=3)), binned, (cells,))
    save_induction(induction, tmp_path / "w.txt.induction")
    given = {name: 0.125 + at / 1000 for at, name in enumerate(induction.names())}
    given |= {"words": 0.5} | dict(zip(binned[0].features, (0.0, 0.4, 0.1), strict=True))
    Weights(given).save(tmp_path / "w.txt")
    Weights({**given, "words": 0.7}).save(tmp_path / "other.txt")
    shown = pentaglot("weights", "w.txt", "--beside", "a-very-long-name-of-other-weights=other.txt")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    for name, value in list(given.items())[-3:-1]:  # the conjunctions
        rows = [line for line in lines if line.startswith(f"  {name[:30]}")]
        assert any(f" {value:.3g} " in row for row in rows), shown.stdout
    assert max(map(len, lines)) <= 140
    # By the population it falls, but the last bin is above the first.
    assert "  it falls for most rules, but goes from 0 to 0.1" in lines


def test_png(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    assert pentaglot("weights", model, "--png", "a.png").returncode == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_tuning_in_a_model_keeps_its_history(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "mine")
    done = pentaglot("tune", "mine", *DEV, *QUICK, "--aside", "20")
    assert done.returncode == 0, done.stderr
    shown = pentaglot("weights", "mine")
    assert "set aside" in shown.stdout, shown.stdout


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["nowhere"], "nowhere"),
        (["MODEL", "--tuning", "other.txt"], "other.tuning.json: there is no history of tuning here"),
        (["MODEL", "--beside", "a=x", "--beside", "a=y"], "two weights are called 'a'"),
        (["MODEL", "--beside", "default=x"], "two weights are called 'default'"),
        (["MODEL", "--beside", "=x"], "does not name weights"),
        (["MODEL", "--svg", "no/where.svg"], "there is no such directory"),
        (["bad.txt"], "bad.txt:1: 'nan' is not a finite number"),
    ],
)
def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path, given: list[str], complaint: str) -> None:
    (tmp_path / "bad.txt").write_text("words nan\n")
    done = pentaglot("weights", *[str(model) if each == "MODEL" else each for each in given])
    assert done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert complaint in done.stderr
