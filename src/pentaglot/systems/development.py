"""A development set: source lines with one or more references each, as words and as text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pentaglot.corpus import Beside, Sentence, Tokenizer, read_pairs
from pentaglot.corpus.lines import read_lines
from pentaglot.errors import InputError, PentaglotError, refuse_text
from pentaglot.metrics import Metric
from pentaglot.systems.model import Model
from pentaglot.systems.prepared import PreparedLine
from pentaglot.wording import number_of

__all__ = ["Development", "References", "all_references", "read_development", "read_references", "tokenised_sentence"]

StrPath = str | os.PathLike[str]
References = Iterable[str] | Iterable[Iterable[str]]


def read_development(
    paths: tuple[StrPath, StrPath], beside: Beside | None = None
) -> tuple[list[str | Sentence], list[str]]:
    """The source lines and the references of a development set in two files; annotated sentences if there are layers or
    metadata beside them, or if the source is a treebank."""
    pairs = list(read_pairs(paths))
    if not any(pair.source.strip() for pair in pairs):
        raise PentaglotError("has nothing to tune on", path=paths[0], hint="development text needs some text")
    if not any(pair.source.strip() and pair.target.strip() for pair in pairs):
        hint = "development text needs some translations"
        raise PentaglotError(f"has no translation of any line of {os.fspath(paths[0])}", path=paths[1], hint=hint)
    beside, references = beside or Beside(), [pair.target for pair in pairs]
    if beside.annotates(paths[0]):
        return [sentence for _, sentence in beside.sources(paths[0])], references
    return [pair.source for pair in pairs], references


def read_references(paths: Sequence[StrPath], sources: Sequence[str | Sentence], like: StrPath) -> list[list[str]]:
    """Further references, one file each, for the source lines of the file `like`."""
    found = [list(read_lines(path)) for path in paths]
    for path, lines in zip(paths, found, strict=True):
        if len(lines) != len(sources):
            raise InputError(
                f"has {number_of(len(lines), 'line')} but {os.fspath(like)} has {len(sources):,}",
                path=path,
                hint="line n of all files must translate the same sentence",
            )
    return found


@dataclass(frozen=True)
class Development:
    """The sentences of a development set that have words, and their references."""

    sentences: list[PreparedLine]
    words: list[list[str]]  # of each reference, sentence by sentence, words separated by spaces
    texts: list[list[str]]  # the same as plain text

    @classmethod
    def prepared(
        cls,
        model: Model,
        sources: Iterable[str | Sentence],
        references: References,
        *,
        longest: int,
        tokenised: bool = False,
    ) -> Development:
        """Cuts lines into the words of a model. There is one reference per line, or several whole translations.
        `tokenised` lines are words of the model separated by spaces, or sentences of them. Lines of more than
        `longest` words will be translated in parts."""
        refuse_text(sources, lacks="lines")
        refuse_text(references, lacks="lines")
        whole = all_references(references)
        read = _from_words if tokenised else _from_line
        tokenizers = model.source_tokenizer, model.target_tokenizer
        sentences = [read(line, *tokenizers) for line in sources]
        for each in whole:
            if len(each) != len(sentences) or not any(sentence.words for sentence in sentences):
                raise PentaglotError(
                    f"the development set has {len(sentences)} source and {len(each)} target lines",
                    hint="both need the same number, and some text",
                )
        kept = [at for at, sentence in enumerate(sentences) if sentence.words]
        wanted = [[read(each[at], tokenizers[1], tokenizers[1]) for at in kept] for each in whole]
        if not any(reference.words for each in wanted for reference in each):
            raise PentaglotError("no sentence of the development set has a reference", hint="give translations")
        return cls(
            [_ordered(model, sentences[at], reference, longest) for at, reference in zip(kept, wanted[0], strict=True)],
            [[" ".join(sentence.words) for sentence in each] for each in wanted],
            [[_as_written(sentence, tokenised) for sentence in each] for each in wanted],
        )

    def references(self, metric: Metric) -> list[list[str]]:
        """The references in the form that a metric needs."""
        return self.words if metric.on_words else self.texts

    def text(self, number: int, words: Sequence[str]) -> str:
        """The words of a translation as a line of text."""
        sentence = self.sentences[number]
        surface, _ = sentence.with_mark_last(words, ())
        return sentence.text(surface)

    def length(self, numbers: Sequence[int]) -> float:
        """The total length of the references of some sentences, averaged over references."""
        counts = [sum(len(reference[number].split()) for number in numbers) for reference in self.words]
        return sum(counts) / len(counts)


def _ordered(model: Model, sentence: PreparedLine, reference: PreparedLine, longest: int) -> PreparedLine:
    """A sentence in the order in which the model translates it: where that is the true one, the reference's."""
    order_by = reference.words if model.needs_translations else None
    return sentence.ordered_by(model, longest, order_by)


def tokenised_sentence(line: str | Sentence) -> Sentence:
    """Splits a line at spaces; other whitespace may be part of a word."""
    return Sentence(line.split(" ") if line else []) if isinstance(line, str) else line


def all_references(references: References) -> list[Sequence[str]]:
    """All whole translations, of which there may be only one."""
    given = list(references)
    if all(isinstance(each, str) for each in given):
        return [cast("list[str]", given)]
    return [list(each) for each in given]


def prepared_source(model: Model, line: str | Sentence, longest: int, *, tokenised: bool = False) -> PreparedLine:
    """A source line without a translation, cut into the words of a model and in the order in which it translates them:
    as it is, where only a translation says which."""
    read = _from_words if tokenised else _from_line
    prepared = read(line, model.source_tokenizer, model.target_tokenizer)
    return prepared if model.needs_translations else prepared.ordered_by(model, longest)


def _from_line(line: str | Sentence, source: Tokenizer, target: Tokenizer) -> PreparedLine:
    return PreparedLine.read(line, (), source, target, inline=True)


def _from_words(line: str | Sentence, source: Tokenizer, target: Tokenizer) -> PreparedLine:
    words = tokenised_sentence(line)
    return PreparedLine(source.detokenise(list(words)), words, target, None, {})


def _as_written(reference: PreparedLine, tokenised: bool) -> str:
    """A reference without what is taken out of lines before the search and put back after it."""
    return reference.text(reference.words) if tokenised or reference.inline is not None else reference.line
