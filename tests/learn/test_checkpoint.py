"""Rounds on disk come back as they were, to the last bit, whatever features are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.learn.problems import Errors, lists_of

from pentaglot.errors import StorageError
from pentaglot.forest import Weights
from pentaglot.learn import Candidate, Round
from pentaglot.learn.checkpoint import Checkpoint, Step, fingerprint

NAMES = ["lm", "a b", "x = 'y'", 'größe"', "tab\t", "#", "[table]", "a.b", "new\nline"]


def _step(number: int, ended: str = "") -> Step:
    random = np.random.default_rng(number)
    weights, following = (Weights(zip(NAMES, random.normal(size=len(NAMES)).tolist(), strict=True)) for _ in range(2))
    fresh = lists_of([[Candidate(f"c{number} 3", dict(weights))]], Errors(), ["x"])
    return Step(Round(number, weights, 1 / 3, 1, number + 1, 0.1 + 0.2), fresh, following, ended)


def test_there_and_back(tmp_path: Path) -> None:
    steps = [_step(0), _step(1), _step(2, "all rounds done")]
    checkpoint = Checkpoint(tmp_path / "tuning", "abc")
    assert list(checkpoint.steps()) == []
    for step in steps:
        checkpoint.save(step)
    for wanted, found in zip(steps, checkpoint.steps(), strict=True):
        assert (wanted.round, wanted.next_weights, wanted.ended) == (found.round, found.next_weights, found.ended)
        assert list(wanted.next_weights) == list(found.next_weights)
        assert wanted.fresh.texts(0) == found.fresh.texts(0)
        assert wanted.fresh.features(0) == found.fresh.features(0)


def test_damage_is_found(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path, "abc")
    checkpoint.save(_step(0))
    array = tmp_path / "round-000" / "text.npy"
    array.write_bytes(array.read_bytes()[:-1] + b"?")
    with pytest.raises(StorageError, match="altered"):
        list(checkpoint.steps())


def test_fingerprints() -> None:
    start = {"lm": 1.0}
    wanted = fingerprint("tuner", Errors(), [["a", "b"]], start, 0)
    assert wanted == fingerprint("tuner", Errors(), [["a", "b"]], Weights(start), 0)
    others = [
        fingerprint("other", Errors(), [["a", "b"]], start, 0),
        fingerprint("tuner", Errors(higher_is_better=True), [["a", "b"]], start, 0),
        fingerprint("tuner", Errors(), [["a"], ["b"]], start, 0),
        fingerprint("tuner", Errors(), [["a", "b"]], {"lm": 2.0}, 0),
        fingerprint("tuner", Errors(), [["a", "b"]], start, 1),
    ]
    assert len({wanted, *others}) == 6
