"""Files of weights as users write them: a name that is not known is told, wherever such a file is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Run


@pytest.mark.parametrize("command", ["translate", "tune", "explain"])
def test_a_slip_in_a_model(pentaglot: Run, model: Path, tmp_path: Path, command: str) -> None:
    mine = shutil.copytree(model, tmp_path / "mine")
    (mine / "weights.txt").write_text("words 0.5\nlangauge_model 1\n")
    more = {"translate": [], "tune": ["--dev", EXAMPLES / "test.de", EXAMPLES / "test.en"], "explain": ["Haus"]}
    failed = pentaglot(command, "mine", *more[command], stdin="Haus\n")
    assert failed.returncode == 2 and failed.stdout == ""
    assert failed.stderr == (
        "pentaglot: mine/weights.txt:2: there is no feature 'langauge_model'; did you mean 'language_model'?\n"
    )


@pytest.mark.parametrize("text", ["", "# none yet\n\n"])
def test_no_weights(pentaglot: Run, model: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "empty").write_text(text)
    mine = shutil.copytree(model, tmp_path / "mine")
    (mine / "weights.txt").write_text(text)
    told = "has no weights; each line is the name of a feature and its weight\n"
    for arguments, file in (
        (["empty"], "empty"),
        (["mine"], "mine/weights.txt"),
        ([model, "--beside", "empty"], "empty"),
    ):
        failed = pentaglot("weights", *arguments)
        assert failed.returncode == 2 and failed.stdout == ""
        assert failed.stderr == f"pentaglot: {file}: {told}"


def test_a_slip_is_found_before_training(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("words 0.5\ntranslation@news 0.5\nwrods 1\n")
    files = EXAMPLES / "train.de", EXAMPLES / "train.en"
    news = f"news={EXAMPLES / 'test.de'},{EXAMPLES / 'test.en'}"
    failed = pentaglot("train", *files, "-o", "model", "--weights", "weights", "--corpus", news)
    assert failed.returncode == 2
    assert failed.stderr == "pentaglot: weights:3: there is no feature 'wrods'; did you mean 'words'?\n"
    assert not (tmp_path / "model").exists()
