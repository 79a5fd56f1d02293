"""Tuning a system raises its score on the development text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import Killed, KilledAt, Listener

from pentaglot.errors import PentaglotError
from pentaglot.learn import TuneOptions
from pentaglot.metrics import Bleu
from pentaglot.rules import SentenceRules
from pentaglot.systems import Model, Translator, tune
from pentaglot.systems.tuning import read_development


def test_tuning_helps_and_repeats(trained: Path) -> None:
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:20]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:20]
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    options = TuneOptions(rounds=3, size=20, mira_epochs=10, mira_pull=0.0)
    one = tune(poor, sources, references, options, seed=1, threads=1)
    two = tune(poor, sources, references, options, seed=1, threads=2)
    assert one.score > one.rounds[0].score
    assert one.weights == two.weights


def test_it_begins_with_the_right_length(trained: Path) -> None:
    """Whatever the weight of words was before."""
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:30]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:30]
    translator = Translator.open(trained)
    short = translator.with_weights({**translator.weights, "words": translator.weights["words"] - 2.0})
    wanted = sum(map(len, translator.model.target_tokenizer.tokenise_all(references)))

    def ratio(weights: Mapping[str, float]) -> float:
        found = translator.with_weights(weights).translate_all(sources)
        return sum(len(each.nbest[0][1].words) for each in found) / wanted

    options = TuneOptions(rounds=1, size=5, mira_epochs=1)
    begun = tune(short, sources, references, options).rounds[0]
    assert ratio(short.weights) < 0.98
    assert 0.98 < ratio({**short.weights, **begun.weights}) < 1.02
    as_given = tune(short, sources, references, replace(options, set_length=False)).rounds[0]
    assert as_given.weights["words"] == short.weights["words"]


def test_it_ends_with_the_right_length(trained: Path) -> None:
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:30]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:30]
    translator = Translator.open(trained)
    options = TuneOptions(rounds=2, size=10, mira_epochs=5, mira_pull=0.0)
    free = tune(translator, sources, references, replace(options, set_length=False))
    assert free.weights == free.rounds[free.best_round].weights
    found = tune(translator, sources, references, options)
    assert {name for name, value in found.weights.items() if value != found.rounds[found.best_round].weights[name]} <= {
        "words"
    }
    wanted = sum(map(len, translator.model.target_tokenizer.tokenise_all(references)))
    made = translator.with_weights({**translator.weights, **found.weights}).translate_all(sources)
    assert 0.98 < sum(len(each.nbest[0][1].words) for each in made) / wanted < 1.02


def test_tags_are_taken_out_as_in_translation(trained: Path) -> None:
    """They come back by themselves, so no weight has to do with them."""
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:10]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:10]
    options = TuneOptions(rounds=1, size=5, mira_epochs=1)
    plain = tune(Translator.open(trained), sources, references, options)
    tagged = tune(
        Translator.open(trained),
        [f"<b>{line}</b>" for line in sources],
        [f"<b>{line}</b>" for line in references],
        options,
    )
    assert tagged == plain


def test_unequal_sides(trained: Path) -> None:
    with pytest.raises(PentaglotError, match="1 source and 2 target lines"):
        tune(Translator.open(trained), ["a"], ["a", "b"])
    with pytest.raises(PentaglotError, match="some text"):
        tune(Translator.open(trained), [""], [""])


def test_long_lines_are_tuned_as_they_are_translated(trained: Path) -> None:
    """In parts; cut off at some length they would be measured against references that go on."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:10] for name in ("test.de", "test.en"))
    translator = Translator(Model.open(trained), longest=4)
    found = tune(
        translator, sources, references, TuneOptions(set_length=False, rounds=1, size=5, mira_epochs=1)
    ).rounds[0]
    texts = [" ".join(each.nbest[0][1].words) for each in translator.translate_all(sources)]
    wanted = [" ".join(words) for words in translator.model.target_tokenizer.tokenise_all(references)]
    bleu = Bleu(tokenize="none")
    assert found.score == pytest.approx(bleu.score(bleu.statistics(texts, [wanted])))
    assert max(len(text.split()) for text in texts) > 4


def test_a_checkpoint_knows_its_decoder(trained: Path, tmp_path: Path) -> None:
    """Whatever of the translator differs, nothing is used that another has found."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:12] for name in ("test.de", "test.en"))
    model = Model.open(trained)
    rules, search = model.description.rules, model.description.search

    def hook(found: SentenceRules) -> dict[str, NDArray[np.float32]]:
        return {"mine": np.ones(found.table.rules, np.float32)}

    translators = [
        Translator(model),
        Translator(model, rules=replace(rules, max_symbols=2)),
        Translator(model, search=replace(search, pop_limit=3)),
        Translator(model, hooks=[hook]),
    ]
    options = TuneOptions(rounds=2, size=5, mira_epochs=1)
    for translator in translators:
        with pytest.raises(Killed):
            stopped = KilledAt("translating", after=1)
            tune(translator, sources, references, options, checkpoint=tmp_path / "kept", progress=stopped)
        assert stopped.begun.count("translating the development set") == 1, "nothing of the others"
        listener = Listener()
        wanted = tune(translator, sources, references, options)
        assert tune(translator, sources, references, options, checkpoint=tmp_path / "kept", progress=listener) == wanted
        assert listener.begun.count("translating the development set") == len(wanted.rounds) - 1


def test_reading_a_development_set(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("ein Haus\n\n")
    target.write_text("a house\n\n")
    assert read_development((source, target)) == (["ein Haus", ""], ["a house", ""])
    source.write_text(" \n\n")
    with pytest.raises(PentaglotError, match="source: has nothing to tune on"):
        read_development((source, target))
