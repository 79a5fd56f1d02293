"""Sentence pairs from files and to files, in the format that the names ask for.

| files | format |
|---|---|
| two | plain text, line by line |
| `.tsv` | source and target separated by a tab; a third column is the domain, further ones are ignored |
| `.tmx`, or what begins like one | translation memory |
| `.po`, or what begins like one | gettext messages |
| an ending that another package reads (entry point `pentaglot.readers`) | as that package reads it |
| any other single file | `source ||| target` |

Each may also be `.gz` or `.zst`; `-` is standard input or output, of plain text or `source ||| target`.

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
from pathlib import Path

from pentaglot.corpus.compression import StrPath, is_standard, read_blocks, stem_and_format
from pentaglot.corpus.formats import format_of
from pentaglot.corpus.pair import Languages, Pair
from pentaglot.corpus.plain_pairs import read_separated, read_two, write_separated, write_two
from pentaglot.errors import InputError, OptionError
from pentaglot.registry import Registry

__all__ = ["READERS", "read_pairs", "write_pairs"]


def _read_tmx(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    from pentaglot.corpus.tmx import read_tmx

    return read_tmx(path, languages)


def _read_po(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    from pentaglot.corpus.po import read_po

    return read_po(path)


def _read_tsv(path: StrPath, languages: Languages | None) -> Iterator[Pair]:
    return read_separated(path, "\t", "tab")


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
        return read_two(paths[0], paths[1])
    if len(paths) != 1:
        raise OptionError(f"pairs are read from one file or two, not from {len(paths)}")
    path = paths[0]
    kind = format_of(path, _beginning(path)) or ""
    for ending in (kind.lower(), stem_and_format(path)[1][1:]):
        if ending in READERS:
            return READERS.find(ending)(path, languages)
    return read_separated(path, " ||| ", "' ||| '")


def write_pairs(paths: Sequence[StrPath], pairs: Iterable[Pair], languages: Languages | None = None) -> int:
    """Writes pairs in the format that the names ask for, and returns how many. Files appear when all is written."""
    if len(paths) == 2:
        return write_two(paths[0], paths[1], pairs)
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
    return write_separated(path, pairs, "\t" if extension == ".tsv" else " ||| ")


def _beginning(path: StrPath) -> bytes:
    """The first bytes of a file that can be read again."""
    if is_standard(path) or not Path(path).is_file():
        return b""
    # The reader reports what is wrong with a file.
    with contextlib.suppress(InputError):
        return next(read_blocks(path), b"")
    return b""
