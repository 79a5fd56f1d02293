"""Labels, span filters, signatures and rules of one gap: the chart searches against all derivations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.search.grammars import (
    GLUE,
    INPUT,
    WEIGHTS,
    WORDS,
    Rule,
    chart_options,
    grammars,
    labelled_grammars,
    language_score,
    search_model,
    stack_options,
    table_of,
)
from tests.search.lines import LABELS, chart_cases
from tests.search.test_lattices import Words, lattices
from tests.search.twins import Derived, Labels, Line, agree, bytes_of, derived_by_chart, derived_by_stacks

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot.forest import Forest

Case = tuple[list[Rule], Line, Labels]
LIMITS = st.fixed_dictionaries({"max_span": st.integers(1, 5), "min_gap": st.integers(1, 3)})


def run(case: Case, language: bool = True, constraint: core.TargetConstraint | None = None, **options: object):  # type: ignore[no-untyped-def]
    rules, line, labels = case
    how = chart_options(**labels.options, **options)
    return core.search_chart(line.native, table_of(rules), search_model(language), how, constraint=constraint)


@settings(max_examples=400, deadline=None)
@given(chart_cases(), st.booleans(), LIMITS)
def test_finds_every_derivation(case: Case, growing: bool, limits: dict[str, int]) -> None:
    expected = derived_by_chart(*case, **limits)[-1]
    assume(len(expected) < 2_000)
    if not expected:
        with pytest.raises(PentaglotError, match="no rules cover the input"):
            run(case, growing=growing, **limits)
        return
    agree(Forest.from_packed(run(case, growing=growing, **limits)[0], WEIGHTS), expected)


@settings(max_examples=200, deadline=None)
@given(chart_cases(), st.booleans(), st.randoms(use_true_random=False))
def test_constrained(case: Case, open_end: bool, dice) -> None:  # type: ignore[no-untyped-def]
    rows = derived_by_chart(*case)
    assume(0 < len(rows[-1]) < 2_000)
    words = dice.choice(rows[-1])[1]
    must = words[: dice.randrange(len(words) + 1)] if open_end else words
    expected = [each for each in rows[-1] if each[1][: len(must)] == must and (open_end or each[1] == must)]
    packed, limited, _, reached = run(case, True, core.TargetConstraint([[word] for word in must], open_end))
    assert not limited and reached == len(must)
    agree(Forest.from_packed(packed, WEIGHTS), expected)


@settings(max_examples=100, deadline=None)
@given(chart_cases(), st.integers(1, 4), st.booleans())
def test_small_beams_keep_to_the_rules(case: Case, pops: int, growing: bool) -> None:
    expected = derived_by_chart(*case)[-1]
    assume(0 < len(expected) < 2_000)
    best = Forest.from_packed(run(case, pop_limit=pops, growing=growing)[0], WEIGHTS).viterbi()
    own = [float(WEIGHTS @ values) + language_score(words) for values, words in expected if words == best.words]
    assert min(abs(best.score - score) for score in own) < 1e-4


@dataclass(frozen=True)
class Filtered:
    """A lattice in which some spans between nodes may be constituents, with some labels."""

    lattice: Words
    spans: NDArray[np.bool_]
    labels: frozenset[tuple[int, int, int]]

    @property
    def native(self) -> core.Input:
        rows = np.array(sorted(self.labels), np.uint32).reshape(-1, 3)
        arcs = self.lattice.arcs
        return core.lattice(self.lattice.nodes, list(arcs), list(arcs.values()), {}, self.spans, rows)

    def lines(self) -> list[tuple[Line, float]]:
        """Every path, with the spans and labels of the nodes that it goes through, and its score."""
        found = []
        for path, score in paths(self.lattice):
            nodes = [0, *(end for _, end, _ in path)]
            inside = list(combinations(range(len(nodes)), 2))
            allowed = frozenset(pair for pair in inside if self.spans[nodes[pair[0]], nodes[pair[1]]])
            labels = frozenset((*pair, each) for pair in inside for each in range(3) if self._has(nodes, pair, each))
            found.append((Line(tuple(word for *_, word in path), allowed=allowed, labels=labels), score))
        return found

    def _has(self, nodes: list[int], pair: tuple[int, int], label: int) -> bool:
        return (nodes[pair[0]], nodes[pair[1]], label) in self.labels


@st.composite
def filtered(draw: st.DrawFn) -> Filtered:
    lattice = draw(lattices(5))
    size = lattice.nodes
    spans = np.array(draw(st.lists(st.integers(0, 4), min_size=size**2, max_size=size**2))) > 0
    every = [(*pair, label) for pair in combinations(range(size), 2) for label in range(3)]
    labels = frozenset(every) - draw(st.frozensets(st.sampled_from(every), max_size=8))
    return Filtered(lattice, spans.reshape(size, size), labels)


def scored(derived: Sequence[Derived], input_score: float) -> list[tuple[float, tuple[int, ...]]]:
    more = float(WEIGHTS[INPUT]) * input_score
    return [(float(WEIGHTS @ values) + more + language_score(words), words) for values, words in derived]


@settings(max_examples=150, deadline=None)
@given(labelled_grammars(), filtered(), LABELS, st.booleans(), LIMITS)
def test_lattices(rules: list[Rule], given: Filtered, labels: Labels, growing: bool, limits: dict[str, int]) -> None:
    """What a lattice derives is what its paths derive."""
    expected = [
        each
        for line, score in given.lines()
        for each in scored(derived_by_chart(rules, line, labels, **limits)[-1], score)
    ]
    assume(len(expected) < 2_000)
    options = chart_options(growing=growing, **limits, **labels.options)
    if not expected:
        with pytest.raises(PentaglotError, match="no rules cover the input"):
            core.search_chart(given.native, table_of(rules), search_model(True), options)
        return
    packed, *_ = core.search_chart(given.native, table_of(rules), search_model(True), options)
    found = Forest.from_packed(packed, WEIGHTS).kbest(len(expected) + 1)
    assert [each.score for each in found] == pytest.approx(sorted((s for s, _ in expected), reverse=True), abs=1e-4)
    assert Counter(each.words for each in found) == Counter(words for _, words in expected)


@settings(max_examples=150, deadline=None)
@given(grammars(gaps=0, reordering=True), filtered(), LABELS, st.integers(0, 3), st.data())
def test_lattices_by_stacks(
    rules: list[Rule], given: Filtered, labels: Labels, limit: int, data: st.DataObject
) -> None:
    """The best is that of the best path; stacks take the same words between the same nodes for one."""
    rules = [replace(rule, label=data.draw(st.integers(0, 2))) for rule in rules]
    expected = [
        each
        for line, score in given.lines()
        for each in scored([d for whole, d in derived_by_stacks(rules, line, labels, limit) if whole], score)
    ]
    assume(len(expected) < 2_000)
    options = stack_options(distortion_limit=limit, **labels.options)
    if not expected:
        with pytest.raises(PentaglotError, match="no phrases cover the input"):
            core.search_stacks(given.native, table_of(rules), search_model(True), options)
        return
    packed, *_ = core.search_stacks(given.native, table_of(rules), search_model(True), options)
    forest = Forest.from_packed(packed, WEIGHTS)
    assert forest.viterbi().score == pytest.approx(max(expected)[0], abs=1e-4)
    assert {each.words for each in forest.kbest(5_000)} == {words for _, words in expected}


def paths(lattice: Words) -> list[tuple[list[tuple[int, int, int]], float]]:
    found, waiting = [], [(list[tuple[int, int, int]](), 0, 0.0)]
    while waiting:
        path, node, score = waiting.pop()
        if node == lattice.nodes - 1:
            found.append((path, score))
        waiting += [([*path, arc], arc[1], score + more) for arc, more in lattice.arcs.items() if arc[0] == node]
    return found


FIRST, SECOND, THIRD, _ = WORDS


def best(rules: list[Rule], line: Line, labels: Labels | None = None, **options: object) -> tuple[int, ...]:
    packed, *_ = run((rules, line, labels or Labels()), False, **options)
    return Forest.from_packed(packed, WEIGHTS).viterbi().words


def test_glue_takes_what_it_may() -> None:
    """Rules without labels are glued; what has another label is if the options say so."""
    rules = [Rule((FIRST,), (FIRST,), -1.0), Rule((FIRST,), (SECOND,), 0.0, label=5)]
    line = Line((FIRST, FIRST))
    assert best(rules, line) == (FIRST, FIRST)
    assert best(rules, line, Labels(frozenset([0, 5]))) == (SECOND, SECOND)
    with pytest.raises(PentaglotError, match="no rules cover the input"):
        best(rules, line, Labels(frozenset()))


@pytest.mark.parametrize("growing", [False, True])
def test_a_start_label_needs_no_glue(growing: bool) -> None:
    rules = [Rule((FIRST,), (FIRST,), 0.0), Rule((-1, FIRST), (-1, SECOND), 0.0, label=9, gap_labels=(0,))]
    labels = Labels(frozenset(), frozenset([9]))
    packed, *_ = run((rules, Line((FIRST, FIRST)), labels), False, growing=growing)
    found = Forest.from_packed(packed, WEIGHTS).viterbi()
    assert found.words == (FIRST, SECOND) and GLUE not in found.features
    with pytest.raises(PentaglotError, match="no rules cover the input"):
        run((rules, Line((FIRST, FIRST, FIRST)), labels), False, growing=growing)


def test_signatures_of_graph_grammars() -> None:
    """Li 2016, 7.9: the rules that derive the example of the world cup, where its tree is and where another is."""
    names = ["2010Nian", "FIFA", "ShiJieBei", "Zai", "NanFei", "ChengGong", "JuXing"]
    words = tuple(range(FIRST, FIRST + len(names)))
    nian, fifa, cup, at, africa, well, hold = words
    nr, p_ad, vv = 1, 2, 3
    tops = (2, 2, 6, 6, 3, 6, -1)
    siblings = ((0, 1, 0), (2, 3, 0), (3, 5, 0))  # between neighbouring ones
    rules = [
        Rule((at, -1, well), (100, 101, -1), 0.0, label=p_ad, gap_labels=(nr,)),
        Rule((-1, -2, hold), (-1, 102, 103, -2), 0.0, label=vv, gap_labels=(nr, p_ad)),
        Rule((nian, fifa, cup), (104, 105), 0.0, label=nr),
        Rule((africa,), (106,), 0.0, label=nr),
    ]
    edge_grammar = [((0, 1, 0),), ((2, 0, 0), (2, 1, 0)), ((2, 0, 0), (2, 1, 0)), ()]
    node_grammar = [((0, 1, 0), (0, 2, 0)), ((0, 1, 0), (2, 0, 0), (2, 1, 0)), ((0, 1, 0), (2, 0, 0), (2, 1, 0)), ()]
    arcs = tuple((head, word, 0) for word, head in enumerate(tops) if head >= 0)
    for edges, signatures in ((None, edge_grammar), (arcs + siblings, node_grammar)):
        grammar = [
            Rule(rule.source, rule.target, 0.0, label=rule.label, gap_labels=rule.gap_labels, signature=signature)
            for rule, signature in zip(rules, signatures, strict=True)
        ]
        start = Labels(frozenset(), frozenset([vv]))
        line = Line(words, heads=tops, edges=edges)
        assert best(grammar, line, start, max_span=20) == (104, 105, 102, 103, 100, 101, 106)
        other = Line(words, heads=(1, 2, *tops[2:]))  # FIFA is above 2010Nian
        with pytest.raises(PentaglotError, match="no rules cover"):
            best(grammar, other, start, max_span=20)


def test_many_threads_give_the_same_bytes() -> None:
    rng = np.random.default_rng(3)
    tasks = []
    for _ in range(60):
        words = tuple(int(word) for word in rng.choice(list(WORDS), 9))
        line = Line(words, heads=tuple(int(rng.integers(-1, at)) if at else -1 for at in range(9)))
        rules = [
            Rule((word,), (int(rng.choice(WORDS)),), -float(rng.integers(0, 4)), label=n)
            for word in WORDS
            for n in (0, 1)
        ]
        rules += [
            Rule((-1, word), (int(rng.choice(WORDS)), -1), 0.5, label=n, gap_labels=(1 - n,), signature=signature)
            for word in WORDS
            for n in (0, 1)
            for signature in (((0, 1, 0),), ((1, 0, 0),), ())
        ]
        tasks.append((rules, line, Labels(frozenset([0, 1]))))

    def packed(case: Case) -> bytes:
        return bytes_of(run(case, pop_limit=30)[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(packed, tasks)) == [packed(case) for case in tasks]


def test_what_a_rule_of_one_gap_may_cover() -> None:
    """No more words than any other rule, though what it covers may have any length."""
    rules = [
        Rule((FIRST,) * 3, (SECOND,), 0.0, label=1, any_length=True),
        Rule((-1,), (-1, THIRD), 0.0, gap_labels=(1,)),
    ]
    line = Line((FIRST,) * 3)
    assert best(rules, line, max_span=3) == (SECOND, THIRD)
    with pytest.raises(PentaglotError, match="no rules cover"):
        best(rules, line, max_span=2)
