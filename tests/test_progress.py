"""The library is silent unless it is handed something to speak with."""

from __future__ import annotations

import pytest

from pentaglot.progress import SILENT


def test_silence(capfd: pytest.CaptureFixture[str]) -> None:
    with SILENT.task("counting", total=2, unit="sheep") as task:
        task.advance()
        task.advance(2)
        task.note("asleep")
    SILENT.say("good night")
    with pytest.raises(KeyError), SILENT.task("failing"):
        raise KeyError("passes through")
    assert capfd.readouterr() == ("", "")
