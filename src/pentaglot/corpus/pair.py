"""A sentence and its translation."""

from __future__ import annotations

import re
from typing import NamedTuple

from pentaglot.errors import OptionError

__all__ = ["Languages", "Pair", "check_language", "one_line"]


Languages = tuple[str, str]
_CODE = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z0-9]+)*")


def check_language(code: str) -> None:
    """Raises an error if this cannot be the code of a language.

    >>> [check_language(code) for code in ("tr", "pt-BR", "zh_Hans", "de-1996")]
    [None, None, None, None]
    >>> check_language("turkish!")
    Traceback (most recent call last):
    pentaglot.errors.OptionError: 'turkish!' is not the code of a language; write one such as tr, pt-BR or zh-Hans
    """
    if not _CODE.fullmatch(code):
        raise OptionError(f"'{code}' is not the code of a language", hint="write one such as tr, pt-BR or zh-Hans")


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
