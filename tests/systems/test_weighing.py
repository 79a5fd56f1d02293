"""Weights for features that nobody gives are found, and those that somebody may give are not mistaken for them."""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import InputError, OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import RuleOptions, SentenceRules, import_table
from pentaglot.rules.features import features_of
from pentaglot.systems import Model, Translator, add_corpus, find_system, system_names, tune
from pentaglot.systems.weighing import check_weights, with_defaults

LINE = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[0]
FALLBACKS = {each.name for each in features_of("fallback")}


def with_line(trained: Path, place: Path, *lines: str) -> Path:
    """A copy of a model with further lines in its weights."""
    shutil.copytree(trained, place)
    with (place / "weights.txt").open("a", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return place


def test_a_slip_is_named_with_its_line(trained: Path, tmp_path: Path) -> None:
    model = with_line(trained, tmp_path / "model", "# mine", "langauge_model 0.5")
    lines = (model / "weights.txt").read_text("utf-8").splitlines()
    with pytest.raises(InputError) as caught:
        Translator.open(model)
    expected = "there is no feature 'langauge_model'; did you mean "
    assert str(caught.value).startswith(f"{model / 'weights.txt'}:{lines.index('langauge_model 0.5') + 1}: {expected}")
    opened = Model.open(model)  # only the weights are at fault
    assert Translator(opened, weights=find_system("hiero").weights).translate(LINE).text
    with pytest.raises(PentaglotError, match="no feature 'zorblax'"):
        Translator(opened, weights={"zorblax": 1.0})
    with pytest.raises(PentaglotError, match="no feature 'zorblax'"):
        Translator(Model.open(trained)).with_weights({"zorblax": 1.0})


def test_weights_of_induced_features_without_their_induction(trained: Path, tmp_path: Path) -> None:
    """A file that was copied without what lies beside it."""
    (tmp_path / "copied.txt").write_text("words 1.0\npair_count=3-5 0.5\n")
    given = Weights.open(tmp_path / "copied.txt")
    with pytest.raises(
        InputError, match=re.escape("there is no feature 'pair_count=3-5'; if it was induced")
    ) as caught:
        Translator.open(trained).with_weights(given)
    assert "copied.txt:2: " in str(caught.value)


def test_hooks_may_give_anything(trained: Path, tmp_path: Path) -> None:
    def hook(found: SentenceRules) -> dict[str, np.ndarray]:
        return {"zorblax": np.ones(found.table.rules, np.float32)}

    model = Model.open(with_line(trained, tmp_path / "model", "zorblax -1.5"))
    hooked, plain = Translator(model, hooks=[hook]), Translator(Model.open(trained))
    best = hooked.translate(LINE).nbest[0][1]
    assert best.features["zorblax"] > 0 and hooked.weights["zorblax"] == -1.5
    assert "zorblax" not in plain.translate(LINE).nbest[0][1].features


def test_the_names_of_every_system_are_known() -> None:
    for system in system_names():
        check_weights(with_defaults(find_system(system).weights))


def test_features_that_a_search_has_if_it_is_given_a_weight(trained: Path) -> None:
    model = Model.open(trained)
    translator = Translator(model, weights={**model.weights, "repeated_words": -1.0, "words": 20.0})
    assert "repeated_words" in translator.feature_names
    assert "repeated_words" not in Translator(model).feature_names


def test_weights_of_a_corpus_that_is_not_there(trained: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = with_line(trained, tmp_path / "model", "translation@news 0.25", "found@news 0.1")
    with caplog.at_level(logging.WARNING):
        assert Translator.open(model).translate(LINE).text
    assert [record.getMessage() for record in caplog.records] == [
        "there are weights for a corpus 'news', which the model does not have"
    ]
    caplog.clear()
    add_corpus(model, "news", EXAMPLES / "test.de", EXAMPLES / "test.en")
    with caplog.at_level(logging.WARNING, "pentaglot.systems.weighing"):
        assert "found@news" in Translator.open(model).translate(LINE).nbest[0][1].features
    assert caplog.records == []
    with pytest.raises(PentaglotError, match="no feature 'translatoin@news'; did you mean 'translation@news'"):
        Translator(Model.open(model), weights={"translatoin@news": 1.0})


def test_columns_of_a_table_are_features(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "grammar").write_text("[X] ||| Haus ||| house ||| Own=0.5 Odd=1\n", "utf-8")
    model = with_line(trained, tmp_path / "model", "Own 0.5")
    import_table(tmp_path / "grammar", model / "table")
    description = (model / "pentaglot.toml").read_text("utf-8")
    with pytest.raises(PentaglotError, match="no feature 'Own'"):
        Translator.open(model)
    (model / "pentaglot.toml").write_text(description.replace('source = "index"', 'source = "table"'), "utf-8")
    assert Translator.open(model).translate("Haus").nbest[0][1].features["Own"] == 0.5


def test_weights_remember_their_lines(tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("# a remark\n\nlm 1\nword%20s 2\n", "utf-8")
    opened = Weights.open(tmp_path / "weights")
    opened.check_known(["word s", "lm", "other"])
    with pytest.raises(InputError, match="weights:4: there is no feature 'word s'; did you mean 'words'"):
        opened.check_known(["words", "lm"])
    with pytest.raises(InputError, match="^there is no feature 'a'; known: b, c$"):
        Weights({"a": 1.0}).check_known("cb")


def test_the_estimate_and_the_exact_share_have_names_of_their_own(trained: Path) -> None:
    model = Model.open(trained)
    with pytest.raises(PentaglotError, match="only an estimate of it; call it 'inverse_estimate'"):
        Translator(model, weights={"inverse": 0.2, "words": 0.5})
    translator = Translator(model, weights={"inverse": 0.2, "inverse_estimate": 0.3, "words": 0.5})
    lines = (EXAMPLES / "test.de").read_text("utf-8").splitlines()
    features = {name for line in lines for name in translator.translate(line).nbest[0][1].features}
    assert "inverse_estimate" in features and "inverse" not in features


def test_models_whose_estimate_had_the_other_name(trained: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(trained, tmp_path / "model"))
    lines = (copy / "weights.txt").read_text("utf-8").splitlines(keepends=True)
    older = [line.replace("inverse_estimate", "inverse") for line in lines if not line.startswith("inverse ")]
    assert sum(line.startswith("inverse ") for line in older) == 1
    (copy / "weights.txt").write_text("".join(older), "utf-8")
    expected = {name: value for name, value in Model.open(trained).weights.items() if name != "inverse"}
    assert dict(Model.open(copy).weights) == expected
    assert Translator.open(copy).translate(LINE).text == Translator.open(trained).translate(LINE).text


def test_weights_from_before_words_were_treated_like_others_serve_them_too() -> None:
    plain = find_system("hiero").weights
    old = {name: value for name, value in plain.items() if name not in FALLBACKS}
    assert dict(with_defaults(old)) == pytest.approx(dict(with_defaults(plain)))
    # Tuned ones may be larger, and their weight of a copy anything: guesses are better than it by as much.
    weights = with_defaults({name: 10 * value for name, value in old.items()} | {"unknown": 5.0})
    assert weights["other_form"] - 5.0 == pytest.approx(10 * (plain["other_form"] - plain["unknown"]))
    assert weights["spelling_distance"] == pytest.approx(10 * plain["spelling_distance"])
    assert with_defaults(old | {"other_form": 0.25})["other_form"] == 0.25


def test_a_model_from_before_opens(trained: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(trained, model)
    lines = (model / "weights.txt").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.split()[0] not in FALLBACKS]
    assert len(kept) < len(lines)
    (model / "weights.txt").write_text("".join(kept), "utf-8")
    described = (model / "pentaglot.toml").read_text("utf-8")
    (model / "pentaglot.toml").write_text(re.sub(r"fallbacks = \[[^]]*\]\n", "", described), "utf-8")
    assert Translator.open(model).rules.options.fallbacks == RuleOptions().fallbacks
    assert Translator.open(model).translate("Die Lehrers sehen das Buch.").text


@pytest.mark.parametrize("weight", [1e200, 1e308])
def test_a_weight_that_is_too_large_is_the_one_that_was_given(trained: Path, weight: float) -> None:
    """Weights of fallbacks are multiples of that of the language model."""
    with pytest.raises(PentaglotError, match="'language_model' is too large to search with"):
        Translator.open(trained).with_weights({"language_model": weight})


def test_features_that_are_left_out(trained: Path) -> None:
    """Neither their weights nor a tuner's count; a feature of rules, of the search, and a language model."""
    gone = ("translation", "language_model", "glue")
    model = Model.open(trained)
    mine, whole = Translator(model, without=gone), Translator(model)
    zeros = Translator(model, weights=whole.weights | dict.fromkeys(gone, 0.0))
    lines = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:10]
    shown = [[each.text for each in one.translate_all(lines)] for one in (mine, zeros, whole)]
    assert shown[0] == shown[1] != shown[2]
    assert mine.with_weights(whole.weights).weights == mine.weights
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:10]
    tuned = tune(mine, lines, references, TuneOptions(rounds=1, size=5, settings=Mira(epochs=2)))
    assert not set(gone) & set(tuned.weights) and "words" in tuned.weights
    without_length = Translator(model, without=["words"])
    assert "words" not in tune(without_length, lines[:3], references[:3], TuneOptions(rounds=1, size=5)).weights
    with pytest.raises(OptionError, match="there is no feature 'translations'; did you mean 'translation'"):
        Translator(model, without=["translations"])
