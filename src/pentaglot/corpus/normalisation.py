"""One spelling for one text: Unicode's composed form, single spaces, nothing invisible that is not language.

>>> normalise("  Zu\\u0308rich\\u2028im\\x00 \\u00a0Juni ")
'Zürich im Juni'
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["normalise", "normalise_all"]

# What carries no language: control characters, byte-order marks inside the text, soft hyphens, halves of surrogate
# pairs, and Unicode's noncharacters, which are kept free for internal use (the tokenizer does use some).
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
# Windows-1252 text that was read as Latin-1 has control characters for its quotation marks, dashes and more.
_MISREAD = {code: character for code in range(0x80, 0xA0) if (character := bytes([code]).decode("cp1252", "ignore"))}
del _MISREAD[0x85]  # also a line end in its own right
_REMOVED = r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\ufeff\ud800-\udfff" + _NONCHARACTERS
_REMOVE = re.compile(f"[{_REMOVED}]+")
_SPACES = re.compile(r"\s+")
# A line without a match needs at most composing. Python's \s covers tabs, line ends and all separators of Unicode.
_UNTIDY = re.compile(rf"[^\S ]|  |\A | \Z|[{_REMOVED}]")


def normalise(line: str) -> str:
    """NFC; tabs, line ends and all separators as single spaces, none at the ends; control characters removed, or
    repaired where they are punctuation of Windows-1252 that was read wrongly."""
    if line.isascii() and line.isprintable():
        return line if "  " not in line and line[:1] != " " != line[-1:] else " ".join(line.split())
    if _UNTIDY.search(line) is None:
        return unicodedata.normalize("NFC", line)
    line = _REMOVE.sub("", line.translate(_MISREAD))
    return " ".join(_SPACES.split(unicodedata.normalize("NFC", line).strip()))


def normalise_all(lines: list[str]) -> list[str]:
    """The same for many lines."""
    return [normalise(line) for line in lines]
