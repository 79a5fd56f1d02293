"""Lines of weights as people may write them: a name without white space, and a number."""

from __future__ import annotations

import math
import os
import re

from pentaglot.errors import InputError

__all__ = ["escaped_name", "read_line", "unescaped_name"]

_UNSAFE = re.compile(r"[\s%\x00-\x1f\x7f]|^#")


def read_line(line: bytes, path: str | os.PathLike[str], number: int) -> tuple[str, float] | None:
    """The name and weight on a line, if it has any; decides about all lines that look odd."""
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise InputError("not valid UTF-8", path=path, line=number) from error
    if not text or text.startswith("#"):
        return None
    fields = text.split()
    if len(fields) != 2:
        raise InputError(
            f"a feature name and a weight are needed, not {len(fields)} fields",
            path=path,
            line=number,
            hint="write white space in a name as %20",
        )
    try:
        value = float(fields[1])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"'{fields[1]}' is not a finite number", path=path, line=number)
    try:
        return unescaped_name(fields[0]), value
    except ValueError as error:
        raise InputError(
            f"'{fields[0]}' has a % that is not followed by two hexadecimal digits of UTF-8",
            path=path,
            line=number,
            hint="write % in a name as %25",
        ) from error


def escaped_name(name: str) -> str:
    """A name as it is written in text files: without white space.

    >>> escaped_name("100 %")
    '100%20%25'
    """
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), name)


def unescaped_name(text: str) -> str:
    """Undoes `escaped_name`; raises ValueError if it cannot."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise ValueError
    return re.sub(rb"%(..)", lambda found: bytes([int(found[1], 16)]), text.encode()).decode("utf-8")
