"""One step of a job on one line of a terminal, however narrow: name, bar, count, times, and of a note what fits."""

from __future__ import annotations

from datetime import timedelta

from rich.cells import cell_len, set_cell_size
from rich.progress import ProgressColumn, Task
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.showing import visible

__all__ = ["Row"]

_LONGEST_NAME, _SHORTEST_BAR, _LONGEST_BAR, _LONGEST_NOTE = 31, 6, 40, 36


class Row(ProgressColumn):
    """The whole line of a task. Counts and times are never cut; the bar gives way to a note, the note to them."""

    max_refresh = 0.1

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._widths: dict[str, int] = {}  # the widest name, count and so on so far: columns stay under each other

    def render(self, task: Task) -> Text:
        """Lays the line out for the width that there is."""
        room = self._console.width
        total = "?" if task.total is None else f"{int(task.total)}"
        count = f"{int(task.completed)}/{total} {task.fields['unit']}".rstrip()
        times = f"{_time(task.elapsed)} {_time(task.time_remaining)}"
        note = visible(str(task.fields["note"]), one_line=True)
        room -= len(count) + len(times) + 3
        name = _cut(visible(task.description, one_line=True), max(min(_LONGEST_NAME, room - _SHORTEST_BAR), 8))
        padded = self._padded("name", name)
        wanted = min(cell_len(note), _LONGEST_NOTE) + 1 if note else 0
        # A short name makes room for a note, at the price of a bar that does not stand under the others.
        name = padded if cell_len(padded) + _SHORTEST_BAR + wanted <= room else name
        room -= cell_len(name)
        across = max(min(_LONGEST_BAR, room - wanted), _SHORTEST_BAR)
        note = _cut(note, max(room - across - 1, 0))
        line = Text.assemble(name, " ", _bar(task, across), " ", count, " ", (times, "progress.elapsed"))
        return line.append(f" {note}" if note else "", "dim")

    def _padded(self, column: str, text: str) -> str:
        self._widths[column] = max(self._widths.get(column, 0), cell_len(text))
        return set_cell_size(text, self._widths[column])


def _bar(task: Task, across: int) -> Text:
    done = round(across * task.percentage / 100) if task.total is not None else 0
    style = "bar.finished" if task.finished else "bar.complete"
    return Text.assemble(("━" * done, style), ("━" * (across - done), "bar.back"))


def _time(seconds: float | None) -> str:
    return "-:--:--" if seconds is None else str(timedelta(seconds=max(int(seconds), 0)))


def _cut(text: str, longest: int) -> str:
    if cell_len(text) <= longest:
        return text
    return set_cell_size(text, longest - 1).rstrip() + "…" if longest > 0 else ""
