"""Induces features for a translator: operators are fitted on the rules of its development sentences."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from pentaglot._core import align as align_core
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus import Sentence, Text
from pentaglot.corpus.compression import StrPath
from pentaglot.errors import PentaglotError, refuse_text
from pentaglot.forest import Weights
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import (
    FittingContext,
    Induction,
    Operator,
    SentenceRules,
    fit_induction,
    open_induction,
    save_induction,
)
from pentaglot.rules.induced import WordClassMaps
from pentaglot.systems.decoder import tunable
from pentaglot.systems.development import prepared_source
from pentaglot.systems.model import Model
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator

__all__ = ["induce", "induction_beside", "place_beside", "save_tuned", "used_induction", "used_weights"]

_CLASS_ROUNDS = 5


def induce(
    translator: Translator,
    sources: Sequence[str | Sentence],
    operators: Sequence[Operator],
    *,
    tokenised: bool = False,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Translator:
    """A translator with features that operators induce, fitted on the rules of development sentences (`induction`).
    Their weights are 0, or taken over from features that they replace, until `tune` finds better ones. `tokenised`
    lines are words of the model separated by spaces, or sentences of them."""
    refuse_text(sources, lacks="lines")
    plain = translator.with_induction(Induction(())) if translator.induction.operators else translator
    model = plain.model
    lines = [prepared_source(model, line, plain.longest, tokenised=tokenised) for line in sources]
    ordered = [line.ordered for line in lines if line.words]
    shelf = RuleShelf(plain, ordered, threads=threads, progress=progress)

    def sentences() -> Iterator[SentenceRules]:
        for number in range(len(shelf)):
            yield from shelf.rules(number)

    context = FittingContext(
        plain.features,
        plain.declared,
        tuple(tunable(plain, dict.fromkeys(plain.feature_names, 0.0))),
        model.language.map_vocabulary,
        functools.cache(lambda size: _word_classes(model, size, progress)),
        (model.index.bitext.target, model.index.bitext.target_vocabulary),
        bool(plain.rules.hooks),
    )
    return plain.with_induction(fit_induction(operators, sentences, context))


def _word_classes(model: Model, size: int, progress: Progress) -> WordClassMaps:
    bitext = model.index.bitext
    if not len(bitext):
        raise PentaglotError("the model has no training text to find word classes in", path=model.path)
    with progress.task("finding word classes"):
        source = _classes_of(bitext.source, bitext.source_vocabulary, size)
        return WordClassMaps(source, _classes_of(bitext.target, bitext.target_vocabulary, size))


def _classes_of(text: Text, vocabulary: Vocabulary, size: int) -> dict[str, int]:
    found = align_core.exchange_classes(text, len(vocabulary), size, _CLASS_ROUNDS)
    return {vocabulary.word(word): int(found[word]) + 1 for word in range(FIRST_WORD, len(vocabulary))}


def used_induction(induction: Induction, weights: Weights) -> tuple[Induction, Weights]:
    """An induction and weights as a model keeps them: without features of words and conjunctions that weigh nothing."""
    used = induction.without_zeros(weights)
    dropped = set(induction.many_names()).difference(used.many_names())
    return used, Weights({name: value for name, value in weights.items() if name not in dropped})


def save_tuned(translator: Translator, weights: Weights, model: StrPath, output: StrPath | None = None) -> None:
    """Writes tuned weights into a model, or to another place, and what was induced for them beside them."""
    place = Path(model) / "weights.txt" if output is None else Path(output)
    beside = Path(model) / "induction" if output is None else place_beside(output)
    if translator.induction.operators:
        induction, weights = used_induction(translator.induction, weights)
        save_induction(induction, beside)
        weights.save(place)
    else:
        weights.save(place)
        if beside.is_dir() and not beside.is_symlink():
            shutil.rmtree(beside)


def used_weights(translator: Translator, weights: Weights) -> Weights:
    """The weights that `save_tuned` writes."""
    return used_induction(translator.induction, weights)[1] if translator.induction.operators else weights


def place_beside(weights: str | os.PathLike[str]) -> Path:
    """Where an induction lies that belongs to weights outside a model."""
    place = Path(weights)
    return place.with_name(f"{place.name}.induction")


def induction_beside(weights: str | os.PathLike[str], model: Model) -> Induction | None:
    """The induction that belongs to weights outside a model; None if there is none."""
    place = place_beside(weights)
    return open_induction(place, model.declared) if place.exists() else None
