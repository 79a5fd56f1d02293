"""Pairs in plain text: two files line by line, or one with a separator between the sides."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from pentaglot.corpus.compression import StrPath, is_standard, shown
from pentaglot.corpus.formats import refuse_tables
from pentaglot.corpus.lines import read_lines
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Pair, one_line
from pentaglot.errors import InputError, OptionError
from pentaglot.wording import number_of

__all__ = ["read_separated", "read_two", "write_separated", "write_two"]


def read_two(source: StrPath, target: StrPath) -> Iterator[Pair]:
    """Lines of two files that translate each other; an `InputError` if one file ends before the other."""
    if is_standard(source) and is_standard(target):
        raise OptionError("both sides cannot come from standard input", hint="give one of them as a file")
    refuse_tables(source, target)
    sources, targets = read_lines(source), read_lines(target)
    for line, (left, right) in enumerate(zip_longest(sources, targets), 1):
        if left is None or right is None:
            short, long = (source, target) if left is None else (target, source)
            rest = sum(1 for _ in (targets if left is None else sources))
            raise InputError(
                f"ends after {number_of(line - 1, 'line')}, but {shown(long)} has {line + rest:,}",
                path=shown(short),
                hint="each line needs its translation on the same line of the other file",
            )
        yield Pair(left, right, line)


def read_separated(path: StrPath, separator: str, name: str) -> Iterator[Pair]:
    """Lines with both sides; errors call the separator by its `name`. After a tab there may be a domain."""
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


def write_two(source: StrPath, target: StrPath, pairs: Iterable[Pair]) -> int:
    """Writes the sides to two files, and returns how many pairs there were."""
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


def write_separated(path: StrPath, pairs: Iterable[Pair], separator: str) -> int:
    """Writes both sides on one line, and returns how many pairs there were."""
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
