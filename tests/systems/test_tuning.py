"""Tuning a system raises its score on the development text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import Killed, KilledAt, Listener

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import KBestTuner, LossLearner, Mert, Mira, Pro, TuneOptions
from pentaglot.metrics import Bleu, Chrf, Length, Metric, Ter
from pentaglot.options import checked
from pentaglot.rules import SentenceRules
from pentaglot.rules.features import WORD_CHOICE
from pentaglot.systems import Model, TrainOptions, Translator, tune
from pentaglot.systems.development import read_development, read_references


def test_tuning_helps_and_repeats(trained: Path) -> None:
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:20]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:20]
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    options = TuneOptions(rounds=3, size=20, settings=Mira(epochs=10, pull=0.0))
    one = tune(poor, sources, references, options, seed=1, threads=1)
    two = tune(poor, sources, references, options, seed=1, threads=2)
    assert one.score > one.rounds[0].score
    assert one.weights == two.weights


@pytest.mark.parametrize(
    ("penalty", "solver", "complaint"),
    [
        (("l1=1@nowhere",), "auto", "no group of features 'nowhere'"),
        (("l1=1", "largest=1"), "auto", "cannot be used together"),
        (("l2=1", "l1=1"), "lbfgs", "L-BFGS needs a smooth penalty; use the solver adagrad"),
        (("l1=1",), "newton", "Newton's method needs pairs and a squared penalty; use the solver adagrad"),
        (("l2=1@dense",), "newton", "Newton's method needs pairs and a squared penalty; use the solver lbfgs"),
    ],
)
def test_penalties_that_will_not_do_are_told_before_the_work(
    trained: Path, penalty: tuple[str, ...], solver: Literal["auto", "lbfgs", "newton"], complaint: str
) -> None:
    options, listener = TuneOptions(tuner="pro", penalty=penalty, settings=Pro(solver=solver)), Listener()
    with pytest.raises(OptionError, match=complaint):
        tune(Translator.open(trained), ["ein Haus"], ["a house"], options, progress=listener)
    assert not listener.begun


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

    options = TuneOptions(rounds=1, size=5, settings=Mira(epochs=1))
    begun = tune(short, sources, references, options).rounds[0]
    assert ratio(short.weights) < 0.98
    assert 0.98 < ratio({**short.weights, **begun.weights}) < 1.02
    as_given = tune(short, sources, references, replace(options, set_length=False)).rounds[0]
    assert as_given.weights["words"] == short.weights["words"]


def test_it_ends_with_the_right_length(trained: Path) -> None:
    sources = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:30]
    references = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:30]
    translator = Translator.open(trained)
    options = TuneOptions(rounds=2, size=10, settings=Mira(epochs=5, pull=0.0))
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
    options = TuneOptions(rounds=1, size=5, settings=Mira(epochs=1))
    plain = tune(Translator.open(trained), sources, references, options)
    tagged = tune(
        Translator.open(trained),
        [f"<b>{line}</b>" for line in sources],
        [f"<b>{line}</b>" for line in references],
        options,
    )
    assert tagged == plain


def test_negative_seeds(trained: Path) -> None:
    with pytest.raises(OptionError, match="'seed' is -1; it must be from 0"):
        tune(Translator.open(trained), ["Haus"], ["house"], seed=-1)
    with pytest.raises(OptionError, match="'seed' is -1; it must be at least 0"):
        checked(TrainOptions(seed=-1))


def test_unequal_sides(trained: Path) -> None:
    with pytest.raises(PentaglotError, match="1 source and 2 target lines"):
        tune(Translator.open(trained), ["a"], ["a", "b"])
    with pytest.raises(PentaglotError, match="some text"):
        tune(Translator.open(trained), [""], [""])
    with pytest.raises(PentaglotError, match="no sentence of the development set has a reference"):
        tune(Translator.open(trained), ["Haus", ""], [["", "house"], ["", ""]])


def test_length_is_no_aim(trained: Path) -> None:
    """MERT would make translations three times too long."""
    for chosen in ({"options": TuneOptions(metric="length")}, {"metric": Length()}):
        with pytest.raises(OptionError, match="length cannot be tuned for"):
            tune(Translator.open(trained), ["Haus"], ["house"], **chosen)  # type: ignore[arg-type]


def test_long_lines_are_tuned_as_they_are_translated(trained: Path) -> None:
    """In parts; cut off at some length they would be measured against references that go on."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:10] for name in ("test.de", "test.en"))
    translator = Translator(Model.open(trained), longest=4)
    found = tune(
        translator, sources, references, TuneOptions(set_length=False, rounds=1, size=5, settings=Mira(epochs=1))
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
    options = TuneOptions(rounds=2, size=5, settings=Mira(epochs=1))
    for translator in translators:
        with pytest.raises(Killed):
            stopped = KilledAt("translating", after=1)
            tune(translator, sources, references, options, checkpoint=tmp_path / "kept", progress=stopped)
        assert stopped.begun.count("translating the development set") == 1, "nothing of the others"
        listener = Listener()
        wanted = tune(translator, sources, references, options)
        assert tune(translator, sources, references, options, checkpoint=tmp_path / "kept", progress=listener) == wanted
        assert listener.begun.count("translating the development set") == len(wanted.rounds) - 1


@pytest.mark.parametrize("metric", [Chrf(), Bleu(), Ter()], ids=lambda metric: metric.name)
def test_text_metrics_judge_what_people_read(trained: Path, metric: Metric) -> None:
    """Round 0 has the score of what the translator writes, by the references as they stand; threads do not matter."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:12] for name in ("test.de", "test.en"))
    translator = Translator.open(trained)
    tuner = KBestTuner(Mira(epochs=3, pull=0.0), size=10, rounds=2)
    plain = TuneOptions(set_length=False)
    one, two = (
        tune(translator, sources, references, plain, tuner=tuner, metric=metric, threads=threads) for threads in (1, 2)
    )
    assert one == two and one.metric == metric.name
    texts = [each.text for each in translator.translate_all(sources)]
    assert one.rounds[0].score == pytest.approx(metric.score(metric.statistics(texts, [references])))


def test_several_references(trained: Path) -> None:
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:12] for name in ("test.de", "test.en"))
    translator, metric = Translator.open(trained), Bleu(tokenize="none")
    # With word choice, nearly all of so small a text is translated as in the reference.
    translator = translator.with_weights(translator.weights | dict.fromkeys(WORD_CHOICE, 0.0))
    found = [" ".join(each.nbest[0][1].words) for each in translator.translate_all(sources)]
    texts = [each.text for each in translator.translate_all(sources)]
    options = TuneOptions(set_length=False, rounds=1, size=5, settings=Mira(epochs=1))
    tuning = tune(translator, sources, [references, texts], options)
    words = [" ".join(each) for each in translator.model.target_tokenizer.tokenise_all(references)]
    assert tuning.rounds[0].score == pytest.approx(metric.score(metric.statistics(found, [words, found])))
    assert tuning.rounds[0].score > tune(translator, sources, references, options).rounds[0].score + 5
    with pytest.raises(PentaglotError, match="12 source and 11 target lines"):
        tune(translator, sources, [references, texts[1:]], options)


def test_a_checkpoint_knows_metric_and_references(trained: Path, tmp_path: Path) -> None:
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:8] for name in ("test.de", "test.en"))
    translator = Translator.open(trained)
    base = TuneOptions(rounds=1, size=5, settings=Mira(epochs=1), set_length=False)
    runs = [(base, references), (replace(base, metric="chrf"), references), (base, [references, references])]
    runs.append((replace(base, derivations=True), references))
    for options, wanted in runs:
        listener = Listener()
        kept = tune(translator, sources, wanted, options, checkpoint=tmp_path / "kept", progress=listener)
        assert listener.begun.count("translating the development set") == len(kept.rounds), "nothing of the others"
        assert kept == tune(translator, sources, wanted, options)


@pytest.mark.parametrize("loss", ["soft-ramp3", "ramp3", "risk"])
def test_whole_forests(trained: Path, loss: str) -> None:
    """Weights that are poor become better, and the same with any number of threads."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:15] for name in ("test.de", "test.en"))
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    settings = LossLearner(space="forests", rate=0.02, strength=0.1, steps=2, edges=200)
    options = TuneOptions(tuner=loss, rounds=2, size=5, settings=settings, set_length=False)
    one, two = (tune(poor, sources, references, options, threads=threads) for threads in (1, 2))
    assert one == two
    assert one.score > one.rounds[0].score


def test_soft_losses_add_up_derivations(trained: Path) -> None:
    """Gimpel 2012, 3.15: dropping all but one of each string is not neutral for them."""
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:15] for name in ("test.de", "test.en"))
    translator = Translator.open(trained)
    options = TuneOptions(tuner="risk", rounds=1, size=20, settings=LossLearner(rate=0.02), set_length=False)
    one, all_ = (
        tune(translator, sources, references, replace(options, derivations=each)).rounds[0] for each in (False, True)
    )
    assert one.score == all_.score and one.new != all_.new
    assert "derivations" not in options.values, "runs of before go on"


def test_mert_on_whole_forests(trained: Path) -> None:
    sources, references = ((EXAMPLES / name).read_text("utf-8").splitlines()[:15] for name in ("test.de", "test.en"))
    translator = Translator.open(trained)
    poor = translator.with_weights({"translation": 0.1, "language_model": 0.01, "words": -0.5})
    settings = Mert(space="forests", edges=100, restarts=1)
    options = TuneOptions(tuner="mert", rounds=2, size=5, settings=settings, set_length=False)
    one, two = (tune(poor, sources, references, options, threads=threads) for threads in (1, 2))
    assert one == two
    assert one.score > one.rounds[0].score
    text = tune(poor, sources, references, options, metric=Chrf())
    assert text.score > text.rounds[0].score


def test_reading_further_references(tmp_path: Path) -> None:
    (tmp_path / "two").write_text("a\nb\n")
    assert read_references([tmp_path / "two"], ["x", "y"], "source") == [["a", "b"]]
    with pytest.raises(PentaglotError, match="two: has 2 lines but source has 1"):
        read_references([tmp_path / "two"], ["x"], "source")


def test_reading_a_development_set(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("ein Haus\n\n")
    target.write_text("a house\n\n")
    assert read_development((source, target)) == (["ein Haus", ""], ["a house", ""])
    source.write_text(" \n\n")
    with pytest.raises(PentaglotError, match="source: has nothing to tune on"):
        read_development((source, target))
    source.write_text("ein Haus\n\n")
    target.write_text("\na house\n")
    with pytest.raises(PentaglotError, match="target: has no translation of any line of .*source"):
        read_development((source, target))
