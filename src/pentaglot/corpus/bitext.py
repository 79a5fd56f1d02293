"""`Bitext`: sentence pairs as ids in flat arrays, in memory or mapped from disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core.corpus import FIRST_WORD, Text, TextBuilder, Vocabulary
from pentaglot.corpus.annotation import LAYERS, NOTHING_KNOWN, Annotation, Side
from pentaglot.corpus.columns import Column
from pentaglot.corpus.sentence import Sentence
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary
from pentaglot.corpus.written import Written
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.guarded import inside
from pentaglot.steady import opens
from pentaglot.wording import number_of

__all__ = ["Bitext", "Text", "encode", "sentence_ids"]

_KIND, _VERSION = "bitext", 1
_WRITTEN = "written"
_BATCH = 4096
_QUICK_CHECK_BYTES = 1 << 20


@dataclass(frozen=True)
class Bitext:
    """Two texts with the same number of sentences, and their vocabularies.

    >>> bitext = Bitext.from_sentences([["das", "Haus"], ["Haus"]], [["the", "house"], ["house"]])
    >>> len(bitext), bitext.pair(0)
    (2, (['das', 'Haus'], ['the', 'house']))
    """

    source: Text
    target: Text
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    written: Written | None = None  # the lines that were read, if they are known
    annotation: Annotation = NOTHING_KNOWN  # layers of the words, metadata of the pairs

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise PentaglotError(
                f"the source has {len(self.source)} sentences but the target {len(self.target)}",
                hint="both sides need the same number",
            )
        if self.written is not None and not len(self.written.source) == len(self.written.target) == len(self):
            given = number_of(len(self.written.source), "line")
            raise PentaglotError(f"the written text has {given} for {len(self)} sentence pairs")

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        return f"Bitext({len(self)} pairs, {self.source.words} and {self.target.words} words)"

    @property
    def is_wordless(self) -> bool:
        """Whether every pair has an empty side.

        >>> Bitext.from_sentences([["Haus"], []], [[], ["house"]]).is_wordless
        True
        """
        empty = (np.diff(np.asarray(side.offsets).astype(np.int64)) < 2 for side in (self.source, self.target))
        return bool(np.logical_or(*empty).all())  # the end of a sentence is a token, too

    def pair(self, number: int) -> tuple[list[str], list[str]]:
        """The words of one sentence pair."""
        return (
            self.source_vocabulary.words(sentence_ids(self.source, number)),
            self.target_vocabulary.words(sentence_ids(self.target, number)),
        )

    def layer(self, name: str, side: Side) -> Column:
        """A layer of one side, one value per token of its text; raises an error if there is no such layer. It is
        checked on first use.

        >>> source = [Sentence(["das", "Haus"], {"upos": ["DET", "NOUN"]})]
        >>> bitext = Bitext.from_sentences(source, [["the", "house"]])
        >>> bitext.layer("upos", "source").spelt(0, 2)
        ['DET', 'NOUN']
        """
        return self.annotation.layer(name, side, self.source if side == "source" else self.target)

    def metadata(self, name: str) -> Column:
        """One kind of metadata of the pairs, such as `domain`."""
        return self.annotation.metadata(name)

    def sentence(self, number: int, side: Side) -> Sentence:
        """One side of a pair with its layers and the metadata of the pair."""
        text = self.source if side == "source" else self.target
        vocabulary = self.source_vocabulary if side == "source" else self.target_vocabulary
        words = vocabulary.words(sentence_ids(text, number))
        if not self.annotation:
            return Sentence(words)
        begin = int(text.offsets[number])
        layers = self.annotation.layers_between(side, text, begin, begin + len(words))
        return Sentence(words, layers, self.annotation.metadata_of(number))

    @classmethod
    def from_sentences(cls, source: Iterable[Sequence[str]], target: Iterable[Sequence[str]]) -> Bitext:
        """Encodes two iterables of sentences (sequences of words); frequent words get small ids. Layers and metadata of
        annotated sentences are kept."""
        sources, targets = list(source), list(target)
        bitext = cls.from_texts(encode(list(each) for each in sources), encode(list(each) for each in targets))
        if not any(isinstance(each, Sentence) for each in (*sources, *targets)):
            return bitext
        return replace(bitext, annotation=Annotation.of_pairs(zip(sources, targets, strict=True)))

    @classmethod
    def from_texts(cls, source: tuple[Text, Vocabulary], target: tuple[Text, Vocabulary]) -> Bitext:
        """Joins two encoded texts."""
        return cls(source[0], target[0], source[1], target[1])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bitext and its vocabularies as one directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for side, text in (("source", self.source), ("target", self.target)):
                new.add(f"{side}_tokens", text.tokens)
                new.add(f"{side}_offsets", text.offsets)
            new.facts.update(pairs=len(self), source_words=self.source.words, target_words=self.target.words)
            save_vocabulary(self.source_vocabulary, new.path / "source.vocab")
            save_vocabulary(self.target_vocabulary, new.path / "target.vocab")
            if self.written is not None:
                self.written.save(new.path / _WRITTEN)
            if self.annotation:
                self.annotation.save(new.path / LAYERS)

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str], *, quick: bool = False, verify: bool | None = None) -> Bitext:
        """Maps a saved bitext. With `quick`, large arrays are checked by samples only, and their ids not at all;
        `verify` as in `pentaglot.storage.open_directory`."""
        whole = _QUICK_CHECK_BYTES if quick else None
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION, verify=verify, whole_check_bytes=whole)
        texts, vocabularies = [], []
        for side in ("source", "target"):
            vocabulary = open_vocabulary(stored.path / f"{side}.vocab")
            tokens = stored.array(f"{side}_tokens", np.uint32)
            if not quick and len(tokens) and int(tokens.max()) >= len(vocabulary):
                raise StorageError(f"the {side} text has words that its vocabulary lacks", path=path)
            with storage.damage_at(stored.path):
                texts.append(Text(tokens, stored.array(f"{side}_offsets", np.uint64)))
            vocabularies.append(vocabulary)
        written = None
        if (lines := inside(stored.path, _WRITTEN)).exists():  # older bitexts have none
            written = Written.open(lines, len(texts[0]), verify=verify, whole_check_bytes=whole)
        annotation = NOTHING_KNOWN
        if (layers := inside(stored.path, LAYERS)).exists():
            annotation = Annotation.open(layers, texts[0], texts[1], verify=verify, whole_check_bytes=whole)
        with storage.damage_at(stored.path):
            return cls(texts[0], texts[1], vocabularies[0], vocabularies[1], written, annotation)

    def check_words(self) -> None:
        """Raises an error if a text has words that its vocabulary lacks; needed before all words of a text opened with
        `quick` are used."""
        for side, text, vocabulary in (
            ("source", self.source, self.source_vocabulary),
            ("target", self.target, self.target_vocabulary),
        ):
            if len(text.tokens) and int(text.tokens.max()) >= len(vocabulary):
                raise StorageError(f"the {side} text is damaged: it has words that its vocabulary lacks")


def sentence_ids(text: Text, number: int) -> NDArray[np.uint32]:
    """The word ids of one sentence, without the closing id."""
    if not 0 <= number < len(text):
        raise IndexError(f"sentence {number} of a text of {len(text)}")
    offsets = text.offsets
    return text.tokens[int(offsets[number]) : int(offsets[number + 1]) - 1]


def kept_sentences(text: Text, kept: NDArray[np.bool_]) -> Text:
    """A text of the marked sentences."""
    offsets = np.asarray(text.offsets).astype(np.int64)
    lengths = offsets[1:] - offsets[:-1]
    new = np.concatenate([[0], np.cumsum(lengths[kept])]).astype(np.uint64)
    return Text(np.ascontiguousarray(text.tokens[np.repeat(kept, lengths)]), new)


def encode(sentences: Iterable[list[str]], vocabulary: Vocabulary | None = None) -> tuple[Text, Vocabulary]:
    """Turns sentences into ids. A given vocabulary is used as it is, and other words become unknown; otherwise one is
    made, with small ids for frequent words."""
    words = Vocabulary() if vocabulary is None else vocabulary
    builder = TextBuilder(words, closed=vocabulary is not None)
    remaining = iter(sentences)
    while batch := list(islice(remaining, _BATCH)):
        builder.append_sentences(batch)
    return finish(builder, words, renumber=vocabulary is None)


def finish(builder: TextBuilder, vocabulary: Vocabulary, *, renumber: bool) -> tuple[Text, Vocabulary]:
    """The text that a builder holds; `renumber` gives frequent words small ids."""
    tokens, offsets = builder.finish()
    if renumber:
        counts = np.bincount(tokens, minlength=len(vocabulary)).astype(np.uint64)
        counts[:FIRST_WORD] = 0
        vocabulary, new_ids = vocabulary.by_frequency(counts)
        tokens = new_ids[tokens]
    return Text(tokens, offsets), vocabulary
