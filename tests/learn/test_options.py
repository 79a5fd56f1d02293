"""Every option reaches the tuner."""

from __future__ import annotations

import pytest

from pentaglot.errors import OptionError
from pentaglot.learn import KBestTuner, Mert, Mira, TuneOptions, chosen_tuner
from pentaglot.options import read_options


def test_defaults() -> None:
    assert chosen_tuner() == KBestTuner(Mira(pull=0.5))
    assert chosen_tuner(TuneOptions(tuner="mert"), threads=2) == KBestTuner(Mert(threads=2))


def test_every_option_is_used() -> None:
    values = {"size": 7, "rounds": 3, "patience": 2, "identity": "string"}
    mira = {"tuner": "mira", "mira_strength": 0.5, "mira_decay": 0.9, "mira_epochs": 4, "mira_pull": 0.2}
    mert = {"tuner": "mert", "mert_restarts": 1, "mert_directions": 2, "mert_step": 0.25}
    assert chosen_tuner(read_options(TuneOptions, values | mira)) == KBestTuner(
        Mira(strength=0.5, decay=0.9, epochs=4, pull=0.2), size=7, rounds=3, patience=2, identity="string"
    )
    assert chosen_tuner(read_options(TuneOptions, values | mert)) == KBestTuner(
        Mert(restarts=1, directions=2, step=0.25), size=7, rounds=3, patience=2, identity="string"
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [({"tuner": "mart"}, "did you mean 'mert'"), ({"mira_decay": 1.5}, "from 0.0 to 1.0"), ({"size": 0}, "at least 1")],
)
def test_mistakes_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_options(TuneOptions, values)
