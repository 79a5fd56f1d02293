"""What the library has to say, on standard error."""

from __future__ import annotations

import logging

from pentaglot.cli.showing import visible

__all__ = ["show_logs"]


def show_logs(verbose: bool) -> None:
    """Shows warnings; with `verbose` also what is done."""
    shown = logging.StreamHandler()
    shown.setFormatter(_PlainFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[shown])


class _PlainFormatter(logging.Formatter):
    """Messages of the library, each on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))
