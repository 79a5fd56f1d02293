"""Training an aligner, from scratch or from where another one ended."""

from __future__ import annotations

import dataclasses
import logging
import math
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import align as native
from pentaglot._core.corpus import Text, Vocabulary
from pentaglot.align.aligner import Aligner, Iteration
from pentaglot.align.options import AlignOptions
from pentaglot.align.words import renumber, spellings, words_of
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.errors import PentaglotError
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress

__all__ = ["train"]

_LOG = logging.getLogger(__name__)
# Pairs of words that were expected less often than this are not stored; they count as never seen together.
_LEAST_COUNT = 1e-4
_CLASS_ROUNDS = 3  # more change the classes, but not the links
_WAYS = (native.Direction.to_target, native.Direction.to_source)


def train(
    bitext: Bitext,
    options: AlignOptions | None = None,
    *,
    start: Aligner | None = None,
    tokenizers: tuple[Tokenizer, Tokenizer] | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
    path: str | os.PathLike[str] | None = None,
) -> Aligner:
    """Trains both directions of an alignment model on a bitext. The result does not depend on `threads`; `path` says
    where the bitext was read, for messages.

    With `start`, training goes on where that aligner ended: the counts that its data gave are kept as they are, and
    the counts of `bitext`, re-estimated in every iteration, are added to them. Words are joined to its vocabulary;
    what makes words the same (`lowercase`) and the word classes are taken from it.

    >>> pairs = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    >>> aligner = train(pairs, AlignOptions(model="ibm1", iterations=2, agreement=False))
    >>> [round(each.perplexity_to_target, 2) for each in aligner.log]
    [7.0, 2.35]
    """
    options = AlignOptions() if options is None else options
    if start is not None:
        options = dataclasses.replace(options, lowercase=start.options.lowercase, classes=start.options.classes)
    source, source_vocabulary = _side(
        bitext.source, bitext.source_vocabulary, None if start is None else start.source_vocabulary, options
    )
    target, target_vocabulary = _side(
        bitext.target, bitext.target_vocabulary, None if start is None else start.target_vocabulary, options
    )
    with progress.task("finding word pairs", total=1) as task:
        trainer = native.Trainer(
            source,
            target,
            len(source_vocabulary),
            len(target_vocabulary),
            spellings(words_of(source_vocabulary)),
            spellings(words_of(target_vocabulary)),
            _native_options(options),
            {} if start is None else start.tables,
            threads,
        )
        task.advance()
    if trainer.words(_WAYS[0]) == 0:
        raise PentaglotError(
            "there is no sentence pair to train on: in every pair a side is empty or too long",
            path=path,
            hint="check the corpus with 'pentaglot corpus check'",
        )
    if trainer.too_long:
        _LOG.warning("%d pairs have more than %d words on a side and were left out", trainer.too_long, options.longest)
    sides = [(source, source_vocabulary), (target, target_vocabulary)]
    classes = _classes(trainer, sides, start, options, threads, progress)
    log = _iterate(trainer, options, progress)
    tables: dict[str, NDArray[Any]] = {**trainer.tables(_LEAST_COUNT), **classes}
    if start is not None:
        tokenizers = tokenizers or start.tokenizers
        log = [*start.log, *log]
    return Aligner(source_vocabulary, target_vocabulary, options, tables, tuple(log), tokenizers)


def _side(
    text: Text, vocabulary: Vocabulary, known: Vocabulary | None, options: AlignOptions
) -> tuple[Text, Vocabulary]:
    """The text in the ids of the aligner's own vocabulary, which begins with the words of `known`."""
    own = Vocabulary()
    if known is not None:
        for word in words_of(known):
            own.add(word)
    ids = renumber(words_of(vocabulary), own, lowercase=options.lowercase, add=True)
    return Text(ids[text.tokens], text.offsets), own


def _native_options(options: AlignOptions) -> native.TrainingOptions:
    return native.TrainingOptions(
        null_probability=options.null_probability,
        agreement=options.agreement,
        smoothing=options.smoothing,
        null_smoothing=options.smoothing,
        spelling=options.spelling,
        stem_letters=options.stems,
        stem_strength=options.stem_strength,
        variational=options.variational,
        jump_uniform=options.jump_uniform,
        jump_strength=10.0,
        longest=options.longest,
    )


def _classes(
    trainer: native.Trainer,
    sides: list[tuple[Text, Vocabulary]],
    start: Aligner | None,
    options: AlignOptions,
    threads: int,
    progress: Progress,
) -> dict[str, NDArray[np.uint16]]:
    """The word classes of both sides, told to the trainer; all in class 0 if none are wanted."""
    keys = ("classes_to_target", "classes_to_source")
    wanted = options.classes > 1 and (start is not None or options.model == "hmm")
    found = [np.zeros(len(vocabulary), np.uint16) for _, vocabulary in sides]
    if start is not None:
        for classes, key in zip(found, keys, strict=True):
            classes[: len(start.tables[key])] = start.tables[key]
    elif wanted:

        def classes_of(side: tuple[Text, Vocabulary]) -> NDArray[np.uint16]:
            return native.exchange_classes(side[0], len(side[1]), options.classes, _CLASS_ROUNDS)

        with progress.task("finding word classes", total=2, unit="sides") as task:
            for number, classes in enumerate(in_order(classes_of, sides, threads)):
                found[number] = classes
                task.advance()
    if wanted:
        for way, classes in zip(_WAYS, found, strict=True):
            trainer.set_classes(way, classes, options.classes)
    return dict(zip(keys, found, strict=True))


def _iterate(trainer: native.Trainer, options: AlignOptions, progress: Progress) -> list[Iteration]:
    log: list[Iteration] = []
    for model, iterations in options.schedule:
        with progress.task(f"training {model}", total=iterations, unit="iterations") as task:
            before = math.inf
            for number in range(1, iterations + 1):
                likelihoods = trainer.iterate(getattr(native.AlignmentModel, model))
                words = [max(trainer.words(way), 1) for way in _WAYS]
                forward, backward = (math.exp(-each / n) for each, n in zip(likelihoods, words, strict=True))
                log.append(Iteration(model, number, forward, backward))
                _LOG.info(
                    "%s iteration %d: perplexity %.3f to target, %.3f to source", model, number, forward, backward
                )
                task.advance()
                task.note(f"perplexity {forward:.2f} and {backward:.2f}")
                together = -sum(likelihoods) / sum(words)
                if before - together < options.stop:
                    break
                before = together
    return log
