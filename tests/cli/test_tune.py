"""`pentaglot tune` as a user runs it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.conftest import EXAMPLES, Run

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


def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "short.en").write_text("One line.\n")
    (tmp_path / "empty").write_text("")
    for arguments, message in (
        (("nothing", "--dev", "a", "b"), "there is no model here"),
        ((model, "--dev", "none.de", EXAMPLES / "test.en"), "none.de: no such file"),
        ((model, "--dev", EXAMPLES / "test.de", "short.en"), "short.en: ends after 1 lines, but"),
        ((model, "--dev", "empty", "empty"), "some text"),
    ):
        done = pentaglot("tune", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr
