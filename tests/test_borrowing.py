"""What another workshop has made from the same is copied; all else is made here, and the copy is one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.test_plans import Kitchen, files

from pentaglot.borrowing import borrow


@pytest.fixture
def lender(tmp_path: Path) -> Kitchen:
    found = Kitchen(tmp_path / "lender")
    found.run()
    return found


def borrowed(kitchen: Kitchen, *lenders: Kitchen) -> list[str]:
    return list(borrow(kitchen.shop, kitchen.steps(), [each.shop for each in lenders]))


def test_equal_steps_are_not_done(tmp_path: Path, lender: Kitchen) -> None:
    mine = Kitchen(tmp_path / "mine")
    assert borrowed(mine, lender) == ["grind", "spice", "knead", "bake"]
    assert not (tmp_path / "mine" / "bread").exists(), "nothing is in its place before all is there"
    assert mine.run() == ["butter"], "what is done in place is done here"
    assert files(tmp_path / "mine") == files(tmp_path / "lender")
    assert mine.run() == [] and borrowed(mine, lender) == []


def test_other_steps_are_done(tmp_path: Path, lender: Kitchen) -> None:
    """They find what is lent to them in what was copied; or it is made again."""
    mine, alone = Kitchen(tmp_path / "mine", spice=1), Kitchen(tmp_path / "alone", spice=1)
    assert borrowed(mine, lender) == ["grind"]
    assert mine.run() == ["grind", "spice", "knead", "bake", "butter"], "its flour was only in the bread"
    buttered = Kitchen(tmp_path / "buttered", butter=1)
    assert borrowed(buttered, lender) == ["grind", "spice", "knead", "bake"]
    assert buttered.run() == ["butter"]
    alone.run()
    assert files(tmp_path / "mine") == files(tmp_path / "alone")


def test_what_was_changed_is_not_borrowed(tmp_path: Path, lender: Kitchen) -> None:
    (tmp_path / "lender" / "spice").write_text("mud")
    (tmp_path / "lender" / "bread" / "crust").write_text("stone")
    mine = Kitchen(tmp_path / "mine")
    assert borrowed(mine, lender) == ["grind", "knead"]
    assert set(mine.run()) >= {"spice", "bake"}
    assert "mud" not in files(tmp_path / "mine")["spice"]


def test_a_copy_is_ones_own(tmp_path: Path, lender: Kitchen) -> None:
    mine = Kitchen(tmp_path / "mine")
    borrowed(mine, lender)
    mine.run()
    before = files(tmp_path / "lender")
    (tmp_path / "mine" / "bread" / "crust").write_text("stone")
    (tmp_path / "mine" / "spice").write_text("mud")
    assert files(tmp_path / "lender") == before
    assert lender.run() == []


def test_the_first_that_has_it_lends(tmp_path: Path, lender: Kitchen) -> None:
    empty, other = Kitchen(tmp_path / "empty"), Kitchen(tmp_path / "other", butter=3)
    other.run()
    mine = Kitchen(tmp_path / "mine")
    found = borrow(mine.shop, mine.steps(), [empty.shop, other.shop, lender.shop])
    assert set(found.values()) == {tmp_path / "other"}
