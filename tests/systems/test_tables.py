"""Models that translate with a table: trained, tuned, explained; with an index beside it, and without."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
import sacrebleu
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import PentaglotError
from pentaglot.explain import explain, explanation_page
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import TableRules
from pentaglot.systems import TrainOptions, Translator, find_system, train, tune


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text("utf-8").splitlines()


@pytest.fixture(scope="module", params=["hiero", "phrase"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tables") / request.param
    options = TrainOptions(system=request.param, order=3)
    rules = dataclasses.replace(find_system(request.param).rules, source="table")
    done = train(EXAMPLES / "train.de", EXAMPLES / "train.en", place, options=options, rules=rules, threads=2)
    assert "table" in done.seconds
    return place


@pytest.fixture
def alone(model: Path, tmp_path: Path) -> Path:
    """The same model without its index."""
    place = tmp_path / "alone"
    shutil.copytree(model, place)
    shutil.rmtree(place / "index")
    return place


def test_translates_unseen_sentences(model: Path, alone: Path) -> None:
    translator = Translator.open(model)
    assert isinstance(translator.rules, TableRules)
    found = [translation.text for translation in translator.translate_all(lines("test.de"), threads=2)]
    assert sacrebleu.corpus_bleu(found, [lines("test.en")]).score > 55
    assert [each.text for each in Translator.open(alone).translate_all(lines("test.de"))] == found


@pytest.mark.parametrize("line", ["", "|||", "[X,1] X1", "Zyx Qwv", "x" * 10_000])
def test_survives(alone: Path, line: str) -> None:
    translator = Translator.open(alone)
    assert bool(translator.translate(line).text) == bool(translator.model.source_tokenizer.tokenise(line))


def test_tuning(model: Path) -> None:
    translator = Translator.open(model)
    options = TuneOptions(rounds=1, size=10, settings=Mira(epochs=2))
    tuned = tune(translator, lines("train.de")[:10], lines("train.en")[:10], options)
    assert {"translation", "inverse", "coherence", "language_model"} <= set(tuned.weights)


def test_explained_with_examples_of_the_index(model: Path) -> None:
    translator = Translator.open(model)
    seen = 0
    for line in lines("test.de")[:5]:
        explanation = explain(translator, line)
        assert explanation.note == ""
        for root in explanation.roots:
            for node in root.walk():
                for example in node.examples:
                    words = [word for word in node.source if isinstance(word, str)]
                    assert [example.source[at] for at in example.source_places] == words
                    seen += 1
    assert seen > 5


def test_explained_without_an_index(alone: Path) -> None:
    explanation = explain(Translator.open(alone), lines("test.de")[0])
    assert "come from a table" in explanation.note
    assert explanation.to_json()["note"] == explanation.note
    assert not any(node.examples for root in explanation.roots for node in root.walk())
    assert "come from a table" in explanation_page([explanation])


def test_lookups(model: Path, alone: Path) -> None:
    word = lines("test.de")[0].split()[0]
    for place in (model, alone):
        translator = Translator.open(place)
        rules = translator.look_up(word)
        assert rules and any("inverse" in rule.features for rule in rules)
        assert any(rule.examples for rule in rules) == (place == model)
    assert Translator.open(alone).find(word).count == 0


def test_a_table_cannot_grow(model: Path) -> None:
    with pytest.raises(PentaglotError, match="translates with a table, which cannot grow"):
        Translator.open(model).add("ein Haus", "a house")


def test_what_is_missing_is_named(alone: Path) -> None:
    shutil.rmtree(alone / "table")
    with pytest.raises(PentaglotError, match="there is no table here"):
        Translator.open(alone)


def test_the_description_chooses(model: Path, tmp_path: Path) -> None:
    place = tmp_path / "model"
    shutil.copytree(model, place)
    file = place / "pentaglot.toml"
    file.write_text(file.read_text("utf-8").replace('source = "table"', 'source = "index"'), "utf-8")
    translator = Translator.open(place)
    assert not isinstance(translator.rules, TableRules)
    assert translator.translate(lines("test.de")[0]).text
