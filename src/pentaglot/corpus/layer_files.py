"""The sentences of a text or a treebank, with values from files beside it: one line for each line of it.

A layer file has one value per word of each line, separated by spaces; a metadata file has one value per line. Treebanks
have layers already and need no such files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from pentaglot.corpus.compression import StrPath, is_standard, read_blocks, shown
from pentaglot.corpus.conllu import NumberedSentence
from pentaglot.corpus.formats import format_of
from pentaglot.corpus.lines import read_lines, read_lines_or_sentences
from pentaglot.corpus.sentence import HEAD, Sentence
from pentaglot.errors import InputError, PentaglotError
from pentaglot.wording import number_of

__all__ = ["DOMAIN", "is_treebank", "plain_sentence", "plain_sentences", "read_sentences", "with_files"]

_WORD = re.compile(r"[^ ]+")
_NUMBER = re.compile(r"\d{1,9}")
DOMAIN = "domain"


def read_sentences(
    path: StrPath,
    layers: Mapping[str, StrPath] | None = None,
    metadata: Mapping[str, StrPath] | None = None,
    domain: str = "",
) -> Iterator[NumberedSentence]:
    """The sentences of a text or a treebank, with layers and metadata from files beside it, and their line numbers.
    Words of a text are separated by spaces. Lines that do not match raise an `InputError` that names them."""
    return with_files(plain_sentences(path), path, layers or {}, metadata or {}, domain)


def with_files(
    sentences: Iterator[NumberedSentence],
    path: StrPath,
    layers: Mapping[str, StrPath],
    metadata: Mapping[str, StrPath] = MappingProxyType({}),
    domain: str = "",
) -> Iterator[NumberedSentence]:
    """The sentences of the file `path`, with the values of the files beside it."""
    beside = {name: _Values(each) for name, each in layers.items()}
    about = {name: _Values(each) for name, each in metadata.items()}
    number = 0
    for number, (line, sentence) in enumerate(sentences, 1):
        found = {name: values.next(path, number) for name, values in about.items()}
        found = ({DOMAIN: domain} if domain else {}) | {name: value for name, value in found.items() if value}
        if found:
            sentence = sentence.with_metadata(found)
        for name, values in beside.items():
            sentence = values.added(sentence, name, path, number)
        yield NumberedSentence(line, sentence)
    for values in (*beside.values(), *about.values()):
        values.check_end(path, number)


def is_treebank(path: StrPath) -> bool:
    """Whether a file that can be read twice is CoNLL-U, by its name or by how it begins."""
    if is_standard(path) or not Path(path).is_file():
        return False
    return format_of(path, next(read_blocks(path), b"")) == "CoNLL-U"


def plain_sentences(path: StrPath) -> Iterator[NumberedSentence]:
    """The sentences of a text or a treebank, and their line numbers."""
    for number, line in read_lines_or_sentences(path):
        yield NumberedSentence(number, plain_sentence(line) if isinstance(line, str) else line)


def plain_sentence(line: str) -> Sentence:
    """The words between the spaces of a line.

    >>> plain_sentence("Das  Haus.").words
    ('Das', 'Haus.')
    """
    words = list(_WORD.finditer(line))
    return Sentence([each[0] for each in words], text=line, spans=[each.span() for each in words])


class _Values:
    """The lines of a file beside a text."""

    def __init__(self, path: StrPath) -> None:
        self._path, self._lines = path, read_lines(path)

    def next(self, text: StrPath, number: int) -> str:
        line = next(self._lines, None)
        if line is None:
            raise InputError(
                f"ends after {number_of(number - 1, 'line')}, but {shown(text)} goes on", path=shown(self._path)
            )
        return line

    def added(self, sentence: Sentence, name: str, text: StrPath, number: int) -> Sentence:
        values = self.next(text, number).split()
        try:
            return sentence.with_layers({name: _heads(values) if name == HEAD else values})
        except PentaglotError as error:
            raise InputError(error.message, path=shown(self._path), line=number, hint=error.hint) from error

    def check_end(self, text: StrPath, number: int) -> None:
        if next(self._lines, None) is not None:
            raise InputError(
                f"goes on after {number_of(number, 'line')}, where {shown(text)} ends", path=shown(self._path)
            )


def _heads(values: list[str]) -> list[int | None]:
    for value in values:
        if value != "_" and not _NUMBER.fullmatch(value):
            raise PentaglotError(f"the head '{value}' is not a number", hint="a head is the number of a word, or 0")
    return [None if value == "_" else int(value) for value in values]
