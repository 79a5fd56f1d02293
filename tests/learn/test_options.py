"""Every option reaches the tuner."""

from __future__ import annotations

import numpy as np
import pytest

from pentaglot.errors import OptionError
from pentaglot.learn import KBestTuner, LossLearner, Mert, Mira, Pro, TuneOptions, chosen_metric, chosen_tuner
from pentaglot.learn.presets import PRESETS
from pentaglot.metrics import Bleu, Ter
from pentaglot.options import checked, read_options


def test_defaults() -> None:
    assert chosen_tuner() == KBestTuner(Mira(pull=0.5))
    assert chosen_tuner(TuneOptions(tuner="mert"), threads=2) == KBestTuner(Mert(threads=2))


def test_settings_of_another_tuner() -> None:
    with pytest.raises(OptionError, match="the settings of the tuner 'mert' must be a Mert, not a Mira"):
        chosen_tuner(TuneOptions(tuner="mert", settings=Mira()))
    with pytest.raises(OptionError, match="at least 1"):
        checked(TuneOptions(settings=Mira(epochs=0)))


def test_presets() -> None:
    """The settings of a thesis; what is given wins over them, also within a table."""
    gimpel = read_options(TuneOptions, {"preset": "gimpel2012", "tuner": "soft-ramp2", "loss": {"steps": 7}})
    assert (gimpel.tuner, gimpel.size, gimpel.rounds, gimpel.smoothing) == ("soft-ramp2", 500, 20, "plus-one")
    assert gimpel.settings == LossLearner(rate=1e-4, strength=1.0, steps=7, epochs=5)
    assert chosen_tuner(gimpel) == KBestTuner(LossLearner(loss="soft-ramp2", steps=7), 500, 20, 20)
    assert checked(gimpel) == gimpel
    for name in PRESETS:
        chosen_tuner(read_options(TuneOptions, {"preset": name}))
    for name, size, settings in (
        ("gimpel2012-mert", 100, Mert()),
        ("clark2015-mert", 200, Mert(restarts=20, sample=0)),
        ("clark2015-mert-forests", 50, Mert(restarts=0, directions=5, space="forests")),
    ):
        assert chosen_tuner(read_options(TuneOptions, {"preset": name})) == KBestTuner(settings, size)
    clark = read_options(TuneOptions, {"preset": "clark2015-oscar"})
    assert clark.final == "last" and clark.penalty == ("oscar=1e-6,3e-8",)
    found = chosen_tuner(clark)
    assert isinstance(found, KBestTuner) and isinstance(found.optimiser, Pro)
    assert found.optimiser.penalties == clark.penalty


def test_mert_takes_no_penalty() -> None:
    options = read_options(TuneOptions, {"tuner": "mert", "penalty": ["l1=0.1"]})
    with pytest.raises(OptionError, match="the tuner 'mert' takes no penalties: it ignores the length of weights"):
        chosen_tuner(options)
    with pytest.raises(OptionError, match="the tuner 'mira' takes no penalties; use pro or a loss"):
        chosen_tuner(TuneOptions(penalty=("l1=0.1",)))


def test_metrics() -> None:
    assert chosen_metric() == Bleu(tokenize="none")
    assert chosen_metric(TuneOptions(smoothing="plus-one")) == Bleu(tokenize="none", sentence_smoothing="plus-one")
    assert chosen_metric(TuneOptions(metric="ter")) == Ter()


def test_every_option_is_used() -> None:
    values = {"size": 7, "rounds": 3, "patience": 2, "identity": "string"}
    tables = {
        "mira": {"strength": 0.5, "decay": 0.9, "epochs": 4, "pull": 0.2},
        "mert": {"restarts": 1, "directions": 2, "step": 0.25},
    }
    mira, mert = {"tuner": "mira", **tables}, {"tuner": "mert", **tables}
    assert chosen_tuner(read_options(TuneOptions, values | mira)) == KBestTuner(
        Mira(strength=0.5, decay=0.9, epochs=4, pull=0.2), size=7, rounds=3, patience=2, identity="string"
    )
    assert chosen_tuner(read_options(TuneOptions, values | mert)) == KBestTuner(
        Mert(restarts=1, directions=2, step=0.25), size=7, rounds=3, patience=2, identity="string"
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tuner": "mart"}, "did you mean 'mert'"),
        ({"metric": "blue"}, "did you mean 'bleu'"),
        ({"mira": {"decay": 1.5}}, "from 0.0 to 1.0"),
        ({"mert": {"pull": 1}}, "unknown option 'pull'"),
        ({"mart": {"pull": 1}}, "there is no tuner 'mart'; did you mean 'mert'"),
        ({"mira_pull": 0.1}, "write 'pull' into the table 'mira'"),
        ({"mira": 0.1}, "'mira' must be a table, not 0.1"),
        ({"preset": "gimpel"}, "there is no preset 'gimpel'; did you mean 'gimpel2012'"),
        ({"size": 0}, "at least 1"),
    ],
)
def test_mistakes_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_options(TuneOptions, values)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (TuneOptions(size="5"), "option 'size' must be a whole number, not '5'"),  # type: ignore[arg-type]
        (TuneOptions(tuner="pro", penalty="l1=1"), "option 'penalty' must be a list, not 'l1=1'"),  # type: ignore[arg-type]
        (TuneOptions(settings=Mira(pull=2.0)), "option 'pull' is 2.0; it must be from 0.0 to 1.0"),
        (TuneOptions(preset="clark"), "there is no preset 'clark'; did you mean 'clark2015'"),
        (TuneOptions(preset="clark2015", rounds=3), "nothing of the preset 'clark2015' is in these options; read it"),
    ],
)
def test_options_that_a_program_makes(options: TuneOptions, message: str) -> None:
    """Not all of them come from files or from the command line."""
    with pytest.raises(OptionError, match=message):
        chosen_tuner(options)


def test_numbers_of_numpy() -> None:
    options = TuneOptions(size=np.int64(5), settings=Mira(pull=np.float32(0.5), strength=np.int64(1)))  # type: ignore[arg-type]
    assert chosen_tuner(options) == KBestTuner(Mira(pull=0.5, strength=1.0), size=5)


def test_what_has_no_setting_of_its_own_is_kept() -> None:
    made = chosen_tuner(TuneOptions(tuner="mert", settings=Mert(least_gain=0.5)))
    assert made == KBestTuner(Mert(least_gain=0.5))
