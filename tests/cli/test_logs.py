"""Warnings on the command line."""

from __future__ import annotations

import logging

import pytest

from pentaglot.cli.logs import show_logs


def test_the_same_warning_is_shown_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    show_logs(verbose=False)
    for _ in range(3):
        logging.getLogger("pentaglot.some").warning("line %d is odd", 1)
    logging.getLogger("pentaglot.some").warning("line %d is odd", 2)
    assert capsys.readouterr().err == "WARNING: line 1 is odd\nWARNING: line 2 is odd\n"
