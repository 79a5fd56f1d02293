"""Models of one text share what is equal in them, and are the same as if each had been trained alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, Listener, contents

from pentaglot.systems import Translator, merge, train

TEXT = EXAMPLES / "train.de", EXAMPLES / "train.en"
PHRASE, HIERO = (dataclasses.replace(SMALL, system=system, hold_out=20, tune=False) for system in ("phrase", "hiero"))
SHARED = {"prepare", "align", "language model", "word classes", "word choice", "letters", "index"}
OWN = {"describe", "target suffixes", "frequent patterns", "weights", "choose weights"}


def test_another_system_of_the_same_text(tmp_path: Path) -> None:
    train(*TEXT, tmp_path / "phrase", options=PHRASE, align=QUICK)
    alone = train(*TEXT, tmp_path / "alone", options=HIERO, align=QUICK)
    assert set(alone.seconds) == SHARED | OWN
    told = Listener()
    found = train(
        *TEXT,
        tmp_path / "hiero",
        options=HIERO,
        align=QUICK,
        like=[tmp_path / "none", tmp_path / "phrase"],
        progress=told,
    )
    assert set(found.seconds) == OWN and set(found.kept) == SHARED
    assert contents(tmp_path / "hiero") == contents(tmp_path / "alone")
    [said, *_] = told.said
    assert said.startswith(f"taken from {tmp_path / 'phrase'}: prepare, align") and "kept" not in " ".join(told.said)
    again = train(*TEXT, tmp_path / "hiero", options=HIERO, align=QUICK, like=[tmp_path / "phrase"])
    assert again.seconds == {}


def test_other_links_of_the_same_text(tmp_path: Path) -> None:
    """What does not depend on links is shared all the same."""
    other = dataclasses.replace(QUICK, symmetrise="union")
    train(*TEXT, tmp_path / "one", options=PHRASE, align=QUICK)
    train(*TEXT, tmp_path / "alone", options=PHRASE, align=other)
    found = train(*TEXT, tmp_path / "two", options=PHRASE, align=other, like=[tmp_path / "one"])
    assert {"language model", "word classes", "word choice"} <= set(found.kept)
    assert {"align", "index", "letters"} <= set(found.seconds)
    assert contents(tmp_path / "two") == contents(tmp_path / "alone")


def test_a_model_that_has_grown_lends_nothing(tmp_path: Path) -> None:
    train(*TEXT, tmp_path / "phrase", options=PHRASE, align=QUICK)
    Translator.open(tmp_path / "phrase").add("Der Welpe gnarkt.", "The puppy gnarks.")
    merge(tmp_path / "phrase")
    found = train(*TEXT, tmp_path / "hiero", options=HIERO, align=QUICK, like=[tmp_path / "phrase"])
    assert set(found.seconds) == SHARED | OWN
