"""Layers and metadata in files beside a text: one line for each line of it.

A layer file has one value per word of each line, separated by spaces; a metadata file has one value per line. Treebanks
have layers already and need no such files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from pentaglot.corpus.annotation import NOTHING_KNOWN, STORED_METADATA, Annotation, Side, metadata_columns
from pentaglot.corpus.bitext import Bitext, sentence_ids
from pentaglot.corpus.columns import Column, LayerBuilder
from pentaglot.corpus.compression import StrPath, is_standard, read_blocks, shown
from pentaglot.corpus.conllu import NumberedSentence
from pentaglot.corpus.formats import format_of
from pentaglot.corpus.lines import read_lines, read_lines_or_sentences
from pentaglot.corpus.retokenising import carried_over, places_in
from pentaglot.corpus.sentence import HEAD, Sentence, check_layer_name
from pentaglot.corpus.written import word_spans
from pentaglot.errors import InputError, PentaglotError

__all__ = ["DOMAIN", "Beside", "is_treebank", "plain_sentence", "read_sentences"]

_WORD = re.compile(r"[^ ]+")
_NUMBER = re.compile(r"\d{1,9}")
DOMAIN = "domain"


@dataclass(frozen=True)
class Beside:
    """Annotation given beside the two files of a text: layer files for each side, metadata files, and the domain of all
    pairs."""

    source_layers: Mapping[str, StrPath] = field(default_factory=dict)
    target_layers: Mapping[str, StrPath] = field(default_factory=dict)
    metadata: Mapping[str, StrPath] = field(default_factory=dict)
    domain: str = ""

    def __post_init__(self) -> None:
        for name in (*self.source_layers, *self.target_layers, *self.metadata):
            check_layer_name(name)

    def __bool__(self) -> bool:
        return bool(self.source_layers or self.target_layers or self.metadata or self.domain)

    def files(self) -> dict[str, StrPath]:
        """All files, by their descriptions."""
        found = {f"source layer {name}": path for name, path in sorted(self.source_layers.items())}
        found |= {f"target layer {name}": path for name, path in sorted(self.target_layers.items())}
        return found | {f"metadata {name}": path for name, path in sorted(self.metadata.items())}

    def sources(self, path: StrPath) -> Iterator[NumberedSentence]:
        """The annotated sentences of a source file."""
        return self._with_sources(_plain_sentences(path), path)

    def targets(self, path: StrPath) -> Iterator[NumberedSentence]:
        """The annotated sentences of a target file."""
        return _with_files(_plain_sentences(path), path, self.target_layers)

    def _with_sources(self, sentences: Iterator[NumberedSentence], path: StrPath) -> Iterator[NumberedSentence]:
        return _with_files(sentences, path, self.source_layers, self.metadata, self.domain)

    def annotates(self, *files: StrPath | None) -> bool:
        """Whether these files have any annotation."""
        return bool(self) or any(each is not None and is_treebank(each) for each in files)

    def annotation(
        self, bitext: Bitext, files: tuple[StrPath | None, StrPath | None], start: Annotation = NOTHING_KNOWN
    ) -> Annotation:
        """The layers and metadata of a bitext made from two files; None stands for the lines that the bitext keeps.
        Values that `start` knows keep their ids."""
        if not self.annotates(*files):
            return NOTHING_KNOWN
        wanted = (*STORED_METADATA, *self.metadata)
        metadata: list[dict[str, str]] = [{} for _ in range(len(bitext))]
        sides: list[dict[str, Column]] = []
        for number, side in enumerate(get_args(Side)):
            file, path = files[number], files[number] or f"the {side} text"
            plain = _kept_sentences(bitext, number) if file is None else _plain_sentences(file)
            if number == 0:
                sentences = self._with_sources(plain, path)
            else:
                sentences = _with_files(plain, path, self.target_layers)
            builder = LayerBuilder(start.layers(side))
            for at, sentence in enumerate(_carried(sentences, path, bitext, number)):
                builder.append(sentence)
                found = {name: value for name, value in sentence.metadata.items() if name in wanted}
                metadata[at] = {**found, **metadata[at]}
            sides.append(builder.finish())
        return Annotation(sides[0], sides[1], metadata_columns(metadata, start.pairs))


def read_sentences(
    path: StrPath,
    layers: Mapping[str, StrPath] | None = None,
    metadata: Mapping[str, StrPath] | None = None,
    domain: str = "",
) -> Iterator[NumberedSentence]:
    """The sentences of a text or a treebank, with layers and metadata from files beside it, and their line numbers.
    Words of a text are separated by spaces. Lines that do not match raise an `InputError` that names them."""
    return _with_files(_plain_sentences(path), path, layers or {}, metadata or {}, domain)


def _with_files(
    sentences: Iterator[NumberedSentence],
    path: StrPath,
    layers: Mapping[str, StrPath],
    metadata: Mapping[str, StrPath] = MappingProxyType({}),
    domain: str = "",
) -> Iterator[NumberedSentence]:
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


def _plain_sentences(path: StrPath) -> Iterator[NumberedSentence]:
    for number, line in read_lines_or_sentences(path):
        yield NumberedSentence(number, plain_sentence(line) if isinstance(line, str) else line)


def plain_sentence(line: str) -> Sentence:
    """The words between the spaces of a line.

    >>> plain_sentence("Das  Haus.").words
    ('Das', 'Haus.')
    """
    words = list(_WORD.finditer(line))
    return Sentence([each[0] for each in words], text=line, spans=[each.span() for each in words])


def _kept_sentences(bitext: Bitext, side: int) -> Iterator[NumberedSentence]:
    """The lines that a bitext keeps, or its words where a line is not known."""
    for number in range(len(bitext)):
        line = "" if bitext.written is None else bitext.written.pair(number)[side]
        yield NumberedSentence(number + 1, plain_sentence(line) if line else Sentence(bitext.pair(number)[side]))


class _Values:
    """The lines of a file beside a text."""

    def __init__(self, path: StrPath) -> None:
        self._path, self._lines = path, read_lines(path)

    def next(self, text: StrPath, number: int) -> str:
        line = next(self._lines, None)
        if line is None:
            raise InputError(f"ends after {number - 1} lines, but {shown(text)} goes on", path=shown(self._path))
        return line

    def added(self, sentence: Sentence, name: str, text: StrPath, number: int) -> Sentence:
        values = self.next(text, number).split()
        try:
            return sentence.with_layers({name: _heads(values) if name == HEAD else values})
        except PentaglotError as error:
            raise InputError(error.message, path=shown(self._path), line=number, hint=error.hint) from error

    def check_end(self, text: StrPath, number: int) -> None:
        if next(self._lines, None) is not None:
            raise InputError(f"goes on after {number} lines, where {shown(text)} ends", path=shown(self._path))


def _heads(values: list[str]) -> list[int | None]:
    for value in values:
        if value != "_" and not _NUMBER.fullmatch(value):
            raise PentaglotError(f"the head '{value}' is not a number", hint="a head is the number of a word, or 0")
    return [None if value == "_" else int(value) for value in values]


def _carried(sentences: Iterator[NumberedSentence], path: StrPath, bitext: Bitext, side: int) -> Iterator[Sentence]:
    """The sentences in the words of one side of a bitext, whichever tokenizer made them."""
    text, count = (bitext.source, bitext.target)[side], 0
    vocabulary = (bitext.source_vocabulary, bitext.target_vocabulary)[side]
    for count, (line, sentence) in enumerate(sentences, 1):
        if count > len(text):
            break
        words = vocabulary.words(sentence_ids(text, count - 1))
        try:
            spans = word_spans(words, sentence.line)
            # A tokenizer that cuts only at spaces saw the words of a treebank, not its text.
            written = sentence.spaced() if spans is None else sentence
            yield carried_over(written, words, places_in(words, written.line) if spans is None else spans)
        except PentaglotError as error:
            raise InputError(error.message, path=shown(path), line=line, hint=error.hint) from error
    if count != len(text):
        raise InputError(f"no longer has the {len(text)} sentences that were read from it", path=shown(path))
