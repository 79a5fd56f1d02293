"""Columns of files with judgments: by the names in their first line, as WMT writes them, or else by their places."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pentaglot.corpus import read_lines
from pentaglot.errors import InputError

__all__ = ["Form", "judgment_rows"]

StrPath = str | os.PathLike[str]

_NAMES = {
    "segment": ("segment", "segid", "seg", "sid", "segment_id", "seg_id"),
    "system": ("system", "sys", "type", "system_id"),
    "text": ("text", "translation", "sentence"),
    "score": ("score", "human"),
    "standardised": ("z.scr", "z", "z_score", "zscore"),
    "raw": ("raw.scr", "raw", "raw_score"),
    "system1": ("sys1", "system1"),
    "rank1": ("rank1",),
    "system2": ("sys2", "system2"),
    "rank2": ("rank2",),
    "better": ("better",),
    "worse": ("worse",),
}
_KNOWN = {name: column for column, names in _NAMES.items() for name in names}
_LANGUAGES = "lp"  # of WMT's files for all language pairs: which one a row is of


@dataclass(frozen=True)
class Form:
    """Columns that are needed, and, for a file whose first line does not name them, the places where they stand in a
    row of so many columns, and which of these are numbers. If `words` are given instead, a row has one of them in its
    second column, or at least no known name of its first column in that."""

    columns: tuple[str, ...]
    places: tuple[int, ...] = ()
    width: int = 0
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    def begins_at_once(self, fields: Sequence[str]) -> bool:
        """Whether the first line is a row already, and names nothing."""
        if len(fields) != self.width:
            return False
        if self.words:
            return fields[1] in self.words or _KNOWN.get(fields[0].strip().lower()) != self.columns[0]
        return bool(self.numbers) and all(_is_number(fields[place]) for place in self.numbers)


def judgment_rows(
    path: StrPath, forms: Sequence[Form], *, languages: str = "", text: bool = False
) -> Iterator[tuple[int, Form, list[str]]]:
    """All rows of a file: the number of the line, the first of the forms whose columns the file names (the last one, by
    places, if it names none), and the values of its columns. Columns are separated by tabs, or, if there are none,
    by spaces. Of a file for several language pairs, those rows are read whose pair is part of the name `languages`.
    With `text`, the last column may have tabs inside."""
    lines = list(read_lines(path))
    tabs = text or any("\t" in line for line in lines[:2])
    if not lines:
        return
    names = _names(lines, tabs)
    found = {_KNOWN[name]: place for place, name in reversed(list(enumerate(names))) if name in _KNOWN}
    form = next((each for each in forms if all(column in found for column in each.columns)), None)
    named = form is not None
    form = form or forms[-1]
    places = [found[column] for column in form.columns] if named else list(form.places)
    width = len(names) if named else form.width
    most = width - 1 if text and places[-1] == width - 1 else -1
    pair = names.index(_LANGUAGES) if named and _LANGUAGES in names else None
    wanted = None if pair is None else _wanted(_column(lines[1:], pair, tabs), path, languages)
    at_once = not named and form.begins_at_once(_fields(lines[0], tabs, most))
    for number, line in enumerate(lines, 1):
        if (number == 1 and not at_once) or not line.strip():
            continue
        fields = _fields(line, tabs, most)
        if len(fields) != width:
            problem = f"expected {width} columns, not {len(fields)}"
            raise InputError(problem, path=path, line=number, hint="separate columns by tabs")
        if pair is None or fields[pair] == wanted:
            yield number, form, [fields[place] for place in places]


def _fields(line: str, tabs: bool, most: int = -1) -> list[str]:
    return line.split("\t", most) if tabs else line.split()


def _names(lines: Sequence[str], tabs: bool) -> list[str]:
    names = [name.strip().lower() for name in _fields(lines[0], tabs)]
    if "better" in names and len(lines) > 1 and len(_fields(lines[1], tabs)) == len(names) + 1:
        # WMT 2018 forgot the name of one.
        return [_LANGUAGES, *("data" if name == _LANGUAGES else name for name in names)]
    return names


def _column(lines: Sequence[str], place: int, tabs: bool) -> set[str]:
    rows = (_fields(line, tabs) for line in lines)
    return {row[place] for row in rows if len(row) > place and any(row)}


def _wanted(pairs: set[str], path: StrPath, languages: str) -> str | None:
    """The language pair of the rows to read."""
    named = [pair for pair in pairs if pair in Path(languages).name]
    if len(named) == 1:
        return named[0]
    if len(pairs) < 2:
        return min(pairs, default=None)
    raise InputError(
        f"has judgments of several language pairs ({', '.join(sorted(pairs))})",
        path=path,
        hint="name the file of segments after one of them, such as " + min(pairs) + ".segments.tsv",
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
