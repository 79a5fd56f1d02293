"""The benchmark driver on made-up rooms: what is measured, kept from before, and missing."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from types import ModuleType

import pytest
from bench.harness import Row

from bench import __main__ as bench
from bench import harness

FAST = Row("aligning", "2.0 s", "tool", "6.0 s", 3.0, "3x", True)
COUNT = Row("building", "7 s", "", "", None, "a record", True)


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bench, "REPORT", tmp_path / "docs" / "benchmarks.md")
    monkeypatch.setattr(harness, "DATA", tmp_path / "data")
    monkeypatch.setattr(bench, "rooms", lambda: ["attic", "cellar"])
    for name, rows in (("attic", [COUNT, FAST]), ("cellar", [])):
        module = ModuleType(f"bench.{name}")
        module.rows = lambda rows=rows, name=name: harness.data(f"{name}.gz") or rows  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"bench.{name}", module)
    sys.modules["bench.attic"].NOTES = "nrefs:1|tok:13a"  # type: ignore[attr-defined]
    return tmp_path / "docs" / "benchmarks.md"


def test_report(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([]) == 0
    text = report.read_text("utf-8")
    attic, cellar = text.split("\n## ")[1:]
    assert attic.startswith("attic\n") and cellar.startswith("cellar\n")
    assert attic.index("| aligning | 2.0 s | tool | 6.0 s | here | 3.00x | 3x | yes |") < attic.index("| building |")
    assert "nrefs:1|tok:13a" in attic and "because data is missing: `attic.gz`." in attic
    assert "Nothing was measured." in cellar and "`cellar.gz`" in cellar and "`attic.gz`" not in cellar
    printed = capsys.readouterr()
    assert "| aligning |" in printed.out and "cellar.gz is missing; set PENTAGLOT_DATA" in printed.err


def test_only_what_was_asked_for_is_renewed(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.main([])
    before = report.read_text("utf-8")
    assert bench.main(["cellar"]) == 0
    assert report.read_text("utf-8") == before
    slow = Row("aligning", "9 s", "tool", "6 s", 0.67, "3x", False)
    monkeypatch.setattr(sys.modules["bench.cellar"], "rows", lambda: [slow])
    assert bench.main(["cellar"]) == 1, "a figure that was not reached shows in the exit code"
    after = report.read_text("utf-8")
    assert "| 0.67x | 3x | no |" in after and "| 3.00x | 3x | yes |" in after


def test_figures_say_where_they_were_measured() -> None:
    far = Row("searching", "2 ms", "tool", "6 ms", 3.0, "under 9 ms", True, harness.OTHER_MACHINE)
    kept = Row("reading", "2 s", "", "", None, "(recorded)", True)
    assert harness.table([far, kept]).splitlines() == [
        "| what | ours | against | theirs | measured | ratio | wanted | reached |",
        "|---|---|---|---|---|---|---|---|",
        "| searching | 2 ms | tool | 6 ms | on another machine | 3.00x | under 9 ms | yes |",
        "| reading | 2 s |  |  |  |  | (recorded) |  |",
    ]


def test_unknown_room(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["roof"]) == 2
    assert "nothing to measure in roof; there are attic, cellar" in capsys.readouterr().err
    assert not report.exists()


def test_the_machine_stays_anonymous() -> None:
    assert "Python 3." in bench.machine()
    assert socket.gethostname() not in bench.machine()


def test_real_rooms_can_be_imported() -> None:
    for name in bench.rooms():
        assert callable(bench.importlib.import_module(f"bench.{name}").rows)
