"""What only chrF has: character n-grams, counted by hand and put together as the paper says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.texts import segments

from pentaglot._core import metrics as core
from pentaglot.errors import PentaglotError
from pentaglot.metrics import Chrf
from pentaglot.metrics.sacre import corpus_statistics

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


@pytest.mark.parametrize("whitespace", [False, True])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(("characters", "words"), [(6, 0), (6, 2), (0, 1), (1, 3), (9, 1)])
def test_every_segment_is_that_of_sacrebleu(characters: int, words: int, lowercase: bool, whitespace: bool) -> None:
    for references, beta in ((1, 2), (2, 1), (3, 0), (3, 3)):
        chrf = Chrf(lowercase, characters, words, beta, whitespace)
        hypotheses, wanted = segments(7 * characters + beta, 60, references)
        theirs = corpus_statistics(chrf._sacrebleu(), hypotheses, wanted, width=3 * (characters + words))
        assert np.array_equal(chrf.statistics(hypotheses, wanted), theirs)


@given(
    st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=12)] * 3), min_size=1, max_size=4)
)
def test_any_character(rows: list[tuple[str, str, str]]) -> None:
    hypotheses, *references = (list(column) for column in zip(*rows, strict=True))
    chrf = Chrf(word_order=2)
    theirs = corpus_statistics(chrf._sacrebleu(), hypotheses, references, width=24)
    assert np.array_equal(chrf.statistics(hypotheses, references), theirs)


def test_native_input_is_checked() -> None:
    with pytest.raises(PentaglotError, match="segment 2 cannot be encoded as UTF-8"):
        Chrf().statistics(["a", "\ud800"], [["a", "a"]])
    with pytest.raises(PentaglotError, match="orders of chrF must not be above 1000"):
        Chrf(character_order=1001).statistics(["a"], [["a"]])
    with pytest.raises(PentaglotError, match="one segment in every"):
        core.chrf_statistics(("a", "b"), (("a",),))
