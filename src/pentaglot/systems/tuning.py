"""Tuning a system: the search on one side, a tuner on the other."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence

import numpy as np

from pentaglot import steps
from pentaglot._core import base
from pentaglot.corpus import read_pairs
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import Candidate, TuneOptions, Tuning, chosen_tuner
from pentaglot.metrics import Bleu
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.search import DEFAULT_WEIGHTS, Cancellation
from pentaglot.systems.ordered import in_order
from pentaglot.systems.segments import split_words
from pentaglot.systems.translation import join_hypotheses
from pentaglot.systems.translator import Translator

__all__ = ["read_development", "tune"]


def read_development(paths: tuple[str | os.PathLike[str], str | os.PathLike[str]]) -> tuple[list[str], list[str]]:
    """The source lines and the references of a development set in two files."""
    pairs = list(read_pairs(paths))
    if not any(pair.source.strip() for pair in pairs):
        raise PentaglotError("has nothing to tune on", path=paths[0], hint="development text needs some text")
    return [pair.source for pair in pairs], [pair.target for pair in pairs]


def tune(
    translator: Translator,
    sources: Sequence[str],
    references: Sequence[str],
    options: TuneOptions | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = SILENT,
) -> Tuning:
    """Finds weights with which the translator does well on a development set, by BLEU of its own words. A run that is
    given a `checkpoint` directory goes on from what an earlier one has left there, see `Tuner.tune`."""
    model = translator.model
    sentences = model.source_tokenizer.tokenise_all(list(sources))
    wanted = [" ".join(words) for words in model.target_tokenizer.tokenise_all(list(references))]
    if len(sentences) != len(wanted) or not any(sentences):
        raise PentaglotError(
            f"the development set has {len(sentences)} source and {len(wanted)} target lines",
            hint="it needs equally many, and some text",
        )
    kept = [at for at, words in enumerate(sentences) if words]
    rules = _rules(translator, [sentences[at] for at in kept], threads, progress)

    def decode(weights: Weights, size: int) -> list[list[Candidate]]:
        searching, unwanted = translator.with_weights(weights), Cancellation()

        def candidates(parts: list[SentenceRules]) -> list[Candidate]:
            found = join_hypotheses([searching.hypotheses(part, size, cancellation=unwanted) for part in parts], size)
            return [Candidate(" ".join(each.words), _tunable(each.features)) for each in found]

        with progress.task("translating the development set", total=len(rules), unit="sentences") as task:
            lists = []
            for found in in_order(candidates, rules, threads, unwanted.cancel):
                lists.append(found)
                task.advance()
            return lists

    start = _tunable({name: translator.weights.get(name, 0.0) for name in translator.feature_names})
    return chosen_tuner(options, threads=threads).tune(
        decode,
        [[wanted[at] for at in kept]],
        Bleu(tokenize="none"),
        start,
        seed=seed,
        progress=progress,
        checkpoint=checkpoint,
        decoder="" if checkpoint is None else _fingerprint(translator, rules),
    )


def _rules(
    translator: Translator, sentences: list[list[str]], threads: int, progress: Progress
) -> list[list[SentenceRules]]:
    """The rules of every sentence, which do not depend on the weights: they are looked up once. A sentence that is very
    long is translated in parts, as always."""
    with progress.task("looking up rules", total=len(sentences)) as task:
        parts = [split_words(words, translator.longest) for words in sentences]
        found = []
        for rules in in_order(lambda each: [translator.rules.rules(part) for part in each], parts, threads):
            found.append(rules)
            task.advance()
        return found


def _fingerprint(translator: Translator, rules: list[list[SentenceRules]]) -> str:
    """What tells one decoder of a development set from another: the rules of its sentences with all features, the
    language model, and how it searches."""
    options = [dataclasses.asdict(each) for each in (translator.rules.options, translator.search_options)]
    found = base.checksum(json.dumps([options, list(translator.features.names)]).encode("utf-8", "surrogatepass"))
    for sentence in rules:
        for part in sentence:
            found = base.checksum("\n".join(part.words).encode("utf-8", "surrogatepass"), found)
            columns = [part.table.feature(each) for each in part.table.feature_ids.tolist()]
            for array in (part.table.rule_offsets, part.table.target_symbols, *columns, part.table.reordering):
                found = base.checksum(np.ascontiguousarray(array).reshape(-1).view(np.uint8), found)
    return f"{found:016x} {steps.seal(translator.model.path / 'lm')}"


def _tunable(features: Mapping[str, float]) -> dict[str, float]:
    """Without what a tuner must not touch: that an added sentence is translated as it was added, that words are used
    which somebody has given."""
    return {name: value for name, value in features.items() if name not in ("remembered", *DEFAULT_WEIGHTS)}
