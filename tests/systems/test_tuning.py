"""Tuning a system raises its score on the development text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import PentaglotError
from pentaglot.learn import TuneOptions
from pentaglot.systems import Translator, tune


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
