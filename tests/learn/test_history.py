"""How tuning went: kept beside the weights, and read again, whatever is in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.learn.problems import PoolDecoder, translation_pools

from pentaglot.errors import InputError
from pentaglot.learn import History, KBestTuner, Mira
from pentaglot.metrics import Bleu


def test_it_is_what_the_rounds_were(tmp_path: Path) -> None:
    references, pools = translation_pools(17)
    tuner = KBestTuner(Mira(epochs=10), size=10, rounds=3)
    tuning = tuner.tune(
        PoolDecoder(pools), [references], Bleu(tokenize="none"), {"length": 1.0, "noise": 1.0}, judge=len
    )
    history = History.of(tuning, seed=7)
    assert history.curve() == [each.score for each in tuning.rounds]
    assert history.curve(held_out=True) == [float(len(each.weights)) for each in tuning.rounds]
    history.save(tmp_path / "a.tuning.json")
    assert History.open(tmp_path / "a.tuning.json") == history


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"best_round": 9},
        {"best_round": -1},
        {"rounds": [{"score": "much"}]},
        {"rounds": 3},
        {"metric": 3},
        {"rounds": [{"score": float("nan"), "held_out": None, "new": 1, "candidates": 1, "predicted": 1}]},
    ],
)
def test_damaged(change: dict[str, object], tmp_path: Path) -> None:
    place = tmp_path / "a.tuning.json"
    History("BLEU", 1, 0, "done", ()).save(place)
    place.write_text(json.dumps(json.loads(place.read_text()) | change))
    with pytest.raises(InputError, match=r"a\.tuning\.json: is not a history of tuning"):
        History.open(place)
    place.write_bytes(b"\xff{")
    with pytest.raises(InputError, match="is not a history"):
        History.open(place)
