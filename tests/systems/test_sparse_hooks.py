"""Hooks that give sparse features: what the same features do as columns, and how a model keeps their names."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.docs.test_system import install
from tests.systems.conftest import EXAMPLES
from tests.systems.test_hooks import REFERENCES, SOURCES, hasty, sparse

from pentaglot.errors import InputError, PentaglotError, StorageError
from pentaglot.forest import FeatureSpace, Weights
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import SentenceRules, SparseFeatures
from pentaglot.systems import Model, TrainOptions, Translator, train, tune

__all__ = ["hasty"]


def some_names(model: Model) -> list[str]:
    """Features that the hook gives to the rules of good translations."""
    translator = Translator(model, hooks=[sparse])
    seen = [name for line in SOURCES for name in translator.translate(line).nbest[0][1].features]
    return sorted({name for name in seen if name.startswith("first ")})


def block(found: SentenceRules) -> SparseFeatures:
    """What the hook `sparse` gives, as a block."""
    columns = sparse(found)
    names = tuple(columns)
    rows = np.array(list(columns.values())).T
    rules, ids = np.nonzero(rows)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rules, minlength=len(rows)))])
    return SparseFeatures(names, offsets, ids, rows[rules, ids])


def test_blocks_do_what_columns_do(trained: Path) -> None:
    model = Model.open(trained)
    found, names = [], some_names(model)
    weights = model.weights | {name: 0.3 - 0.1 * number for number, name in enumerate(names)}
    for hook in (sparse, block):
        translator = Translator(model, weights=weights, hooks=[hook])
        lists = [each.nbest for each in translator.translate_all(SOURCES, nbest=5)]
        told = [(text, each.score, each.features) for nbest in lists for text, each in nbest]
        rules = [(each.source, each.target, each.features, each.score) for each in translator.look_up("das")]
        explained = {each.feature: each.score for each in translator.explain(SOURCES[0]).totals()}
        found.append((told, rules, explained))
    assert found[0] == found[1]
    assert any(names[0] in features for _, _, features in found[1][0])
    assert any(each.startswith(("first ", "begins ")) for each in found[1][2])


def test_learners_see_the_same(trained: Path) -> None:
    model = Model.open(trained)
    options = TuneOptions(tuner="mira", rounds=2, size=20, settings=Mira(epochs=5), set_length=False)
    tuned = [
        tune(Translator(model, hooks=[hook]), SOURCES[:8], REFERENCES[:8], options, seed=1) for hook in (sparse, block)
    ]
    assert [dict(each.weights) for each in tuned[0].rounds] == [dict(each.weights) for each in tuned[1].rounds]
    assert any(name.startswith("first ") for name in tuned[1].weights)


@pytest.mark.usefixtures("hasty")
def test_a_model_keeps_its_features(trained: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(trained, copy)
    assert not Translator.open(copy).save_features(tmp_path / "none") and not (tmp_path / "none").exists()
    for threads in (1, 8):
        translator = Translator(Model.open(copy), hooks=[block])
        list(translator.translate_all(SOURCES, threads=threads))
        assert translator.save_features(tmp_path / str(threads))
    for file in (tmp_path / "1").iterdir():
        assert (tmp_path / "8" / file.name).read_bytes() == file.read_bytes()
    shutil.move(tmp_path / "1", copy / "features")
    model = Model.open(copy)
    name = some_names(model)[0]
    space = FeatureSpace.open(copy / "features")
    assert model.features is not None and model.features.names == space.names
    opened = Translator(model, hooks=[block])
    assert opened.features.names[: len(space)] == space.names and name in space
    one, other = (each.translate(SOURCES[0], nbest=3).nbest for each in (translator, opened))
    assert [(text, each.score, dict(each.features)) for text, each in one] == [
        (text, each.score, dict(each.features)) for text, each in other
    ]
    # Without its hook nobody gives them, and a weight for one is a mistake with file and line.
    (Weights.open(copy / "weights.txt") | {name: 1.0}).save(copy / "weights.txt")
    line = len((copy / "weights.txt").read_text("utf-8").splitlines())
    with pytest.raises(InputError, match=rf"weights.txt:{line}: there is no feature '{name}'"):
        Translator.open(copy)
    (copy / "features" / "names.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(StorageError, match="features"):
        Model.open(copy)


def test_a_weight_vector_is_all_that_a_twin_costs(trained: Path) -> None:
    translator = Translator(Model.open(trained), hooks=[block])
    translator.translate(SOURCES[0])
    many = translator.weights | {f"never {number}": 1.0 for number in range(1000)}
    twin = translator.with_weights(many)
    assert len(twin.weights) == len(translator.weights) + 1000 and "never 7" not in translator.features
    assert twin.translate(SOURCES[0]).text == translator.translate(SOURCES[0]).text
    with pytest.raises(PentaglotError, match="'never 0'"):
        Translator.open(trained).with_weights(many)


PAIRED = """
from dataclasses import replace
from pentaglot.rules import SparseFeatures
from pentaglot.systems import find_system

def last_words(found):
    sides = (found.target_side(rule)[-1:] for rule in range(found.table.rules))
    return SparseFeatures.from_rows([{f"last {word}": 1.0 for word in side} for side in sides])

PAIRED = replace(find_system("phrase"), name="paired", hooks=(last_words,))
"""


def test_a_system_whose_hook_names_features_in_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are known when the model is opened, because it keeps them."""
    install(tmp_path / "site", "paired", {"paired": "paired:PAIRED"}, paired=PAIRED)
    monkeypatch.syspath_prepend(tmp_path / "site")
    dev = tmp_path / "dev.de", tmp_path / "dev.en"
    for path, lines in zip(dev, (SOURCES, REFERENCES), strict=True):
        path.write_text("\n".join(lines[:8]) + "\n", "utf-8")
    texts = EXAMPLES / "train.de", EXAMPLES / "train.en"
    tuning = TuneOptions(tuner="mira", rounds=1, size=10, settings=Mira(epochs=3), set_length=False)
    options = TrainOptions(system="paired", order=2, word_classes=0)
    train(*texts, tmp_path / "model", dev=dev, options=options, tuning=tuning)
    translator = Translator.open(tmp_path / "model")
    named = [name for name in translator.weights if name.startswith("last ")]
    assert len(named) > 10 and all(name in translator.features for name in named)
    assert any(name.startswith("last ") for name in translator.translate(SOURCES[0]).nbest[0][1].features)
    shutil.rmtree(tmp_path / "model" / "features")
    with pytest.raises(InputError, match=r"weights.txt:\d+: there is no feature 'last "):
        Translator.open(tmp_path / "model")
