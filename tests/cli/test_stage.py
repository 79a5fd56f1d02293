"""The stage of the demo: numbered steps, text set in from the left, tables."""

from __future__ import annotations

import re

import pytest

from pentaglot.cli.stage import Stage


def test_steps_are_numbered_and_timed(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage(quiet=True, threads=1)
    for title in ("Fetch", "Train"):
        with stage.step(title):
            pass
        stage.say("done")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert [re.sub(r"[\d.]+ s$", "N s", line) for line in lines] == [
        "1. Fetch", "   N s", "   done", "2. Train", "   N s", "   done",
    ]  # fmt: skip


def test_labels_and_tables(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage(quiet=True, threads=1)
    stage.labelled(("source", "[b]Haus[/b]", ""), ("target", "house", "bold"))
    table = stage.table("", "BLEU")
    table.add_row("ours", "41.3")
    stage.show(table)
    words = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert words == [["source", "[b]Haus[/b]"], ["target", "house"], ["BLEU"], ["ours", "41.3"]]
