"""Cube pruning over forests: n-grams and triggers that a search did not know, against all derivations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.forest.brute import random_forest
from tests.search.test_features import (
    ALL_WEIGHTS,
    TWINS,
    Rule,
    cases,
    derivations,
    model_with,
    score_by_definition,
    search,
)

from pentaglot._core import search as core
from pentaglot._core.base import Cancellation
from pentaglot.errors import PentaglotError
from pentaglot.forest import Forest, ForestBuilder

LATER = st.sampled_from([["ngrams"], ["triggers"], ["ngrams", "triggers"]])
Case = tuple[str, list[Rule], list[int]]


def rescored(forest: Forest, chosen: list[str], pops: int = 2**31 - 1) -> Forest:
    return Forest.from_packed(core.rescored(forest.packed, forest.scores, model_with(chosen), pops), ALL_WEIGHTS)


@settings(max_examples=150, deadline=None)
@given(cases(), LATER, st.booleans())
def test_every_derivation_has_its_further_features(case: Case, chosen: list[str], early: bool) -> None:
    before = ["repeated_words"] if early else []
    forest = rescored(search(*case, before), chosen)
    assume(forest.count() < 5_000)
    expected = derivations(*case)
    assert forest.count() == len(expected)
    scores = sorted((score + score_by_definition(words, before + chosen) for score, words in expected), reverse=True)
    found = forest.kbest(min(len(expected), 30))
    assert [each.score for each in found] == pytest.approx(scores[:30], abs=1e-4)
    for each in found[:5]:
        for name in before + chosen:
            want = TWINS[name](each.words)
            assert {id_: each.features.get(id_, 0.0) for id_ in want} == pytest.approx(want, abs=1e-4)


@settings(max_examples=100, deadline=None)
@given(cases(), LATER, st.integers(1, 6))
def test_pruning_keeps_scores_true(case: Case, chosen: list[str], pops: int) -> None:
    best, most = rescored(search(*case, []), chosen, pops).viterbi(), rescored(search(*case, []), chosen).viterbi()
    assert best.score <= most.score + 1e-4
    own = [score + score_by_definition(words, chosen) for score, words in derivations(*case) if words == best.words]
    assert min(abs(best.score - score) for score in own) < 1e-4


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_any_forest(seed: int) -> None:
    """Also one with impossible edges, tails that say nothing, and nodes that nothing derives."""
    forest = random_forest(seed)
    found = core.rescored(forest.packed, forest.scores, model_with(["ngrams", "triggers"]), 2**31 - 1)
    assert Forest.from_packed(found).count() == forest.count()
    wanted = sorted(each.words for each in forest.derivations())
    assert sorted(each.words for each in Forest.from_packed(found).derivations()) == wanted


def test_what_cannot_be_rescored() -> None:
    builder = ForestBuilder()
    part, goal = builder.node(), builder.node()
    builder.edge(part, target=[4])
    builder.edge(goal, [part] * 7)
    wide, model = builder.finish(goal), model_with(["ngrams"])
    with pytest.raises(
        PentaglotError, match="an edge with 7 tails cannot be scored again: no search makes one with more than 6"
    ):
        core.rescored(wide.packed, wide.scores, model, 10)
    with pytest.raises(PentaglotError, match="at least one hypothesis"):
        core.rescored(wide.packed, wide.scores, model, 0)
    with pytest.raises(PentaglotError, match="score"):
        core.rescored(wide.packed, np.zeros(1), model, 10)
    cancelled = Cancellation()
    cancelled.cancel()
    with pytest.raises(PentaglotError, match="cancelled"):
        core.rescored(wide.packed, wide.scores, model, 10, cancelled)
