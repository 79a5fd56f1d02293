"""The terminal, as every command writes tables, trees and coloured text to it: texts are shown and never obeyed."""

from __future__ import annotations

from collections.abc import Iterable

from rich import console as rich_console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from pentaglot.cli.showing import visible

__all__ = ["Console"]

_WIDEST = 10_000  # columns of a table


class Console(rich_console.Console):
    """rich's console, which takes strings as they are: square brackets and colons in them mean nothing, and what a
    terminal would obey is made visible. That nobody reads any more is for `main` to deal with, as for all output."""

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False, highlight: bool = False) -> None:
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, highlight=highlight, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """All that is printed comes through here, before colours are put in."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)

    def print_table(self, table: Table) -> None:
        """Prints a table with all that is in it: better a line that the terminal wraps than truncated numbers."""
        for column in table.columns:
            column.no_wrap = True
        options = self.options.update(width=_WIDEST)
        self.width = max(self.width, self.measure(table, options=options).maximum)
        self.print(table, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
