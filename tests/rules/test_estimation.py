"""Sizes of tables: counts are exact, the thesis's reckoning is its formula, estimates are near."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.tables import encoded
from tests.rules.test_extraction import large

from pentaglot.corpus import encode
from pentaglot.index import Index
from pentaglot.rules import estimate_table, extract_table
from pentaglot.rules.estimation import complete_table_bytes, distinct_phrases


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=8), max_size=5), st.integers(1, 6))
def test_distinct_phrases(sentences: list[list[str]], longest: int) -> None:
    found = distinct_phrases(encode(sentences)[0], longest)
    for length, number in enumerate(found, 1):
        phrases = {tuple(each[at : at + length]) for each in sentences for at in range(len(each) - length + 1)}
        assert number == len(phrases)


def test_the_reckoning_of_the_thesis() -> None:
    """Spec lopez2008, 7.6: one phrase of length 3 costs 44 bytes."""
    text, _ = encode([["a", "b", "c"]])
    assert complete_table_bytes(text, 3) - complete_table_bytes(text, 2) == 44


def test_estimates(tmp_path: Path) -> None:
    text = encoded(large(800))
    table = extract_table(text, tmp_path / "table")
    size = sum(file.stat().st_size for file in (tmp_path / "table").rglob("*") if file.is_file())
    for given_text in (text, Index.build(*text)):
        estimate = estimate_table(given_text, share=0.5)
        assert estimate.instances == table.facts["instances"]
        assert estimate.pairs == 800 and 300 < estimate.sampled_pairs < 500
        assert estimate.rules == pytest.approx(len(table), rel=0.2)
        assert estimate.bytes == pytest.approx(size, rel=0.2)


def test_nothing_to_estimate() -> None:
    estimate = estimate_table(encoded([(["a"], ["x"], [])]))
    assert (estimate.instances, estimate.rules) == (0, 0)
