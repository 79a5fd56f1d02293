"""Texts too long for memory: files that are read, tokenised and turned into ids piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from pentaglot._core.corpus import Text, TextBuilder, Vocabulary
from pentaglot.corpus.compression import StrPath, is_standard, shown
from pentaglot.corpus.reading import append_file
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.errors import OptionError
from pentaglot.progress import SILENT, Progress

__all__ = ["TextFiles", "join_texts"]


class TextFiles:
    """The sentences of some files, as an iterable of `Text`s with one vocabulary.

    New words are added to the vocabulary in the order in which they come, or are unknown if it is closed.
    """

    def __init__(
        self,
        paths: Sequence[StrPath],
        vocabulary: Vocabulary,
        tokenizer: Tokenizer | None = None,
        *,
        closed: bool = False,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        """Without a tokenizer, words are separated by spaces."""
        self.paths = list(paths)
        self.vocabulary = vocabulary
        self._tokenizer = tokenizer
        self._closed = closed
        self._threads = threads
        self._progress = progress
        self._begun = False

    def __iter__(self) -> Iterator[Text]:
        if self._begun and any(is_standard(path) for path in self.paths):
            raise OptionError("standard input cannot be read twice", hint="write the text to a file")
        self._begun = True
        for path in self.paths:
            with self._progress.task(f"reading {shown(path)}", unit="lines") as task:
                for text in self._read(path):
                    task.advance(len(text))
                    yield text

    def read_all(self) -> Text:
        """All sentences as one text."""
        return join_texts(self)

    def _read(self, path: StrPath) -> Iterator[Text]:
        builder = TextBuilder(self.vocabulary, closed=self._closed)
        for _ in append_file(builder, path, self._tokenizer, self._threads):
            yield Text(*builder.finish())


def join_texts(texts: Iterable[Text]) -> Text:
    """One text of all sentences of several that share a vocabulary."""
    pieces = list(texts)
    begins = np.cumsum([0, *(len(piece.tokens) for piece in pieces)])
    offsets = [piece.offsets[1:] + np.uint64(begin) for piece, begin in zip(pieces, begins[:-1], strict=True)]
    return Text(
        np.concatenate([np.empty(0, np.uint32), *(piece.tokens for piece in pieces)]),
        np.concatenate([np.zeros(1, np.uint64), *offsets]),
    )
