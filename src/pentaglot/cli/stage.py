"""Where the demo plays: says which step comes, shows its progress, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.progress import shown_progress
from pentaglot.progress import Progress

__all__ = ["Stage"]


class Stage:
    """A terminal (or a file) on which numbered steps are shown one after the other."""

    def __init__(self, *, quiet: bool, threads: int) -> None:
        self.console = Console()
        self.threads = threads
        self._quiet = quiet
        self._steps = 0

    @contextmanager
    def step(self, title: str) -> Iterator[Progress]:
        """One step of the play. Its results are printed after it, when no progress bar is in their way."""
        self._steps += 1
        self.console.print(Text(f"\n{self._steps}. {title}", style="bold"))
        begun = time.monotonic()
        with shown_progress(quiet=self._quiet) as progress:
            yield progress
        self.console.print(Text(f"   {time.monotonic() - begun:.1f} s", style="dim"))

    def say(self, text: str) -> None:
        """A paragraph, set in from the left."""
        self.show(text)

    def show(self, what: RenderableType) -> None:
        """Anything, set in from the left."""
        self.console.print(Padding.indent(what, 3))

    def table(self, *columns: str) -> Table:
        """An empty table; its first column is text, the others are numbers."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for number, column in enumerate(columns):
            table.add_column(column, justify="right" if number else "left")
        return table

    def labelled(self, *rows: tuple[str, str, str]) -> None:
        """Texts under each other, each with its label and in its style; long ones go on below themselves."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for label, text, style in rows:
            grid.add_row(label, Text(text, style=style))
        self.show(grid)
