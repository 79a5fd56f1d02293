"""Layers and metadata given in files beside the two files of a bitext, in the words of the bitext."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from pentaglot.corpus.annotation import NOTHING_KNOWN, STORED_METADATA, Annotation, Side, metadata_columns
from pentaglot.corpus.bitext import Bitext, sentence_ids
from pentaglot.corpus.columns import Column
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.conllu import NumberedSentence
from pentaglot.corpus.layer_builder import LayerBuilder
from pentaglot.corpus.layer_files import is_treebank, plain_sentence, plain_sentences, with_files
from pentaglot.corpus.retokenising import carried_over, places_in
from pentaglot.corpus.sentence import Sentence, check_layer_name
from pentaglot.corpus.word_places import word_spans
from pentaglot.errors import InputError, PentaglotError

__all__ = ["Beside"]


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
        return self._with_sources(plain_sentences(path), path)

    def targets(self, path: StrPath) -> Iterator[NumberedSentence]:
        """The annotated sentences of a target file."""
        return with_files(plain_sentences(path), path, self.target_layers)

    def _with_sources(self, sentences: Iterator[NumberedSentence], path: StrPath) -> Iterator[NumberedSentence]:
        return with_files(sentences, path, self.source_layers, self.metadata, self.domain)

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
            plain = _kept_sentences(bitext, number) if file is None else plain_sentences(file)
            if number == 0:
                sentences = self._with_sources(plain, path)
            else:
                sentences = with_files(plain, path, self.target_layers)
            builder = LayerBuilder(start.layers(side))
            for at, sentence in enumerate(_carried(sentences, path, bitext, number)):
                builder.append(sentence)
                found = {name: value for name, value in sentence.metadata.items() if name in wanted}
                metadata[at] = {**found, **metadata[at]}
            sides.append(builder.finish())
        return Annotation(sides[0], sides[1], metadata_columns(metadata, start.pairs))


def _kept_sentences(bitext: Bitext, side: int) -> Iterator[NumberedSentence]:
    """The lines that a bitext keeps, or its words where a line is not known."""
    for number in range(len(bitext)):
        line = "" if bitext.written is None else bitext.written.pair(number)[side]
        yield NumberedSentence(number + 1, plain_sentence(line) if line else Sentence(bitext.pair(number)[side]))


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
