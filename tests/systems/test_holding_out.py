"""Pairs that are held out to choose weights on: what is chosen, and that a draft knows nothing of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, Listener

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import OptionError
from pentaglot.index import Index
from pentaglot.learn import Mira, TuneOptions
from pentaglot.rules import RuleOptions
from pentaglot.systems import Model, Trained, Translator, find_system, train
from pentaglot.systems.holding_out import choose_pairs, drafted, links_of_pairs
from pentaglot.systems.length_weight import _balanced

WORDS = st.lists(st.sampled_from("abc"), max_size=4)
PAIRS = st.lists(st.tuples(WORDS, WORDS, st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)))), max_size=8)


@given(PAIRS, st.integers(0, 9), st.data())
def test_against_looking_at_every_pair(
    pairs: list[tuple[list[str], list[str], list[tuple[int, int]]]], number: int, data: st.DataObject
) -> None:
    sides = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    bitext = Bitext.from_sentences(*sides)
    fit = [
        at
        for at, (source, target, _) in enumerate(pairs)
        if source and target and sides[0].count(source) == 1 and sides[1].count(target) == 1
    ]
    chosen = choose_pairs(bitext, number).tolist()
    assert len(chosen) == len(set(chosen)) == min(number, len(fit))
    assert set(chosen) <= set(fit)
    links = [sorted({(i, j) for i, j in given if i < len(s) and j < len(t)}) for s, t, given in pairs]
    index = Index.build(bitext, Alignment.from_links(links))
    kept = np.array([data.draw(st.booleans()) for _ in pairs], bool)
    alone = Index.build(
        Bitext.from_sentences(*([side[at] for at in np.flatnonzero(kept)] for side in sides)),
        Alignment.from_links([links[at] for at in np.flatnonzero(kept)]),
    )
    found = links_of_pairs(index, kept)
    for name, array in alone.arrays["alignment"].items():
        assert found[name].dtype == array.dtype
        assert found[name].tolist() == array.tolist()


def test_a_draft_knows_nothing_of_what_is_held_out(trained: Path, tmp_path: Path) -> None:
    model = Model.open(trained)
    held_out = choose_pairs(model.index.bitext, 20)
    sources = {tuple(model.index.bitext.pair(number)[0]) for number in held_out}
    with drafted(model, held_out, None, place=tmp_path / "draft") as draft:
        assert len(draft.index) == len(model.index) - 20
        left = {tuple(draft.index.bitext.pair(number)[0]) for number in range(len(draft.index))}
        assert not left & sources and len(left) > 100
        whole = {tuple(model.index.bitext.pair(number)[0]) for number in range(len(model.index))}
        assert left | sources == whole
        assert len(draft.index.bitext.source_vocabulary) == len(model.index.bitext.source_vocabulary)
        assert Translator(draft, weights=model.weights).translate("Die Katze sieht den Hund.").text
    assert not (tmp_path / "draft").exists()


TEXT = EXAMPLES / "train.de", EXAMPLES / "train.en"
HELD_OUT = dataclasses.replace(SMALL, hold_out=40)
TUNING = TuneOptions(rounds=2, size=10, settings=Mira(epochs=3))


def _train(place: Path, **options: Any) -> Trained:
    return train(*TEXT, place, **({"options": HELD_OUT, "align": QUICK, "tuning": TUNING} | options))


def test_weights_are_chosen_on_held_out_pairs(tmp_path: Path) -> None:
    listener = Listener()
    done = _train(tmp_path / "one", progress=listener)
    assert done.held_out == 40 and done.tuning is not None
    assert "40 pairs are held out to choose weights on; the final model uses all pairs" in listener.said
    assert len(Index.open(tmp_path / "one" / "index")) == 400
    weights = Model.open(tmp_path / "one").weights
    assert dict(weights) != dict(find_system("hiero").weights) and set(weights) == set(find_system("hiero").weights)
    _train(tmp_path / "other", threads=8)
    assert (tmp_path / "one" / "weights.txt").read_bytes() == (tmp_path / "other" / "weights.txt").read_bytes()
    assert not _train(tmp_path / "one").seconds
    changed = _train(tmp_path / "one", options=dataclasses.replace(HELD_OUT, hold_out=30))
    assert set(changed.seconds) == {"describe", "choose weights"} and changed.held_out == 30


def test_only_the_length(tmp_path: Path) -> None:
    done = _train(tmp_path / "model", options=dataclasses.replace(HELD_OUT, tune=False))
    assert done.held_out == 40 and done.tuning is None
    found, usual = Model.open(tmp_path / "model").weights, find_system("hiero").weights
    assert {name for name in found if found[name] != usual[name]} <= {"words"}


def test_nothing_is_held_out_of_little_text_or_if_one_says_so(tmp_path: Path) -> None:
    not_asked = [dataclasses.replace(SMALL, hold_out=0), dataclasses.replace(SMALL, tune=False)]
    for number, (options, told) in enumerate([(SMALL, True), *((each, False) for each in not_asked)]):
        listener = Listener()
        done = _train(place := tmp_path / f"model{number}", options=options, progress=listener)
        assert any("too few pairs to hold some out" in each for each in listener.said) == told
        assert done.held_out == 0 and "choose weights" not in done.seconds
        assert dict(Model.open(place).weights) == dict(find_system("hiero").weights)


def test_not_more_is_held_out_than_is_left(tmp_path: Path) -> None:
    """Said before anything is done."""
    with pytest.raises(OptionError, match="201 pairs cannot be held out of 400"):
        _train(tmp_path / "model", options=dataclasses.replace(SMALL, hold_out=201))
    assert not (tmp_path / "model").exists()


def test_pairs_that_all_share_a_side(tmp_path: Path) -> None:
    for name in ("same.de", "same.en"):
        (tmp_path / name).write_text("immer wieder\n" * 50, "utf-8")
    listener = Listener()
    options = dataclasses.replace(SMALL, hold_out=10)
    train(tmp_path / "same.de", tmp_path / "same.en", tmp_path / "model", options=options, progress=listener)
    assert any("no pair can be held out" in each for each in listener.said)


def test_better_weights_stay(tmp_path: Path) -> None:
    """Those of a development text and those of a person; and they are not lost where others take their place."""
    model = tmp_path / "model"
    _train(model, dev=(EXAMPLES / "test.de", EXAMPLES / "test.en"))
    tuned = (model / "weights.txt").read_bytes()
    assert "choose weights" not in _train(model).seconds
    assert (model / "weights.txt").read_bytes() == tuned
    _train(tmp_path / "other")
    weights = tmp_path / "other" / "weights.txt"
    weights.write_text(weights.read_text("utf-8") + "# mine\n", "utf-8")
    mine = weights.read_bytes()
    assert not _train(tmp_path / "other").seconds
    _train(tmp_path / "other", options=dataclasses.replace(HELD_OUT, order=3))
    assert weights.read_bytes() == mine


def test_a_table_is_drafted_too(tmp_path: Path) -> None:
    rules = RuleOptions(source="table", max_gaps=1, max_symbols=3)
    done = _train(tmp_path / "model", rules=rules)
    assert done.held_out == 40
    assert Translator.open(tmp_path / "model").translate("Die Katze sieht den Hund.").text
    assert [each.name for each in (tmp_path / "model" / ".train").iterdir() if "draft" in each.name] == []


@pytest.mark.parametrize("slope", [0.05, 0.4, 3.0])
@pytest.mark.parametrize("start", [-1.0, 0.7, 2.0])
def test_the_length_is_found(slope: float, start: float) -> None:
    def ratio(weight: float) -> float:
        return min(1.6, max(0.5, 1.0 + slope * (weight - 0.2)))

    assert ratio(_balanced(ratio, start)) == pytest.approx(1.0, abs=0.03 if slope < 0.1 else 0.006)


def test_a_length_that_cannot_be_reached_changes_little() -> None:
    """A translation of anything has a word; further steps would gain nothing, and ruin the rest."""
    assert _balanced(lambda weight: 8.0 if weight > -3 else 2.0, 1.0) == -6.5
