"""Reading lines that may be broken: problems are reported, and reading goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pentaglot.corpus.compression import StrPath
from pentaglot.corpus.formats import FormatError
from pentaglot.corpus.lines import decode_line, read_raw_batches
from pentaglot.errors import InputError

__all__ = ["LineFaults", "Tell", "TolerantLines", "tolerant_lines"]

# (problem, file, line, detail)
Tell = Callable[[str, StrPath, int, str], None]

_SEPARATORS = {
    "\x0b": "line tabulation",
    "\x0c": "form feed",
    "\x1c": "file separator",
    "\x1d": "group separator",
    "\x1e": "record separator",
    "\x85": "next line",
    "\u2028": "line separator",
    "\u2029": "paragraph separator",
    "\r": "carriage return inside the line",
}
# Half of all control characters in found text are quotation marks and dashes that were decoded wrongly.
_MISREAD = {chr(code): bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
# Problems that are not in the text.
_NOT_OF_THE_TEXT = ("no such file", "this is a directory", "permission")
_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class LineFaults:
    """Reports characters that should not be in a text."""

    def __init__(self, path: StrPath, tell: Tell) -> None:
        self._path = path
        self._tell = tell

    def look_at(self, text: str, first_line: int, *, lines: bool = True) -> None:
        """Checks a block of whole lines that begins with line `first_line`; if `lines` is false, the block is one
        line."""
        begin, line = 0, first_line
        told: set[str] = set()
        for match in _SUSPECT.finditer(text):
            at, character = match.start(), match[0]
            passed = text.count("\n", begin, at) if lines else 0
            if passed:
                told.clear()
            line += passed
            begin = at
            problem = "line separator" if character in _SEPARATORS else "control character"
            if problem not in told:  # once per line is enough
                told.add(problem)
                name = _SEPARATORS.get(character) or (
                    f"{_MISREAD[character]} of Windows-1252" if _MISREAD.get(character) else ""
                )
                self._tell(problem, self._path, line, f"U+{ord(character):04X}{name and f' ({name})'}")


class TolerantLines:
    """Iterates over the lines of a file; `lines_read` is how many were read so far."""

    def __init__(self, path: StrPath, tell: Tell) -> None:
        self.lines_read = 0
        self._path = path
        self._tell = tell
        self._lines = self._read()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.lines_read += 1
        return line

    def _read(self) -> Iterator[str]:
        faults = LineFaults(self._path, self._tell)
        done = 0
        batches = read_raw_batches(self._path)
        while True:
            try:
                batch = next(batches, None)
            except InputError as error:
                if isinstance(error, FormatError) or error.message.startswith(_NOT_OF_THE_TEXT):
                    raise
                self._tell("unreadable", self._path, done + 1, error.message)
                return
            if batch is None:
                return
            text = self._decoded(batch, done)
            faults.look_at(text, done + 1)
            lines = text.split("\n")
            done += len(lines)
            yield from lines

    def _decoded(self, batch: list[bytes], done: int) -> str:
        try:
            return b"\n".join(batch).decode("utf-8")
        except UnicodeDecodeError:
            lines = []
            for number, line in enumerate(batch, done + 1):
                try:
                    lines.append(decode_line(line, self._path, number))
                except InputError as error:
                    self._tell("invalid UTF-8", self._path, number, error.message)
                    lines.append(line.decode("utf-8", "replace"))
            return "\n".join(lines)


def tolerant_lines(path: StrPath, tell: Tell) -> TolerantLines:
    """The lines of a file that may be broken."""
    return TolerantLines(path, tell)
