"""Sparse blocks of features: what hooks give, what is wrong with it, and what becomes of it in tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.rules import RuleTable
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.index import Index
from pentaglot.rules import FeatureHook, IndexRules, RuleOptions, SentenceRules, SparseFeatures, feature_space

NAMES = tuple(f"name {number}" for number in range(50))


def _source(*hooks: FeatureHook) -> IndexRules:
    bitext = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]] * 2))
    return IndexRules(index, feature_space(), RuleOptions(max_gaps=0), hooks)


def lengths(found: SentenceRules) -> SparseFeatures:
    return SparseFeatures.from_rows(
        [{f"length {len(found.table.target(rule))}": 1.0, "all": 0.5} for rule in range(found.table.rules)]
    )


def fixed(found: SentenceRules) -> SparseFeatures:
    size = found.table.rules
    return SparseFeatures(NAMES, np.arange(size + 1), np.arange(size) + 40, np.full(size, 2.0))


def columns(found: SentenceRules) -> dict[str, NDArray[np.float32]]:
    return {"column": np.arange(found.table.rules, dtype=np.float32), "all": np.ones(found.table.rules, np.float32)}


def test_hooks_of_both_kinds_are_joined() -> None:
    source = _source(lengths, columns, fixed)
    table, space = source.rules(["das", "Haus"]).table, source.features
    table.check()
    assert [len(table.target(rule)) for rule in range(table.rules)] == [1, 1, 2]
    assert table.feature(space.id("length 1")).tolist() == [1.0, 1.0, 0.0]
    assert table.feature(space.id("column")).tolist() == [0.0, 1.0, 2.0]
    assert table.feature(space.id("name 41")).tolist() == [0.0, 2.0, 0.0]
    # The column was given later than the block, and says what the values are.
    assert table.feature(space.id("all")).tolist() == [1.0, 1.0, 1.0]
    named = {
        space.name(each): value for each, value in zip(*(part.tolist() for part in table.features_of(2)), strict=True)
    }
    assert named.items() >= {"length 2": 1.0, "column": 2.0, "name 42": 2.0, "all": 1.0}.items()


def test_names_are_interned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _source(fixed)
    asked: list[int] = []
    usual = FeatureSpace.add_all
    monkeypatch.setattr(FeatureSpace, "add_all", lambda self, names: (asked.append(len(names)), usual(self, names))[1])
    for _ in range(3):
        source.rules(["das", "Haus"])
    assert asked == [len(NAMES)]


def _bad(**changes: object) -> FeatureHook:
    def bad_hook(found: SentenceRules) -> SparseFeatures:
        good = {"names": ("a", "b"), "offsets": np.array([0, 1, 1, 2]), "ids": np.array([0, 1]), "values": np.ones(2)}
        return SparseFeatures(**{**good, **changes})  # type: ignore[arg-type]

    return bad_hook


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": np.array([0, 1, 2])}, "3 offsets for 3 rules"),
        ({"offsets": np.array([0, 2, 1, 2])}, "wrong offsets"),
        ({"offsets": np.array([1, 1, 1, 2])}, "wrong offsets"),
        ({"offsets": np.array([0, 1, 1, 3])}, "wrong offsets"),
        ({"offsets": np.array([[0, 1, 1, 2]])}, "not rows of numbers"),
        ({"ids": np.array([0, 2])}, "the id 2 for a feature, but 2 names"),
        ({"ids": np.array([-1, 0])}, "the id -1"),
        ({"ids": np.array([0.0, 1.0])}, "not rows of numbers"),
        ({"values": np.ones(3)}, "2 ids but 3 values"),
        ({"values": np.array([1.0, np.nan])}, "the feature 'b' the value nan"),
        ({"values": np.array([np.inf, 0.0])}, "the feature 'a' the value inf"),
        ({"values": np.array([1e20, 0.0])}, "the feature 'a' the value 1e"),
        ({"names": ("a", "")}, "needs a name"),
    ],
)
def test_bad_blocks_are_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(PentaglotError) as caught:
        _source(_bad(**changes)).rules(["das", "Haus"])
    assert message in str(caught.value)
    assert "needs a name" in message or "bad_hook" in str(caught.value)


def test_a_hook_that_gives_something_else() -> None:
    with pytest.raises(PentaglotError, match=r"hook '.*' returned list, not features; .*SparseFeatures"):
        _source(lambda found: [1.0]).rules(["das", "Haus"])  # type: ignore[arg-type, return-value]


def _table(targets: list[int], rows: list[dict[int, float]], dense: dict[int, list[float]] | None = None) -> RuleTable:
    table = RuleTable()
    table.add_pattern([5])
    for target in targets:
        table.add_rule([target])
    for number, values in (dense or {}).items():
        table.set_feature(number, np.array(values, np.float32))
    table.add_sparse(
        np.cumsum([0, *map(len, rows)]).astype(np.uint32),
        np.array(list(itertools.chain(*rows)), np.uint32),
        np.array([value for row in rows for value in row.values()], np.float32),
    )
    return table


def test_tables_are_joined_with_their_blocks() -> None:
    one = _table([7, 8], [{1: 1.0}, {1: 2.0, 2: 3.0}], {9: [0.0, 4.0]})
    other = _table([8, 10], [{1: 5.0, 3: 6.0, 9: 7.0}, {2: 8.0}])
    merged, put = native.join_tables(one, other, True), native.join_tables(one, other, False)
    merged.check()
    put.check()
    targets = [int(merged.target(rule)[0]) for rule in range(merged.rules)]
    told = {
        target: dict(zip(*(part.tolist() for part in merged.features_of(rule)), strict=True))
        for rule, target in enumerate(targets)
    }
    # What both know of one rule is what the first says.
    assert told == {7: {1: 1.0}, 8: {9: 4.0, 1: 2.0, 2: 3.0, 3: 6.0}, 10: {2: 8.0}}
    assert put.rules == 4 and put.feature(1).tolist() == [1.0, 2.0, 5.0, 0.0]


def test_rules_that_go_take_their_rows_along() -> None:
    table = _table([7, 8, 10], [{1: 1.0}, {2: 2.0}, {3: 3.0}])
    words = np.array([5, 7, 10], np.int32), np.array([1, 1, 1], np.uint64)
    native.keep_placeables(table, *words, *words, 100)
    table.check()
    assert [int(table.target(rule)[0]) for rule in range(table.rules)] == [7, 10]
    assert table.sparse[0].tolist() == [0, 1, 2] and table.sparse[1].tolist() == [1, 3]


def test_damaged_blocks_are_refused() -> None:
    table = _table([7, 8], [{1: 1.0}, {2: 2.0}])
    for offsets in ([0, 1], [0, 3, 2], [0, 1, 3], [1, 1, 2]):
        with pytest.raises(PentaglotError, match="do not fit"):
            table.add_sparse(np.array(offsets, np.uint32), np.array([1, 2], np.uint32), np.ones(2, np.float32))
    table.add_sparse(np.array([0, 1, 1], np.uint32), np.array([1], np.uint32), np.array([np.nan], np.float32))
    with pytest.raises(PentaglotError, match="not a usable number"):
        table.check()
