"""Text on a terminal: what is in it is shown, and never obeyed.

Texts, words of models, names of files and errors may hold characters that move the cursor, change colours or rename
the window. On a terminal they are shown as `\\x1b` and the like, whoever prints; into files and pipes every byte goes
as it is. What is written for people only (tables, trees, complaints) shows them so everywhere.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
from typing import IO, Any

__all__ = ["guard_terminal", "visible"]

# Control characters but for tabs and line ends, and halves of surrogate pairs, which cannot be written.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HARMFUL_BYTES = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
_ERRORS = "pentaglot-show"


def visible(text: str, *, one_line: bool = False) -> str:
    """The text with everything that a terminal would obey made visible; with `one_line` also tabs and line ends.

    >>> print(visible("a\\x1b[31mb\\x07"))
    a\\x1b[31mb\\x07
    """
    text = _HARMFUL.sub(_escaped, text)
    return re.sub("[\t\n]", _escaped, text) if one_line else text


def guard_terminal() -> None:
    """From now on whatever is printed to a terminal is made visible. Where there is none, characters that the encoding
    cannot express do not end the program: bytes of a file's name are written as they are, others are named."""
    codecs.register_error(_ERRORS, _written_somehow)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty() and not isinstance(stream, _Terminal):
            setattr(sys, name, _Terminal(stream))
        elif stream.errors == "strict":
            stream.reconfigure(errors=_ERRORS)


class _Terminal(io.TextIOWrapper):
    """A stream to a terminal, for text and, by its `buffer`, for bytes."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        # Here rich finds the terminal itself: its own colours are wanted, and its text is made visible elsewhere.
        self.rich_proxied_file: IO[str] = stream
        super().__init__(_TerminalBytes(stream), stream.encoding, "backslashreplace", line_buffering=True)  # type: ignore[arg-type]


class _TerminalBytes(io.BufferedIOBase):
    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream
        self._held = b""  # the first byte of a character whose second has not come yet

    def write(self, data: Any) -> int:
        whole = self._held + bytes(data)
        self._held = whole[-1:] if whole.endswith(b"\xc2") else b""
        shown = _HARMFUL_BYTES.sub(_escaped_bytes, whole[: len(whole) - len(self._held)])
        self._stream.flush()  # what others have written there comes first
        self._stream.buffer.write(shown)
        return len(data)

    def flush(self) -> None:
        if not self._stream.closed:
            self._stream.buffer.flush()

    def close(self) -> None:
        self.flush()  # the terminal itself stays open

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def _escaped_bytes(match: re.Match[bytes]) -> bytes:
    return visible(match[0].decode()).encode()


def _written_somehow(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = b""
    for character in error.object[error.start : error.end]:
        number = ord(character)
        if 0xDC80 <= number <= 0xDCFF:  # a byte of a name that is not UTF-8
            written += bytes([number - 0xDC00])
        else:
            written += f"\\u{number:04x}".encode("ascii") if number < 0x10000 else f"\\U{number:08x}".encode("ascii")
    return written, error.end
