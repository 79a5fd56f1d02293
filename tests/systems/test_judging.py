"""Rounds are chosen by translations of sentences that tuning does not learn from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import OptionError
from pentaglot.learn import Mira, TuneOptions, chosen_metric
from pentaglot.metrics import Chrf
from pentaglot.systems import Translator, tune
from pentaglot.systems.judging import set_aside

OPTIONS = TuneOptions(rounds=3, size=20, patience=9, set_length=False, settings=Mira(epochs=10, pull=0.0))


def _lines(name: str, count: int) -> list[str]:
    return (EXAMPLES / name).read_text("utf-8").splitlines()[:count]


@pytest.mark.parametrize("metric", [chosen_metric(), Chrf()], ids=["words", "text"])
def test_the_judge_is_a_translation_and_a_score(trained: Path, metric: object) -> None:
    """Scores on the text to choose on are those of `translate`, and the best of them wins."""
    sources, references = _lines("test.de", 40), _lines("test.en", 40)
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    choose = sources[30:], references[30:]
    tuning = tune(poor, sources[:20], references[:20], OPTIONS, metric=metric, choose=choose)  # type: ignore[arg-type]
    scores = []
    for done in tuning.rounds:
        found = poor.with_weights(poor.weights | done.weights).translate_all(choose[0])
        if metric.on_words:  # type: ignore[attr-defined]
            output = [" ".join(each.nbest[0][1].words) for each in found]
            wanted = [" ".join(each) for each in translator.model.target_tokenizer.tokenise_all(choose[1])]
        else:
            output, wanted = [each.text for each in found], choose[1]
        scores.append(metric.score(metric.statistics(output, [wanted])))  # type: ignore[attr-defined]
    assert [each.held_out for each in tuning.rounds] == pytest.approx(scores, abs=0.5)  # the last mark, capitals
    best = max(range(len(scores)), key=lambda number: (tuning.rounds[number].held_out, -number))
    assert tuning.best_round == best and tuning.weights == tuning.rounds[best].weights


def test_some_sentences_are_set_aside(trained: Path) -> None:
    """It is the same as a text of its own to choose on."""
    sources, references = _lines("test.de", 30), _lines("test.en", 30)
    translator = Translator.open(trained)
    (kept, wanted), (other, theirs) = set_aside(10, sources, references)
    assert len(kept) == 20 and len(other) == 10 and sorted(kept + other) == sorted(sources)
    one = tune(translator, sources, references, replace(OPTIONS, aside=10))
    two = tune(translator, kept, [wanted], OPTIONS, choose=(other, [theirs]))
    assert one == two
    both = tune(translator, sources, [references, references], replace(OPTIONS, aside=10))
    assert [each.held_out for each in both.rounds] == [each.held_out for each in one.rounds]
    with pytest.raises(OptionError, match="30 of 30 development sentences cannot be set aside"):
        tune(translator, sources, references, replace(OPTIONS, aside=30))
    with pytest.raises(OptionError, match="rounds are chosen on one text"):
        tune(translator, sources, references, replace(OPTIONS, aside=5), choose=(other, theirs))


def test_a_warm_start(trained: Path) -> None:
    """Tuning from given weights is tuning of a model that has them."""
    sources, references = _lines("test.de", 15), _lines("test.en", 15)
    translator = Translator.open(trained)
    start = {"translation": 0.1, "language_model": 0.2, "words": -0.5}
    one = tune(translator, sources, references, OPTIONS, start=start)
    two = tune(translator.with_weights(translator.weights | start), sources, references, OPTIONS)
    assert one == two
    assert one.rounds[0].weights["words"] == -0.5
