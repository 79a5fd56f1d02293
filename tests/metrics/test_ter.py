"""What only TER has: edits counted by hand, shifts that cost one, and an edit rate without a reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.metrics import Ter

words = st.lists(st.sampled_from("abcd"), max_size=6)


def distance(one: list[str], other: list[str]) -> int:
    """Levenshtein's, by its definition."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


@given(words, words)
def test_never_more_than_without_shifts(hypothesis: list[str], reference: list[str]) -> None:
    ((edits, length),) = Ter().statistics([" ".join(hypothesis)], [[" ".join(reference)]]).tolist()
    assert length == len(reference)
    assert abs(len(hypothesis) - len(reference)) <= edits <= distance(hypothesis, reference)
    assert (edits == 0) == (hypothesis == reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("a b c d", "a b c d", 0),
        ("c d a b", "a b c d", 1),  # one shift
        ("a x c d", "a b c d", 1),
        ("a c d", "a b c d", 1),
        ("A B", "a b", 0),
        ("", "a b", 2),
        ("a b", "", 2),
    ],
)
def test_by_hand(hypothesis: str, reference: str, edits: int) -> None:
    assert Ter().statistics([hypothesis], [[reference]])[0, 0] == edits


def test_without_a_reference_any_word_is_wrong() -> None:
    assert Ter().scores(np.array([[2.0, 0.0], [0.0, 0.0], [3.0, 2.0]])).tolist() == [100.0, 0.0, 150.0]


def test_case_and_punctuation() -> None:
    pair = ["A house!"], [["a house"]]
    assert Ter().statistics(*pair)[0, 0] == 1
    assert Ter(case_sensitive=True).statistics(*pair)[0, 0] == 2
    assert Ter(punctuation=False).statistics(*pair)[0, 0] == 0
