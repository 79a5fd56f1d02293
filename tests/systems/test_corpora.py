"""Further corpora of a model: rules and features of their own, one vocabulary, tunable, removable."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot import PentaglotError
from pentaglot.errors import OutputError
from pentaglot.explain import explain
from pentaglot.forest import Weights
from pentaglot.index import Index
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import RuleOptions
from pentaglot.rules.features import CORPUS_FEATURES, FOUND
from pentaglot.systems import TrainOptions, Translator, add_corpus, merge, remove_corpus, train, tune

PAIRS = [
    ("Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat."),
    ("Der Quastenflosser schläft.", "The coelacanth sleeps."),
    ("Ein Quastenflosser sieht den Hund.", "A coelacanth sees the dog."),
]
LINE = "Der Lehrer sieht den Quastenflosser."


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "model"))


def files(place: Path, name: str, pairs: list[tuple[str, str]] = PAIRS) -> tuple[Path, Path]:
    paths = place / f"{name}.source", place / f"{name}.target"
    for path, lines in zip(paths, zip(*pairs, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return paths


def test_a_further_corpus(model: Path, tmp_path: Path) -> None:
    before = Translator.open(model).translate(LINE).text
    assert add_corpus(model, "fish", *files(tmp_path, "fish")) == 3
    translator = Translator.open(model)
    names = {f"{name}@fish" for name in (*CORPUS_FEATURES, FOUND)}
    assert names <= set(translator.features.names)
    assert translator.model.weights["translation@fish"] == translator.model.weights["translation"]
    translation = translator.translate(LINE)
    assert "coelacanth" in translation.text and "coelacanth" not in before
    for _, hypothesis in translation.nbest:
        total = sum(value * translator.weights.get(name, 0.0) for name, value in hypothesis.features.items())
        assert hypothesis.score == pytest.approx(total, rel=1e-4, abs=1e-4)
    used = [each for root in explain(translator, LINE).roots for node in root.walk() for each in node.examples]
    assert {each.corpus for each in used} == {"", "fish"}
    assert "line 1 of fish.source, fish" in {each.label for each in used if each.corpus}
    assert translator.find("Quastenflosser").count == 3
    assert [each.corpus for rule in translator.look_up("Quastenflosser") for each in rule.examples] == ["fish"] * 3
    remove_corpus(model, "fish")
    assert Translator.open(model).translate(LINE).text == before
    assert not any(name.endswith("@fish") for name in Translator.open(model).model.weights)
    with pytest.raises(PentaglotError, match="no corpus 'fish'; its further corpora are: none"):
        remove_corpus(model, "fish")


def test_any_number_and_additions_between(model: Path, tmp_path: Path) -> None:
    translator = Translator.open(model)
    translator.add("Der Zwiebelfisch schläft.", "The wrong fount sleeps.")
    add_corpus(model, "one", *files(tmp_path, "one"))
    translator.add("Der Hering schläft.", "The herring sleeps.")
    add_corpus(model, "two", *files(tmp_path, "two", [("Die Scholle sieht den Hund.", "The plaice sees the dog.")]))
    lines = ["Zwiebelfisch", "Quastenflosser", "Hering", "Scholle"]
    words = ["fount", "coelacanth", "herring", "plaice"]

    def check() -> None:
        opened = Translator.open(model)
        for line, word in zip(lines, words, strict=True):
            assert word in opened.translate(f"Der Lehrer sieht die {line}.").text
        vocabulary, _ = opened.model.vocabularies
        for index in (opened.model.index, *opened.model.corpora.values()):
            own = index.bitext.source_vocabulary
            assert own.word(len(own) - 1) == vocabulary.word(len(own) - 1)

    check()
    assert merge(model) == 2
    check()
    assert len(Index.open(model / "index")) == 402
    add_corpus(model, "one", *files(tmp_path, "one", [*PAIRS, ("Ja.", "Yes.")]))
    check()
    assert len(Index.open(model / "corpora" / "one")) == 4


def test_an_index_of_another_model_is_told(model: Path, tmp_path: Path) -> None:
    add_corpus(model, "one", *files(tmp_path, "one"))
    other = tmp_path / "other"
    source, target = files(tmp_path, "other", PAIRS * 3)
    train(source, target, other, options=TrainOptions(order=2))
    shutil.copytree(other / "index", model / "corpora" / "two")
    with pytest.raises(PentaglotError, match="other word ids than the rest of the model"):
        Translator.open(model)


def test_tables_have_none(tmp_path: Path) -> None:
    arguments = (EXAMPLES / "train.de", EXAMPLES / "train.en", tmp_path / "model")
    options, rules = TrainOptions(order=2), RuleOptions(source="table")
    with pytest.raises(PentaglotError, match="a table cannot have further corpora"):
        train(*arguments, options=options, rules=rules, corpora={"fish": files(tmp_path, "fish")})
    train(*arguments, options=options, rules=rules)
    with pytest.raises(PentaglotError, match="which cannot have further corpora"):
        add_corpus(tmp_path / "model", "fish", *files(tmp_path, "fish"))


@pytest.mark.parametrize("name", ["", "a b", "../x", ".x", "a@b", "added"])
def test_bad_names(model: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(PentaglotError, match="cannot be called"):
        add_corpus(model, name, *files(tmp_path, "x"))
    assert not (model / "corpora").exists()


def test_bad_files_leave_the_model_alone(model: Path, tmp_path: Path) -> None:
    source, target = files(tmp_path, "x")
    target.write_text("one line\n", "utf-8")
    weights = (model / "weights.txt").read_text("utf-8")
    with pytest.raises(PentaglotError, match="has 3 lines, but"):
        add_corpus(model, "x", source, target)
    assert (model / "weights.txt").read_text("utf-8") == weights
    assert Translator.open(model).model.corpora == {}


def test_trained_with_corpora_and_tuned(tmp_path: Path) -> None:
    arguments = (EXAMPLES / "train.de", EXAMPLES / "train.en", tmp_path / "model")
    corpora = {"fish": files(tmp_path, "fish")}
    options = TrainOptions(order=3)
    done = train(*arguments, options=options, corpora=corpora)
    assert "corpus fish" in done.seconds
    assert train(*arguments, options=options, corpora=corpora).seconds == {}
    translator = Translator.open(tmp_path / "model")
    assert list(translator.model.corpora) == ["fish"]
    tuned = tune(
        translator,
        [pair[0] for pair in PAIRS],
        [pair[1] for pair in PAIRS],
        TuneOptions(rounds=2, size=20, settings=Mira(epochs=3)),
    )
    assert "translation@fish" in tuned.weights and "remembered" not in tuned.weights
    again = train(*arguments, options=options)
    assert list(again.seconds) == ["weights"]
    assert Translator.open(tmp_path / "model").model.corpora == {}


def test_a_full_disk_changes_nothing(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def everything() -> dict[str, bytes]:
        return {str(each.relative_to(model)): each.read_bytes() for each in model.rglob("*") if each.is_file()}

    untouched = everything()
    with monkeypatch.context() as patch, pytest.raises(OutputError, match="nothing was changed"):
        patch.setattr(Index, "save", fail)
        add_corpus(model, "fish", *files(tmp_path, "fish"))
    assert everything() == untouched | {".word-ids": b""}
    add_corpus(model, "fish", *files(tmp_path, "fish"))
    before = everything()
    with monkeypatch.context() as patch, pytest.raises(OutputError, match="nothing was changed"):
        patch.setattr(Weights, "save", fail)
        remove_corpus(model, "fish")
    assert everything() == before
