"""Treebanks in CoNLL-U (universaldependencies.org/format.html): sentences with lemmas, tags and heads.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "small.conllu"
>>> rows = ["# sent_id = a1", "1 Das das DET _ _ 2 det _ _", "2 Haus Haus NOUN _ _ 0 root _ SpaceAfter=No",
...     "3 . . PUNCT _ _ 2 punct _ _", "", ""]
>>> _ = path.write_text("\\n".join(row if row.startswith("#") else row.replace(" ", "\\t") for row in rows))
>>> [sentence] = read_conllu(path)
>>> sentence.line, sentence.words, sentence.layers["upos"], sentence.metadata["id"]
('Das Haus.', ('Das', 'Haus', '.'), ('DET', 'NOUN', 'PUNCT'), 'a1')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.sentence import HEAD, Sentence
from pentaglot.corpus.word_places import word_spans
from pentaglot.errors import InputError, PentaglotError

__all__ = ["NumberedSentence", "numbered_sentences", "read_conllu", "sentences_of_lines"]

_FIELDS = 10
_COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, HEAD: 6, "deprel": 7}
_NOTHING = "_"
_WORD, _EMPTY = re.compile(r"[1-9]\d{0,8}"), re.compile(r"\d+\.\d+")
_RANGE = re.compile(r"([1-9]\d{0,8})-([1-9]\d{0,8})")
_NUMBER = re.compile(r"\d{1,9}")
_COMMENT = re.compile(r"#\s*([^=]*?)\s*(?:=\s*(.*?)\s*)?")
# Our names for comments. A document or a paragraph goes on until another begins.
_NAMES = {"sent_id": "id", "newdoc id": "document", "newpar id": "paragraph"}
_GOES_ON = {"newdoc": ("document", "paragraph"), "newpar": ("paragraph",)}


class NumberedSentence(NamedTuple):
    """A sentence and the number of its first line."""

    line: int
    sentence: Sentence


def read_conllu(path: StrPath) -> Iterator[Sentence]:
    """The sentences of a treebank, as the syntactic words that it annotates.

    Layers are `lemma`, `upos`, `xpos`, `feats`, `head` and `deprel`, without those that have no values in a sentence.
    Metadata are `id`, `document` and `paragraph` (each goes on until another begins) and all other comments of the form
    `# key = value`. The text is that of the comment `# text`, or of the tokens. Several words that are written as one
    token (2-3) stand at the same place of the text; empty nodes (8.1) are not words. Anything that is not CoNLL-U
    raises an `InputError` with file and line.
    """
    return (sentence for _, sentence in numbered_sentences(path))


def numbered_sentences(path: StrPath) -> Iterator[NumberedSentence]:
    """The same, with the numbers of their lines."""
    from pentaglot.corpus.lines import read_treebank_lines  # which reads treebanks as text, too

    return sentences_of_lines(read_treebank_lines(path), path)


def sentences_of_lines(lines: Iterable[str], path: StrPath) -> Iterator[NumberedSentence]:
    """The sentences in the lines of a file; `path` is named if something is wrong with them."""
    going_on: dict[str, str] = {}
    rows = _Rows(path)
    for number, line in enumerate(lines, 1):
        if line.strip():
            rows.read(number, line)
        elif rows.first:
            yield NumberedSentence(rows.first, rows.finished(going_on))
            rows = _Rows(path)
    if rows.first:
        yield NumberedSentence(rows.first, rows.finished(going_on))


@dataclass
class _Rows:
    """The lines of one sentence."""

    path: StrPath
    first: int = 0
    comments: list[tuple[str, str | None]] = field(default_factory=list)
    words: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # of the words
    tokens: list[tuple[str, int, bool]] = field(default_factory=list)  # how written, the last word in it, a space after

    def read(self, number: int, line: str) -> None:
        self.first = self.first or number
        if line.startswith("#"):
            if self.words:
                raise self._error(number, "this is a comment in the middle of a sentence", "put it before its words")
            found = _COMMENT.fullmatch(line)
            if found is not None:
                self.comments.append((found[1], found[2]))
            return
        fields = line.split("\t")
        if len(fields) != _FIELDS or not all(fields):
            what = f"{len(fields)} fields" if len(fields) != _FIELDS else "an empty field"
            problem = f"this line has {what}"
            hint = f"a line of CoNLL-U has {_FIELDS} fields with tabs between them, '_' for what is not known"
            raise self._error(number, problem, hint)
        self._read_word(number, fields)

    def _read_word(self, number: int, fields: list[str]) -> None:
        id, written = fields[0], fields[1]
        next_word, last = len(self.words) + 1, self.tokens[-1][1] if self.tokens else 0
        space = "SpaceAfter=No" not in fields[9].split("|")
        if _EMPTY.fullmatch(id):
            return
        if several := _RANGE.fullmatch(id):
            begin, end = int(several[1]), int(several[2])
            if begin != next_word or begin <= last or end < begin:
                raise self._error(number, f"the token {id} does not begin with word {next_word}", "words are in order")
            self.tokens.append((written, end, space))
        elif _WORD.fullmatch(id) and int(id) == next_word:
            self.words.append(fields)
            self.lines.append(number)
            if next_word > last:
                self.tokens.append((written, next_word, space))
        else:
            raise self._error(number, f"this is word '{id}' where word {next_word} is due", "words are counted from 1")

    def finished(self, going_on: dict[str, str]) -> Sentence:
        """The sentence; `going_on` has the metadata that carries over from earlier sentences, and is updated."""
        if not self.words:
            raise self._error(self.first, "these are the comments of a sentence without words", "")
        if self.tokens[-1][1] > len(self.words):
            problem = f"the last token has words up to {self.tokens[-1][1]}, but there are {len(self.words)}"
            raise self._error(self.lines[-1], problem, "give all of them")
        metadata, text = self._metadata(going_on)
        text, spans = self._written(text)
        words, layers = [fields[1] for fields in self.words], self._layers()
        try:
            return Sentence(words, layers, metadata, text, spans)
        except PentaglotError as error:
            raise InputError(error.message, path=shown(self.path), line=self.lines[0], hint=error.hint) from error

    def _metadata(self, going_on: dict[str, str]) -> tuple[dict[str, str], str]:
        found: dict[str, str] = {}
        for key, value in self.comments:
            for ended in _GOES_ON.get(key.removesuffix(" id"), ()):
                going_on.pop(ended, None)
            if value is None:
                continue
            name = _NAMES.get(key, key)
            (going_on if key.removesuffix(" id") in _GOES_ON else found)[name] = value
        text = found.pop("text", "")
        return {**going_on, **found}, text

    def _layers(self) -> dict[str, list[str] | list[int]]:
        layers: dict[str, list[str] | list[int]] = {}
        for name, column in _COLUMNS.items():
            values = [fields[column] for fields in self.words]
            if all(value == _NOTHING for value in values):
                continue
            layers[name] = self._heads(values) if name == HEAD else values
        return layers

    def _heads(self, values: list[str]) -> list[int]:
        for number, value in zip(self.lines, values, strict=True):
            if not _NUMBER.fullmatch(value) or int(value) > len(values):
                problem = f"the head '{value}' is not one of the {len(values)} words of the sentence"
                raise self._error(number, problem, "a head is the number of a word, or 0")
        return [int(value) for value in values]

    def _written(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """The text and the places of the words in it."""
        tokens = [written for written, _, _ in self.tokens]
        found = word_spans(tokens, text) if text else None
        if found is None:
            text, found = "", []
            for written, _, space in self.tokens:
                found.append((len(text), len(text) + len(written)))
                text += written + " " * space
            text = text.rstrip(" ")
        spans, begin = [], 0
        for span, (_, last, _) in zip(found, self.tokens, strict=True):
            spans += [span] * (last - begin)
            begin = last
        return text, spans

    def _error(self, number: int, problem: str, hint: str) -> InputError:
        return InputError(problem, path=shown(self.path), line=number, hint=hint)
