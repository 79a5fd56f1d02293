"""Making tables: in pieces of any size the same bytes, and nothing half-written when it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rules.tables import encoded
from tests.rules.test_extraction import files, large

from pentaglot._core.rules import RuleTaker, TargetNumberer
from pentaglot.errors import PentaglotError
from pentaglot.rules import RuleOptions, Table, extract_table, making
from pentaglot.rules.making import TableContents, make_table


def plan_of(table: Table) -> TableContents:
    vocabularies = table.source_vocabulary, table.target_vocabulary
    return TableContents(table.columns, "given", table.has_reordering, vocabularies, {"limits": table.facts["limits"]})


def rows_of(table: Table) -> tuple[TargetNumberer, list[Any]]:
    taker = RuleTaker(table.stored, np.ones(table.source_sides, np.uint8))
    part = taker.next(1 << 30)
    assert part is not None and taker.next(1 << 30) is None
    return TargetNumberer([part[0]], [], len(table.columns)), [part[1]]


def test_pieces_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = extract_table(encoded(large(25)), tmp_path / "table", RuleOptions(reordering=True))
    for name, bytes_at_once, rules_at_once in (("large", 1 << 30, 1 << 30), ("small", 500, 7)):
        monkeypatch.setattr(making, "_RUN_BYTES", bytes_at_once)
        monkeypatch.setattr(making, "_RULES_AT_ONCE", rules_at_once)
        rows, attempts = rows_of(table)
        make_table(tmp_path / name, rows, attempts, plan_of(table), tmp_path / f"{name}.work")
        assert not list((tmp_path / f"{name}.work").glob("*.run"))
    assert files(tmp_path / "large") == files(tmp_path / "small")
    same = [name for name in files(tmp_path / "table") if name.endswith(".npy") and "pool" not in name]
    for name in same:  # only the links may be found in another order
        if name != "linkings.npy":
            assert files(tmp_path / "large")[name] == files(tmp_path / "table")[name], name


class Failing:
    """Rows that break off."""

    def __init__(self, rows: TargetNumberer) -> None:
        self.rows = rows
        self.given = 0

    def next(self, bytes: int) -> Any:
        self.given += 1
        if self.given == 3:
            raise PentaglotError("the disk is gone")
        return self.rows.next(bytes)


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = extract_table(encoded(large(25)), tmp_path / "table")
    before = files(tmp_path / "table")
    monkeypatch.setattr(making, "_RUN_BYTES", 500)
    rows, attempts = rows_of(table)
    with pytest.raises(PentaglotError, match="the disk is gone"):
        make_table(tmp_path / "table", Failing(rows), attempts, plan_of(table), tmp_path / "work")
    assert files(tmp_path / "table") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table", "work"]


def test_damaged_runs_are_refused(tmp_path: Path) -> None:
    table = extract_table(encoded(large(10)), tmp_path / "table")
    taker = RuleTaker(table.stored, np.ones(table.source_sides, np.uint8))
    part = taker.next(1 << 30)
    assert part is not None
    random = np.random.default_rng(5)
    refused = 0
    for _ in range(50):
        run = part[0].copy()
        run[random.integers(len(run), size=20)] = random.integers(256, size=20).astype(np.uint8)
        rows = TargetNumberer([run[: random.integers(len(run))]], [], len(table.columns))
        try:
            make_table(tmp_path / "new", rows, [], plan_of(table), tmp_path / "work")
        except PentaglotError:
            refused += 1
    assert refused > 40


@pytest.mark.parametrize("name", ["arrays", "rows-000000.tmp"])
def test_links_among_the_pieces_of_an_earlier_run_lead_nowhere(tmp_path: Path, name: str) -> None:
    """What a run that was stopped has left is used by the next one, whoever put it there."""
    victims, work = tmp_path / "victims", tmp_path / "work"
    victims.mkdir()
    work.mkdir()
    (victims / "thesis").write_text("years of work")
    (work / name).symlink_to(victims if name == "arrays" else victims / "thesis")
    table = extract_table(encoded(large(25)), tmp_path / "table", RuleOptions())
    rows, attempts = rows_of(table)
    with pytest.raises(PentaglotError):
        make_table(tmp_path / "new", rows, attempts, plan_of(table), work)
    assert (victims / "thesis").read_text() == "years of work"
    (tmp_path / ".other.work").symlink_to(victims)
    with pytest.raises(PentaglotError, match="is a symbolic link"):
        extract_table(encoded(large(25)), tmp_path / "other", RuleOptions())
    assert [each.name for each in victims.iterdir()] == ["thesis"]
