"""Lattices of orders that are made from the chart."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from tests.order.toy import examples, grammar, tangled

from pentaglot.order import OrderOptions, Parse, Permutation, Preorderer
from pentaglot.order.chart_lattice import chart_lattice

Span = tuple[int, int]
WORDS = ["b", "c", "d", "a", "b"]


def parses() -> list[Parse]:
    toy = grammar(examples(80), binary_states=3)
    return [tangled().parse(WORDS), *(toy.parse(words) for words, _ in examples(6, seed=7))]


@pytest.mark.parametrize("number", range(7))
def test_divisions_are_as_likely_as_the_edges_of_the_forest(number: int) -> None:
    parse = parses()[number]
    forest = parse.forest(0.0)
    spans = [(payload >> 32, payload & 0xFFFFFFFF) for payload in forest.packed.node_payloads.tolist()]
    summed: dict[tuple[Span, tuple[Span, ...]], float] = {}
    for edge, chance in enumerate(forest.marginals().tolist()):
        head, tails = int(forest.packed.heads[edge]), forest.tails(edge)
        begin, end = spans[head]
        if not tails and end - begin > 1:  # a phrase
            key: tuple[Span, tuple[Span, ...]] = ((begin, end), ())
        elif len(tails) > 1:
            key = ((begin, end), tuple(spans[tails[-1 - symbol]] for symbol in forest.template(edge)))
        else:
            continue
        summed[key] = summed.get(key, 0.0) + chance
    divisions = parse.divisions(1e-5)
    found = {(each.span, each.parts): each.probability for each in divisions}
    assert len(found) == len(divisions), "12, 01 and 10 are one way to divide a stretch"
    likely = {key: chance for key, chance in summed.items() if chance >= 1e-3}
    assert found.keys() >= likely.keys() and likely
    for key, chance in likely.items():
        assert found[key] == pytest.approx(chance, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("number", range(7))
def test_all_likely_orders_are_there(number: int) -> None:
    """Every order of a tree of likely divisions is a path, and every path is an order, worth the pairs put wrong."""
    parse = parses()[number]
    size = len(parse.words)
    ways: dict[Span, list[tuple[Span, ...]]] = {}
    for each in parse.divisions(0.0625):
        ways.setdefault(each.span, []).append(each.parts)

    def orders(span: Span) -> set[tuple[int, ...]]:
        found: set[tuple[int, ...]] = set()
        for parts in ways.get(span, [()]):
            if not parts:
                found.add(tuple(range(*span)))
                continue
            for chosen in product(*(orders(part) for part in parts)):
                found.add(sum(chosen, ()))
        return found

    assert not parse.glued
    lattice = parse.lattice(5000)
    scores = {path.words: path.score for path in lattice.kbest(200_000)}
    assert scores.keys() >= orders((0, size)) | {parse.best_order(0).order, tuple(range(size))}
    for order, score in list(scores.items())[:50]:
        assert sorted(order) == list(range(size))
        wrong = sum(parse.before[order[y], order[x]] for x in range(size) for y in range(x + 1, size))
        assert score == pytest.approx(-wrong, abs=1e-5)


def test_the_lattice_is_bounded() -> None:
    sizes = []
    parse = tangled().parse(WORDS * 6)
    for arcs in (10, 100, 1000):
        lattice = parse.lattice(arcs)
        usual = {parse.best_order(0).order, tuple(range(30))}
        assert usual <= {path.words for path in lattice.kbest(100_000)}
        assert len(lattice.arcs) <= max(arcs, 60)
        sizes.append(len(lattice.arcs))
    assert sizes[0] < sizes[1] < sizes[2]


def test_a_glued_sentence_keeps_its_pieces_in_order() -> None:
    made = tangled()
    words = next(each for each in (["q"] * n + WORDS for n in range(1, 9)) if made.parse(each).glued)
    parse = made.parse(words)
    ends = [end for _, end in parse._sums.pieces]
    assert ends[-1] == len(words) and len(ends) > 1
    for path in parse.lattice().kbest(100):
        for begin, end in pairwise([0, *ends]):
            assert sorted(path.words[begin:end]) == list(range(begin, end))


def test_a_preorderer_makes_them() -> None:
    made = tangled()
    preorderer = Preorderer(made, OrderOptions(lattice_from="chart", arcs=50))
    assert preorderer.lattice(WORDS) == made.parse(WORDS).lattice(50)
    assert preorderer.lattice(WORDS, 1).count() == 1
    assert chart_lattice([], [(0, 2)], np.full((2, 2), 0.5)).count() == 1
    typed = chart_lattice([], [(0, 2)], np.full((2, 2), 0.5), [Permutation((1, 0))])
    assert {path.words for path in typed.kbest(9)} == {(0, 1), (1, 0)}
