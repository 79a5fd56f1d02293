"""Word choice in a model: made by training, used by both systems, left out on request, missed if it is gone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK

from pentaglot.errors import StorageError
from pentaglot.rules.features import WORD_CHOICE
from pentaglot.systems import Model, TrainOptions, Translator, train


@pytest.fixture
def mine(trained: Path, tmp_path: Path) -> Path:
    shutil.copytree(trained, tmp_path / "mine")
    return tmp_path / "mine"


def test_translations_have_its_features(mine: Path) -> None:
    translator = Translator.open(mine)
    line = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[0]
    features = translator.translate(line).nbest[0][1].features
    assert set(WORD_CHOICE) <= set(features)
    without = translator.with_weights(translator.weights | dict.fromkeys(WORD_CHOICE, 0.0))
    assert without.translate(line).score != translator.translate(line).score


def test_models_without_it(mine: Path) -> None:
    """Those from before there was any, and those that have lost it."""
    shutil.rmtree(mine / "choice")
    with pytest.raises(StorageError, match="the model has a weight for it"):
        Model.open(mine)
    weights = mine / "weights.txt"
    lines = weights.read_text("utf-8").splitlines(keepends=True)
    weights.write_text("".join(line for line in lines if line.split()[0] not in WORD_CHOICE), "utf-8")
    translator = Translator.open(mine)
    assert translator.model.choice is None and not set(WORD_CHOICE) & set(translator.feature_names)
    assert translator.translate("das Haus").text


def test_left_out(tmp_path: Path) -> None:
    options = TrainOptions(order=2, word_classes=0, hold_out=0, word_choice=False)
    done = train(EXAMPLES / "train.de", EXAMPLES / "train.en", tmp_path / "m", options=options, align=QUICK)
    assert "word choice" not in done.seconds and not (tmp_path / "m" / "choice").exists()
    assert not set(WORD_CHOICE) & set(Model.open(tmp_path / "m").weights)
    # Asked for later, it is made, and nothing else but the weights.
    again = TrainOptions(order=2, word_classes=0, hold_out=0)
    done = train(EXAMPLES / "train.de", EXAMPLES / "train.en", tmp_path / "m", options=again, align=QUICK)
    assert set(done.seconds) == {"word choice", "describe", "weights"}
    assert set(WORD_CHOICE) <= set(Model.open(tmp_path / "m").weights)
