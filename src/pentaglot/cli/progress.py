"""Progress on the terminal: bars for people, plain lines when the output is not a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pentaglot.cli.showing import visible
from pentaglot.progress import SILENT, Progress, Task

if TYPE_CHECKING:
    from rich.progress import Progress as RichBars
    from rich.progress import TaskID


@contextlib.contextmanager
def shown_progress(*, quiet: bool = False) -> Iterator[Progress]:
    """A `Progress` on standard error, in the form that suits it."""
    if quiet:
        yield SILENT
    elif sys.stderr.isatty():
        # Only now: three megabytes that nobody needs where there is no terminal.
        from rich.progress import Progress as RichBars

        from pentaglot.cli.console import Console
        from pentaglot.cli.progress_row import Row

        console = Console(stderr=True)
        with RichBars(Row(console), console=console) as bars:
            yield _Bars(bars)
    else:
        yield _Lines()


class _Bars:
    def __init__(self, bars: RichBars) -> None:
        self._bars = bars

    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        # What is done again and again (a development set, translated in every round) keeps its one bar.
        for done in self._bars.tasks:
            if done.description == name and done.finished:
                self._bars.reset(done.id, total=total, unit=unit, note="")
                return _Bar(self._bars, done.id)
        return _Bar(self._bars, self._bars.add_task(name, total=total, unit=unit, note=""))

    def say(self, text: str) -> None:
        self._bars.console.print(text, markup=False, highlight=False)


class _Bar:
    def __init__(self, bars: RichBars, number: TaskID) -> None:
        self._bars = bars
        self._number = number

    def advance(self, amount: int = 1) -> None:
        self._bars.advance(self._number, amount)

    def note(self, text: str) -> None:
        self._bars.update(self._number, note=text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            # A step that did not know its length, or never said how far it was, has come to its end all the same: its
            # bar stands still and full. One that stopped early shows where.
            done = next(task for task in self._bars.tasks if task.id == self._number)
            total = max(done.completed, 1) if done.total is None else done.total
            self._bars.update(self._number, completed=done.completed or total, total=total)
        self._bars.stop_task(self._number)


class _Lines:
    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        return _Line(name, total, unit)

    def say(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


class _Line:
    """Says when a step begins and ends, and every ten seconds how far it is."""

    def __init__(self, name: str, total: int | None, unit: str) -> None:
        self._name, self._total, self._unit = name, total, unit
        self._done = 0
        self._note = ""
        self._begun = self._spoke = time.monotonic()

    def advance(self, amount: int = 1) -> None:
        self._done += amount
        if time.monotonic() - self._spoke >= 10:
            self._spoke = time.monotonic()
            of = "" if self._total is None else f" of {self._total}"
            self._say(f"{self._done}{of} {self._unit}".strip())

    def note(self, text: str) -> None:
        self._note = text

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            seconds = time.monotonic() - self._begun
            self._say(f"done in {seconds:.1f} s" + (f" ({self._note})" if self._note else ""))

    def _say(self, text: str) -> None:
        # In one piece: another thread may speak at the same time.
        sys.stderr.write(visible(f"{self._name}: {text}", one_line=True) + "\n")
        sys.stderr.flush()
