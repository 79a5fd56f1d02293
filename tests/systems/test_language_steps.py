"""Language models in training: given ones under names, over words and classes, and text of the target language."""

from __future__ import annotations

import dataclasses
import logging
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, contents

from pentaglot.corpus import Tokenizer, copy_vocabulary, encode
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.index import Index
from pentaglot.learn import Mira, TuneOptions
from pentaglot.lm import BuildOptions, ClassModel, LanguageModel, TextFiles, build, join_texts
from pentaglot.search import language_features
from pentaglot.systems import Model, Trained, Translator, add_language, train

TEXT = EXAMPLES / "train.de", EXAMPLES / "train.en"
LINE = "Der Lehrer sieht das Buch."
OPTIONS = dataclasses.replace(SMALL, word_classes=20)


def model_of(*lines: str) -> LanguageModel:
    logging.disable()
    made = build(*encode([line.split() for line in lines]), BuildOptions(order=2))
    logging.disable(logging.NOTSET)
    return made


@pytest.fixture
def news(tmp_path: Path) -> Path:
    model_of("the teacher sees the book .", "the dog .").save(tmp_path / "news.arpa")
    return tmp_path / "news.arpa"


@pytest.fixture
def tags(tmp_path: Path) -> tuple[Path, Path]:
    model_of("D N V D N P", "D N P", "D N V P").save(tmp_path / "tags")
    words = {"the": "D", "teacher": "N", "book": "N", "dog": "N", "sees": "V", "￭.": "P", "griffin": "N"}
    (tmp_path / "tags.tsv").write_text("".join(f"{word}\t{tag}\n" for word, tag in words.items()), "utf-8")
    return tmp_path / "tags", tmp_path / "tags.tsv"


@pytest.fixture
def monolingual(tmp_path: Path) -> Path:
    (tmp_path / "more.en").write_text("The Griffin sees the teacher.\nA griffin sleeps.\n" * 3, "utf-8")
    return tmp_path / "more.en"


def trained(place: Path, **given: Any) -> Trained:
    logging.disable()
    done = train(*TEXT, place, **({"options": OPTIONS, "align": QUICK} | given))
    logging.disable(logging.NOTSET)
    return done


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("plain") / "model"
    trained(place)
    return place


@pytest.fixture
def model(plain: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(plain, tmp_path / "model"))


def test_models_by_name_come_and_go(model: Path, news: Path, tags: tuple[Path, Path]) -> None:
    before = contents(model)
    done = trained(model, languages={"news": news, "tags": tags})
    assert set(done.seconds) == {"language model news", "language model tags", "weights"}
    opened = Model.open(model)
    assert set(opened.languages) == {"classes", "news", "tags"}
    assert isinstance(opened.languages["tags"], ClassModel)
    features = {*language_features("news"), *language_features("tags")}
    assert {name: opened.weights[name] for name in features} == dict.fromkeys(features, 0.0)
    translator = Translator(opened, weights={**opened.weights, "language_model@tags": 0.1})
    best = translator.translate(LINE).nbest[0][1]
    assert best.features["language_model@tags"] < 0 and best.features["language_model@news"] < 0
    assert not trained(model, languages={"news": news, "tags": tags}).seconds
    assert trained(model, languages={"news": news}).seconds.keys() == {"weights"}
    assert set(Model.open(model).languages) == {"classes", "news"}
    trained(model)
    assert contents(model) == before


def test_a_model_counts_by_what_it_holds(model: Path, news: Path, tags: tuple[Path, Path]) -> None:
    trained(model, languages={"news": news, "tags": tags})
    shutil.move(news, news.with_name("moved.arpa"))
    assert not trained(model, languages={"news": news.with_name("moved.arpa"), "tags": tags}).seconds
    model_of("a b").save(news)
    again = trained(model, languages={"news": news, "tags": tags})
    assert again.reasons == {"language model news": "the model changed"}
    with tags[1].open("a") as file:
        file.write("cat\tN\n")
    again = trained(model, languages={"news": news, "tags": tags})
    assert again.reasons == {"language model tags": "the classes changed"}


def test_weights_that_were_changed_stay(model: Path, news: Path) -> None:
    trained(model, languages={"news": news})
    weights = dict(Weights.open(model / "weights.txt")) | {"language_model@news": 0.3, "words": 0.7}
    Weights(weights).save(model / "weights.txt")
    model_of("a b").save(news)
    trained(model, languages={"news": news})
    assert Model.open(model).weights == Weights(weights)
    trained(model)
    left = Model.open(model).weights
    assert left["words"] == 0.7 and not set(language_features("news")) & set(left)


def test_models_that_were_added_later_stay(model: Path, news: Path) -> None:
    add_language(model, "later", LanguageModel.open(news))
    trained(model, options=dataclasses.replace(OPTIONS, order=3))
    assert "later" in Model.open(model).languages
    trained(model, options=dataclasses.replace(OPTIONS, system="phrase"))
    opened = Model.open(model)
    assert opened.weights["language_model@later"] == 0.0 and "later" in opened.languages


def test_they_are_tuned(model: Path, news: Path, tmp_path: Path) -> None:
    dev = tmp_path / "dev.de", tmp_path / "dev.en"
    for path, name in zip(dev, ("test.de", "test.en"), strict=True):
        path.write_text("".join((EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[:8]), "utf-8")
    tuning = TuneOptions(rounds=2, size=5, settings=Mira(epochs=2))
    done = trained(model, languages={"news": news}, dev=dev, tuning=tuning)
    assert done.tuning is not None and set(language_features("news")) <= set(done.tuning.weights)
    assert "tune" in trained(model, dev=dev, tuning=tuning).seconds  # it is gone, and so the others have to do more


def test_monolingual_text_is_in_both_models(model: Path, monolingual: Path, tmp_path: Path) -> None:
    done = trained(model, monolingual=[monolingual])
    assert set(done.seconds) == {"language model", "word classes"}
    bitext, tokenizer = Index.open(model / "index").bitext, Tokenizer.open(model / "target.tokenizer")
    words = copy_vocabulary(bitext.target_vocabulary)
    text = join_texts([bitext.target, *TextFiles([monolingual], words, tokenizer)])
    logging.disable()
    build(text, words, BuildOptions(order=2)).save(tmp_path / "lm")
    logging.disable(logging.NOTSET)
    for file in (tmp_path / "lm").rglob("*.npy"):
        assert file.read_bytes() == (model / "lm" / file.relative_to(tmp_path / "lm")).read_bytes()
    opened = Model.open(model)
    assert opened.language.find_all(["griffin", "The"]).astype(bool).tolist() == [True, False]  # cased alike
    assert bitext.target_vocabulary.find("griffin") == 0
    assert opened.languages["classes"].find_all(["griffin", "unicorn"]).astype(bool).tolist() == [True, False]
    assert not trained(model, monolingual=[monolingual]).seconds
    monolingual.write_text("Another text.\n")
    assert trained(model, monolingual=[monolingual]).reasons["language model"] == "the monolingual text 1 changed"


def test_monolingual_text_with_a_given_model_is_for_the_classes(model: Path, news: Path, monolingual: Path) -> None:
    done = trained(model, monolingual=[monolingual], language_model=news)
    assert set(done.seconds) == {"language model", "word classes"}
    opened = Model.open(model)
    assert opened.language.find_all(["griffin"]).tolist() == [0]
    assert opened.languages["classes"].find_all(["griffin"]).tolist() != [0]
    none = dataclasses.replace(OPTIONS, word_classes=0)
    with pytest.raises(PentaglotError, match="there is no language model to add monolingual text to"):
        trained(model, monolingual=[monolingual], language_model=news, options=none)


def test_a_draft_knows_the_monolingual_text_too(model: Path, monolingual: Path, tags: tuple[Path, Path]) -> None:
    options = dataclasses.replace(OPTIONS, hold_out=20, tune=False)
    done = trained(model, monolingual=[monolingual], languages={"tags": tags}, options=options)
    assert done.held_out == 20
    again = trained(model, monolingual=[monolingual], languages={"tags": tags}, options=options)
    assert not again.seconds


def test_threads_do_not_matter(tmp_path: Path, monolingual: Path, tags: tuple[Path, Path]) -> None:
    made = []
    for threads in (1, 3):
        place = tmp_path / str(threads) / "model"
        trained(place, monolingual=[monolingual, monolingual], languages={"tags": tags}, threads=threads)
        made.append(contents(place))
    assert made[0] == made[1]


def test_a_removed_class_model_leaves_nothing(model: Path) -> None:
    trained(model, options=dataclasses.replace(OPTIONS, word_classes=0))
    assert not (model / "languages" / "classes").exists()
    assert not Model.open(model).languages


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"languages": {"classes": "x"}}, "over word classes is called 'classes'"),
        ({"languages": {"../x": "x"}}, "a language model cannot be called '../x'"),
        ({"languages": {"none": "none.arpa"}}, "none.arpa: no such file"),
        ({"monolingual": ["none.en"]}, "none.en: no such file"),
        ({"languages": {"tags": ("tags", "bad.tsv")}}, "bad.tsv:1: not a word, a tab and a class"),
    ],
)
def test_bad_models(model: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], message: str) -> None:
    monkeypatch.chdir(model.parent)
    Path("bad.tsv").write_text("no tab\n")
    before = contents(model)
    with pytest.raises(PentaglotError) as caught:
        trained(model, **given)
    assert message in str(caught.value)
    assert contents(model) == before


def test_the_draft_is_estimated_without_the_pairs(model: Path) -> None:
    """The class model keeps its classes; the main one its order."""
    opened = Model.open(model)
    bitext = opened.index.bitext
    again = opened.languages["classes"].estimated_from(bitext.target, bitext.target_vocabulary)
    assert isinstance(again, ClassModel)
    first = opened.languages["classes"]
    assert isinstance(first, ClassModel) and np.array_equal(again.ids, first.ids)
    assert again.language.counts == first.language.counts
