"""Sparse features of rules are what the same features are as columns: in scores, forests and lists of all searches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.search.grammars import (
    FEATURES,
    IDS,
    LANGUAGE,
    NO_FEATURE,
    WEIGHTS,
    WORDS,
    Rule,
    chart_options,
    grammars,
    language_model,
    stack_options,
    table_of,
)

from pentaglot._core import search as core
from pentaglot._core.rules import RuleTable
from pentaglot.forest import FeatureSpace, Forest, Weights
from pentaglot.search import Searcher
from pentaglot.search.weight_vector import WeightVector

FIRST, MANY = len(WEIGHTS), 40
ALL_WEIGHTS = np.concatenate([WEIGHTS, np.random.default_rng(3).normal(size=MANY - 5).round(2)])  # some have none
ARRAYS = ("node_payloads", "edge_offsets", "tails", "feature_offsets", "feature_ids", "feature_values", "templates")

Row = dict[int, float]


@st.composite
def rows(draw: st.DrawFn, rules: int) -> list[Row]:
    """Features of every rule, by id."""
    values = st.integers(-8, 8).map(lambda number: number / 4)  # zeros too
    return [draw(st.dictionaries(st.integers(FIRST, FIRST + MANY - 1), values, max_size=6)) for _ in range(rules)]


def block(of_rules: list[Row]) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32]]:
    ids = [each for row in of_rules for each in sorted(row)]
    values = [row[each] for row in of_rules for each in sorted(row)]
    offsets = np.cumsum([0, *map(len, of_rules)]).astype(np.uint32)
    return offsets, np.array(ids, np.uint32), np.array(values, np.float32)


def twins(rules: list[Rule], of_rules: list[Row], data: st.DataObject) -> tuple[RuleTable, RuleTable]:
    """A table with columns only, and one with a sparse block, or two of them."""
    dense, sparse = table_of(rules), table_of(rules)
    for number in range(FIRST, FIRST + MANY):
        dense.set_feature(number, np.array([row.get(number, 0.0) for row in of_rules], np.float32))
    cut = data.draw(st.integers(FIRST, FIRST + MANY))
    for chosen in (range(FIRST, cut), range(cut, FIRST + MANY)):
        sparse.add_sparse(*block([{each: row[each] for each in row if each in chosen} for row in of_rules]))
    sparse.check()
    return dense, sparse


def model() -> core.SearchModel:
    return core.SearchModel(ALL_WEIGHTS, FEATURES, [(language_model().native, IDS, LANGUAGE, NO_FEATURE)])


def searched(how: str, table: RuleTable, sentence: list[int], whole: bool) -> Forest:
    where = core.sentence(np.array(sentence, np.uint32))
    if how == "stack":
        found = core.search_stacks(where, table, model(), stack_options(whole_forest=whole))
    else:
        found = core.search_chart(where, table, model(), chart_options(growing=how == "growing", whole_forest=whole))
    assert found[0] is not None
    return Forest.from_packed(found[0], ALL_WEIGHTS)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("how", ["chart", "growing", "stack"])
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_searches_see_the_same(how: str, whole: bool, data: st.DataObject) -> None:
    rules = data.draw(grammars(gaps=0) if how == "stack" else grammars())
    ordered = [each for group in {rule.pattern: None for rule in rules} for each in rules if each.pattern == group]
    dense, sparse = twins(rules, data.draw(rows(len(ordered))), data)
    sentence = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    one, other = (searched(how, table, sentence, whole) for table in (dense, sparse))
    for name in ARRAYS:
        assert getattr(one.packed, name).tolist() == getattr(other.packed, name).tolist(), name
    assert one.scores.tolist() == other.scores.tolist()
    mine, their = (vars(each.kbest_arrays(20, distinct=True)) for each in (one, other))
    assert {name: np.asarray(mine[name]).tolist() for name in mine} == {
        name: np.asarray(their[name]).tolist() for name in their
    }


@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_tables_tell_the_same(data: st.DataObject) -> None:
    rules = data.draw(grammars())
    of_rules = data.draw(rows(len(rules)))
    dense, sparse = twins(rules, of_rules, data)
    for table in (sparse, sparse.copy(), RuleTable.unpack(sparse.pack())):
        for number in range(FIRST, FIRST + MANY):
            assert table.feature(number).tolist() == dense.feature(number).tolist()
        for rule in range(table.rules):
            told = [
                dict(zip(*(each.tolist() for each in one.features_of(rule)), strict=True)) for one in (table, dense)
            ]
            assert told[0] == told[1]
    number = data.draw(st.integers(FIRST, FIRST + MANY - 1))
    column = np.arange(sparse.rules, dtype=np.float32)
    sparse.set_feature(number, column)
    assert sparse.feature(number).tolist() == column.tolist()  # and not what the block had on top


def test_weights_grow_with_the_space() -> None:
    """A feature that is named only when a rule has it gets its weight then."""
    space = FeatureSpace(["a"])
    made: list[int] = []
    weights = Weights({"late": 2.0, "a": 1.0, "later": 3.0})
    vector = WeightVector(weights, space, lambda dense, _: made.append(len(dense)))  # type: ignore[arg-type, func-returns-value]
    first = vector.now()[0]
    space.add_all(["other", "late"])
    second = vector.now()[0]
    space.add("later")
    space.add("hidden", visible=False)
    assert first.tolist() == [1.0] and second.tolist() == [1.0, 0.0, 2.0]
    assert vector.now()[0].tolist() == [1.0, 0.0, 2.0, 3.0, 0.0] == weights.dense(space).tolist()
    assert made == [1, 3, 5] and vector.now()[0] is vector.now()[0]


def test_a_searcher_names_only_what_it_gives() -> None:
    space = FeatureSpace()
    Searcher({"mine": 1.0, "repeated_words": 0.0}, space, None)
    assert "mine" not in space and "repeated_words" in space and "language_model@news" not in space
