"""Lattices against a walk over all their paths."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.forest import Arc, Lattice

from .brute import seeds

many = settings(max_examples=300, deadline=None)


def random_lattice(seed: int) -> Lattice:
    chance = random.Random(seed)
    size = chance.randint(1, 6)
    arcs = []
    for _ in range(chance.randint(0, 9) if size > 1 else 0):
        start, end = sorted(chance.sample(range(size), 2))
        words = tuple(chance.randint(4, 6) for _ in range(chance.choice([0, 1, 1, 2])))
        arcs.append(Arc(start, end, words, chance.randint(-8, 0) / 4, {0: 1.0}, chance.randrange(9)))
    return Lattice(size, tuple(arcs), tuple(sorted(chance.sample(range(size), chance.randint(1, min(2, size))))))


def all_paths(lattice: Lattice) -> list[tuple[float, tuple[int, ...], tuple[int, ...]]]:
    found, open_ends = [], [(0, (), (), 0.0)]
    while open_ends:
        node, arcs, words, score = open_ends.pop()
        if node in lattice.finals:
            found.append((score, arcs, words))
        for number, arc in enumerate(lattice.arcs):
            if arc.start == node:
                open_ends.append((arc.end, (*arcs, number), words + arc.words, score + arc.score))
    return found


@many
@given(seeds)
def test_paths(seed: int) -> None:
    lattice = random_lattice(seed)
    expected = all_paths(lattice)
    found = lattice.kbest(1000)
    assert lattice.count() == len(expected)
    assert {(path.score, path.arcs, path.words) for path in found} == set(expected)
    assert [path.score for path in found] == sorted((score for score, _, _ in expected), reverse=True)
    strings = lattice.kbest(1000, distinct=True)
    assert {path.words for path in strings} == {words for _, _, words in expected} and len(strings) == len(
        {words for _, _, words in expected}
    )
    if expected:
        assert lattice.best_path() == found[0]
    else:
        with pytest.raises(PentaglotError, match="no derivation"):
            lattice.best_path()


@many
@given(seeds, st.integers(0, 8))
def test_pruning(seed: int, steps: int) -> None:
    lattice = random_lattice(seed)
    paths = all_paths(lattice)
    if not paths:
        return
    best = max(score for score, _, _ in paths)
    near = {arc for score, arcs, _ in paths if score >= best - steps / 4 for arc in arcs}
    pruned = lattice.prune(threshold=steps / 4)
    assert len(pruned.arcs) == len(near) and pruned.best_path().score == best
    inside_only = sorted((score, words) for score, arcs, words in paths if set(arcs) <= near)
    left = sorted((score, words) for score, _, words in all_paths(pruned))
    assert set(left) <= set(inside_only) and {each for each in inside_only if each[0] >= best - steps / 4} <= set(left)
    few = lattice.prune(arcs=2)
    assert few.best_path().score == best


@many
@given(seeds)
def test_longest_ways(seed: int) -> None:
    lattice = random_lattice(seed)
    lengths = lattice.longest()
    for start in range(lattice.nodes):
        expected = np.full(lattice.nodes, -1)
        open_ends = [(start, 0)]
        while open_ends:
            node, length = open_ends.pop()
            expected[node] = max(expected[node], length)
            open_ends += [(arc.end, length + len(arc.words)) for arc in lattice.arcs if arc.start == node]
        assert lengths[start].tolist() == expected.tolist()


@many
@given(seeds)
def test_splitting_words_keeps_the_paths(seed: int) -> None:
    lattice = random_lattice(seed)
    split = lattice.split_words()
    assert all(len(arc.words) <= 1 for arc in split.arcs)
    assert sorted((score, words) for score, _, words in all_paths(split)) == sorted(
        (score, words) for score, _, words in all_paths(lattice)
    )


@many
@given(st.lists(st.lists(st.integers(4, 6), max_size=4), min_size=1, max_size=8))
def test_sequences_become_the_smallest_lattice(sequences: list[list[int]]) -> None:
    lattice = Lattice.from_sequences(sequences)
    strings = [words for _, _, words in all_paths(lattice)]
    assert sorted(strings) == sorted({tuple(each) for each in sequences})
    futures = {
        frozenset(tuple(each[length:]) for each in sequences if tuple(each[:length]) == prefix)
        for length in range(5)
        for prefix in {tuple(each[:length]) for each in sequences if len(each) >= length}
    }
    assert lattice.nodes == len(futures), "as many nodes as different futures (Myhill and Nerode)"


def test_simple_makers() -> None:
    assert Lattice.from_words([4, 5, 6]).best_path().words == (4, 5, 6)
    assert Lattice.from_words([]).best_path().words == ()
    network = Lattice.from_columns([[(4, -1.0), (None, 0.0)], [(5, 0.0), (6, -0.5)]])
    assert [path.words for path in network.kbest(4)] == [(5,), (6,), (4, 5), (4, 6)]
    named = Lattice.from_arcs([Arc(30, 10, (5,)), Arc(20, 30, (4,))], start=20)
    assert named.nodes == 3 and named.best_path().words == (4, 5)


def test_bad_lattices_are_refused() -> None:
    with pytest.raises(PentaglotError, match="cycle"):
        Lattice.from_arcs([Arc(0, 1), Arc(1, 2), Arc(2, 1)])
    with pytest.raises(PentaglotError, match="start of the lattice, node 0"):
        Lattice.from_arcs([Arc(0, 1), Arc(1, 0)])
    with pytest.raises(PentaglotError, match="arc 0 goes from node 1 to node 0"):
        Lattice(2, (Arc(1, 0),), (1,))
    with pytest.raises(PentaglotError, match="final"):
        Lattice(2, (), (2,))
    with pytest.raises(PentaglotError, match="final"):
        Lattice(2, (), ())
    with pytest.raises(PentaglotError, match="twice"):
        Lattice(2, (), (1, 1))
    with pytest.raises(PentaglotError, match="column 2"):
        Lattice.from_columns([[(4, 0.0)], []])
    with pytest.raises(PentaglotError, match="at least one sequence"):
        Lattice.from_sequences([])
