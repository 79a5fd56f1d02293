"""Mixtures of models: linear interpolation into one back-off model, with weights given or found on a text."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import lm as native
from pentaglot._core.corpus import END, FIRST_WORD, NULL, START, UNKNOWN, Text, Vocabulary
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.lm.model import LanguageModel

__all__ = ["interpolate", "tune_weights"]

_LOG = logging.getLogger(__name__)


def interpolate(models: Sequence[LanguageModel], weights: Sequence[float], *, threads: int = 1) -> LanguageModel:
    """One back-off model with the n-grams of all models. Each n-gram has the weighted sum of the models' probabilities;
    the back-off weights are recomputed, so that every context sums to one. Words that a model lacks have
    probability zero in that model.

    >>> from pentaglot.corpus import encode
    >>> from pentaglot.lm import BuildOptions, build
    >>> import logging; logging.disable()
    >>> one, other = (build(*encode([text.split()]), BuildOptions(order=2)) for text in ("a b", "b c"))
    >>> interpolate([one, other], [0.5, 0.5])
    <LanguageModel of order 2: 6 1-grams, 6 2-grams>
    >>> logging.disable(logging.NOTSET)
    """
    if not models or len(models) != len(weights):
        raise OptionError(f"{len(models)} models need as many weights, not {len(weights)}")
    if not all(np.isfinite(weight) and weight >= 0 for weight in weights) or not sum(weights) > 0:
        raise OptionError("weights must not be negative, and not all zero")
    shares = [weight / sum(weights) for weight in weights]
    vocabulary = Vocabulary()
    to_mixture = []
    for model in models:
        words = model.vocabulary.words(np.arange(FIRST_WORD, len(model.vocabulary), dtype=np.uint32))
        ids = [UNKNOWN, START, END, NULL, *map(vocabulary.add, words)]
        to_mixture.append(np.array(ids, np.uint32))
    ngrams = native.mix(
        [model.native for model in models],
        [model.ngrams for model in models],
        to_mixture,
        [model.map_vocabulary(vocabulary) for model in models],
        shares,
        len(vocabulary),
        threads,
    )
    return LanguageModel(vocabulary, ngrams=ngrams, facts={"mixture": shares})


def tune_weights(
    models: Sequence[LanguageModel],
    text: Text,
    vocabulary: Vocabulary,
    *,
    iterations: int = 100,
    tolerance: float = 1e-6,
    threads: int = 1,
) -> list[float]:
    """The weights under which the mixture gives a text the highest probability, by EM from equal weights.

    Words that no model knows are left out, as they say nothing about the models.
    """
    if not models:
        raise OptionError("there are no models to weight")
    scored = [model.score(text, vocabulary, threads=threads) for model in models]
    probabilities: NDArray[np.float64] = np.stack(
        [np.where(each.unknown, 0.0, 10.0 ** each.log_probabilities.astype(np.float64)) for each in scored], axis=1
    )
    probabilities = probabilities[probabilities.sum(axis=1) > 0]
    if not len(probabilities):
        raise PentaglotError("no model knows any word of the tuning text", hint="use a text of the models' language")
    weights = np.full(len(models), 1.0 / len(models))
    for iteration in range(iterations):
        weighted = probabilities * weights
        posteriors = weighted / weighted.sum(axis=1, keepdims=True)
        new = posteriors.mean(axis=0)
        change = float(np.abs(new - weights).max())
        weights = new
        if change < tolerance:
            _LOG.info("weights found after %d iterations", iteration + 1)
            break
    return [float(weight) for weight in weights]
