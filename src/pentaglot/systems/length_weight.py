"""The weight of a word that makes translations as long as their references."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pentaglot.corpus import Sentence
from pentaglot.forest import Weights
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.systems.development import Development
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator

__all__ = ["LENGTH", "balancing", "set_length"]

LENGTH = "words"  # the feature that counts them
# Setting the length: tolerance, most weights to try, size of the first step.
_NEAR, _MOST_TRIALS, _STEP = 0.003, 10, 0.5


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
    weight = balancing(translator, shelf, range(len(shelf)), wanted, threads, progress)
    return translator.weights | {LENGTH: weight}


def balancing(
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
        best = min(best, (abs(found - 1), weight), key=lambda each: each[0])  # of equals the first: the nearest
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
