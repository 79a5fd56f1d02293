"""`pentaglot forest` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

from pentaglot.corpus import Vocabulary
from pentaglot.forest import FeatureSpace, ForestBuilder, tail


@pytest.fixture
def forests(tmp_path: Path) -> Path:
    vocabulary, builder = Vocabulary(), ForestBuilder()
    noun, goal = builder.node(), builder.node()
    builder.edge(noun, target=[vocabulary.add("house")], features={0: -0.5})
    builder.edge(noun, target=[vocabulary.add("home")], features={0: -0.75})
    builder.edge(goal, [noun], [vocabulary.add("the"), tail(0)], {1: 1.0})
    text = builder.finish(goal, weights=[1.0, 0.5]).to_json(vocabulary, FeatureSpace(["translation", "rules"]))
    (tmp_path / "forests").write_text(text + "\n")
    return tmp_path


def test_translations(pentaglot: Run, forests: Path) -> None:
    shown = pentaglot("forest", "forests", "--nbest", "5")
    assert shown.stdout.splitlines() == [
        "0 ||| the house ||| translation=-0.5 rules=1 ||| 0",
        "0 ||| the home ||| translation=-0.75 rules=1 ||| -0.25",
    ]
    assert len(pentaglot("forest", "forests", "--nbest", "5", "--prune", "0.1").stdout.splitlines()) == 1
    assert "the house" in pentaglot("forest", "-", "--risk", stdin=(forests / "forests").read_text()).stdout


def test_weights_and_picture(pentaglot: Run, forests: Path) -> None:
    (forests / "weights").write_text("translation -1\n")
    shown = pentaglot("forest", "forests", "--weights", "weights", "--svg", "first.svg")
    assert shown.stdout == "0 ||| the home ||| translation=-0.75 rules=1 ||| 0.75\n"
    assert "home" in (forests / "first.svg").read_text() and shown.stderr == ""
    (forests / "weights").write_text("translation -1\nrare 2\nrarer 3\n")
    told = pentaglot("forest", "forests", "--weights", "weights")
    assert told.stdout == shown.stdout and told.returncode == 0
    assert told.stderr == "WARNING: no forest has the feature 'rare', 'rarer' of weights\n"


def test_mistakes(pentaglot: Run, forests: Path) -> None:
    (forests / "bad").write_text((forests / "forests").read_text() + "{}\n")
    for arguments, message in {
        ("bad",): "bad:2: not a pentaglot forest of version 1",
        ("none",): "none: no such file",
        ("forests", "--weights", "none"): "none: no such file",
        ("forests", "--nbest", "0"): "--nbest",
    }.items():
        failed = pentaglot("forest", *arguments)
        assert failed.returncode == 2 and message in failed.stderr and "Traceback" not in failed.stderr
