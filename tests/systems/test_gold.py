"""Every system says today what it said when its output was last looked at, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.gold import CORPUS, SOURCES, SYSTEMS, gold, train, translate

from pentaglot.systems import system_names


def test_every_system_has_its_gold() -> None:
    assert sorted(system_names()) == SYSTEMS
    assert all(gold(system, source).exists() for system in SYSTEMS for source in SOURCES)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_says_what_it_said(system: str, source: str, tmp_path: Path) -> None:
    train(system, source, tmp_path / "model")
    said = translate(tmp_path / "model")
    assert said == translate(tmp_path / "model", threads=8)
    assert said == gold(system, source).read_text("utf-8"), "if it was meant: python -m tests.systems.gold"


def test_gold_is_worth_its_name() -> None:
    """The files are whole: every line of input has its translations, the best first."""
    lines = (CORPUS / "input.de").read_text("utf-8").splitlines()
    for system in SYSTEMS:
        for source in SOURCES:
            rows = [row.split(" ||| ") for row in gold(system, source).read_text("utf-8").splitlines()]
            assert sorted({int(row[0]) for row in rows}) == list(range(len(lines)))
            for number, line in enumerate(lines):
                scores = [float(row[3]) for row in rows if int(row[0]) == number]
                assert scores == sorted(scores, reverse=True)
                assert 1 < len(scores) <= 3 or not line
