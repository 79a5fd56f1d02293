"""The texts of an experiment: files or some of their lines, perhaps of several domains."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from pentaglot.corpus import Sentence, read_lines
from pentaglot.corpus.layer_files import DOMAIN, plain_sentence
from pentaglot.errors import InputError, OptionError
from pentaglot.options import suggestion
from pentaglot.seals import file_key
from pentaglot.toml_lines import line_of, located
from pentaglot.wording import number_of

__all__ = ["Data", "DomainTexts", "TextLines", "read_data", "read_pairs"]

SETS = ("train", "dev", "test", "choose")
_LINES = re.compile(r"(.+)\[(\d*)(:?)(\d*)\]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]*")
_EVENLY = re.compile(r"(.+)\[(\d+) evenly\]")


@dataclass(frozen=True)
class TextLines:
    """Lines of a file, from `begin` up to `end`, all of them by default; or `evenly` many from all over it.

    >>> str(TextLines.of("train.de[2000]", Path("data"))), TextLines.of("dev.de[100:]", Path("data")).begin
    ('data/train.de[0:2000]', 100)
    >>> TextLines.of("test.de[500 evenly]", Path("data")).evenly
    500
    """

    path: Path
    begin: int = 0
    end: int | None = None
    evenly: int | None = None

    @classmethod
    def of(cls, text: str, place: Path) -> TextLines:
        """As it is written in the file of an experiment: a path, and perhaps [N], [FROM:TO] or [N evenly]."""
        if (found := _EVENLY.fullmatch(text)) is not None:
            return cls(place / found[1], evenly=int(found[2]))
        found = _LINES.fullmatch(text)
        if found is None or not (found[2] or found[4]):
            return cls(place / text)
        if not found[3]:
            return cls(place / found[1], 0, int(found[2]))
        return cls(place / found[1], int(found[2] or 0), int(found[4]) if found[4] else None)

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole file."""
        return self.begin == 0 and self.end is None and self.evenly is None

    @property
    def key(self) -> str:
        """A fingerprint of the file, and which lines of it."""
        whole = file_key(self.path)
        if self.evenly is not None:
            return f"{whole} {self.evenly} evenly"
        return whole if self.is_whole else f"{whole} {self.begin}:{self.end}"

    def lines(self) -> list[str]:
        """The lines. Some files are sorted by length, so that their first lines are like no other text."""
        found = list(islice(read_lines(self.path), self.begin, self.end))
        if self.evenly is None or self.evenly >= len(found):
            return found
        return [found[number * len(found) // self.evenly] for number in range(self.evenly)]

    def overlaps(self, other: TextLines) -> bool:
        """Whether both have a line of one file; lines from all over it may be any."""
        if self.path.resolve() != other.path.resolve():
            return False
        return all(one.end is None or two.begin < one.end for one, two in ((self, other), (other, self)))

    def __str__(self) -> str:
        if self.evenly is not None:
            return f"{self.path}[{self.evenly} evenly]"
        return str(self.path) if self.is_whole else f"{self.path}[{self.begin}:{self.end or ''}]"


@dataclass(frozen=True)
class DomainTexts:
    """The files of a domain; source and target for training, source and any number of references elsewhere."""

    domain: str  # empty if there are no domains
    train: tuple[TextLines, ...] = ()
    dev: tuple[TextLines, ...] = ()
    test: tuple[TextLines, ...] = ()
    choose: tuple[TextLines, ...] = ()  # where sweeps are decided


@dataclass(frozen=True)
class Data:
    """All texts of an experiment, domain by domain."""

    parts: tuple[DomainTexts, ...]

    def files(self, name: str) -> list[TextLines]:
        """All files of a set."""
        return [each for part in self.parts for each in getattr(part, name)]

    def keys(self, name: str) -> dict[str, str]:
        """Fingerprints of the files of a set; with domains, their names count, too."""
        found: dict[str, str] = {}
        for part in self.parts:
            place = f"{part.domain} " if part.domain else ""
            found |= {f"{place}{name} {at}": each.key for at, each in enumerate(getattr(part, name))}
        return found

    def titles(self, name: str) -> dict[str, str]:
        """What to call these files."""
        found: dict[str, str] = {}
        for part in self.parts:
            place = f"{part.domain} " if part.domain else ""
            found |= {f"{place}{name} {at}": str(each) for at, each in enumerate(getattr(part, name))}
        return found

    def has(self, name: str) -> bool:
        """Whether there is such a set."""
        return bool(self.files(name))

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """The names of the domains."""
        return tuple(each.domain for each in self.parts if each.domain)

    def check(self, name: str) -> None:
        """Raises an error if the files of a set are empty, or have different numbers of lines."""
        for part in self.parts:
            _read(getattr(part, name))

    def sides(self, name: str, domain: str | None = None) -> list[list[str]]:
        """The lines of each side of a set, of all domains or of one; sides have the same number of lines."""
        found: list[list[str]] = []
        for part in self.parts:
            if domain is not None and part.domain != domain:
                continue
            sides = _read(getattr(part, name))
            found = [[*before, *more] for before, more in zip(found, sides, strict=True)] if found else sides
        return found

    def sources(self, name: str, domain: str | None = None) -> list[str | Sentence]:
        """The source lines of a set, which name their domain if there is any."""
        if not self.domains:
            return list(self.sides(name)[0]) if self.has(name) else []
        chosen = [part for part in self.parts if domain in (None, part.domain) and getattr(part, name)]
        lines = ((part.domain, line) for part in chosen for line in getattr(part, name)[0].lines())
        return [plain_sentence(line).with_metadata({DOMAIN: each}) for each, line in lines]


def read_pairs(table: Mapping[str, Any], path: Path, data: Path | None) -> dict[str, Data]:
    """The texts of each language pair if [data] has several, or of the only one, which has no name; see `read_data`."""
    pairs = table.get("pairs")
    if pairs is None:
        with located(path, "data"):
            return {"": read_data(table, path, data)}
    if not isinstance(pairs, Mapping) or not all(isinstance(each, Mapping) for each in pairs.values()) or not pairs:
        raise OptionError("'pairs' in [data] must hold a table for each", path=path, hint="write [data.pairs.NAME]")
    if len(table) > 1:
        hint = "put all texts into tables [data.pairs.NAME]"
        raise OptionError("has texts both in [data] and in its pairs", path=path, hint=hint)
    found = {}
    for name, each in pairs.items():
        with located(path, "data", "pairs", name):
            if not _NAME.fullmatch(name):
                hint = "use letters, digits and . + _ - in names"
                raise OptionError(f"has a language pair '{name}'", path=path, hint=hint)
            found[name] = read_data(each, path, data)
    return found


def read_data(table: Mapping[str, Any], path: Path, data: Path | None) -> Data:
    """Reads the table [data] of the file of an experiment. Paths are relative to that file; `{data}` stands for the
    directory `data`."""
    plain = {name: files for name, files in table.items() if name != "domains"}
    domains = table.get("domains", {})
    if not isinstance(domains, Mapping) or not all(isinstance(each, Mapping) for each in domains.values()):
        raise OptionError("'domains' in [data] must hold a table for each", path=path, hint="write [data.domains.NAME]")
    if domains and plain:
        hint = "put all texts into tables [data.domains.NAME]"
        raise OptionError("has texts both in [data] and in its domains", path=path, hint=hint)
    for name in domains:
        if not name or "/" in name:  # weights of domains are files
            raise OptionError(f"has a domain '{name}' in [data]", path=path, hint="write a name without slashes")
    parts = [_part(name, each, path, data) for name, each in domains.items()] or [_part("", plain, path, data)]
    for name in SETS[:3]:
        if not any(getattr(part, name) for part in parts):
            # Without quotation marks: that name would be looked for in other tables.
            raise OptionError(f"has no {name} in [data]", path=path, hint="a list of files, source and target")
    for name in SETS[1:]:
        sizes = {len(getattr(part, name)) for part in parts}
        if len(sizes) > 1:
            raise OptionError(f"domains have different numbers of files as '{name}'", path=path)
    sets = [[getattr(part, name)[0] for part in parts if getattr(part, name)] for name in SETS[1:]]
    if any(one.overlaps(other) for first, second in combinations(sets, 2) for one in first for other in second):
        problem = "uses one text for two of dev, test and choose"
        raise OptionError(problem, path=path, hint="a test on the text that options were chosen on means nothing")
    return Data(tuple(parts))


def _part(domain: str, table: Mapping[str, Any], path: Path, data: Path | None) -> DomainTexts:
    found: dict[str, tuple[TextLines, ...]] = {}
    for name, files in table.items():
        if name not in SETS:
            raise OptionError(f"has an unknown part '{name}' in [data]", path=path, hint=suggestion(name, SETS))
        if not isinstance(files, list) or len(files) < 2 or not all(isinstance(each, str) for each in files):
            raise OptionError(f"'{name}' in [data] must be a list of two files or more", path=path)
        if name == "train" and len(files) > 2:
            raise OptionError("'train' in [data] must be two files, source and target", path=path)
        found[name] = tuple(TextLines.of(_placed(each, path, data), path.parent) for each in files)
        for text, lines in zip(files, found[name], strict=True):
            if lines.evenly == 0 or (lines.end is not None and lines.end <= lines.begin):
                hint = "write file[FROM:TO] with a smaller number first"
                raise OptionError(f"'{text}' in [data] has no lines", path=path, hint=hint)
            if not lines.path.exists():
                line = line_of(path.read_text("utf-8"), [text], "data")
                hint = f"{path}:{line} names it" if line else "check the path"
                raise InputError("no such file", path=lines.path, hint=hint)
    return DomainTexts(domain, **found)


def _placed(text: str, path: Path, data: Path | None) -> str:
    if "{data}" not in text:
        return text
    if data is None:
        hint = "give it with --data, or set PENTAGLOT_DATA"
        line = line_of(path.read_text("utf-8"), [text], "data")
        raise OptionError("uses {data}, but no data directory is given", path=path, line=line, hint=hint)
    return text.replace("{data}", str(data.resolve()))


def _read(files: Sequence[TextLines]) -> list[list[str]]:
    found = [each.lines() for each in files]
    for each, lines in zip(files, found, strict=True):
        if not lines and each.begin:
            hint = "an experiment needs some text"
            raise InputError(f"has no lines from {each.begin + 1} on, as {each} says", path=each.path, hint=hint)
        if not lines:
            raise InputError("is empty", path=each.path, hint="an experiment needs some text")
        if len(lines) != len(found[0]):
            problem = f"has {number_of(len(lines), 'line')} but {files[0]} has {len(found[0]):,}"
            hint = "line n of all files must translate the same sentence"
            raise InputError(problem, path=each.path, line=min(len(lines), len(found[0])) + 1, hint=hint)
    return found
