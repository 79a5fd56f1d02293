"""Tuning a system: the search on one side, a tuner on the other."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Sequence

from pentaglot import steps
from pentaglot._core import base
from pentaglot.corpus import Beside, Sentence, read_pairs
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import TuneOptions, Tuning, chosen_tuner
from pentaglot.metrics import Bleu
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.systems.decoder import SentenceDecoder, tunable
from pentaglot.systems.model import language_paths
from pentaglot.systems.prepared import words_to_search
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator

__all__ = ["read_development", "set_length", "tune"]

LENGTH = "words"  # the feature that counts them
# Length: how near is near enough, how many weights are tried, and how far the first step goes.
_NEAR, _MOST_TRIALS, _STEP = 0.003, 10, 0.5
_FOR_LENGTH = 150  # sentences: tuning finds its own length, a good one to begin with is enough


def read_development(
    paths: tuple[str | os.PathLike[str], str | os.PathLike[str]], beside: Beside | None = None
) -> tuple[list[str | Sentence], list[str]]:
    """The source lines and the references of a development set in two files; annotated sentences if there are layers or
    metadata beside them, or if the source is a treebank."""
    pairs = list(read_pairs(paths))
    if not any(pair.source.strip() for pair in pairs):
        raise PentaglotError("has nothing to tune on", path=paths[0], hint="development text needs some text")
    beside, references = beside or Beside(), [pair.target for pair in pairs]
    if beside.annotates(paths[0]):
        return [sentence for _, sentence in beside.sources(paths[0])], references
    return [pair.source for pair in pairs], references


def tune(
    translator: Translator,
    sources: Sequence[str | Sentence],
    references: Sequence[str],
    options: TuneOptions | None = None,
    *,
    tokenised: bool = False,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = SILENT,
) -> Tuning:
    """Finds weights with which the translator does well on a development set, by BLEU of its own words. Lines that
    are `tokenised` are words of the model with spaces between them, or sentences of them. Unless the options say
    otherwise, tuning begins and
    ends with a weight of words that makes translations as long as the references: a search that begins elsewhere wastes
    its first rounds on that, and may end in another place. (So the weights are those of the best round but for that
    one.) A run that is given a `checkpoint` directory goes on from what an earlier one has left there, see
    `Tuner.tune`."""
    model = translator.model
    if tokenised:
        sentences, wanted = [Sentence.of(_words(line)) for line in sources], list(references)
    else:
        sentences = [words_to_search(line, model.source_tokenizer) for line in sources]
        wanted = [" ".join(words_to_search(line, model.target_tokenizer)) for line in references]
    if len(sentences) != len(wanted) or not any(sentences):
        raise PentaglotError(
            f"the development set has {len(sentences)} source and {len(wanted)} target lines",
            hint="it needs equally many, and some text",
        )
    kept = [at for at, words in enumerate(sentences) if words]
    shelf = RuleShelf(translator, [sentences[at] for at in kept], threads=threads, progress=progress)
    decoder = SentenceDecoder(translator, shelf, threads=threads, progress=progress)
    options = options or TuneOptions()
    start = tunable(translator, {name: translator.weights.get(name, 0.0) for name in translator.feature_names})
    if options.set_length:
        some = range(0, len(shelf), 1 + len(shelf) // _FOR_LENGTH)
        start[LENGTH] = _balancing(translator, shelf, some, [wanted[kept[at]] for at in some], threads, progress)
    tuning = chosen_tuner(options, threads=threads).tune(
        decoder.kbest,
        [[wanted[at] for at in kept]],
        Bleu(tokenize="none"),
        start,
        seed=seed,
        progress=progress,
        checkpoint=checkpoint,
        decoder="" if checkpoint is None else _fingerprint(translator, shelf),
    )
    if not options.set_length:
        return tuning
    # On a small set a score may gain by brevity that costs more elsewhere.
    tuned = translator.with_weights(translator.weights | tuning.weights)
    weight = _balancing(tuned, shelf, range(len(shelf)), [wanted[at] for at in kept], threads, progress)
    return dataclasses.replace(tuning, weights=tuning.weights | {LENGTH: weight})


def set_length(
    translator: Translator,
    sources: Sequence[str | Sentence],
    references: Sequence[str],
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Weights:
    """The weights of the translator with the weight of a word changed so that translations of these tokenised lines
    are as long, in all, as their references: no metric forgives another length, and no constant suits all languages."""
    shelf = RuleShelf(translator, list(map(_words, sources)), threads=threads, progress=progress)
    weight = _balancing(translator, shelf, range(len(shelf)), references, threads, progress)
    return translator.weights | {LENGTH: weight}


def _balancing(
    translator: Translator,
    shelf: RuleShelf,
    numbers: Sequence[int],
    references: Sequence[str],
    threads: int,
    progress: Progress,
) -> float:
    """The weight of a word with which translations of some sentences are, in all, as long as their references."""
    wanted = sum(len(reference.split()) for reference in references)

    # One row for all weights that are tried; how many that will be is not known.
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
    """A weight for which a ratio that rises with it is nearly 1; the best of a few that are tried, if there is none.

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
            # By a straight line and by the middle in turn: the line alone creeps where the ratio is nearly flat.
            share = 0.5 if bisect else (1 - below[1]) / (above[1] - below[1])
            weight = below[0] + (above[0] - below[0]) * share
            bisect = not bisect
        else:
            # A weight may have to go far where the length hardly depends on it.
            step = 2 * step if step else max(-_STEP, min(_STEP, 6 * (1 - found)))
            weight += step
    return best[1]


def _words(line: str | Sentence) -> Sequence[str]:
    if isinstance(line, Sentence):
        return line
    return line.split(" ") if line else []  # other kinds of spaces may be part of a word


def _length(translator: Translator, parts: list[SentenceRules]) -> int:
    """How many words a translation has."""
    return sum(len(translator.forest(part).kbest_arrays(1, distinct=True).words) for part in parts)


def _fingerprint(translator: Translator, shelf: RuleShelf) -> str:
    """What tells one decoder of a development set from another: the rules of its sentences with all features, the
    language models, and how it searches."""
    options = [dataclasses.asdict(each) for each in (translator.rules.options, translator.search_options)]
    found = base.checksum(
        json.dumps([options, list(translator.features.names)]).encode("utf-8", "surrogatepass"), shelf.fingerprint
    )
    path = translator.model.path
    return " ".join([f"{found:016x}", *(steps.seal(each) for each in (path / "lm", *language_paths(path)))])
