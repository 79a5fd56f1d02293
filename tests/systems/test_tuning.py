"""Tuning a system raises its score on the development text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import PentaglotError
from pentaglot.learn import TuneOptions
from pentaglot.metrics import Bleu
from pentaglot.systems import Model, Translator, tune


def test_tuning_helps_and_repeats(trained: Path) -> None:
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:20]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:20]
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    options = TuneOptions(rounds=3, size=20, mira_epochs=10)
    one = tune(poor, sources, references, options, seed=1, threads=1)
    two = tune(poor, sources, references, options, seed=1, threads=2)
    assert one.score > one.rounds[0].score
    assert one.weights == two.weights


def test_unequal_sides(trained: Path) -> None:
    with pytest.raises(PentaglotError, match="1 source and 2 target lines"):
        tune(Translator.open(trained), ["a"], ["a", "b"])
    with pytest.raises(PentaglotError, match="some text"):
        tune(Translator.open(trained), [""], [""])


def test_long_lines_are_tuned_as_they_are_translated(trained: Path) -> None:
    """In parts; cut off at some length they would be measured against references that go on."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:10] for name in ("test.de", "test.en"))
    translator = Translator(Model.open(trained), longest=4)
    found = tune(translator, sources, references, TuneOptions(rounds=1, size=5, mira_epochs=1)).rounds[0]
    texts = [" ".join(each.nbest[0][1].words) for each in translator.translate_all(sources)]
    wanted = [" ".join(words) for words in translator.model.target_tokenizer.tokenise_all(references)]
    bleu = Bleu(tokenize="none")
    assert found.score == pytest.approx(bleu.score(bleu.statistics(texts, [wanted])))
    assert max(len(text.split()) for text in texts) > 4
