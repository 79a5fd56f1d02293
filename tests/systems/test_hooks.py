"""Hooks on a translator: features of a researcher's own, which change what is chosen, with any number of threads."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES

from pentaglot.errors import PentaglotError
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import SentenceRules
from pentaglot.systems import Model, Translation, Translator, tune

SOURCES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:20]
REFERENCES = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:20]

Columns = dict[str, NDArray[np.float32]]


def counting(word: str) -> Columns:
    """A hook that counts a target word in every rule."""

    def hook(found: SentenceRules) -> Columns:
        sides = (found.target_side(rule) for rule in range(found.table.rules))
        return {f"says {word}": np.array([side.count(word) for side in sides], np.float32)}

    return hook  # type: ignore[return-value]


def sparse(found: SentenceRules) -> Columns:
    """Features named after the first word of each sentence and of some target sides: new ones turn up all the time."""
    columns = {f"begins {found.words[0]}": np.ones(found.table.rules, np.float32)}
    for rule in range(found.table.rules):
        word = " ".join(found.target_side(rule)[:1])
        if zlib.crc32(word.encode()) % 4 == 0:
            columns.setdefault(f"first {word}", np.zeros(found.table.rules, np.float32))[rule] = 1
    return columns


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns far more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _words_with_a_choice(translator: Translator) -> Iterator[tuple[str, Translation]]:
    """Words of translations that other good translations of the line lack."""
    for line in SOURCES:
        found = translator.translate(line, nbest=50)
        best, *others = (each.words for _, each in found.nbest)
        yield from ((word, found) for other in others for word in best if word not in other)


def test_a_feature_changes_the_choice(trained: Path) -> None:
    model = Model.open(trained)
    plain = Translator(model)
    word, usual = next(_words_with_a_choice(plain))
    line = usual.source
    name = f"says {word}"
    against = Translator(model, weights={**model.weights, name: -20.0}, hooks=[counting(word)])
    found = against.translate(line, nbest=5)
    assert word not in found.nbest[0][1].words and found.text != usual.text
    for _, each in found.nbest:
        assert each.features.get(name, 0.0) == each.words.count(word)
        total = sum(value * against.weights.get(feature, 0.0) for feature, value in each.features.items())
        assert each.score == pytest.approx(total, rel=1e-5)
    favour = against.with_weights({**model.weights, name: 0.0})
    assert favour.translate(line).text == usual.text


def test_a_feature_without_a_weight_changes_nothing(trained: Path) -> None:
    model = Model.open(trained)
    plain, hooked = Translator(model), Translator(model, hooks=[sparse])
    for line in SOURCES[:5]:
        one, other = plain.translate(line), hooked.translate(line)
        assert one.text == other.text and one.score == other.score
        assert one.nbest[0][1].features.items() <= other.nbest[0][1].features.items()


@pytest.mark.usefixtures("hasty")
def test_threads_do_not_matter(trained: Path) -> None:
    model = Model.open(trained)
    found = []
    for threads in (1, 8, 8):
        # A new translator each time: its hook names features in whatever order the threads come by.
        weights = {**model.weights, "first the": 0.4, "says a": -0.3}
        translator = Translator(model, weights=weights, hooks=[sparse, counting("a")])
        lists = [each.nbest for each in translator.translate_all(SOURCES, nbest=5, threads=threads)]
        found.append(
            [(text, each.score, list(each.features.items())) for nbest in lists for text, each in nbest],
        )
        names = translator.features.names
        assert len(set(names)) == len(names)
        found[-1].append(("", 0.0, [(name, 0.0) for name in translator.feature_names]))
    assert found[0] == found[1] == found[2]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("tuner", ["mira", "mert"])
def test_threads_do_not_matter_to_tuning(trained: Path, tuner: str) -> None:
    model = Model.open(trained)
    settings = Mira(epochs=5) if tuner == "mira" else None
    options = TuneOptions(tuner=tuner, rounds=2, size=20, settings=settings)
    found = []
    wanted = [line.replace("The ", "That ").replace(" the ", " a ") for line in REFERENCES]  # much to learn
    for threads in (1, 8):
        translator = Translator(model, hooks=[sparse])
        tuned = tune(translator, SOURCES, wanted, options, seed=1, threads=threads)
        found.append([list(each.weights.items()) for each in tuned.rounds])
    assert found[0][0] != found[0][-1]
    assert tuner == "mert" or any(name.startswith("first ") and value for name, value in found[0][-1])
    assert found[0] == found[1]


@pytest.mark.parametrize("threads", [1, 8])
def test_what_goes_wrong_in_a_hook_is_told(trained: Path, threads: int) -> None:
    def short(found: SentenceRules) -> Columns:
        return {"bad": np.zeros(found.table.rules - (len(found.words) > 5), np.float32)}

    translator = Translator(Model.open(trained), hooks=[short])
    with pytest.raises(PentaglotError, match="the feature 'bad' has"):
        list(translator.translate_all(SOURCES, threads=threads))
