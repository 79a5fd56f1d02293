"""Derivations: their shape, their words, and the vectors their score is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from pentaglot._core import forest as core
from pentaglot.errors import PentaglotError
from pentaglot.forest import example_forest

from .brute import FEATURES, goal_trees, random_forest, seeds, vector_of


@settings(max_examples=300, deadline=None)
@given(seeds)
def test_vectors_and_shape(seed: int) -> None:
    forest = random_forest(seed)
    for derivation, tree in zip(forest.kbest(20), goal_trees(forest), strict=False):
        vectors = derivation.local_vectors()
        assert len(vectors) == len(derivation) == len(tree.edges)
        for edge, (ids, values) in zip(tree.edges, vectors, strict=True):
            assert dict(zip(ids.tolist(), values.tolist(), strict=True)) == forest.local_vector(edge)
        total = np.zeros(FEATURES)
        total[list(derivation.features)] = list(derivation.features.values())
        assert np.allclose(total, vector_of(forest, tree))
        for place, edge in enumerate(tree.edges):
            children = derivation.children(place)
            assert [int(forest.packed.heads[tree.edges[each]]) for each in children] == forest.tails(edge)
        assert sorted(child for place in range(len(tree.edges)) for child in derivation.children(place)) == list(
            range(1, len(tree.edges))
        )
        assert derivation.payloads.tolist() == [int(forest.packed.edge_payloads[edge]) for edge in tree.edges]


def test_what_is_no_derivation_is_refused() -> None:
    packed = example_forest().packed
    for edges in ([], [4], [4, 3, 1], [4, 1, 3, 3], [99]):
        with pytest.raises(PentaglotError, match="derivation"):
            core.shape(packed, np.array(edges, np.uint32))
    with pytest.raises(PentaglotError, match="offsets"):
        core.words(packed, np.array([0, 9], np.uint64), np.array([4, 1, 3], np.uint32))
    with pytest.raises(IndexError):
        example_forest().viterbi().children(3)
