"""Tunes the weights of a system."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from pentaglot import steps
from pentaglot._core import base
from pentaglot.corpus import Sentence
from pentaglot.errors import OptionError
from pentaglot.forest import Weights
from pentaglot.learn import TuneOptions, Tuner, Tuning, chosen_metric, chosen_tuner
from pentaglot.metrics import Metric
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.systems.decoder import LearningDecoder, SentenceDecoder, tunable
from pentaglot.systems.development import Development, References, all_references
from pentaglot.systems.judging import Jury, set_aside
from pentaglot.systems.model import language_paths
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator

__all__ = ["set_length", "tune"]

LENGTH = "words"  # the feature that counts them
# Setting the length: tolerance, most weights to try, size of the first step.
_NEAR, _MOST_TRIALS, _STEP = 0.003, 10, 0.5
_FOR_LENGTH = 150  # sentences: tuning finds its own length, this is only to begin with


def tune(
    translator: Translator,
    sources: Sequence[str | Sentence],
    references: References,
    options: TuneOptions | None = None,
    *,
    tuner: Tuner | None = None,
    metric: Metric | None = None,
    start: Mapping[str, float] | None = None,
    choose: tuple[Sequence[str | Sentence], References] | None = None,
    tokenised: bool = False,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = SILENT,
) -> Tuning:
    """Finds weights that make the translator do well on a development set.

    There is one reference per line, or several whole translations. Tuner and metric are those named by the options,
    unless others are given. A metric that compares words gets those of the model, any other metric plain text.
    `tokenised` lines are words of the model separated by spaces, or sentences of them.

    Tuning begins with the weights of the translator, or with those in `start`. The best round counts; or,
    if there are sentences to `choose` on (with references), or the options set some of the development sentences
    aside, the one whose weights translate these best.

    Unless the options say otherwise, tuning begins and ends with a weight of words that makes translations as long as
    the references: tuning that begins elsewhere wastes its first rounds on the length, and may end elsewhere. (So the
    weights are those of the best round, except that one.) With a `checkpoint` directory, a run continues from what an
    earlier one has left there, see `Tuner.tune`."""
    options = options or TuneOptions()
    metric = metric or chosen_metric(options)
    if start is not None:
        translator.with_weights(start)  # names the file of a weight that is not known
        translator = translator.with_weights(translator.weights | start)
    work: dict[str, Any] = {"threads": threads, "progress": progress}
    if options.aside:
        if choose is not None:
            raise OptionError("rounds are chosen on one text", hint="leave out 'aside', or the text to choose on")
        whole = all_references(references)
        (sources, *rest), (other, *theirs) = set_aside(options.aside, sources, *whole)
        references, choose = cast("list[list[str]]", rest), (other, cast("list[list[str]]", theirs))
    form: dict[str, Any] = {"longest": translator.longest, "tokenised": tokenised}
    development = Development.prepared(translator.model, sources, references, **form)
    shelf = RuleShelf(translator, [each.ordered for each in development.sentences], **work)
    jury = None
    if choose is not None:
        jury = Jury(translator, Development.prepared(translator.model, *choose, **form), metric, **work)
    write = None if metric.on_words else development.text
    showing = LearningDecoder(SentenceDecoder(translator, shelf, write=write, **work), development)
    begun = tunable(translator, {name: translator.weights.get(name, 0.0) for name in translator.feature_names})
    sets_length = options.set_length and LENGTH in begun
    if sets_length:
        some = range(0, len(shelf), 1 + len(shelf) // _FOR_LENGTH)
        begun[LENGTH] = _balancing(translator, shelf, some, development.length(some), threads, progress)
    tuning = (tuner or chosen_tuner(options, threads=threads)).tune(
        showing,
        development.references(metric),
        metric,
        begun,
        seed=seed,
        progress=progress,
        checkpoint=checkpoint,
        decoder="" if checkpoint is None else _fingerprint(translator, shelf, jury),
        **({} if jury is None else {"judge": jury}),
    )
    if not sets_length:
        return tuning
    # On a small set, short translations may gain a score that they lose on other text.
    tuned = translator.with_weights(translator.weights | tuning.weights)
    every = range(len(shelf))
    weight = _balancing(tuned, shelf, every, development.length(every), threads, progress)
    return dataclasses.replace(tuning, weights=tuning.weights | {LENGTH: weight})


def set_length(
    translator: Translator,
    sources: Sequence[str | Sentence],
    references: Sequence[str],
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Weights:
    """The weights of the translator, with the weight of a word changed so that translations of these tokenised lines
    are, in total, as long as their references: every metric penalises wrong lengths, and no constant suits all
    languages."""
    development = Development.prepared(
        translator.model, sources, references, longest=translator.longest, tokenised=True
    )
    shelf = RuleShelf(translator, [each.ordered for each in development.sentences], threads=threads, progress=progress)
    wanted = sum(len(reference.split()) for reference in references)
    weight = _balancing(translator, shelf, range(len(shelf)), wanted, threads, progress)
    return translator.weights | {LENGTH: weight}


def _balancing(
    translator: Translator,
    shelf: RuleShelf,
    numbers: Sequence[int],
    wanted: float,
    threads: int,
    progress: Progress,
) -> float:
    """The weight of a word for which translations of some sentences have a given total number of words."""

    # One progress row for all weights tried; their number is not known.
    with progress.task("setting the length", unit="sentences") as task:

        def ratio(weight: float) -> float:
            searching = translator.with_weights(translator.weights | {LENGTH: weight})
            total = 0
            for words in in_order(lambda number: _length(searching, shelf.rules(number)), numbers, threads):
                total += words
                task.advance()
            return total / max(1, wanted)

        return _balanced(ratio, translator.weights.get(LENGTH, 0.0))


def _balanced(ratio: Callable[[float], float], weight: float) -> float:
    """A weight for which a ratio that rises with it is nearly 1, or else the best of the weights tried.

    >>> round(_balanced(lambda weight: 0.8 + 0.4 * weight, 0.0), 2)
    0.5
    """
    below: tuple[float, float] | None = None
    above: tuple[float, float] | None = None
    best, step, bisect = (math.inf, weight), 0.0, False
    for _ in range(_MOST_TRIALS):
        found = ratio(weight)
        best = min(best, (abs(found - 1), weight))
        if abs(found - 1) <= _NEAR:
            break
        if found < 1:
            below = (weight, found)
        else:
            above = (weight, found)
        if below and above:
            # Interpolate and bisect in turn: interpolation alone is slow where the ratio is nearly flat.
            share = 0.5 if bisect else (1 - below[1]) / (above[1] - below[1])
            weight = below[0] + (above[0] - below[0]) * share
            bisect = not bisect
        else:
            # A weight may have to go far where the length hardly depends on it.
            step = 2 * step if step else max(-_STEP, min(_STEP, 6 * (1 - found)))
            weight += step
    return best[1]


def _length(translator: Translator, parts: list[SentenceRules]) -> int:
    """The number of words of a translation."""
    return sum(len(translator.forest(part).kbest_arrays(1, distinct=True).words) for part in parts)


def _fingerprint(translator: Translator, shelf: RuleShelf, jury: Jury | None) -> str:
    """A fingerprint of the decoder of a development set: the rules of its sentences with all features, the language
    models, the search options, and what rounds are chosen on."""
    options = [dataclasses.asdict(each) for each in (translator.rules.options, translator.search_options)]
    found = base.checksum(
        json.dumps([options, list(translator.features.names)]).encode("utf-8", "surrogatepass"), shelf.fingerprint
    )
    path = translator.model.path
    sealed = (steps.seal(each) for each in (path / "lm", *language_paths(path)))
    return " ".join([f"{found:016x}", *sealed, *([] if jury is None else [jury.fingerprint])])
