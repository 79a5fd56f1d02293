"""Word lattices against all their paths: the best of a lattice is the best of the sentences that it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search.grammars import (
    INPUT,
    WEIGHTS,
    WORDS,
    Rule,
    chart_options,
    grammars,
    search_model,
    stack_options,
    table_of,
)

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

Arc = tuple[int, int, int]


@dataclass(frozen=True)
class Words:
    """A lattice, and what every arc is worth."""

    nodes: int
    arcs: dict[Arc, float]

    @property
    def native(self) -> core.Input:
        return core.lattice(self.nodes, list(self.arcs), list(self.arcs.values()))

    def paths(self) -> list[tuple[list[int], float]]:
        found, waiting = [], [([], 0, 0.0)]
        while waiting:
            words, node, score = waiting.pop()
            if node == self.nodes - 1:
                found.append((words, score))
            for (start, end, word), more in self.arcs.items():
                if start == node:
                    waiting.append(([*words, word], end, score + more))  # type: ignore[list-item]
        return found  # type: ignore[return-value]


@st.composite
def lattices(draw: st.DrawFn, most: int = 6) -> Words:
    nodes = draw(st.integers(2, most))
    starts = st.integers(0, nodes - 2)
    scores = st.integers(-8, 0).map(lambda n: n / 4)
    arcs: dict[Arc, float] = {}
    for _ in range(draw(st.integers(1, 2 * most))):
        start = draw(starts)
        arcs[start, draw(st.integers(start + 1, nodes - 1)), draw(st.sampled_from(WORDS))] = draw(scores)
    made = Words(nodes, arcs)
    assume(made.paths())
    return made


Case = tuple[str, list[Rule], dict[str, int]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    if draw(st.booleans()):
        limits = {"max_span": draw(st.integers(1, 5)), "min_gap": draw(st.integers(1, 3))}
        return "chart", draw(grammars()), limits | {"growing": draw(st.booleans())}
    rules = draw(grammars(gaps=0, reordering=draw(st.booleans())))
    return "stack", rules, {"max_span": draw(st.integers(1, 3)), "distortion_limit": draw(st.integers(0, 4))}


def search(case: Case, words: core.Input) -> Forest:
    name, rules, options = case
    if name == "chart":
        found = core.search_chart(words, table_of(rules), search_model(True), chart_options(**options))
    else:
        found = core.search_stacks(words, table_of(rules), search_model(True), stack_options(**options))
    assert found[0] is not None and not found[1]
    return Forest.from_packed(found[0], WEIGHTS)


def sentence(words: list[int]) -> core.Input:
    return core.sentence(np.array(words, np.uint32))


@settings(max_examples=400, deadline=None)
@given(cases(), lattices())
def test_the_best_of_a_lattice_is_the_best_of_its_paths(case: Case, lattice: Words) -> None:
    paths = lattice.paths()
    alone = [(search(case, sentence(words)), score) for words, score in paths]
    assume(sum(forest.count() for forest, _ in alone) < 20_000)
    forest = search(case, lattice.native)
    scores = [each.score + WEIGHTS[INPUT] * score for whole, score in alone for each in whole.kbest(20)]
    scores.sort(reverse=True)
    found = [each.score for each in forest.kbest(20)]
    assert found[0] == pytest.approx(scores[0], abs=1e-4)
    if case[0] == "chart":  # stacks take the same words between the same nodes for one
        assert forest.count() == sum(whole.count() for whole, _ in alone)
        assert found == pytest.approx(scores[: len(found)], abs=1e-4)


@settings(max_examples=100, deadline=None)
@given(cases(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.data())
def test_one_path_is_its_sentence(case: Case, words: list[int], data: st.DataObject) -> None:
    """However the nodes are numbered, and whatever leads nowhere beside it."""
    nodes = sorted(data.draw(st.sets(st.integers(1, 12), min_size=len(words) - 1, max_size=len(words) - 1)))
    ends = [0, *nodes, 13]
    arcs = dict.fromkeys(zip(ends[:-1], ends[1:], words, strict=True), 0.0)
    lost = data.draw(st.integers(1, 12))
    if lost not in nodes:
        arcs[0, lost, WORDS[0]] = 0.0
    lattice, alone = search(case, Words(14, arcs).native), search(case, sentence(words))
    assert lattice.count() == alone.count()
    best, wanted = lattice.viterbi(), alone.viterbi()
    assert (best.words, best.score) == (wanted.words, pytest.approx(wanted.score, abs=1e-5))


@settings(max_examples=150, deadline=None)
@given(cases(), lattices(), st.data())
def test_a_worthless_arc_changes_nothing(case: Case, lattice: Words, data: st.DataObject) -> None:
    before = search(case, lattice.native)
    start = data.draw(st.integers(0, lattice.nodes - 2))
    arc = start, data.draw(st.integers(start + 1, lattice.nodes - 1)), data.draw(st.sampled_from(WORDS))
    assume(arc not in lattice.arcs)
    more = search(case, Words(lattice.nodes, lattice.arcs | {arc: -100.0}).native)
    assert more.viterbi().score == pytest.approx(before.viterbi().score, abs=1e-4)
    assert more.viterbi().words == before.viterbi().words or more.viterbi().score == before.viterbi().score


def test_distortion_counts_words() -> None:
    """Jumping over one word costs one, though the node after it has number 9."""
    first, second, *_ = WORDS
    arcs = {(0, 9, first): 0.0, (9, 10, second): 0.0} | {(at, at + 1, WORDS[2]): -50.0 for at in range(9)}
    rules = [Rule((first,), (first,), -1.0), Rule((second,), (second,), -1.0), Rule((WORDS[2],), (first,), -1.0)]
    case: Case = "stack", rules, {"distortion_limit": 2}
    forest = search(case, Words(11, arcs).native)
    assert forest.viterbi().score == pytest.approx(search(case, sentence([first, second])).viterbi().score, abs=1e-5)
    orders = {each.words for each in forest.kbest(10)}
    assert {(first, second), (second, first)} <= orders


@pytest.mark.parametrize("search_name", ["chart", "stack"])
def test_long_lattices(search_name: str) -> None:
    rules = [Rule((word,), (word,), -1.0) for word in WORDS]
    places = 600
    arcs = {(at, at + 1, WORDS[at % 3]): 0.0 for at in range(places)} | {
        (at, at + 2, WORDS[3]): -0.1 for at in range(0, places, 2)
    }
    options = {"pop_limit": 20} | ({"stack_size": 20, "distortion_limit": 2} if search_name == "stack" else {})
    best = search((search_name, rules, options), Words(places + 1, arcs).native).viterbi()
    assert places // 2 <= len(best.words) <= places


def test_what_is_no_lattice() -> None:
    first = WORDS[0]
    for nodes, arcs in [(3, [(0, 1, first)]), (2, [(1, 0, first)]), (2, [(0, 2, first)]), (0, [])]:
        with pytest.raises(PentaglotError, match="lattice"):
            core.lattice(nodes, arcs)
    with pytest.raises(PentaglotError, match="more nodes than words"):
        core.lattice(2**64 - 1, [(0, 1, first)])
    rules = table_of([Rule((first,), (first,), 0.0)])
    with pytest.raises(PentaglotError, match="too long for phrase reordering; split it at 4096"):
        core.search_stacks(sentence([first] * 4097), rules, search_model(False), stack_options())
