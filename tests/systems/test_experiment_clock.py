"""The clock of experiments: how many steps there are, and how long they will take."""

from __future__ import annotations

from pentaglot.systems.experiment_clock import Clock


def test_steps_that_come_later_count() -> None:
    clock = Clock()
    clock.begin(["model a", "weights a 1"], later=["weights b 1", "test b 1"])
    assert clock.told("model a", 7.0) == "model a: 7 s (1 of 4), about 21 s left"
    assert clock.told("weights a 1", 3.0) == "weights a 1: 3 s (2 of 4), about 8 s left"
    clock.begin(["weights b 1", "test b 1"])
    assert clock.told("weights b 1", 5.0) == "weights b 1: 5 s (3 of 4), about 5 s left"
    assert clock.told("test b 1", 1.0) == "test b 1: 1 s (4 of 4)"


def test_several_at_once_take_less_time() -> None:
    clock = Clock()
    clock.begin(["test a", "test b", "test c"], 2)
    assert clock.told("test a", 4.0) == "test a: 4 s (1 of 3), about 4 s left"
