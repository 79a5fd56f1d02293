"""Extraction from one occurrence, against the declarative definition (spec lopez2008, 3.12) and its oracles (7.5)."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot._core.rules import ExtractLimits, extract_occurrence

Span = tuple[int, int]
Links = list[tuple[int, int]]


def target_side(target: Span, gaps: list[tuple[Span, Span]]) -> str:
    """A rule's target side, words as e1.. and gaps as X1.. in source order, as the spec writes them."""
    starts = {span[0]: (number, span[1]) for number, (_, span) in enumerate(gaps, 1)}
    symbols, at = [], target[0]
    while at < target[1]:
        if at in starts:
            number, at = starts[at]
            symbols.append(f"X{number}")
        else:
            at += 1
            symbols.append(f"e{at}")
    return " ".join(symbols)


def rules(
    sizes: Span, links: Links, chunks: list[Span], left: bool = False, right: bool = False, **limits: int
) -> set[str]:
    found = extract_occurrence(*sizes, links, chunks, left, right, ExtractLimits(**limits))
    return {target_side(target, gaps) for _, target, gaps in found}


def oracle(
    sizes: Span, links: Links, chunks: list[Span], left: bool, right: bool, tight: bool, min_gap: int, longest: int
):
    """All rules by the declarative definition: every choice of edge gaps and target spans, tested one by one."""
    source_size, target_size = sizes
    first, last = chunks[0][0], chunks[-1][1]
    begins = range(first - min_gap + 1) if left else [first]
    ends = range(last + min_gap, source_size + 1) if right else [last]
    spans = [(b, e) for b in range(target_size) for e in range(b + 1, target_size + 1)]
    source_linked, target_linked = {s for s, _ in links}, {t for _, t in links}

    def consistent(source: Span, target: Span) -> bool:
        inside = [source[0] <= s < source[1] for s, _ in links]
        across = [target[0] <= t < target[1] for _, t in links]
        if inside != across or not any(inside):
            return False
        edges = {source[0], source[1] - 1} <= source_linked and {target[0], target[1] - 1} <= target_linked
        return edges or not tight

    if not any(b <= s < e for s, _ in links for b, e in chunks):
        return
    for begin, end in product(begins, ends):
        if end - begin > longest:
            continue
        inner = [(a[1], b[0]) for a, b in pairwise(chunks)]
        gaps = ([(begin, first)] if left else []) + inner + ([(last, end)] if right else [])
        for target in spans:
            if target[1] - target[0] > longest or not consistent((begin, end), target):
                continue
            choices = [
                [t for t in spans if target[0] <= t[0] and t[1] <= target[1] and consistent(gap, t)] for gap in gaps
            ]
            for placed in product(*choices):
                ordered = sorted(placed)
                if all(a[1] <= b[0] for a, b in pairwise(ordered)):
                    yield target_side(target, list(zip(gaps, placed, strict=True)))


def one_based(*links: str) -> Links:
    return [(int(s) - 1, int(t) - 1) for s, t in (link.split("-") for link in links)]


def test_first_case_of_the_figure() -> None:
    pair: tuple[Span, Links] = ((5, 5), one_based("1-1", "2-2", "3-3", "4-5", "5-4"))
    assert rules(*pair, [(1, 3)], min_gap=1) == {"e2 e3"}
    assert rules(*pair, [(1, 3)], right=True, min_gap=1) == {"e2 e3 X1"}
    assert rules(*pair, [(1, 3)], left=True, right=True, min_gap=1) == {"X1 e2 e3 X2"}
    assert rules(*pair, [(3, 4)], min_gap=1) == {"e5"}
    assert rules(*pair, [(2, 3), (4, 5)], min_gap=1) == {"e3 e4 X1"}
    assert rules(*pair, [(1, 2), (3, 4)], min_gap=1) == set()
    assert rules(*pair, [(1, 2), (4, 5)], min_gap=1) == set()


def test_gaps_that_only_close_together() -> None:
    pair: tuple[Span, Links] = ((5, 5), one_based("2-2", "3-3", "4-2", "1-5", "5-4"))
    assert rules(*pair, [(1, 4)], min_gap=1) == {"e2 e3"}
    assert rules(*pair, [(1, 4)], left=True, min_gap=1) == set()
    assert rules(*pair, [(1, 4)], right=True, min_gap=1) == {"e2 e3 X1"}
    assert rules(*pair, [(1, 4)], left=True, right=True, min_gap=1) == {"e2 e3 X2 X1"}


def test_a_gap_that_swallows_the_phrase() -> None:
    pair: tuple[Span, Links] = ((5, 5), one_based("2-2", "3-3", "4-4", "5-1", "5-5"))
    assert rules(*pair, [(1, 4)], min_gap=1) == {"e2 e3 e4"}
    assert rules(*pair, [(1, 4)], right=True, min_gap=1) == set()


def test_the_running_example() -> None:
    """虽然 北 风 呼啸 , 但 天空 依然 清澈 。 / However , the sky remained clear under the strong north wind ."""
    links = [(0, 0), (1, 9), (2, 10), (3, 8), (4, 1), (6, 3), (7, 4), (8, 5), (9, 11)]
    pair: tuple[Span, Links] = ((10, 12), links)
    assert rules(*pair, [(1, 3)], min_gap=1) == {"e10 e11"}
    assert rules(*pair, [(1, 4)], min_gap=1) == {"e9 e10 e11"}
    assert rules(*pair, [(1, 4)], min_gap=1, tight=False) == {"e9 e10 e11", "e8 e9 e10 e11", "e7 e8 e9 e10 e11"}
    assert rules(*pair, [(5, 6)], min_gap=1) == set()
    assert rules(*pair, [(3, 4)], left=True, min_gap=1) == {"e9 X1"}
    whole = [(0, 1), (4, 6), (9, 10)]
    wide = {"max_source_span": 12, "max_target_span": 12}
    assert rules(*pair, whole, min_gap=1, **wide) == {"e1 e2 e3 X2 e7 e8 X1 e12"}
    loose = rules(*pair, whole, min_gap=1, tight=False, **wide)
    assert len(loose) == 8
    assert "e1 e2 X2 X1 e12" in loose


@st.composite
def occurrences(draw: st.DrawFn) -> tuple[Span, Links, list[Span]]:
    sizes = draw(st.tuples(st.integers(1, 7), st.integers(1, 6)))
    cells = [(s, t) for s in range(sizes[0]) for t in range(sizes[1])]
    links = draw(st.lists(st.sampled_from(cells), unique=True, max_size=8))
    kept = draw(st.lists(st.booleans(), min_size=sizes[0], max_size=sizes[0]))
    chunks: list[Span] = []
    for at, inside in enumerate(kept):
        if inside and chunks and chunks[-1][1] == at:
            chunks[-1] = (chunks[-1][0], at + 1)
        elif inside:
            chunks.append((at, at + 1))
    return sizes, links, chunks or [(0, sizes[0])]


@settings(max_examples=700, deadline=None)
@given(occurrences(), st.booleans(), st.booleans(), st.integers(1, 2), st.integers(2, 7))
def test_tight_equals_the_definition(
    occurrence: tuple[Span, Links, list[Span]], left: bool, right: bool, min_gap: int, longest: int
) -> None:
    sizes, links, chunks = occurrence
    limits = {"min_gap": min_gap, "max_source_span": longest, "max_target_span": longest}
    found = rules(sizes, links, chunks, left, right, **limits)
    assert found == set(oracle(sizes, links, chunks, left, right, True, min_gap, longest))
    assert len(found) <= 1
    loose = rules(sizes, links, chunks, left, right, tight=False, **limits)
    assert loose <= set(oracle(sizes, links, chunks, left, right, False, min_gap, longest))
    if not (left or right):
        assert found <= loose
        assert loose == set(oracle(sizes, links, chunks, left, right, False, min_gap, longest))


@settings(max_examples=300, deadline=None)
@given(occurrences(), st.booleans(), st.booleans(), st.booleans(), st.integers(1, 3))
def test_a_limit_on_runs_of_words_leaves_out_what_has_more(
    occurrence: tuple[Span, Links, list[Span]], left: bool, right: bool, tight: bool, most: int
) -> None:
    def runs(side: str) -> int:
        return len("".join("w" if symbol.startswith("e") else " " for symbol in side.split()).split())

    sizes, links, chunks = occurrence
    every = rules(sizes, links, chunks, left, right, min_gap=1, tight=tight)
    few = rules(sizes, links, chunks, left, right, min_gap=1, tight=tight, max_chunks=most)
    assert few == {side for side in every if len(chunks) <= most and runs(side) <= most}


def test_runs_of_words_are_limited_on_both_sides() -> None:
    """X1 u / v X1 w has one run on the source side and two on the target side (Lopez 2008, §5.2.2, footnote 4)."""
    pair: tuple[Span, Links] = ((2, 3), one_based("1-2", "2-1", "2-3"))
    assert rules(*pair, [(1, 2)], left=True, min_gap=1, max_chunks=2) == {"e1 X1 e3"}
    assert rules(*pair, [(1, 2)], left=True, min_gap=1, max_chunks=1) == set()


@settings(max_examples=100, deadline=None)
@given(st.permutations(range(6)), st.booleans(), st.booleans())
def test_one_to_one_links_leave_nothing_loose(order: list[int], left: bool, right: bool) -> None:
    links = list(enumerate(order))
    for chunks in ([(1, 3)], [(1, 2), (3, 4)], [(2, 3)]):
        tight = rules((6, 6), links, chunks, left, right, min_gap=1)
        assert tight == rules((6, 6), links, chunks, left, right, min_gap=1, tight=False)


@pytest.mark.parametrize("chunks", [[], [(2, 2)], [(0, 9)], [(0, 2), (2, 3)], [(3, 4), (0, 1)]])
def test_impossible_chunks(chunks: list[Span]) -> None:
    with pytest.raises(PentaglotError, match="chunk"):
        extract_occurrence(5, 5, [(0, 0)], chunks, False, False, ExtractLimits())
