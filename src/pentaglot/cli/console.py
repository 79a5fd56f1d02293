"""The terminal, as every command writes to it."""

from __future__ import annotations

from rich.console import Console as RichConsole

__all__ = ["Console"]


class Console(RichConsole):
    """Rich's console, but for one thing: that nobody reads any more is for `main` to deal with, as for all output."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
