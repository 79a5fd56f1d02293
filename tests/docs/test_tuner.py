"""The tuner of the documentation, as a package that somebody else has installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.console import ROOT
from tests.docs.packages import blocks_of, entries_of, install
from tests.learn.problems import PoolDecoder, translation_pools

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import TuneOptions, chosen_tuner, tuner_names
from pentaglot.metrics import Bleu
from pentaglot.options import read_options

PAGE = (ROOT / "docs" / "tuning.md").read_text("utf-8")


def test_the_tuner_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = blocks_of(PAGE, "## Your own optimiser")
    entries = entries_of(blocks["toml"], "pentaglot.tuners")
    install(tmp_path / "site", "averaging", entries, group="pentaglot.tuners", my_package=blocks["python"])
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert tuner_names()[-1] == "averaged"

    options = read_options(TuneOptions, {"tuner": "averaged", "rounds": 2, "averaged": {"share": 0.25}})
    assert repr(chosen_tuner(options).optimiser) == "Averaged(share=0.25)"  # type: ignore[attr-defined]
    references, pools = translation_pools(1, 5, 10)
    found = chosen_tuner(options).tune(PoolDecoder(pools), [references], Bleu(), {"noise": 1.0}, seed=3)
    assert len(found.rounds) > 1 and found.rounds[1].weights != found.rounds[0].weights
    with pytest.raises(OptionError, match="option 'share' is 2.0; it must be from 0.0 to 1.0"):
        read_options(TuneOptions, {"averaged": {"share": 2}})
    assert chosen_tuner() == chosen_tuner(TuneOptions(tuner="mira"))


def test_a_tuner_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "odd", {"odd": "odd_tuner:ODD"}, group="pentaglot.tuners", odd_tuner="ODD = 1\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    with pytest.raises(PentaglotError, match="the tuner 'odd' of odd is not a TunerKind called 'odd'"):
        chosen_tuner(TuneOptions(tuner="odd"))
