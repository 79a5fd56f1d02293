"""Sentence pairs from files and to files, in the format that the names ask for.

| files | format |
|---|---|
| two | plain text, line by line |
| `.tsv` | source and target separated by a tab; a third column is the domain, further ones are ignored |
| `.tmx`, or what begins like one | translation memory |
| `.po`, or what begins like one | gettext messages |
| an ending that another package reads (entry point `pentaglot.readers`) | as that package reads it |
| any other single file | `source ||| target` |

Each may also be `.gz` or `.zst`; `-` is standard input or output.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "memory.tmx.gz"
>>> write_pairs([path], [Pair("Haus", "house"), Pair("Hof & Hund", "yard and dog")], languages=("de", "en"))
2
>>> [(pair.source, pair.target) for pair in read_pairs([path], languages=("en", "de"))]
[('house', 'Haus'), ('yard and dog', 'Hof & Hund')]
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from pentaglot.corpus.compression import StrPath, is_standard, read_blocks, shown, stem_and_format
from pentaglot.corpus.formats import format_of, refuse_tables
from pentaglot.corpus.lines import open_output, read_lines
from pentaglot.errors import InputError, OptionError
from pentaglot.registry import Registry

__all__ = ["READERS", "Languages", "Pair", "group_inputs", "languages_of", "one_line", "read_pairs", "write_pairs"]

Languages = tuple[str, str]


class Pair(NamedTuple):
    """A sentence and its translation; `line` says where it was found, counted from 1, and `domain` what it is about, if
    the file says so."""

    source: str
    target: str
    line: int = 0
    domain: str = ""


def _read_tmx(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    from pentaglot.corpus.tmx import read_tmx

    return read_tmx(path, languages)


def _read_po(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    from pentaglot.corpus.po import read_po

    return read_po(path)


def _read_tsv(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    return _read_separated(path, "\t", "tab")


# Readers of files that hold both sides, by extension. A package adds a reader by an entry point of this
# group.
READERS: Registry[Callable[[StrPath, Languages | None], Iterator[Pair]]] = Registry(
    "pentaglot.readers",
    "reader",
    {"tmx": _read_tmx, "po": _read_po, "tsv": _read_tsv},
    fits=lambda name, loaded: callable(loaded),
    wanted="a function that reads pairs",
)


def read_pairs(paths: Sequence[StrPath], languages: Languages | None = None) -> Iterator[Pair]:
    """The pairs of one or two files. `languages` (source, target) chooses among those of a translation memory; without
    it the memory's own source language and its only other language are taken."""
    if len(paths) == 2:
        return _read_two(paths[0], paths[1])
    if len(paths) != 1:
        raise OptionError(f"pairs are read from one file or two, not from {len(paths)}")
    path = paths[0]
    kind = format_of(path, _beginning(path)) or ""
    for ending in (kind.lower(), stem_and_format(path)[1][1:]):
        if ending in READERS:
            return READERS.find(ending)(path, languages)
    return _read_separated(path, " ||| ", "' ||| '")


def write_pairs(paths: Sequence[StrPath], pairs: Iterable[Pair], languages: Languages | None = None) -> int:
    """Writes pairs in the format that the names ask for, and returns how many. Files appear when all is written."""
    if len(paths) == 2:
        return _write_two(paths[0], paths[1], pairs)
    if len(paths) != 1:
        raise OptionError(f"pairs are written to one file or two, not to {len(paths)}")
    path = paths[0]
    extension = stem_and_format(path)[1]
    if extension == ".tmx":
        from pentaglot.corpus.tmx import write_tmx

        return write_tmx(path, pairs, languages)
    if extension == ".po":
        from pentaglot.corpus.po import write_po

        return write_po(path, pairs, languages)
    return _write_separated(path, pairs, "\t" if extension == ".tsv" else " ||| ")


def group_inputs(paths: Sequence[StrPath]) -> list[tuple[StrPath, ...]]:
    """Which files belong together: those whose ending has a reader (`.tsv`, `.tmx`, `.po`) stand alone, others are
    taken two by two, and a last one that is left over stands alone.

    >>> group_inputs(["a.de", "a.en", "memory.tmx", "b.de.gz", "b.en.gz"])
    [('a.de', 'a.en'), ('memory.tmx',), ('b.de.gz', 'b.en.gz')]
    """
    groups: list[tuple[StrPath, ...]] = []
    waiting: StrPath | None = None
    for path in paths:
        if stem_and_format(path)[1][1:] in READERS:
            if waiting is not None:
                raise OptionError(
                    f"{shown(waiting)} has no partner: the next file, {shown(path)}, holds both sides itself",
                    hint="name the source and the target file one after the other",
                )
            groups.append((path,))
        elif waiting is None:
            waiting = path
        else:
            groups.append((waiting, path))
            waiting = None
    if waiting is not None:
        groups.append((waiting,))
    return groups


def languages_of(paths: Sequence[StrPath]) -> Languages | None:
    """The languages that the names of two plain files give, if they do.

    >>> languages_of(["corpus/train.de.gz", "corpus/train.en.gz"])
    ('de', 'en')
    >>> languages_of(["source.txt", "target.txt"])
    """
    if len(paths) != 2:
        return None
    codes = [stem_and_format(path)[1][1:] for path in paths]
    looks_right = all(code.replace("-", "").replace("_", "").isalpha() and 2 <= len(code) <= 8 for code in codes)
    return (codes[0], codes[1]) if codes[0] != codes[1] and looks_right else None


def one_line(text: str) -> str:
    """A segment as one line: line ends inside it become spaces.

    >>> one_line("Open\\r\\nfile ")
    'Open file'
    """
    if "\n" in text or "\r" in text:
        text = " ".join(part.strip() for part in text.replace("\r", "\n").split("\n") if part.strip())
    return text.strip(" ")


def _beginning(path: StrPath) -> bytes:
    """The first bytes of a file that can be read again."""
    if is_standard(path) or not Path(path).is_file():
        return b""
    # The reader reports what is wrong with a file.
    with contextlib.suppress(InputError):
        return next(read_blocks(path), b"")
    return b""


def _read_two(source: StrPath, target: StrPath) -> Iterator[Pair]:
    if is_standard(source) and is_standard(target):
        raise OptionError("both sides cannot come from standard input", hint="give one of them as a file")
    refuse_tables(source, target)
    sources, targets = read_lines(source), read_lines(target)
    for line, (left, right) in enumerate(zip_longest(sources, targets), 1):
        if left is None or right is None:
            short, long = (source, target) if left is None else (target, source)
            rest = sum(1 for _ in (targets if left is None else sources))
            raise InputError(
                f"ends after {line - 1} lines, but {shown(long)} has {line + rest}",
                path=shown(short),
                hint="each line needs its translation on the same line of the other file",
            )
        yield Pair(left, right, line)


def _read_separated(path: StrPath, separator: str, name: str) -> Iterator[Pair]:
    for number, line in enumerate(read_lines(path), 1):
        # An empty side may have lost the space at its end.
        padded = f" {line} " if separator != "\t" else line
        source, found, target = padded.partition(separator)
        if not found:
            raise InputError(
                f"this line has no {name} between source and target",
                path=shown(path),
                line=number,
                hint="give two plain files, or one in which every line has both sides",
            )
        if separator == "\t":
            target, *further = target.split("\t")
            yield Pair(source, target, number, further[0].strip() if further else "")
        else:
            yield Pair(source.strip(" "), target.strip(" "), number)


def _write_two(source: StrPath, target: StrPath, pairs: Iterable[Pair]) -> int:
    if Path(source).resolve() == Path(target).resolve():
        raise OptionError(f"source and target would both be written to {shown(source, 'standard output')}")
    written = 0
    with contextlib.ExitStack() as stack:
        sources, targets = stack.enter_context(open_output(source)), stack.enter_context(open_output(target))
        for pair in pairs:
            sources.write(one_line(pair.source) + "\n")
            targets.write(one_line(pair.target) + "\n")
            written += 1
    return written


def _write_separated(path: StrPath, pairs: Iterable[Pair], separator: str) -> int:
    written = 0
    with open_output(path) as out:
        for pair in pairs:
            sides = (one_line(pair.source), one_line(pair.target))
            if separator == "\t":
                sides = (sides[0].replace("\t", " "), sides[1].replace("\t", " "))
            elif separator in f" {sides[0]} ":
                raise OptionError(
                    "a source side holds '|||' itself and cannot be written to this format",
                    hint="write a .tsv or .tmx file instead",
                )
            out.write(separator.join(sides) + "\n")
            written += 1
    return written
