"""Minimum Bayes risk: the translation that is most like all the others, each weighted by its probability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.forest.derivation import Derivation
from pentaglot.forest.forest import Forest

__all__ = ["Choice", "linear_gain", "minimum_bayes_risk", "string_posteriors"]

Words = tuple[int, ...]
Gain = Callable[[Words, Words], float]


@dataclass(frozen=True)
class Choice:
    """The derivation chosen (the best of its string) and the mean gain of its string."""

    derivation: Derivation
    gain: float


def string_posteriors(derivations: Iterable[Derivation], scale: float = 1.0) -> dict[Words, float]:
    """Strings and their probabilities among these derivations: those of one string add up. `scale` multiplies the
    scores first; below 1 it flattens the distribution. The order is that of the derivations.

    >>> from pentaglot.forest import example_forest
    >>> posteriors = string_posteriors(example_forest().kbest(100))
    >>> len(posteriors), round(sum(posteriors.values()), 6)
    (8, 1.0)
    """
    scores: dict[Words, list[float]] = {}
    for each in derivations:
        scores.setdefault(each.words, []).append(scale * each.score)
    if not scores:
        raise PentaglotError("the forest has no derivation")
    logs = {words: float(np.logaddexp.reduce(values)) for words, values in scores.items()}
    total = float(np.logaddexp.reduce(list(logs.values())))
    return {words: float(np.exp(log - total)) for words, log in logs.items()}


def minimum_bayes_risk(
    forest: Forest, gain: Gain | None = None, *, k: int = 100, scale: float = 1.0, order: int = 4
) -> Choice:
    """Chooses among the k best derivations the string with the largest mean gain over all of them.

    `gain(hypothesis, reference)` compares two strings of word ids (any sentence metric: larger is better); that takes
    k * k calls. Without it, the linear approximation of BLEU by posterior probabilities of n-grams up to `order` is
    used (Tromble et al. 2008), which takes k. Of equal gains the more probable string wins, then the better scored.

    >>> from pentaglot.forest import example_forest
    >>> same_length = lambda hypothesis, reference: float(len(hypothesis) == len(reference))
    >>> minimum_bayes_risk(example_forest(), same_length).derivation.words
    (5, 8, 7)
    """
    derivations = forest.kbest(k)
    posteriors = string_posteriors(derivations, scale)
    best: dict[Words, Derivation] = {}
    for each in derivations:
        best.setdefault(each.words, each)
    strings = list(posteriors)
    if gain is None:
        gains = linear_gain(posteriors, order)
    else:
        shares = np.array(list(posteriors.values()))
        gains = np.array([shares @ np.array([gain(one, other) for other in strings]) for one in strings])
    chosen = max(range(len(strings)), key=lambda i: (gains[i], posteriors[strings[i]], -i))
    return Choice(best[strings[chosen]], float(gains[chosen]))


def linear_gain(
    posteriors: dict[Words, float], order: int = 4, precision: float = 0.85, ratio: float = 0.72
) -> NDArray[np.float64]:
    """For every string: -|string| / T plus the posterior probability of each of its n-grams, weighted by
    1 / (4 T p r^(n-1)), where p is a typical unigram precision, r the ratio between the precisions of successive
    orders, and T the mean length (a common factor, set so that gains are about 1)."""
    presence: dict[Words, float] = {}
    for words, share in posteriors.items():
        for gram in set(_grams(words, order)):
            presence[gram] = presence.get(gram, 0.0) + share
    typical = max(1.0, sum(share * len(words) for words, share in posteriors.items()))
    gains = []
    for words in posteriors:
        total = -len(words) / typical
        for gram in _grams(words, order):
            total += presence[gram] / (order * typical * precision * ratio ** (len(gram) - 1))
        gains.append(total)
    return np.array(gains)


def _grams(words: Sequence[int], order: int) -> list[Words]:
    return [tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1)]
