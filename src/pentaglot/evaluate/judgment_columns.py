"""Columns of files with judgments: by the names in their first line, as WMT writes them, or else by their places."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pentaglot.corpus import read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError

__all__ = ["Form", "judgment_rows"]

StrPath = str | os.PathLike[str]

_NAMES = {
    "segment": ("segment", "segid", "seg", "sid", "segment_id", "seg_id", "segmentid", "srcindex"),
    "system": ("system", "sys", "type", "system_id", "system_name", "systemid"),
    "text": ("text", "translation", "sentence"),
    "score": ("score", "human", "avg_score", "mean_score"),
    "standardised": ("z.scr", "z", "z_score", "z-score", "zscore"),
    "raw": ("raw.scr", "raw", "raw_score", "raw-score"),
    **{f"system{number}": (f"sys{number}", f"system{number}", f"system{number}id") for number in range(1, 6)},
    **{f"rank{number}": (f"rank{number}", f"system{number}rank") for number in range(1, 6)},
    "better": ("better",),
    "worse": ("worse",),
}
_KNOWN = {name: column for column, names in _NAMES.items() for name in names}
# Of WMT's files for all language pairs: which one a row is of, in one column or in two, by code or by name.
_LANGUAGES = "lp"
_SIDES = ("srclang", "trglang")
_CODES = {
    name: code
    for code, names in {
        "cs": "cze ces czech", "de": "ger deu german", "en": "eng english", "es": "spa spanish",
        "fi": "fin finnish", "fr": "fre fra french", "hi": "hin hindi", "hu": "hun hungarian",
        "ro": "rum ron romanian", "ru": "rus russian", "tr": "tur turkish",
    }.items()
    for name in names.split()
}  # fmt: skip
_COMMAS, _SPACES, _TABS = ",", None, "\t"


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
    by commas or spaces. Of a file for several language pairs, those rows are read whose pair is part of the name
    `languages`. With `text`, the last column may have tabs inside."""
    lines = list(read_lines(path))
    if not lines:
        return
    mark = _TABS if text else _separator(lines)
    names = _names(lines, mark)
    found = {_KNOWN[name]: place for place, name in reversed(list(enumerate(names))) if name in _KNOWN}
    form = next((each for each in forms if all(column in found for column in each.columns)), None)
    named = form is not None
    form = form or forms[-1]
    places = [found[column] for column in form.columns] if named else list(form.places)
    width = len(names) if named else form.width
    most = width - 1 if text and places[-1] == width - 1 else -1
    pairs = _pairs(names) if named else []
    wanted = _wanted({_pair(row, pairs) for row in _rows(lines, mark, width)}, path, languages) if pairs else None
    at_once = not named and form.begins_at_once(_fields(lines[0], mark, most))
    for number, line in enumerate(lines, 1):
        if (number == 1 and not at_once and (named or len(lines) > 1)) or not line.strip():
            continue
        fields = _fields(line, mark, most)
        if len(fields) != width:
            raise InputError(
                f"expected {width} columns, not {len(fields)}", path=shown(path), line=number,
                hint=_hint(form, named, mark),
            )  # fmt: skip
        if not pairs or _pair(fields, pairs) == wanted:
            yield number, form, [fields[place] for place in places]


def _separator(lines: Sequence[str]) -> str | None:
    if any(_TABS in line for line in lines[:2]):
        return _TABS
    return _COMMAS if lines[0].count(_COMMAS) + 1 >= max(3, len(lines[0].split())) else _SPACES


def _fields(line: str, mark: str | None, most: int = -1) -> list[str]:
    found = line.split(mark, most)
    return [field.strip(' "') for field in found] if mark == _COMMAS else found


def _hint(form: Form, named: bool, mark: str | None) -> str:
    if mark == _SPACES:
        return "separate columns by tabs"
    return "the first line names them" if named else f"name them in the first line: {', '.join(form.columns)}"


def _names(lines: Sequence[str], mark: str | None) -> list[str]:
    names = [name.strip().lower() for name in _fields(lines[0], mark)]
    if "better" in names and len(lines) > 1 and len(_fields(lines[1], mark)) == len(names) + 1:
        # WMT 2018 forgot the name of one.
        return [_LANGUAGES, *("data" if name == _LANGUAGES else name for name in names)]
    return names


def _pairs(names: Sequence[str]) -> list[int]:
    """Where the language pair of a row stands, if anywhere."""
    if _LANGUAGES in names:
        return [names.index(_LANGUAGES)]
    return [names.index(side) for side in _SIDES] if all(side in names for side in _SIDES) else []


def _pair(row: Sequence[str], places: Sequence[int]) -> str:
    if len(places) == 1:
        return row[places[0]]
    return "-".join(_CODES.get(row[place].lower(), row[place].lower()) for place in places)


def _rows(lines: Sequence[str], mark: str | None, width: int) -> Iterator[list[str]]:
    rows = (_fields(line, mark) for line in lines[1:])
    return (row for row in rows if len(row) == width and any(row))


def _wanted(pairs: set[str], path: StrPath, languages: str) -> str | None:
    """The language pair of the rows to read."""
    named = [pair for pair in pairs if pair in Path(languages).name]
    if len(named) == 1:
        return named[0]
    if len(pairs) < 2:
        return min(pairs, default=None)
    raise InputError(
        f"has judgments of several language pairs ({', '.join(sorted(pairs))})",
        path=shown(path),
        hint="name the file of segments after one of them, such as " + min(pairs) + ".segments.tsv",
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
