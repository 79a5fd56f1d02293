"""What only chrF has: character n-grams, counted by hand and put together as the paper says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.metrics import Chrf

texts = st.text("ab cé", max_size=12)


def counted(hypothesis: str, reference: str, order: int) -> list[int]:
    """n-grams of the hypothesis, of the reference, and matched; spaces do not count."""
    row = []
    for length in range(1, order + 1):
        sides = []
        for text in (hypothesis, reference):
            letters = "".join(text.split())
            sides.append(Counter(letters[at : at + length] for at in range(len(letters) - length + 1)))
        # With nothing in the reference, sacrebleu gives the hypothesis none either.
        row += [sides[0].total() if sides[1] else 0, sides[1].total(), (sides[0] & sides[1]).total()]
    return row


@given(texts, texts)
def test_statistics_are_counts(hypothesis: str, reference: str) -> None:
    found = Chrf(character_order=3).statistics([hypothesis], [[reference]])[0].tolist()
    assert found == counted(hypothesis, reference, 3)


@given(texts.filter(str.strip), texts.filter(str.strip), st.sampled_from([1, 2, 3]))
def test_score_is_the_f_score_of_the_means(hypothesis: str, reference: str, beta: int) -> None:
    chrf = Chrf(character_order=4, beta=beta)
    rows = np.array(counted(hypothesis, reference, 4)).reshape(4, 3)
    possible = [row for row in rows.tolist() if row[0] and row[1]]
    precision = sum(matched / mine for mine, _, matched in possible) / max(len(possible), 1)
    recall = sum(matched / theirs for _, theirs, matched in possible) / max(len(possible), 1)
    wanted = 0.0
    if precision + recall:
        wanted = 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert chrf.score(chrf.statistics([hypothesis], [[reference]])) == pytest.approx(wanted)


def test_names_and_words() -> None:
    assert [Chrf(word_order=order).name for order in range(3)] == ["chrF", "chrF+", "chrF++"]
    assert Chrf(word_order=2).statistics(["a b"], [["a b"]]).shape == (1, 24)


def test_nothing_in_common() -> None:
    assert Chrf().scores(np.array([[3.0, 3, 0] * 6, [0.0] * 18])).tolist() == [0.0, 0.0]
