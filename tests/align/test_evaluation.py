"""Error rates by hand, and the gold format with its mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentaglot.align import Alignment, AlignmentScore, evaluate, read_gold
from pentaglot.errors import InputError


def test_error_rate_by_hand(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1-1 2p2 3-3\n1-1\n")
    gold = read_gold(tmp_path / "gold")
    assert gold.sure.links(0) == [(0, 0), (2, 2)] and gold.possible.links(0) == [(0, 0), (1, 1), (2, 2)]
    found = Alignment.from_links([[(0, 0), (1, 1), (0, 2)], []])
    score = evaluate(found, gold)
    # 3 links, of them 1 sure and 2 possible; 3 sure links in the gold.
    assert score == AlignmentScore(links=3, sure=3, linked_sure=1, linked_possible=2)
    assert score.precision == pytest.approx(2 / 3)
    assert score.recall == pytest.approx(1 / 3)
    assert score.error_rate == pytest.approx(1 - 3 / 6)
    assert score.f == pytest.approx(2 * (2 / 3) * (1 / 3) / 1)


def test_perfect_and_empty(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1-1 2p2\n")
    gold = read_gold(tmp_path / "gold")
    assert evaluate(gold.sure, gold).error_rate == 0
    assert evaluate(gold.possible, gold).error_rate == 0
    nothing = evaluate(Alignment.from_links([[]]), gold)
    assert (nothing.precision, nothing.recall, nothing.f, nothing.error_rate) == (1.0, 0.0, 0.0, 1.0)


def test_links_out_of_range_are_skipped_and_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "gold").write_text("1-1\n1-1 9-1 1p8\n")
    gold = read_gold(tmp_path / "gold", lengths=(np.array([1, 2]), np.array([1, 2])))
    assert gold.skipped == ((1, 0, 7), (1, 8, 0))
    assert gold.possible.links(1) == [(0, 0)]
    assert "2 links outside of the sentences skipped; the first is 1-8" in caplog.text and "gold:2" in caplog.text


def test_a_sure_link_that_is_also_possible_is_sure(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1p1 1-1\n")
    gold = read_gold(tmp_path / "gold")
    assert gold.sure.links(0) == gold.possible.links(0) == [(0, 0)]


def test_mistakes_are_named(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1-1\n0-1\n")
    with pytest.raises(InputError, match="gold:2: '0-1' has position 0 although positions count from 1"):
        read_gold(tmp_path / "gold")
    (tmp_path / "gold").write_text("1-1\n")
    with pytest.raises(InputError, match="has 1 line, but there are 2 sentence pairs"):
        read_gold(tmp_path / "gold", lengths=(np.array([1, 1]), np.array([1, 1])))
    with pytest.raises(InputError, match="the alignment has 2 sentence pairs"):
        evaluate(Alignment.from_links([[], []]), read_gold(tmp_path / "gold"))
