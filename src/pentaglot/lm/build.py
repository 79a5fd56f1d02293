"""Estimation: from texts of any length to a model, with counts that go to disk when memory is short."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pentaglot import placing
from pentaglot._core.corpus import Text, Vocabulary
from pentaglot.corpus import read_lines
from pentaglot.errors import InputError, OptionError
from pentaglot.lm.build_options import BuildOptions
from pentaglot.lm.counted_runs import FALLBACK_DISCOUNTS, CountedRuns
from pentaglot.lm.kept_words import KeptWords
from pentaglot.lm.model import LanguageModel
from pentaglot.progress import SILENT, Progress

__all__ = ["build"]

_LOG = logging.getLogger(__name__)


def build(
    texts: Text | Iterable[Text],
    vocabulary: Vocabulary,
    options: BuildOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
    few_words: bool = False,
) -> LanguageModel:
    """Estimates an interpolated modified Kneser-Ney model, as lmplz does.

    The texts have the ids of `vocabulary`, which may grow while they are read. They are read once, or twice with
    `vocabulary_size`. The result does not depend on `threads` or on the memory. A text of `few_words`, such as one of
    word classes, never suffices for the discounts of unigrams, so there is no warning about it.

    >>> from pentaglot.corpus import encode
    >>> text, vocabulary = encode([["a", "rose", "is", "a", "rose"]] * 3)
    >>> build(text, vocabulary, BuildOptions(order=3))
    <LanguageModel of order 3: 6 1-grams, 5 2-grams, 5 3-grams>
    """
    options = options or BuildOptions()
    pieces = [texts] if isinstance(texts, Text) else texts
    words = KeptWords(vocabulary)
    if options.vocabulary is not None:
        words.allow(_read_words(options.vocabulary))
    if options.vocabulary_size is not None:
        if iter(pieces) is pieces:
            raise OptionError("'vocabulary_size' needs texts that can be read twice", hint="pass a list")
        words.allow_most_frequent(pieces, options.vocabulary_size)
    place = Path(options.temporary or tempfile.gettempdir())
    with placing.new_directory(place / "pentaglot-lm", private=True) as directory:
        runs = CountedRuns(words, options, directory, threads)
        for piece in pieces:
            runs.add(piece)
        with progress.task("estimating") as task:
            estimate = runs.estimate()
            task.note(f"{sum(estimate.ngrams.size(n) for n in range(1, options.order + 1)):,} n-grams")
    if words.reserved:
        _LOG.warning("the text contains %s; treated as unknown words", ", ".join(sorted(words.reserved)))
    for length, discounts in enumerate(estimate.discounts, 1):
        if discounts.fallback and not few_words:
            _LOG.warning(
                "too little text to compute the discounts of %d-grams; using %s", length, list(FALLBACK_DISCOUNTS)
            )
    facts: dict[str, Any] = {"smoothing": "modified Kneser-Ney", "pruned": options.limits}
    return LanguageModel(words.kept, ngrams=estimate.ngrams, facts=facts)


def _read_words(path: str) -> list[str]:
    words = [word for line in read_lines(path) for word in line.split()]
    if not words:
        raise InputError("lists no words", path=path, hint="it should have the allowed words, separated by white space")
    return words
