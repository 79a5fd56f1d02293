"""Stack decoders' forests become lattices with the same strings and scores."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.forest import Forest, ForestBuilder, tail

from .brute import seeds


def recombination_graph(seed: int, left: bool) -> Forest:
    chance, builder = random.Random(seed), ForestBuilder()
    nodes = [builder.node() for _ in range(chance.randint(1, 6))]
    for place, node in enumerate(nodes):
        for _ in range(chance.randint(1, 3)):
            words = [chance.randint(4, 6) for _ in range(chance.randint(0, 3))]
            below = [] if place == 0 or chance.random() < 0.2 else [nodes[chance.randrange(place)]]
            target = words + [tail(0)] * len(below) if left else [tail(0)] * len(below) + words
            builder.edge(node, below, target, {1: chance.randint(-4, 0) / 4}, chance.randrange(99))
    return builder.finish(nodes[-1], weights=[0, 1])


@settings(max_examples=300, deadline=None)
@given(seeds, st.booleans())
def test_same_strings_and_scores(seed: int, left: bool) -> None:
    forest = recombination_graph(seed, left)
    lattice = forest.to_lattice()
    expected = sorted((each.score, each.words) for each in forest.derivations())
    assert sorted((path.score, path.words) for path in lattice.kbest(10**5)) == expected
    assert [arc.payload for arc in lattice.arcs] == forest.packed.edge_payloads.tolist()
    assert [dict(arc.features) for arc in lattice.arcs] == [forest.local_vector(e) for e in range(forest.edges)]


def _one_edge(target: list[int], tails: int = 1) -> Forest:
    builder = ForestBuilder()
    below, goal = builder.node(), builder.node()
    builder.edge(below, target=[4])
    builder.edge(goal, [below] * tails, target)
    return builder.finish(goal)


def test_other_forests_are_refused() -> None:
    with pytest.raises(PentaglotError, match="edge 1 has 2 tails"):
        _one_edge([tail(0), tail(1)], 2).to_lattice()
    with pytest.raises(PentaglotError, match="edge 1 adds words on both sides"):
        _one_edge([5, tail(0), 6]).to_lattice()
    with pytest.raises(PentaglotError, match="leaves out the words"):
        _one_edge([5]).to_lattice()
    builder = ForestBuilder()
    one, two, goal = builder.node(), builder.node(), builder.node()
    builder.edge(one, target=[4])
    builder.edge(two, [one], [5, tail(0)])
    builder.edge(goal, [two], [tail(0), 6])
    with pytest.raises(PentaglotError, match="some edges add words on the left and some on the right"):
        builder.finish(goal).to_lattice()
