"""Translators with several language models: each has its say, knows its own words, and is asked by every thread."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot import PentaglotError
from pentaglot.corpus import encode
from pentaglot.lm import BuildOptions, LanguageModel, build
from pentaglot.systems import Model, Translator, add_language, remove_language

SCORE, UNKNOWN = "language_model@other", "language_model_unknown@other"
SOURCES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:15]


def model_of(*lines: str) -> LanguageModel:
    logging.disable()
    made = build(*encode([line.split() for line in lines]), BuildOptions(order=4))
    logging.disable(logging.NOTSET)
    return made


OTHER = model_of("the doctor sees the dog .", "the puppy sees the doctor .", "a dog .")


def opened(path: Path, **weights: float) -> Translator:
    model = Model.open(path)
    given = dict(model.weights) | {SCORE: weights.get("score", 0.0), UNKNOWN: weights.get("unknown", 0.0)}
    return Translator(model, weights=given, languages={"other": OTHER})


def test_the_values_are_those_of_the_words(trained: Path) -> None:
    translator = opened(trained, score=0.2, unknown=-0.3)
    for line in SOURCES:
        for _, each in translator.translate(line, nbest=5).nbest:
            total = sum(value * translator.weights.get(name, 0.0) for name, value in each.features.items())
            assert each.score == pytest.approx(total, rel=1e-5)
            scores = OTHER.score([list(each.words)])
            assert each.features[SCORE] == pytest.approx(scores.totals()[0] * 2.302585093, rel=1e-4)
            assert each.features.get(UNKNOWN, 0.0) == scores.unknown.sum()


def test_a_model_without_weight_changes_nothing_else(trained: Path) -> None:
    plain, other = Translator.open(trained), opened(trained)
    for line in SOURCES:
        assert plain.translate(line).text == other.translate(line).text


def test_words_that_a_model_does_not_know_can_be_shunned(trained: Path) -> None:
    counts = []
    for weight in (-30.0, 30.0):
        found = opened(trained, unknown=weight).translate_all(SOURCES)
        counts.append(sum(each.nbest[0][1].features.get(UNKNOWN, 0.0) for each in found))
    assert counts[0] < counts[1]


def test_threads_do_not_matter(trained: Path) -> None:
    translator = opened(trained, score=0.2, unknown=-0.3)
    one, two = (list(translator.translate_all(SOURCES, nbest=3, threads=threads)) for threads in (1, 2))
    for first, second in zip(one, two, strict=True):
        assert [(text, each.score) for text, each in first.nbest] == [(text, each.score) for text, each in second.nbest]


def test_words_that_are_added_later(trained: Path, tmp_path: Path) -> None:
    """'puppy' is in no training pair, but the other model knows it."""
    translator = opened(Path(shutil.copytree(trained, tmp_path / "model")), score=0.2)
    translator.add("Welpe sieht", "puppy gnarks")
    best = translator.translate("Welpe sieht").nbest[0][1]
    assert best.words == ("puppy", "gnarks")
    assert best.features[UNKNOWN] == 1


def test_a_weight_needs_its_model(trained: Path) -> None:
    model = Model.open(trained)
    with pytest.raises(PentaglotError, match="no feature 'language_model@other'"):
        Translator(model, weights=dict(model.weights) | {SCORE: 0.1})


def test_repeated_words_are_counted_if_they_have_a_weight(trained: Path) -> None:
    model = Model.open(trained)
    plain = Translator(model)
    weighed = Translator(model, weights=dict(model.weights) | {"repeated_words": -0.5})
    line = " ".join([SOURCES[0]] * 2)
    for _, each in weighed.translate(line, nbest=10).nbest:
        repeated = sum(one == other for one, other in zip(each.words, each.words[1:], strict=False))
        assert each.features.get("repeated_words", 0.0) == repeated
    assert all("repeated_words" not in each.features for _, each in plain.translate(line, nbest=10).nbest)


def test_a_model_keeps_its_further_language_models(trained: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(trained, tmp_path / "model"))
    before = Translator.open(place)
    add_language(place, "other", OTHER)
    after = Translator.open(place)
    assert set(after.weights) - set(before.weights) == {SCORE, UNKNOWN}
    for line in SOURCES[:5]:
        assert after.translate(line).text == before.translate(line).text
        assert after.translate(line).nbest[0][1].features[SCORE] < 0
    after.with_weights({**after.weights, SCORE: 0.3}).weights.save(place / "weights.txt")
    add_language(place, "other", model_of("a b"))  # takes its place, and its weights
    assert Model.open(place).languages["other"].vocabulary.find("dog") == 0
    assert Model.open(place).weights[SCORE] == 0.3
    remove_language(place, "other")
    assert set(Model.open(place).languages) == {"classes"}
    assert not {SCORE, UNKNOWN} & set(Model.open(place).weights)
    assert Translator.open(place).translate(SOURCES[0]).text == before.translate(SOURCES[0]).text
    with pytest.raises(PentaglotError, match="no language model 'other'"):
        remove_language(place, "other")
    with pytest.raises(PentaglotError, match="a language model cannot be called '../x'"):
        add_language(place, "../x", OTHER)
    with pytest.raises(PentaglotError, match="over word classes is called 'classes'"):
        add_language(place, "classes", OTHER)
