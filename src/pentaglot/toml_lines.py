"""Where in a TOML file a mistake is: parsers do not tell the lines of what they read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pentaglot.errors import OptionError

__all__ = ["line_of", "located"]

_HEADING = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]?\]")
# How messages name what is wrong, and in which table.
_QUOTED, _BRACKETED = re.compile(r"'([^']+)'"), re.compile(r"\[([^\[\]\s]+)\]")


@contextmanager
def located(path: Path, *table: str, name: str = "", number: int | None = None) -> Iterator[None]:
    """Adds the file and the line to mistakes in it: the line of what the message names, or of a `name`, looked for
    first in this table, of several with this name in the one with a `number`, from 1."""
    try:
        yield
    except OptionError as error:
        if error.path not in (None, path) or error.line is not None:
            raise
        names = [*_QUOTED.findall(error.message), *_BRACKETED.findall(error.message), name]
        try:
            line = line_of(path.read_text("utf-8"), names, ".".join(table), number)
        except OSError:
            line = None  # what was read came from elsewhere
        raise OptionError(error.message, path=path, line=line, hint=error.hint) from error


def line_of(text: str, names: list[str], table: str = "", number: int | None = None) -> int | None:
    """The number of the line where one of some names stands, in a table (of several with its name, the one with a
    `number`) if it is there, or else anywhere; without it, that of the table's heading.

    >>> text = "[tune]\\nsize = 50\\n[systems.mine]\\n# size\\nsize = 9\\n"
    >>> [line_of(text, ["size"], table) for table in ("systems.mine", "tune", "")], line_of(text, [], "systems.mine")
    ([5, 2, 2], 3)
    >>> line_of("[[induce]]\\nbins = 5\\n[[induce]]\\nbins = 0", ["bins"], "induce", 2)
    4
    >>> line_of("[tune]\\nsize = 50\\nmira.pull = 0.5", ["pull"], "tune")
    3
    """
    within: list[tuple[int, str]] = []
    every: list[tuple[int, str]] = []
    heading, here, seen = None, "", 0
    for at, line in enumerate(text.splitlines(), 1):
        if (found := _HEADING.match(line)) is not None:
            here = found[1].replace('"', "").replace("'", "")
            seen += here == table
        told = line.split("#")[0]
        every.append((at, told))
        if table and _inside(here, table) and number in (None, seen):
            heading = heading or at
            within.append((at, told))
    for lines in (within, every):
        for name in filter(None, names):
            spelt = re.escape(name).replace("_", "[_-]")
            word = rf"(?<![\w.-]){spelt}(?![\w.-])"
            # A name rather than a value, or else the end of a name with dots.
            for pattern in map(re.compile, (rf"{word}[\"']?\s*=", word, rf"\.{spelt}[\"']?\s*=")):
                for at, told in lines:
                    if pattern.search(told):
                        return at
    return heading


def _inside(place: str, table: str) -> bool:
    return place == table or place.startswith(f"{table}.")
