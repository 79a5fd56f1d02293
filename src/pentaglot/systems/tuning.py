"""Tuning a system: the search on one side, a tuner on the other."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import Candidate, TuneOptions, Tuning, chosen_tuner
from pentaglot.metrics import Bleu
from pentaglot.progress import SILENT, Progress
from pentaglot.search import DEFAULT_WEIGHTS
from pentaglot.systems.translator import Translator

__all__ = ["tune"]


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
    """Finds weights with which the translator does well on a development set, by BLEU of its own words."""
    model = translator.model
    sentences = [words[: translator.longest] for words in model.source_tokenizer.tokenise_all(list(sources))]
    wanted = [" ".join(words) for words in model.target_tokenizer.tokenise_all(list(references))]
    if len(sentences) != len(wanted) or not any(sentences):
        raise PentaglotError(
            f"the development set has {len(sentences)} source and {len(wanted)} target lines",
            hint="it needs equally many, and some text",
        )
    kept = [at for at, words in enumerate(sentences) if words]
    # The rules of a sentence do not depend on the weights: they are looked up once.
    with ThreadPoolExecutor(threads) as pool, progress.task("looking up rules", total=len(kept)) as task:
        rules = []
        for found in pool.map(translator.rules.rules, (sentences[at] for at in kept)):
            rules.append(found)
            task.advance()

    def decode(weights: Weights, size: int) -> list[list[Candidate]]:
        searching = translator.with_weights(weights)
        with (
            ThreadPoolExecutor(threads) as pool,
            progress.task("translating the development set", total=len(rules), unit="sentences") as task,
        ):
            lists = []
            for hypotheses in pool.map(lambda each: searching.hypotheses(each, size), rules):
                lists.append([Candidate(" ".join(each.words), _tunable(each.features)) for each in hypotheses])
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
    )


def _tunable(features: Mapping[str, float]) -> dict[str, float]:
    """Without what a tuner must not touch: that an added sentence is translated as it was added, that words are used
    which somebody has given."""
    return {name: value for name, value in features.items() if name not in ("remembered", *DEFAULT_WEIGHTS)}
