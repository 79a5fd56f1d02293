"""Pairs of files that may be broken: problems are reported, and reading goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pentaglot.corpus.compression import StrPath
from pentaglot.corpus.formats import refuse_tables
from pentaglot.corpus.inspection import LineFaults, Tell, tolerant_lines
from pentaglot.corpus.pair import Languages, Pair
from pentaglot.corpus.pairs import read_pairs
from pentaglot.errors import InputError, OptionError

__all__ = ["tolerant_pairs"]


def tolerant_pairs(paths: Sequence[StrPath], languages: Languages | None, tell: Tell) -> Iterator[Pair]:
    """The pairs of two files, or of one of a format with both sides; `tell` gets what is wrong with them."""
    if len(paths) == 2:
        return _of_two(paths[0], paths[1], tell)
    if len(paths) == 1:
        return _of_one(paths[0], languages, tell)
    raise OptionError(f"pairs are read from one file or two, not from {len(paths)}")


def _of_one(path: StrPath, languages: Languages | None, tell: Tell) -> Iterator[Pair]:
    faults = LineFaults(path, tell)
    pairs = read_pairs([path], languages)
    line = 0
    while True:
        try:
            pair = next(pairs, None)
        except InputError as error:
            if line == 0 and error.line is None:
                raise  # there is no such file: not a problem of its text
            tell("unreadable", path, error.line or line + 1, error.message)
            return
        if pair is None:
            return
        line = pair.line
        faults.look_at(f"{pair.source}\n{pair.target}", line, lines=False)
        yield pair


def _of_two(source: StrPath, target: StrPath, tell: Tell) -> Iterator[Pair]:
    refuse_tables(source, target)
    sources, targets = tolerant_lines(source, tell), tolerant_lines(target, tell)
    lines = 0
    for lines, (left, right) in enumerate(zip(sources, targets, strict=False), 1):
        yield Pair(left, right, lines)
    # zip() has taken one line more of the source if the source is the longer one.
    rest_source = sources.lines_read - lines + sum(1 for _ in sources)
    rest_target = targets.lines_read - lines + sum(1 for _ in targets)
    if rest_source != rest_target:
        ends = [
            f"{Path(path).name} {'ends ' if not number else ''}after {lines + rest}{' lines' if not number else ''}"
            for number, (path, rest) in enumerate(((source, rest_source), (target, rest_target)))
        ]
        longer = source if rest_source > rest_target else target
        tell("unequal lengths", longer, lines + min(rest_source, rest_target) + 1, ", ".join(ends))
