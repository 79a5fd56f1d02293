"""Tables on disk: what is in them, and that damage is found or at least harmless."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.rules.tables import encoded
from tests.rules.test_extraction import large

from pentaglot import storage
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.rules import (
    RuleOptions,
    Table,
    TableRules,
    TextOptions,
    export_table,
    extract_table,
    feature_space,
    filter_table,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "table"
    extract_table(encoded(large(30)), path, RuleOptions(reordering=True))
    return path


def copy_of(place: Path, to: Path) -> Path:
    shutil.copytree(place, to)
    return to


def test_says_what_it_holds(place: Path) -> None:
    table = Table.open(place, verify=True)
    assert repr(table) == f"Table({len(table)} rules, {table.source_sides} source sides)"
    assert table.features == ("translation", "inverse", "lexical_target", "lexical_source", "seen_once", "coherence")
    assert table.has_reordering and table.has_coherence
    assert table.facts["counting"] == "pairs" and table.facts["limits"]["max_span"] == 10


@pytest.mark.parametrize("name", ["symbols", "children", "rule_offsets", "targets", "target_pool", "column0", "counts"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "gone"])
def test_damage_is_found(place: Path, tmp_path: Path, name: str, damage: str) -> None:
    table = copy_of(place, tmp_path / "table")
    file = table / f"{name}.npy"
    data = bytearray(file.read_bytes())
    if damage == "gone":
        file.unlink()
    else:
        data[-3] ^= 0xFF
        file.write_bytes(data[:-8] if damage == "cut" else data)
    with pytest.raises(StorageError) as caught:
        Table.open(table)
    assert name in str(caught.value)


def test_other_things_are_no_tables(tmp_path: Path, place: Path) -> None:
    with pytest.raises(StorageError, match="there is no table here"):
        Table.open(tmp_path / "none")
    with pytest.raises(StorageError, match="holds something else .vocabulary., not the expected table"):
        Table.open(place / "source.vocab")


def rewritten(place: Path, to: Path, name: str, change: np.ndarray) -> Path:
    """The same table with an array that its checksums vouch for, but that makes no sense."""
    stored = storage.open_directory(place, kind="table", version=1)
    with storage.create(to, kind="table", version=1) as new:
        for each in stored.names():
            new.add(each, change if each == name else np.asarray(stored.array(each)))
        new.facts.update(stored.facts)
        for side in ("source", "target"):
            copy_of(place / f"{side}.vocab", new.path / f"{side}.vocab")
    return to


ARRAYS = ["symbols", "children", "patterns", "rule_offsets", "targets", "linkings", "target_pool", "linking_pool"]


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("kind", ["random", "large", "zero", "reversed", "short"])
def test_nonsense_cannot_crash(place: Path, tmp_path: Path, name: str, kind: str) -> None:
    array = np.asarray(storage.open_directory(place, kind="table", version=1).array(name))
    random = np.random.default_rng(7)
    changed = {
        "random": random.permutation(array),
        "large": np.full_like(array, np.iinfo(array.dtype).max),
        "zero": np.zeros_like(array),
        "reversed": array[::-1].copy(),
        "short": array[: len(array) // 2].copy(),
    }[kind]
    path = rewritten(place, tmp_path / "table", name, changed)
    words = [[f"w{number}" for number in range(begin, begin + 12)] for begin in range(0, 28, 4)]
    # It may be refused, or give nonsense.
    with contextlib.suppress(PentaglotError):
        table = Table.open(path)
        for each in words:
            TableRules(table, feature_space(), RuleOptions(reordering=True)).rules(each)
    with contextlib.suppress(PentaglotError):
        export_table(Table.open(path), tmp_path / "text", TextOptions(format="cdec"))
    with contextlib.suppress(PentaglotError):
        filter_table(Table.open(path), words, tmp_path / "filtered")
