"""ARPA files: the common format of language models."""

from __future__ import annotations

import logging
import os

from pentaglot._core import lm as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus.compression import is_standard, shown, stem_and_format
from pentaglot.corpus.lines import read_line_blocks
from pentaglot.corpus.outputs import open_binary_output
from pentaglot.errors import InputError, OutputError, PentaglotError
from pentaglot.progress import SILENT, Progress

__all__ = ["is_arpa", "read_arpa", "write_arpa"]

_LOG = logging.getLogger(__name__)
_LINES_AT_ONCE = 1 << 18
_HINT = "the file may be damaged; make it again or restore a copy"


def is_arpa(path: str | os.PathLike[str]) -> bool:
    """Whether a name is that of an ARPA file, packed or not; standard input and output are taken to be ARPA.

    >>> is_arpa("english.arpa.gz"), is_arpa("english")
    (True, False)
    """
    return is_standard(path) or stem_and_format(path)[1] in (".arpa", ".lm")


def read_arpa(path: str | os.PathLike[str], *, progress: Progress = SILENT) -> tuple[native.NGrams, Vocabulary]:
    """Reads an ARPA file. Any error in it is an `InputError` with the line.

    `<unk>`, `<s>` and `</s>` get the ids UNKNOWN, START and END; all other words are added to a new vocabulary.
    """
    vocabulary = Vocabulary()
    reader = native.ArpaReader(vocabulary)
    try:
        with progress.task(f"reading {shown(path)}", unit="lines") as task:
            for lines in read_line_blocks(path):
                done = reader.line
                reader.feed(lines)
                task.advance(reader.line - done)
        ngrams = reader.finish()
    except InputError:
        raise
    except PentaglotError as error:
        raise InputError(error.message, path=shown(path), line=reader.line or None, hint=_HINT) from None
    if reader.lacks_unknown:
        _LOG.warning("%s has no <unk>; unknown words get the probability 10^-100", shown(path))
    if reader.completed:
        _LOG.info("%s: added %d n-grams in which longer ones end", shown(path), reader.completed)
    return ngrams, vocabulary


def write_arpa(
    path: str | os.PathLike[str],
    ngrams: native.NGrams,
    vocabulary: Vocabulary,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> None:
    """Writes an ARPA file, packed if its name ends in `.gz`; it appears only when it is complete."""
    try:
        header = native.arpa_header(ngrams, vocabulary)
    except PentaglotError as error:
        raise OutputError(error.message, path=path, hint="use a directory, which takes any word") from None
    total = sum(ngrams.size(length) for length in range(1, ngrams.order + 1))
    with (
        open_binary_output(path) as out,
        progress.task(f"writing {shown(path, 'standard output')}", total=total, unit="n-grams") as task,
    ):
        out.write(header)
        for length in range(1, ngrams.order + 1):
            size = ngrams.size(length)
            for begin in range(0, max(size, 1), _LINES_AT_ONCE):
                end = min(size, begin + _LINES_AT_ONCE)
                out.write(native.arpa_lines(ngrams, vocabulary, length, begin, end, threads))
                task.advance(end - begin)
        out.write(b"\\end\\\n")
