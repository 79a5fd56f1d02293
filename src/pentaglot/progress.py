"""How long jobs report their progress. The library is silent unless it is handed a `Progress`, as the command line
does.

>>> with SILENT.task("reading", total=3, unit="lines") as task:
...     task.advance(3)
...     task.note("perplexity 12.5")
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self


class Task(Protocol):
    """One step of a job, open from `with` to its end."""

    def advance(self, amount: int = 1) -> None:
        """Reports that `amount` more units are done."""

    def note(self, text: str) -> None:
        """Shows something worth a glance, such as the perplexity of an iteration."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Progress(Protocol):
    """Where tasks are shown."""

    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        """Announces a step; `total` is None when its length is not known."""

    def say(self, text: str) -> None:
        """Shows something worth its own line, such as what will be done, and why."""


class _SilentTask:
    def advance(self, amount: int = 1) -> None: ...

    def note(self, text: str) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Silent:
    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        return _SilentTask()

    def say(self, text: str) -> None: ...


SILENT: Progress = _Silent()
