"""What the library has to say, on standard error."""

from __future__ import annotations

import logging

from pentaglot.cli.showing import visible

__all__ = ["show_logs"]


def show_logs(verbose: bool) -> None:
    """Shows warnings; with `verbose` also what is done."""
    shown = logging.StreamHandler()
    shown.setFormatter(_PlainFormatter("%(levelname)s: %(message)s"))
    shown.addFilter(_Once())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[shown])


class _PlainFormatter(logging.Formatter):
    """Messages of the library, each on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


class _Once(logging.Filter):
    """Warns of nothing twice: an experiment would warn of its text once for each run and metric."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        new = record.levelno < logging.WARNING or text not in self._said
        self._said.add(text)
        return new
