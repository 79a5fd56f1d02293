"""What a command reads: that there is one standard input, and what people should know about their lines."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pentaglot.corpus.compression import StrPath, is_standard, shown
from pentaglot.errors import InputError

__all__ = ["check_inputs", "note_empty_lines"]


def check_inputs(*paths: StrPath | None) -> None:
    """Raises an error if standard input is to be read more than once."""
    if sum(path is not None and is_standard(path) for path in paths) > 1:
        raise InputError("standard input (-) can be read only once")


def note_empty_lines(lines: Sequence[str], path: StrPath) -> None:
    """Tells a person which translations have no words: they are often a mistake, and cost much."""
    empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
    if empty:
        named = ", ".join(map(str, empty[:5])) + (", …" if len(empty) > 5 else "")
        told = f"1 is empty (line {named})" if len(empty) == 1 else f"{len(empty)} are empty (lines {named})"
        click.echo(f"{shown(path)}: of {len(lines)} translations, {told}", err=True)
