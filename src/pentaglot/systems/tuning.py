"""Tunes the weights of a system."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from pentaglot._core import base
from pentaglot.corpus import Sentence
from pentaglot.errors import OptionError, refuse_text
from pentaglot.forest import Weights
from pentaglot.learn import TuneOptions, Tuner, Tuning, chosen_metric, chosen_tuner, to_tune_for
from pentaglot.learn.solving import check_penalties
from pentaglot.metrics import Metric
from pentaglot.options import check_number, checked
from pentaglot.progress import SILENT, Progress
from pentaglot.seals import seal
from pentaglot.systems.decoder import LearningDecoder, SentenceDecoder, tunable
from pentaglot.systems.development import Development, References, all_references
from pentaglot.systems.further_parts import language_paths
from pentaglot.systems.judging import Jury, set_aside
from pentaglot.systems.length_weight import LENGTH, balancing
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator
from pentaglot.systems.weighing import check_weights

__all__ = ["check_tuning", "tune"]

_Text = tuple[list[str | Sentence], References]

_FOR_LENGTH = 150  # sentences: tuning finds its own length, this is only to begin with


def tune(
    translator: Translator,
    sources: Iterable[str | Sentence],
    references: References,
    options: TuneOptions | None = None,
    *,
    tuner: Tuner | None = None,
    metric: Metric | None = None,
    start: Mapping[str, float] | None = None,
    choose: tuple[Iterable[str | Sentence], References] | None = None,
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
    check_number("seed", seed, 0, 2**63 - 1)
    sources, references = _listed(sources, references)
    choose = None if choose is None else _listed(*choose)
    options = checked(options or TuneOptions())
    if tuner is None:
        check_tuning(translator, options, len(sources), chosen=choose is not None)
    metric = chosen_metric(options) if metric is None else to_tune_for(metric)
    tuner = tuner or chosen_tuner(options, threads=threads)
    if start is not None:
        translator.with_weights(start)  # names the file of a weight that is not known
        translator = translator.with_weights(translator.weights | start)
    work: dict[str, Any] = {"threads": threads, "progress": progress}
    if options.aside:
        _check_aside(options.aside, len(sources), choose is not None)
        (sources, references), choose = _with_aside(options.aside, sources, references)
    form: dict[str, Any] = {"longest": translator.longest, "tokenised": tokenised}
    development = Development.prepared(translator.model, sources, references, **form)
    shelf = RuleShelf(translator, [each.ordered for each in development.sentences], **work)
    jury = None
    if choose is not None:
        jury = Jury(translator, Development.prepared(translator.model, *choose, **form), metric, **work)
    write = None if metric.on_words else development.text
    decoder = SentenceDecoder(translator, shelf, write=write, distinct=not options.derivations, **work)
    showing = LearningDecoder(decoder, development)
    begun = tunable(translator, {name: translator.weights.get(name, 0.0) for name in translator.feature_names})
    sets_length = options.set_length and LENGTH in begun
    if sets_length:
        some = range(0, len(shelf), 1 + len(shelf) // _FOR_LENGTH)
        begun[LENGTH] = balancing(translator, shelf, some, development.length(some), threads, progress)
    tuning = tuner.tune(
        showing,
        development.references(metric),
        metric,
        begun,
        seed=seed,
        progress=progress,
        checkpoint=checkpoint,
        decoder="" if checkpoint is None else _fingerprint(translator, shelf, jury, options.derivations),
        **({} if jury is None else {"judge": jury}),
    )
    if not sets_length:
        return tuning
    # On a small set, short translations may gain a score that they lose on other text.
    tuned = translator.with_weights(translator.weights | tuning.weights)
    every = range(len(shelf))
    weight = balancing(tuned, shelf, every, development.length(every), threads, progress)
    return dataclasses.replace(tuning, weights=tuning.weights | {LENGTH: weight})


def check_tuning(
    translator: Translator,
    options: TuneOptions,
    lines: int,
    start: Weights | None = None,
    *,
    chosen: bool = False,
    languages: Collection[str] = (),
) -> None:
    """Raises the errors of `tune` that can be known before any work: on so many lines, with a text that rounds are
    `chosen` on or without one. The translator is to get further language models with these names."""
    chosen_metric(options)
    chosen_tuner(options)
    known = translator.induction.structure(translator.features)
    check_penalties(options.penalty, known, getattr(options.settings, "solver", "auto"))
    if options.aside:
        _check_aside(options.aside, lines, chosen)
    if options.final == "last" and (chosen or options.aside):
        raise OptionError("the last round is kept, so there is nothing to choose", hint="keep the best: final=best")
    if start is not None and not translator.model.system.hooks:
        per_model = [name for name, each in translator.declared.items() if each.per == "language model"]
        theirs = [f"{name}@{language}" for name in per_model for language in languages]
        check_weights(start, [*translator.features.names, *theirs])


def _check_aside(aside: int, lines: int, chosen: bool) -> None:
    if chosen:
        raise OptionError("rounds are chosen on one text", hint="leave out 'aside', or the text to choose on")
    set_aside(aside, range(lines))


def _listed(sources: Iterable[str | Sentence], references: References) -> _Text:
    """A text that can be read several times, whatever gives its lines."""
    refuse_text(sources, lacks="lines")
    refuse_text(references, lacks="lines")
    return list(sources), all_references(references)


def _with_aside(aside: int, sources: list[str | Sentence], references: References) -> tuple[_Text, _Text]:
    """The text to learn from, and the sentences that are set aside to choose a round on."""
    (learnt, *rest), (other, *theirs) = set_aside(aside, sources, *all_references(references))
    return (learnt, cast("list[list[str]]", rest)), (other, cast("list[list[str]]", theirs))


def _fingerprint(translator: Translator, shelf: RuleShelf, jury: Jury | None, derivations: bool) -> str:
    """A fingerprint of the decoder of a development set: the rules of its sentences with all features, the language
    models, the search options, what rounds are chosen on, and what candidates are."""
    options = [dataclasses.asdict(each) for each in (translator.rules.options, translator.search_options)]
    found = base.checksum(
        json.dumps([options, list(translator.features.names)]).encode("utf-8", "surrogatepass"), shelf.fingerprint
    )
    path = translator.model.path
    sealed = (seal(each) for each in (path / "lm", *language_paths(path)))
    judged = [] if jury is None else [jury.fingerprint]
    return " ".join([f"{found:016x}", *sealed, *judged, *(["derivations"] if derivations else [])])
