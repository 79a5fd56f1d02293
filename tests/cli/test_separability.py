"""`pentaglot separability` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import EXAMPLES, Run

from pentaglot.systems import Translator

TEXT = (EXAMPLES / "test.de", EXAMPLES / "test.en")


def test_a_model(pentaglot: Run, model: Path) -> None:
    done = pentaglot("separability", model, *TEXT, "--sentences", "6", "--size", "5", "--quiet")
    assert done.returncode == 0, done.stderr
    assert "separable" in done.stdout and "bins of rules" in done.stdout and "translation" in done.stdout
    found = json.loads(
        pentaglot(
            "separability", model, *TEXT, "--sentences", "6", "--size", "5", "--json", "--threads", "2", "-q"
        ).stdout
    )
    names = Translator.open(model).feature_names
    assert set(found["linear"]["weights"]) <= set(names)
    assert "language_model" in found["local"]["weights"], "what looks across rules is in no bin"
    assert "language_model" not in found["advice"] and "translation" in found["advice"]
    assert found["linear"]["pairs"] == found["local"]["pairs"] <= 6 * 10


def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    done = pentaglot("separability", model, "empty", "empty")
    assert done.returncode == 2 and "empty: has nothing" in done.stderr
    assert pentaglot("separability", "nowhere", *TEXT).returncode == 2
