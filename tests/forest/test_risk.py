"""Minimum Bayes risk against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from pentaglot.errors import PentaglotError
from pentaglot.forest import ForestBuilder, linear_gain, minimum_bayes_risk, string_posteriors

from .brute import goal_trees, probabilities, random_forest, seeds


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    return len(set(one) & set(other)) - abs(len(one) - len(other)) / 4


@settings(max_examples=300, deadline=None)
@given(seeds)
def test_the_choice_has_the_largest_mean_gain(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    shares = probabilities(trees)
    posteriors: dict[tuple[int, ...], float] = {}
    for tree, share in zip(trees, shares, strict=True):
        posteriors[tree.words] = posteriors.get(tree.words, 0.0) + share
    found = string_posteriors(forest.kbest(1000))
    assert found.keys() == posteriors.keys()
    assert np.allclose(list(found.values()), [posteriors[words] for words in found])
    gains = {
        one: sum(share * _overlap(one, tree.words) for tree, share in zip(trees, shares, strict=True))
        for one in posteriors
    }
    choice = minimum_bayes_risk(forest, _overlap, k=1000)
    assert np.isclose(choice.gain, max(gains.values())) and np.isclose(gains[choice.derivation.words], choice.gain)
    assert choice.derivation.score == max(tree.score for tree in trees if tree.words == choice.derivation.words)
    assert forest.minimum_bayes_risk(_overlap, k=1000).words == choice.derivation.words
    assert minimum_bayes_risk(forest, k=1000).derivation.words in posteriors


def test_linear_gain_by_hand() -> None:
    # Mean length 1.75; unigram 4 has posterior 1, unigram 5 and bigram (4, 5) have 0.75.
    gains = linear_gain({(4, 5): 0.75, (4,): 0.25}, order=2, precision=0.5, ratio=0.5)
    assert np.allclose(gains, [(-2 + (1 + 0.75) / 1 + 0.75 / 0.5) / 1.75, (-1 + 1) / 1.75])


def test_consensus_beats_the_best() -> None:
    builder = ForestBuilder()
    goal = builder.node()
    for words, score in (((9, 9, 9, 9), 0.0), ((4, 5, 6, 7), -0.1), ((4, 5, 6, 8), -0.1)):
        builder.edge(goal, target=words, features={0: score})
    forest = builder.finish(goal, weights=[1.0])
    assert forest.viterbi().words == (9, 9, 9, 9) and forest.minimum_bayes_risk().words == (4, 5, 6, 7)


def test_nothing_to_choose_from() -> None:
    builder = ForestBuilder()
    with pytest.raises(PentaglotError, match="no derivation"):
        minimum_bayes_risk(builder.finish(builder.node()))
