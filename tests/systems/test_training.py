"""Training: from raw text to a model, resumed after a kill, with ready parts in place of steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, Killed, KilledAt, contents

from pentaglot.errors import PentaglotError
from pentaglot.learn import Mira, TuneOptions
from pentaglot.systems import TrainOptions, Translator, train


def test_resumes_to_the_same_model(tmp_path: Path) -> None:
    text = EXAMPLES / "train.de", EXAMPLES / "train.en"
    dev = EXAMPLES / "test.de", EXAMPLES / "test.en"
    tuning = TuneOptions(rounds=1, size=5, settings=Mira(epochs=2))
    whole = train(*text, tmp_path / "whole", dev=dev, options=SMALL, align=QUICK, tuning=tuning, threads=1)
    steps = ["prepare", "align", "language model", "word classes", "word choice", "letters", "index"]
    steps += ["describe", "weights"]
    assert list(whole.seconds) == [*steps, "target suffixes", "frequent patterns", "tune"]
    for step in ("reading", "aligning", "estimating", "sorting suffixes", "precomputing", "translating"):
        with pytest.raises(Killed):
            train(
                *text,
                tmp_path / "parts",
                dev=dev,
                options=SMALL,
                align=QUICK,
                tuning=tuning,
                progress=KilledAt(step),
                threads=2,
            )
    parts = train(*text, tmp_path / "parts", dev=dev, options=SMALL, align=QUICK, tuning=tuning, threads=2)
    assert list(parts.seconds) == ["tune"]
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")
    again = train(*text, tmp_path / "parts", dev=dev, options=SMALL, align=QUICK, tuning=tuning)
    assert again.seconds == {}


def test_ready_parts(tmp_path: Path, trained: Path) -> None:
    links = tmp_path / "links"
    pairs = (EXAMPLES / "train.de").read_text("utf-8").splitlines()
    links.write_text("0-0\n" * len(pairs))
    weights = tmp_path / "weights"
    weights.write_text("language_model 2.5\n")
    model = tmp_path / "model"
    train(
        EXAMPLES / "train.de",
        EXAMPLES / "train.en",
        model,
        options=SMALL,
        alignment=links,
        language_model=trained / "lm",
        weights=weights,
    )
    translator = Translator.open(model)
    assert dict(translator.model.weights) == {"language_model": 2.5}
    assert translator.model.language.order == 3
    assert translator.model.index.aligned.links(5) == [(0, 0)]
    assert not (model / "aligner").exists()


def test_bad_input(tmp_path: Path) -> None:
    source, target = EXAMPLES / "train.de", EXAMPLES / "train.en"
    short = tmp_path / "short"
    short.write_text("one line\n")
    for arguments, message in [
        ((source, tmp_path / "none"), "none: no such file"),
        ((source, short), "has 400 lines, but .*short has 1"),
    ]:
        with pytest.raises(PentaglotError, match=message):
            train(*arguments, tmp_path / "model")
        assert not (tmp_path / "model").exists()
    with pytest.raises(PentaglotError, match="is a file; a model is a directory"):
        train(source, target, short)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").write_text("x")
    with pytest.raises(PentaglotError, match="other things in it"):
        train(source, target, tmp_path / "thesis")
    for tuning, message in [
        (TuneOptions(penalty=("l1=1",)), "takes no penalties"),
        (TuneOptions(metric="length"), "length cannot be tuned for"),
        (TuneOptions(beer_model=str(tmp_path / "none")), "none: no such file"),
        (TuneOptions(metric="beer", beer_model=str(tmp_path / "none")), "none: no such file"),
    ]:
        with pytest.raises(PentaglotError, match=message):
            train(source, target, tmp_path / "model", tuning=tuning)
        assert not (tmp_path / "model").exists()
    with pytest.raises(PentaglotError, match="1 line of links for 400 sentence pairs"):
        short.write_text("0-0\n")
        train(source, target, tmp_path / "model", options=SMALL, alignment=short)


def test_tokenizers_of_their_own(tmp_path: Path) -> None:
    """A side without spaces is cut into characters while the other has words."""
    (tmp_path / "source").write_text("猫がいる\n犬がいる\n猫と犬\n" * 5, "utf-8")
    (tmp_path / "target").write_text("There is a cat .\nThere is a dog .\nA cat and a dog\n" * 5, "utf-8")
    options = TrainOptions(source_tokenizer="characters", target_tokenizer="none", order=2)
    train(tmp_path / "source", tmp_path / "target", tmp_path / "model", options=options)
    translator = Translator.open(tmp_path / "model")
    assert (translator.model.source_tokenizer.mode, translator.model.target_tokenizer.mode) == ("characters", "none")
    assert translator.translate("犬がいる").text.endswith("dog .")
    again = train(tmp_path / "source", tmp_path / "target", tmp_path / "model", options=options)
    assert not again.seconds
    with pytest.raises(PentaglotError, match="target text that is already tokenised .* --target-casing"):
        bad = TrainOptions(target_tokenizer="none", casing="truecase")
        train(tmp_path / "source", tmp_path / "target", tmp_path / "other", options=bad)
    assert not (tmp_path / "other").exists()


def test_text_that_is_tokenised_already(tmp_path: Path) -> None:
    """It keeps its case, without being told to."""
    train(
        EXAMPLES / "train.de",
        EXAMPLES / "train.en",
        tmp_path / "model",
        options=TrainOptions(tokenizer="none", order=2),
    )
    model = Translator.open(tmp_path / "model").model
    assert [each.casing for each in (model.source_tokenizer, model.target_tokenizer)] == ["keep", "keep"]
    assert model.index.count(["Der", "Lehrer"]) > 0
