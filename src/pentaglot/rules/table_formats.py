"""The text formats of tables: Moses, cdec and Joshua."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from pentaglot.corpus.compression import StrPath, read_blocks, stem_and_format
from pentaglot.errors import OptionError
from pentaglot.options import setting

__all__ = ["FormatName", "TextOptions", "format_of", "guessed_format"]

FormatName = Literal["moses", "cdec", "joshua"]
_FORMATS: tuple[FormatName, ...] = ("moses", "cdec", "joshua")


@dataclass(frozen=True)
class TextOptions:
    """The text format of a table."""

    format: Literal["auto", "moses", "cdec", "joshua"] = setting(
        "auto", "the format; auto: by the name (.moses, .cdec, .joshua, before .gz), else by its contents"
    )
    escaping: Literal["moses", "none"] = setting(
        "moses", "whether | & < > ' \" [ ] in words are written as &#124; &amp; and so on, or as they are"
    )
    features: tuple[str, ...] = setting((), "names of the scores, in order, if the file does not name them")


def format_of(path: StrPath) -> FormatName | None:
    """The format that a file name implies, if any.

    >>> format_of("table.cdec.gz"), format_of("phrase-table.gz")
    ('cdec', None)
    """
    extension = stem_and_format(path)[1].removeprefix(".")
    return next((name for name in _FORMATS if name == extension), None)


def guessed_format(file: StrPath) -> FormatName:
    """The format of a file by its name, or else by its first line."""
    named = format_of(file)
    if named is not None:
        return named
    if os.fspath(file) == "-":
        raise OptionError("the format of standard input must be given", hint="use --format")
    first = b""
    for block in read_blocks(file):
        first += block
        if b"\n" in first or len(first) > 1 << 16:
            break
    fields = first.split(b"\n")[0].split(b"|||")
    if fields[0].strip() != b"[X]":
        return "moses"
    return "cdec" if len(fields) > 3 and b"=" in fields[3] else "joshua"
