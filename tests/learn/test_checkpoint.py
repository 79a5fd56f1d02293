"""Rounds on disk come back as they were, to the last bit, whatever features are called; and only for the same run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.learn.problems import Errors, lists_of

from pentaglot.forest import Weights
from pentaglot.learn import Candidate, Round
from pentaglot.learn.checkpoint import Checkpoint, Outcome, tuning_step
from pentaglot.steps import Step

NAMES = ["lm", "a b", "x = 'y'", 'größe"', "tab\t", "#", "[table]", "a.b", "new\nline"]
TUNING = Step("tuning", options={"size": 3})


def _outcome(number: int, ended: str = "") -> Outcome:
    random = np.random.default_rng(number)
    weights, following = (Weights(zip(NAMES, random.normal(size=len(NAMES)).tolist(), strict=True)) for _ in range(2))
    fresh = lists_of([[Candidate(f"c{number} 3", dict(weights))]], Errors(), ["x"])
    return Outcome(Round(number, weights, 1 / 3, 1, number + 1, 0.1 + 0.2), fresh, following, ended)


def _never() -> Outcome:
    raise AssertionError("this round was there already")


def _rounds(place: Path, *makes: Callable[[], Outcome], last: int = 99, tuning: Step = TUNING) -> list[Outcome]:
    checkpoint = Checkpoint(place, tuning)
    return [checkpoint.round(number, number == last, make)[0] for number, make in enumerate(makes)]


def test_there_and_back(tmp_path: Path) -> None:
    outcomes = [_outcome(0), _outcome(1), _outcome(2, "all rounds done")]
    assert _rounds(tmp_path / "tuning", *(lambda each=each: each for each in outcomes)) == outcomes  # type: ignore[misc]
    for wanted, found in zip(outcomes, _rounds(tmp_path / "tuning", _never, _never, _never), strict=True):
        assert (wanted.round, wanted.next_weights, wanted.ended) == (found.round, found.next_weights, found.ended)
        assert list(wanted.next_weights) == list(found.next_weights)
        assert wanted.fresh.texts(0) == found.fresh.texts(0)
        assert wanted.fresh.features(0) == found.fresh.features(0)


def test_a_damaged_round_is_made_again(tmp_path: Path) -> None:
    _rounds(tmp_path, lambda: _outcome(0), lambda: _outcome(1))
    array = tmp_path / "round-000" / "text.npy"
    array.write_bytes(array.read_bytes()[:-1] + b"?")
    found = _rounds(tmp_path, lambda: _outcome(0), _never)
    assert found[0].fresh.texts(0) == ["c0 3"]


def test_the_last_round_is_another(tmp_path: Path) -> None:
    """It only judges: with more rounds allowed, it has to learn something, too, and so have those after it."""
    _rounds(tmp_path, lambda: _outcome(0), lambda: _outcome(1), last=1)
    found = _rounds(tmp_path, _never, lambda: _outcome(11), lambda: _outcome(12))
    assert [each.round.number for each in found] == [0, 11, 12]
    found = _rounds(tmp_path, _never, lambda: _outcome(21), lambda: _outcome(22), last=1)
    assert [each.round.number for each in found] == [0, 21, 22]


def test_another_run_begins_anew(tmp_path: Path) -> None:
    _rounds(tmp_path, lambda: _outcome(0), lambda: _outcome(1))
    _rounds(tmp_path, lambda: _outcome(0), tuning=Step("tuning", options={"size": 4}))
    assert not (tmp_path / "round-001").exists()
    assert _rounds(tmp_path, lambda: _outcome(5))[0].round.number == 5


def test_what_tells_runs_apart() -> None:
    start = {"lm": 1.0}
    settings = {"size": 3}

    def key(**changes: object) -> str:
        given = {"metric": Errors(), "references": [["a", "b"]], "start": start, "seed": 0, "decoder": "d"} | changes
        return tuning_step(given.pop("settings", settings), **given).key  # type: ignore[arg-type]

    assert key() == key(start=Weights(start))
    others = [
        key(settings={"size": 4}),
        key(metric=Errors(higher_is_better=True)),
        key(references=[["a"], ["b"]]),
        key(references=[["a", "c"]]),
        key(start={"lm": 2.0}),
        key(seed=1),
        key(decoder="e"),
    ]
    assert len({key(), *others}) == 8


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_a_round_that_fails_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    def fail() -> Outcome:
        raise error

    with pytest.raises(error):
        _rounds(tmp_path, lambda: _outcome(0), fail)
    assert sorted(path.name for path in tmp_path.glob("round*")) == ["round-000", "round-000.done"]
