"""Progress as people see it: bars on a terminal, lines elsewhere, nothing when asked to be quiet."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress as RichBars
from tests.cli.conftest import read_terminal

from pentaglot.cli import progress
from pentaglot.cli.progress_row import Row

SCRIPT = """
import sys
from pentaglot.cli.progress import shown_progress
with shown_progress(quiet="quiet" in sys.argv) as progress:
    progress.say("[sheep] are to be counted")
    with progress.task("counting", total=3, unit="sheep") as task:
        task.advance(2)
        task.advance()
        task.note("asleep")
    with progress.task("searching") as task:
        task.advance(5)
    try:
        with progress.task("failing", total=9) as task:
            task.advance(4)
            raise KeyError
    except KeyError:
        pass
"""


def _run(*arguments: str, terminal: bool) -> str:
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm-256color"}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    if not terminal:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout == ""
        return done.stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stderr=theirs, env=environment)
    os.close(theirs)
    shown = read_terminal(ours)
    assert process.wait(timeout=60) == 0
    return shown


def test_bars_on_a_terminal() -> None:
    shown = _run(terminal=True)
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)[-500:]
    assert re.search(r"counting +━+ 3/3 sheep .*asleep", last)
    assert re.search(r"searching +━+ 5/5", last), "a step of unknown length ends with a full bar"
    assert re.search(r"failing +━*[╸╺]?━* 4/9", last)
    assert "[sheep] are to be counted" in shown
    assert shown.endswith("\x1b[?25h"), "the cursor is shown again"


def test_a_step_that_says_nothing_ends_with_a_full_bar() -> None:
    """And its bar is used again when the step is done once more."""
    bars = RichBars(Row(Console()), console=Console(file=io.StringIO()))
    shown = progress._Bars(bars)
    for name, total in (("sorting", 1), ("estimating", None), ("sorting", 1)):
        with shown.task(name, total=total):
            pass
    with shown.task("tuning", total=9) as task:
        task.advance(4)
    assert [(task.description, task.completed, task.total) for task in bars.tasks] == [
        ("sorting", 1, 1),
        ("estimating", 1, 1),
        ("tuning", 4, 9),
    ]


def test_lines_elsewhere() -> None:
    shown = _run(terminal=False)
    said = r"\[sheep\] are to be counted\n"
    assert re.fullmatch(said + r"counting: done in \d+\.\d s \(asleep\)\nsearching: done in \d+\.\d s\n", shown)


@pytest.mark.parametrize("terminal", [False, True])
def test_quiet(terminal: bool) -> None:
    assert _run("quiet", terminal=terminal) == ""


def test_a_long_step_speaks_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with progress.shown_progress() as shown, shown.task("counting", total=100, unit="sheep") as task:
        for _ in range(50):
            now += 0.5
            task.advance(2)
    said = capsys.readouterr().err.splitlines()
    assert said == ["counting: 40 of 100 sheep", "counting: 80 of 100 sheep", "counting: done in 25.0 s"]


def test_library_does_not_know_the_terminal() -> None:
    """Only the command line may import rich; the library takes a `Progress`."""
    package = Path(progress.__file__).parents[1]
    users = [
        file for file in package.rglob("*.py") if re.search(r"^\s*(from|import) rich\b", file.read_text("utf-8"), re.M)
    ]
    assert users and all(file.parent.name == "cli" for file in users)


def _lines(width: int) -> list[str]:
    """What is on the screen at the end of a job with long names and notes."""
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    with RichBars(Row(console), console=console, auto_refresh=False) as bars:
        tuning = bars.add_task("tuning", total=16, unit="rounds", note="BLEU 41.05, best 41.17 (round 3)")
        bars.advance(tuning, 5)
        reading = bars.add_task("reading a file with a very long name.en.gz", total=None, unit="lines", note="")
        bars.advance(reading, 1234567)
        bars.add_task("translating the development set", total=1014, unit="sentences", note="n" * 200)
        rows = [bars.make_tasks_table([task]) for task in bars.tasks]
        with console.capture() as captured:
            for row in rows:
                console.print(row)
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [80, 72, 100, 200])
def test_counts_and_times_can_be_read_at_any_width(width: int) -> None:
    lines = _lines(width)
    assert len(lines) == 3
    assert all(len(line) <= width for line in lines)
    assert re.search(r"tuning +━+ 5/16 rounds +\d:\d\d:\d\d \S+", lines[0])
    assert re.search(r"reading a file .*━ 1234567/\? lines +\d:\d\d:\d\d -:--:--", lines[1])
    assert re.search(r"━ 0/1014 sentences +\S+ -:--:--", lines[2])
    if width >= 80:
        assert lines[0].endswith("BLEU 41.05, best 41.17 (round 3)")


@pytest.mark.parametrize("name", ["reading \x1b[31m\x07evil\n.en", "讀取一個名字很長很長很長很長很長很長的檔案.zh"])
def test_names_of_files_stay_on_their_line(name: str) -> None:
    console = Console(file=io.StringIO(), width=72, force_terminal=False)
    with RichBars(Row(console), console=console, auto_refresh=False) as bars:
        bars.add_task(name, total=10, unit="lines", note="n" * 200)
        with console.capture() as captured:
            console.print(bars.make_tasks_table(bars.tasks))
    (line,) = captured.get().splitlines()
    assert "0/10 lines" in line and cell_len(line) <= 72
    assert not any(unicodedata.category(each) == "Cc" for each in line)
    assert "\\x1b" in line or "檔" in name
