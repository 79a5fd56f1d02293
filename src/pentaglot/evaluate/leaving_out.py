"""BEER on languages that it was not trained on: train without one language, measure on it, for each in turn.

If settings are to be chosen as well, each language must be left out of the choice, too, or its scores flatter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.evaluate.agreement import segment_tau
from pentaglot.evaluate.beer_training import (
    BeerOptions,
    TrainingSet,
    best_weights,
    check_preferences,
    frequent_words,
    training_set,
)
from pentaglot.evaluate.judgments import Judged, language_pair
from pentaglot.metrics.beer_features import BeerFeatures
from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.beer_templates import TEMPLATES
from pentaglot.metrics.scaling import Scaling
from pentaglot.options import checked
from pentaglot.progress import SILENT, Progress, Task

__all__ = ["LeftOut", "language_groups", "leave_out"]

Scores = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """For each test set, the scores of its translations by the model that was trained without its language, and with
    which options it was trained."""

    scores: tuple[Scores, ...]
    chosen: Mapping[str, BeerOptions]  # by group of test sets


def language_groups(names: Sequence[str]) -> dict[str, list[int]]:
    """Test sets that must be left out together: both directions of a language pair, named such as `wmt15.cs-en`. A set
    without such a name is a group by itself.

    >>> language_groups(["wmt15.cs-en", "wmt15.en-cs", "wmt15.de-en", "mine"])
    {'cs-en': [0, 1], 'de-en': [2], 'mine': [3]}
    """
    groups: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        pair = language_pair(name)
        groups.setdefault("-".join(sorted(pair)) if pair else name, []).append(number)
    return groups


def leave_out(
    judged: Sequence[Judged], settings: Sequence[BeerOptions], *, threads: int = 1, progress: Progress = SILENT
) -> LeftOut:
    """Scores of translations by models that were trained on all other languages. Of several settings, the best ones
    for each language are chosen by doing the same once more among the other languages."""
    judged, settings = list(judged), [checked(each) for each in settings]
    if not settings:
        raise PentaglotError("there are no settings to train with", hint="give at least one")
    groups = language_groups([each.name for each in judged])
    least = 3 if len(settings) > 1 else 2
    if len(groups) < least:
        raise PentaglotError(
            f"there must be at least {least} groups of test sets to leave out, not {len(groups)}",
            hint="give rankings of more languages, and call sets by their languages: cs-en",
        )
    trials = len(settings) * (len(groups) - 1) if len(settings) > 1 else 0
    scores: list[Scores] = [np.empty(0)] * len(judged)
    chosen = {}
    with progress.task("leaving out", total=len(groups) * (trials + 1), unit="trainings") as task:
        known = _Known(judged, threads, task)
        for name, own in groups.items():
            others = {key: each for key, each in groups.items() if key != name}
            options = settings[0]
            if len(settings) > 1:
                options = settings[int(np.argmax([known.mean_tau(each, others) for each in settings]))]
            chosen[name] = options
            for number, found in known.scores(options, [at for each in others.values() for at in each], own).items():
                scores[number] = found
    return LeftOut(tuple(scores), chosen)


class _Known:
    """Test sets in numbers, computed once for each kind of features."""

    def __init__(self, judged: Sequence[Judged], threads: int, task: Task) -> None:
        self._judged, self._threads, self._task = judged, threads, task
        self._sets: dict[tuple[BeerFeatures, bool, str], list[TrainingSet]] = {}
        self._counts: dict[tuple[BeerFeatures, int], tuple[Scores, Scores]] = {}
        # Of two languages that are left out, one by the choice and one by a trial, it does not matter which is which.
        self._weights: dict[tuple[BeerOptions, tuple[int, ...]], Scores] = {}

    def mean_tau(self, options: BeerOptions, groups: Mapping[str, list[int]]) -> float:
        """The mean over all sets, each by the model trained on the other groups."""
        taus = []
        for name, own in groups.items():
            others = [at for key, each in groups.items() if key != name for at in each]
            found = self.scores(options, others, own)
            taus += [segment_tau(scores, self._judged[at]) for at, scores in found.items()]
        return float(np.mean(taus))

    def scores(self, options: BeerOptions, others: Sequence[int], own: Sequence[int]) -> dict[int, Scores]:
        """Train on some sets, and score the translations of others."""
        features = options.features
        fresh = TEMPLATES[features.template].order  # whose function words are those of the sets trained on
        if fresh:
            words = frequent_words([self._judged[at] for at in others], options)
            features = replace(features, function_words=words)
        key = (options, tuple(sorted(others)))
        if key not in self._weights:
            sets = [self._set(at, features, options, fresh) for at in key[1]]
            check_preferences(sets, options)
            self._weights[key] = best_weights(sets, features, options)
        weights = self._weights[key]
        model = BeerModel(features, tuple(weights.tolist()), Scaling())
        found = {}
        for at in own:
            each = self._judged[at]
            if (features, at) not in self._counts:
                counts = features.counts(each.hypotheses, each.references, threads=self._threads)
                rows = features.from_counts(counts), features.copies(counts, of_either=features.sides_are_alike)
                if fresh:
                    found[at] = model.scaling.scores(rows[0] @ weights, rows[1] @ weights)
                    continue
                self._counts[features, at] = rows
            found[at] = model.scaling.scores(*(rows @ weights for rows in self._counts[features, at]))
        self._task.advance()
        return found

    def _set(self, at: int, features: BeerFeatures, options: BeerOptions, fresh: bool) -> TrainingSet:
        if fresh:
            return training_set(self._judged[at], features, options, self._threads)
        key = (features, options.repeated, options.objective)
        if key not in self._sets:
            self._sets[key] = [training_set(each, features, options, self._threads) for each in self._judged]
        return self._sets[key][at]
