"""What a source side is besides its symbols: labels, a signature, places. No table loses or mixes them."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from pentaglot._core.rules import RuleTable, join_tables
from pentaglot.errors import PentaglotError

# No two of these source sides are the same.
TRAITS: list[dict[str, Any]] = [
    {},
    {"label": 1},
    {"any_length": True},
    {"signature": []},
    {"signature": [(0, 1, 0)]},
    {"signature": [(1, 0, 0)]},
    {"signature": [(0, 1, 1)]},
    {"places": [0, 1]},
    {"places": [0, 2]},
    {"signature": [(0, 1, 0)], "places": [0, 2]},
]
GAPPED: list[dict[str, Any]] = [{}, {"gap_labels": [1, 0]}, {"gap_labels": [0, 1]}, {"gap_labels": [1, 0], "label": 1}]
SIDES = [([7, 8], traits) for traits in TRAITS] + [([-1, 7, -2], traits) for traits in GAPPED]


def table_of(sides: list[tuple[list[int], dict[str, Any]]], target: int) -> RuleTable:
    table = RuleTable()
    for symbols, traits in sides:
        table.add_pattern(symbols, 1, **traits)
        table.add_rule([target, *(symbol for symbol in symbols if symbol < 0)])
    table.check()
    return table


def traits_of(table: RuleTable, pattern: int) -> tuple[object, ...]:
    return (
        table.source(pattern).tolist(),
        int(table.labels[pattern]),
        table.gap_labels(pattern).tolist(),
        table.signature(pattern),
        table.places(pattern).tolist(),
    )


def test_what_was_added_is_there() -> None:
    table = table_of(SIDES, 9)
    assert table.signature(0) is None and table.signature(3) == [] and table.signature(5) == [(1, 0, 0)]
    assert table.places(0).tolist() == [] and table.places(9).tolist() == [0, 2]
    assert table.gap_labels(10).tolist() == [0, 0] and table.gap_labels(12).tolist() == [0, 1]
    for same in (table.copy(), RuleTable.unpack(table.pack())):
        assert [traits_of(same, n) for n in range(table.patterns)] == [traits_of(table, n) for n in range(len(SIDES))]


def test_the_order_of_edges_does_not_matter() -> None:
    edges = [(0, 1, 0), (0, 1, 3), (2, 0, 0)]
    tables = [table_of([([5, 6, 7], {"signature": list(order)})], 9) for order in permutations(edges)]
    assert {table.pack().tobytes() for table in tables} == {tables[0].pack().tobytes()}


@pytest.mark.parametrize("merge", [False, True])
def test_joined_tables_keep_them(merge: bool) -> None:
    one, other = table_of(SIDES, 9), table_of(list(reversed(SIDES)), 10)
    joined = join_tables(one, other, merge)
    joined.check()
    expected = [traits_of(one, n) for n in range(one.patterns)]
    if not merge:
        expected += reversed(expected)
    assert [traits_of(joined, n) for n in range(joined.patterns)] == expected
    assert joined.occurrences.tolist() == [2 if merge else 1] * len(expected)


def test_only_equal_source_sides_are_merged() -> None:
    for one, other in product(SIDES, SIDES):
        joined = join_tables(table_of([one], 9), table_of([other], 10), True)
        assert joined.patterns == (1 if one == other else 2), (one, other)


@pytest.mark.parametrize(
    ("symbols", "traits", "problem"),
    [
        ([5], {"label": 2**31}, "a label is a number below 2147483648"),
        ([5, -1], {"gap_labels": [2**31]}, "a label is a number below 2147483648"),
        ([5, -1], {"gap_labels": [1, 2]}, "every gap of a source side needs its label"),
        ([5, 6], {"signature": [(0, 2, 0)]}, "must join two symbols of its source side"),
        ([5, 6], {"signature": [(1, 1, 0)]}, "must join two symbols of its source side"),
        ([5, 6], {"signature": [(0, 1, 0), (0, 1, 0)]}, "in order, each once"),
        ([5] * 65_535, {"signature": []}, "too long for a signature"),
        ([5, 6], {"places": [1]}, "one for each"),
        ([5, -1], {"places": [1, 2]}, "and no gaps"),
        ([5, 6], {"places": [2, 1]}, "in order, each once"),
        ([5, 6], {"places": [1, 1]}, "in order, each once"),
    ],
)
def test_what_makes_no_sense(symbols: list[int], traits: dict[str, Any], problem: str) -> None:
    table = RuleTable()
    with pytest.raises(PentaglotError, match=problem):
        table.add_pattern(symbols, **traits)
    assert table.patterns == 0
    for look in (table.gap_labels, table.signature, table.places):
        with pytest.raises(PentaglotError, match="the table has 0 patterns"):
            look(0)
