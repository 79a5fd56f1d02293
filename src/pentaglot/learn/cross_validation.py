"""Settings of a learner chosen on sentences that it does not learn from."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.learn.losses import find_loss
from pentaglot.learn.priced_forest import ForestSpace
from pentaglot.learn.problem import Problem
from pentaglot.wording import number_of

if TYPE_CHECKING:
    from pentaglot.learn.learners import LossLearner

__all__ = ["check_folds", "cross_validated"]

_SCALES, _STRENGTHS = (0.3, 1.0, 3.0), (0.1, 1.0, 10.0)  # times what they would be


def check_folds(folds: int, sentences: int | None = None) -> None:
    """Raises an error if sentences, of which there may be any number, cannot be cut into so many parts; 0 is none."""
    if folds == 1 or (sentences is not None and folds > sentences):
        hint = "use 5, and at least as many sentences"
        raise OptionError(f"sentences cannot be cut into {number_of(folds, 'part')} to choose settings on", hint=hint)


def cross_validated(learner: LossLearner, problem: Problem) -> LossLearner:
    """The learner with the scale of costs (alpha) and the strength of the penalty (C) that do best on sentences that
    were not learnt from: every sentence is in one of its `folds`, and is translated from its list with the weights
    learnt on the others. The score is the metric's, of all sentences together; among equals, the setting nearest to the
    learner's own."""
    check_folds(learner.folds, problem.lists.sentence_count)
    usual = find_loss(learner.loss).scale if learner.scale is None else learner.scale
    grid = sorted(itertools.product(_SCALES, _STRENGTHS), key=lambda each: abs(np.log(each[0])) + abs(np.log(each[1])))
    parts = np.arange(problem.lists.sentence_count) % learner.folds
    space = None if learner.space == "lists" else _forests(learner, problem)

    def judged(scale: float, strength: float) -> float:
        chosen = replace(learner, scale=scale * usual, strength=strength * learner.strength, folds=0)
        best = []
        for part in range(learner.folds):
            others = replace(problem, lists=problem.lists.of_sentences(parts != part))
            if space is not None:
                others = replace(others, forests=partial(_of_sentences, space, parts != part))
            left = problem.lists.of_sentences(parts == part)
            best.append(left.statistics[left.best(chosen.optimised(others))])
        score = problem.metric.score(np.concatenate(best))
        return score if problem.metric.higher_is_better else -score

    scale, strength = max(grid, key=lambda each: judged(*each))
    return replace(learner, scale=scale * usual, strength=strength * learner.strength, folds=0)


def _forests(learner: LossLearner, problem: Problem) -> ForestSpace:
    """The forests of all sentences, with costs as they are."""
    if problem.forests is None:
        raise OptionError("the decoder gives only lists, no forests", hint="leave out 'space'")
    return problem.forests(learner.edges, 1.0)


def _of_sentences(space: ForestSpace, chosen: NDArray[np.bool_], edges: int, scale: float) -> ForestSpace:
    """The forests of the chosen sentences only, with costs times a factor."""
    del edges  # they are pruned already
    priced = [replace(each, costs=scale * each.costs) for each, kept in zip(space.priced, chosen, strict=True) if kept]
    return replace(space, priced=priced)
