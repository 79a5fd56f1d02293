"""Language models over a layer of the target side: in training, later, from Python and from the command line."""

from __future__ import annotations

import dataclasses
import logging
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run, pentaglot  # noqa: F401 - a fixture
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, contents

from pentaglot.corpus import Beside, Sentence
from pentaglot.errors import PentaglotError
from pentaglot.index import Index
from pentaglot.lm import ClassModel, LanguageModel, classes_of_layer
from pentaglot.systems import Model, TargetLayer, Trained, Translator, add_language, open_languages, train
from pentaglot.systems.languages import GivenLanguage

TEXT = EXAMPLES / "train.de", EXAMPLES / "train.en"
OPTIONS = dataclasses.replace(SMALL, word_classes=0)
LINE = "Der Lehrer sieht das Buch."
FEATURES = "language_model@ends", "language_model_unknown@ends"


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The second last letter of each word, as if it were its part of speech; `_` for words of one letter."""
    path = tmp_path_factory.mktemp("layers") / "ends.en"
    lines = TEXT[1].read_text("utf-8").splitlines()
    path.write_text("".join(" ".join(w[-2] if len(w) > 1 else "_" for w in ln.split()) + "\n" for ln in lines), "utf-8")
    return path


def trained(place: Path, layer: Path, **given: Any) -> Trained:
    logging.disable()
    beside = Beside(target_layers={"end": layer})
    done = train(*TEXT, place, **({"options": OPTIONS, "align": QUICK, "beside": beside} | given))
    logging.disable(logging.NOTSET)
    return done


def classes(model: Path) -> dict[str, str]:
    bitext = Index.open(model / "index").bitext
    layer = bitext.annotation.layer("end", "target", bitext.target)
    return classes_of_layer(bitext.target, bitext.target_vocabulary, layer, "end")


def test_training_estimates_a_model_over_a_layer(tmp_path: Path, layer: Path) -> None:
    model = tmp_path / "model"
    done = trained(model, layer, languages={"ends": TargetLayer("end")})
    assert "language model ends" in done.seconds
    opened = Model.open(model)
    made = opened.languages["ends"]
    assert isinstance(made, ClassModel)
    known, bitext = classes(model), opened.index.bitext
    logging.disable()
    ClassModel.estimate(bitext.target, bitext.target_vocabulary, known).save(tmp_path / "expected")
    logging.disable(logging.NOTSET)
    assert contents(tmp_path / "expected") == contents(model / "languages" / "ends")
    found = Translator(opened, weights={**opened.weights, FEATURES[0]: 0.1}).translate(LINE)
    assert found.nbest[0][1].features[FEATURES[0]] < 0
    words = sorted(known)
    assert known["teacher"] == "e"
    assert [known[word] for word in words] == made.language.vocabulary.words(made.find_all(words))

    assert not trained(model, layer, languages={"ends": TargetLayer("end")}).seconds
    changed = tmp_path / "changed.en"
    changed.write_text(layer.read_text("utf-8").replace("h", "x"), "utf-8")
    again = trained(model, changed, languages={"ends": TargetLayer("end")})
    assert {"layers", "language model ends"} <= set(again.seconds)
    assert trained(model, changed).seconds.keys() == {"weights"}  # it is gone


def test_given_models_get_their_classes_from_the_layer(tmp_path: Path, layer: Path) -> None:
    """Words in the file of classes are those of the model, so both ways make the same model."""
    trained(tmp_path / "first", layer, languages={"ends": TargetLayer("end")})
    given = tmp_path / "ends.arpa"
    LanguageModel.open(tmp_path / "first" / "languages" / "ends" / "lm").save(given)
    file = tmp_path / "ends.tsv"
    file.write_text("".join(f"{word}\t{name}\n" for word, name in classes(tmp_path / "first").items()), "utf-8")
    made = []
    for number, how in enumerate([(given, file), (given, TargetLayer("end"))]):
        trained(tmp_path / str(number), layer, languages={"ends": how})
        made.append(contents(tmp_path / str(number) / "languages" / "ends"))
    assert made[0] == made[1]
    given.unlink()
    with pytest.raises(PentaglotError, match="no such file"):
        trained(tmp_path / "1", layer, languages={"ends": (given, TargetLayer("end"))})


def test_models_over_layers_can_be_added_later(tmp_path: Path, layer: Path) -> None:
    trained(tmp_path / "first", layer, languages={"ends": TargetLayer("end")})
    model = tmp_path / "later"
    trained(model, layer)
    for name, each in open_languages(model, {"ends": GivenLanguage.of(TargetLayer("end"))}).items():
        add_language(model, name, each)
    expected = contents(tmp_path / "first" / "languages" / "ends")
    assert contents(model / "languages" / "ends") == expected
    assert not set(FEATURES) - set(Model.open(model).weights)


def test_monolingual_text_and_drafts(tmp_path: Path, layer: Path) -> None:
    (tmp_path / "more.en").write_text("The teacher sees the griffin.\n" * 3)
    options = dataclasses.replace(OPTIONS, hold_out=20, tune=False)
    given: dict[str, Any] = {"languages": {"ends": TargetLayer("end")}, "monolingual": [tmp_path / "more.en"]}
    done = trained(tmp_path / "model", layer, options=options, **given)
    assert done.held_out == 20
    assert not trained(tmp_path / "model", layer, options=options, **given).seconds
    (tmp_path / "more.en").write_text("Another text.\n")
    again = trained(tmp_path / "model", layer, options=options, **given)
    assert again.reasons["language model ends"] == "the monolingual text 1 changed"


def test_threads_do_not_matter(tmp_path: Path, layer: Path) -> None:
    made = []
    for threads in (1, 3):
        trained(tmp_path / str(threads), layer, languages={"ends": TargetLayer("end")}, threads=threads)
        made.append(contents(tmp_path / str(threads)))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("name", "message"),
    [("tag", "a language model needs the layer 'tag' of .*train.en"), ("letters", "; only the source side has it")],
)
def test_bad_layers_in_training(tmp_path: Path, layer: Path, name: str, message: str) -> None:
    beside = Beside({"letters": TEXT[0]}, {"end": layer})
    with pytest.raises(PentaglotError, match=message):
        trained(tmp_path / "model", layer, beside=beside, languages={"x": TargetLayer(name)})
    assert not (tmp_path / "model").exists()


def test_a_treebank_without_the_layer(tmp_path: Path) -> None:
    sentence = Sentence(["the", "house"], {"upos": ["DET", "NOUN"], "head": [2, 0]})
    rows = [
        f"{n}\t{w}\t_\t{u}\t_\t_\t{h}\t_\t_\t_"
        for n, (w, u, h) in enumerate(
            zip(sentence.words, sentence.layers["upos"], sentence.layers["head"], strict=True), 1
        )
    ]
    (tmp_path / "en.conllu").write_text("\n".join(rows) + "\n\n")
    (tmp_path / "de").write_text("das Haus\n")
    logging.disable()
    for name, message in (
        ("lemma", "en.conllu: the text has no layer 'lemma' on its target side"),
        ("head", "en.conllu: the layer 'head' has numbers, not names"),
    ):
        with pytest.raises(PentaglotError) as caught:
            train(
                tmp_path / "de",
                tmp_path / "en.conllu",
                tmp_path / "model",
                options=OPTIONS,
                align=QUICK,
                languages={"x": TargetLayer(name)},
            )
        assert message in str(caught.value)
    train(
        tmp_path / "de",
        tmp_path / "en.conllu",
        tmp_path / "model",
        options=OPTIONS,
        align=QUICK,
        languages={"x": TargetLayer("upos")},
    )
    logging.disable(logging.NOTSET)
    assert isinstance(Model.open(tmp_path / "model").languages["x"], ClassModel)


def test_the_command_line(pentaglot: Run, tmp_path: Path, layer: Path) -> None:  # noqa: F811
    quick = ["--order", "2", "--word-classes", "0", "--hold-out", "0", "--target-layer", f"end={layer}"]
    done = pentaglot("train", *TEXT, "-o", "model", *quick, "--lm", "ends=layer:end")
    assert done.returncode == 0, done.stderr
    listed = pentaglot("translate", "model", "--nbest", "1", stdin=LINE + "\n").stdout
    assert "language_model@ends= " in listed
    assert pentaglot("add", "model", "--remove-lm", "ends").returncode == 0
    added = pentaglot("add", "model", "--lm", "ends=layer:end")
    assert added.returncode == 0 and "its weights are 0 until" in added.stdout
    assert pentaglot("translate", "model", "--nbest", "1", stdin=LINE + "\n").stdout == listed
    (tmp_path / "dev.de").write_text(LINE + "\n", "utf-8")
    (tmp_path / "dev.en").write_text("The teacher sees the book.\n")
    tune = ["tune", "model", "--dev", "dev.de", "dev.en", "--rounds", "1", "--size", "5"]
    assert pentaglot(*tune, "--lm", "more=layer:end").returncode == 0
    assert "more" in Model.open(tmp_path / "model").languages
    for command, message in (
        (["add", "model", "--lm", "x=layer:tag"], "model: the text has no layer 'tag' on its target side"),
        ([*tune, "--lm", "x=layer:tag"], "model: the text has no layer 'tag' on its target side"),
        (["add", "model", "--lm", "x=layer:"], "'x=layer:' is not a named language model"),
        (["add", "model", "--lm", "x=layer:end,y"], "layer:end: there is no language model here"),
        (["train", *TEXT, "-o", "other", *quick, "--lm", "layer:end"], "'layer:end' has no name"),
        (["train", *TEXT, "-o", "other", *quick, "--lm", "x=layer:tag"], "a language model needs the layer 'tag'"),
    ):
        failed = pentaglot(*command)
        assert failed.returncode == 2 and "Traceback" not in failed.stderr
        assert message in " ".join(failed.stderr.split()), failed.stderr
