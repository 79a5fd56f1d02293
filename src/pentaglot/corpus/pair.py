"""A sentence and its translation."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Languages", "Pair", "one_line"]


Languages = tuple[str, str]


class Pair(NamedTuple):
    """A sentence and its translation; `line` says where it was found, counted from 1, and `domain` what it is about, if
    the file says so."""

    source: str
    target: str
    line: int = 0
    domain: str = ""


def one_line(text: str) -> str:
    """A segment as one line: line ends inside it become spaces.

    >>> one_line("Open\\r\\nfile ")
    'Open file'
    """
    if "\n" in text or "\r" in text:
        text = " ".join(part.strip() for part in text.replace("\r", "\n").split("\n") if part.strip())
    return text.strip(" ")
