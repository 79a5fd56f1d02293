"""Random small forests, and a twin of the forest room that writes out every derivation."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from pentaglot.forest import Forest, ForestBuilder, tail

FEATURES = 4
LARGEST = 150  # derivations; larger forests are thrown away

seeds = st.integers(0, 2**40)


@dataclass(frozen=True)
class Tree:
    """A derivation as the twin sees it; `ranks` are the places of its children in their nodes' sorted lists."""

    score: float
    edge: int
    ranks: tuple[int, ...]
    edges: tuple[int, ...]
    words: tuple[int, ...]


def random_forest(seed: int, *, impossible: bool = True) -> Forest:
    """A forest of up to six nodes and twelve edges. Half of them have scores with many ties; nodes are added in a
    shuffled order; some edges are impossible, some nodes have no derivation."""
    chance = random.Random(seed)
    while True:
        forest = _draw(chance, impossible)
        if _most_derivations(forest) <= LARGEST:
            return forest


def _most_derivations(forest: Forest) -> int:
    """Of any node: one that the goal cannot use has to be written out by the twin all the same."""
    counts: list[int] = []
    for node in range(forest.nodes):
        edges = forest.incoming(node)
        counts.append(sum(math.prod(counts[each] for each in forest.tails(edge)) for edge in edges))
    return max(counts)


def _draw(chance: random.Random, impossible: bool) -> Forest:
    builder, size = ForestBuilder(), chance.randint(1, 6)
    names = [builder.node(payload) for payload in range(size)]
    chance.shuffle(names)
    ties = chance.random() < 0.5
    for _ in range(chance.randint(1, 12)):
        place = chance.randrange(size)
        arity = 0 if place == 0 else min(chance.choice([0, 0, 1, 1, 2, 2, 3]), place + 1)
        tails = [names[chance.randrange(place)] for _ in range(arity)]
        target = [tail(k) for k in range(arity) if chance.random() < 0.9]
        target += [chance.randint(4, 6) for _ in range(chance.randint(0, 2))]
        chance.shuffle(target)
        chosen = chance.sample(range(FEATURES), chance.randint(0, FEATURES))
        values = {each: chance.randint(-4, 4) / 4 if ties else chance.gauss(0, 1) for each in chosen}
        builder.edge(names[place], tails, target, values, payload=chance.randrange(2**64))
    weights = [1.0, 0.5, -1.0, 0.25] if ties else [chance.gauss(0, 1) for _ in range(FEATURES)]
    forest = builder.finish(names[-1], weights=weights, trim=chance.random() < 0.5)
    if impossible and chance.random() < 0.3 and forest.edges:
        scores = forest.scores.copy()
        scores[chance.randrange(forest.edges)] = -np.inf
        forest = forest.with_scores(scores)
    return forest


def trees_of(forest: Forest) -> list[list[Tree]]:
    """All derivations of every node, from the best down, in the order that the room promises."""
    lists: list[list[Tree]] = []
    for node in range(forest.nodes):
        trees = []
        for edge in forest.incoming(node):
            if np.isneginf(forest.scores[edge]):
                continue
            tails = forest.tails(edge)
            for children in itertools.product(*(enumerate(lists[each]) for each in tails)):
                score = float(forest.scores[edge])
                for _, child in children:
                    score += child.score
                words: list[int] = []
                for symbol in forest.template(edge):
                    words += [symbol] if symbol >= 0 else children[-1 - symbol][1].words
                below = tuple(itertools.chain.from_iterable(child.edges for _, child in children))
                ranks = tuple(rank for rank, _ in children)
                trees.append(Tree(score, edge, ranks, (edge, *below), tuple(words)))
        lists.append(sorted(trees, key=lambda tree: (-tree.score, tree.edge, tree.ranks)))
    return lists


def goal_trees(forest: Forest) -> list[Tree]:
    return trees_of(forest)[forest.goal]


def vector_of(forest: Forest, tree: Tree) -> np.ndarray:
    total = np.zeros(FEATURES)
    for edge in tree.edges:
        for feature, value in forest.local_vector(edge).items():
            total[feature] += value
    return total


def probabilities(trees: list[Tree]) -> np.ndarray:
    scores = np.array([tree.score for tree in trees])
    shares = np.exp(scores - scores.max())
    return shares / shares.sum()
