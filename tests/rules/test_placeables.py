"""Rules that keep placeables, against a slow twin; all else about a rule stays as it was."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import Placeables
from pentaglot.errors import StorageError
from pentaglot.rules import TableRules, feature_space, import_table
from pentaglot.rules.placeables import PlaceableRules

WORDS = ["a", "b", "1", "￭2", "%1", "{0}", "%", "1%"]
SIDES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
TABLES = st.lists(st.tuples(SIDES, st.lists(st.tuples(SIDES, st.booleans()), max_size=4)), max_size=5)
EXEMPT, OTHER = 3, 1


def _row(table: native.RuleTable, rule: int) -> tuple[object, ...]:
    column = float(table.feature(OTHER)[rule])
    return tuple(table.target(rule)), tuple(table.links(rule)), float(table.counts[rule]), column


@given(TABLES, st.booleans())
def test_as_a_slow_twin(patterns: list[tuple[list[str], list[tuple[list[str], bool]]]], oriented: bool) -> None:
    vocabulary = Vocabulary()
    for word in WORDS:
        vocabulary.add(word)
    table, exempt, wanted = native.RuleTable(), [], []
    placeables = Placeables()

    def atoms(side: list[str]) -> Counter[str]:
        return Counter(atom for word in side for atom in placeables.atoms(word))

    kept = []
    for number, (source, targets) in enumerate(patterns):
        table.add_pattern([vocabulary.find(word) for word in source], number + 5, number + 4, number)
        for target, excused in targets:
            kept.append(excused or atoms(source) == atoms(target))
            exempt.append(float(excused))
            table.add_rule([vocabulary.find(word) for word in target], [(0, 0)], float(len(exempt)))
    table.set_feature(EXEMPT, np.array(exempt, np.float32))
    table.set_feature(OTHER, np.arange(len(exempt), dtype=np.float32))
    if oriented and exempt:
        table.set_reordering(np.arange(6 * len(exempt), dtype=np.float32).reshape(-1, 6))
    wanted = [_row(table, rule) for rule in range(table.rules) if kept[rule]]
    rows = table.reordering[[*map(bool, kept)]] if oriented and exempt else None
    words = sorted({word for source, _ in patterns for word in source})
    ids = np.array([vocabulary.find(word) for word in words], np.uint32)
    PlaceableRules(placeables, EXEMPT).keep(table, words, ids, vocabulary)
    table.check()
    assert [_row(table, rule) for rule in range(table.rules)] == wanted
    if rows is not None:
        assert np.array_equal(table.reordering, rows) or not len(rows)


def test_words_whose_rules_are_gone_are_copied(tmp_path: Path) -> None:
    lines = ["iki ||| 2 ||| 0.5 0.5 1 0.5 ||| 0-0", "3 ||| üç ||| 0.5 0.5 1 0.5 ||| 0-0"]
    (tmp_path / "small.moses").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    table = import_table(tmp_path / "small.moses", tmp_path / "table")
    rules = TableRules(table, feature_space(), placeables=Placeables()).rules(["iki", "3"])
    assert sorted(rules.target_side(rule)[0] for rule in range(rules.table.rules)) == ["3", "iki"]


def test_wrong_arrays() -> None:
    nothing, code = np.empty(0, np.int32), np.empty(0, np.uint64)
    table = native.RuleTable()
    with pytest.raises(PentaglotError, match="every placeable needs its code"):
        native.keep_placeables(table, np.zeros(1, np.int32), code, nothing, code, 0)
    with pytest.raises(PentaglotError, match="placeables must be in order"):
        native.keep_placeables(table, nothing, code, np.array([2, 1], np.int32), np.zeros(2, np.uint64), 0)


def test_a_word_that_no_vocabulary_has() -> None:
    vocabulary, table = Vocabulary(), native.RuleTable()
    word = vocabulary.add("a")
    table.add_pattern([word])
    table.add_rule([len(vocabulary)])
    with pytest.raises(StorageError, match="not in the vocabulary"):
        PlaceableRules(Placeables(), EXEMPT).keep(table, ["a"], np.array([word], np.uint32), vocabulary)
