"""Damage that no check on opening finds: collecting rules says so when it comes upon it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from pentaglot._core import rules as native
from pentaglot._core.corpus import END
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Text
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import Index, PrecomputationOptions
from pentaglot.rules import IndexRules, RuleOptions, Table, TableRules, extract_table, feature_space

SOURCE = [["a", "b", "c", "a", "d"], ["a", "b", "d", "c"], ["c", "a", "b", "b", "a", "d"]] * 4
TARGET = [["x", "y", "z", "x", "w"], ["x", "y", "w", "z"], ["z", "x", "y", "y", "x", "w"]] * 4
WORDS = ["a", "b", "c", "a", "d"]


def _index() -> Index:
    bitext = Bitext.from_sentences(SOURCE, TARGET)
    links = [[(at, at) for at in range(len(words))] + [(0, 2), (0, 3)] for words in SOURCE]
    options = PrecomputationOptions(frequent=6, min_gap=1)
    return Index.build(bitext, Alignment.from_links(links), options, both_sides=True)


def _damaged(part: str, **changed: Any) -> Index:
    """The index with other arrays in one part, put together as on opening it."""
    index = _index()
    arrays = {name: dict(all_) for name, all_ in index.arrays.items()}
    for name, value in changed.items():
        old = arrays[part][name]
        arrays[part][name] = np.full_like(old, value) if np.isscalar(value) else np.asarray(value(old), old.dtype)
    return Index.from_arrays(index.bitext, arrays, index.options)


def _collect(index: Index, **options: Any) -> None:
    for each in (RuleOptions(min_gap=1, **options), RuleOptions(max_gaps=0, extraction="loose", reordering=True)):
        IndexRules(index, feature_space(), each).rules(WORDS)


def test_the_whole_index_has_rules() -> None:
    _collect(_index())


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("suffixes", {"before": 2**31 - 1}),
        ("suffixes", {"before": 10**6}),
        ("suffixes", {"ends": 0, "before": 11}),
        ("suffixes", {"suffixes": 2**32 - 1}),
        ("precomputation", {"pair_positions": 2**31}),
        ("precomputation", {"triple_positions": 2**32 - 1}),
        ("alignment", {"source_last": 65534}),
        ("alignment", {"source_first": 60000, "source_last": 60000}),
        ("alignment", {"target_first": 9, "target_last": 9}),
        ("alignment", {"inner_tokens": 0}),
        ("lexicon", {"target_given_source": np.nan}),
        ("lexicon", {"source_given_target": np.inf}),
        ("lexicon", {"target_given_source": -1}),
    ],
)
def test_damage_is_told(part: str, changed: dict[str, Any]) -> None:
    with pytest.raises(StorageError, match="damaged"):
        _collect(_damaged(part, **changed))


def test_pages_of_zeros() -> None:
    """As a disk leaves them; whatever is found in them, nothing crashes and nothing is multiplied."""
    for name in ("word_positions", "pair_positions", "triple_positions"):
        for begin in range(0, 200, 7):

            def zeroed(old: np.ndarray, begin: int = begin) -> np.ndarray:
                new = old.copy()
                new[begin : begin + 60] = 0
                return new

            index = _damaged("precomputation", **{name: zeroed})
            try:
                _collect(index, sample=0)
            except StorageError:
                continue


@pytest.mark.parametrize("word", [2**30, 2**31, 2**32 - 1])
def test_words_that_are_none(word: int) -> None:
    index = _index()
    tokens = index.bitext.target.tokens.copy()
    tokens[tokens != END] = word
    bitext = dataclasses.replace(index.bitext, target=Text(tokens, index.bitext.target.offsets))
    with pytest.raises(StorageError, match="damaged"):
        _collect(Index.from_arrays(bitext, index.arrays, index.options))
    with pytest.raises(StorageError, match="words that its vocabulary lacks"):
        Index.build(bitext, Alignment.from_links([[]] * len(bitext)))


@pytest.mark.parametrize("weight", [0, -1, np.nan, np.inf, 3e38])
def test_weights_are_numbers_above_0(weight: float) -> None:
    index = _index()
    with pytest.raises(PentaglotError, match="weight"):
        Index.from_arrays(index.bitext, index.arrays, index.options, np.full(len(index), weight, np.float32))


def _rules_of_table(tmp_path: Any, **changed: Any) -> None:
    index = _index()
    table = extract_table(index, tmp_path / "table", RuleOptions(min_gap=1))
    arrays: dict[str, Any] = {file.stem: np.load(file) for file in (tmp_path / "table").glob("*.npy")}
    columns = [arrays.pop(f"column{number}") for number in range(len(table.columns))]
    for name, value in changed.items():
        if name == "column":
            columns[0][:] = value
        else:
            arrays[name][: None if np.isscalar(value) else len(value)] = value
    stored = native.StoredTable(**arrays, reordering=np.empty(0, np.float32), columns=columns)
    damaged = Table(*_vocabularies(table), table.columns, stored, table.facts, False, True)
    TableRules(damaged, feature_space(), RuleOptions(min_gap=1)).rules(WORDS)


def _vocabularies(table: Table) -> tuple[Any, Any]:
    return table.source_vocabulary, table.target_vocabulary


@pytest.mark.parametrize(
    "changed",
    [
        {"column": np.nan},
        {"column": np.inf},
        {"counts": np.nan},
        {"patterns": 0},
        {"target_pool": 0xFF},
        {"linking_pool": 0x7F},
        {"targets": 2**32 - 1},
        {"children": [50, 40, 30] + [0] * 2},
    ],
)
def test_damage_of_tables_is_told(tmp_path: Any, changed: dict[str, Any]) -> None:
    with pytest.raises(StorageError, match="damaged"):
        _rules_of_table(tmp_path, **changed)


def test_rules_shared_by_source_sides(tmp_path: Any) -> None:
    """Or a table of a megabyte could give a sentence rules of a gigabyte."""
    index = _index()
    table = extract_table(index, tmp_path / "table", RuleOptions(min_gap=1))
    offsets = np.load(tmp_path / "table" / "rule_offsets.npy")
    offsets[1:-1] = np.where(np.arange(len(offsets) - 2) % 2, 0, offsets[-1])
    with pytest.raises(StorageError, match="damaged"):
        _rules_of_table(tmp_path / "other", rule_offsets=offsets)
    assert len(table) > 0


@pytest.mark.parametrize("symbols", [[-(2**31)], [-2], [5, -1, 6, -1], [-1] * 2, [-1, -2, -3, -4, -5, -6, -7]])
def test_source_sides_with_odd_gaps_are_refused(symbols: list[int]) -> None:
    with pytest.raises(PentaglotError, match="gaps"):
        native.RuleTable().add_pattern(symbols)


@pytest.mark.parametrize(
    ("target", "links"),
    [([7], []), ([-1, -1], []), ([-2], []), ([-(2**31)], []), ([-1, 7], [(2, 0)]), ([-1], [(0, 1)])],
)
def test_target_sides_that_do_not_fit_are_refused(target: list[int], links: list[tuple[int, int]]) -> None:
    table = native.RuleTable()
    table.add_pattern([5, -1])
    with pytest.raises(PentaglotError):
        table.add_rule(target, links)
    table.add_rule([-1, 6], [(0, 1)])
    table.check()


def test_copies_are_words() -> None:
    table = native.RuleTable()
    for sentence, copy in ((2**31, 4), (4, 2**31), (2**32 - 1, 4)):
        words = [np.array([word], np.uint32) for word in (sentence, copy)]
        with pytest.raises(PentaglotError, match="an invalid id"):
            native.add_copies(table, *words, np.zeros(1, np.uint8), [0, 1, 2, 3])


@pytest.mark.parametrize("gap", [0, 2**16, 2**32 - 1])
def test_gaps_have_words(gap: int) -> None:
    with pytest.raises(PentaglotError, match="a gap covers"):
        native.ExtractLimits(min_gap=gap)
