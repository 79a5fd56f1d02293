"""Damage of every stored kind, noticed by a checksum or not, gives an answer or one sentence of what is wrong: never a
crash, a traceback, a hang, or memory without measure. Calls of the core with any numbers give an exception.

PENTAGLOT_MUTATIONS says how many cases of each kind are tried: 10000 take hours. A case is the same wherever it runs:
`python -m tests.mutations.child KIND DIRECTORY WORK FIRST LAST` tries some of them alone.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.mutations.kinds import KINDS
from tests.mutations.trial import run_trial

CASES = int(os.environ.get("PENTAGLOT_MUTATIONS", "10"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_told(kind: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    KINDS[kind].make(whole / KINDS[kind].name)
    trial = run_trial(kind, whole, tmp_path / "work", 0, CASES)
    assert not trial.failures, str(trial)
    assert trial.done == CASES


@pytest.mark.slow
def test_calls_of_the_core_never_crash(tmp_path: Path) -> None:
    trial = run_trial("calls", tmp_path, tmp_path / "work", 0, 10 * CASES)
    assert not trial.failures, str(trial)
    assert trial.done == 10 * CASES
