"""Words as an aligner sees them, how alike they are, and classes of words that occur alike."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core.align import exchange_classes, likeness
from pentaglot.align.words import normal_form, spelling_key
from pentaglot.corpus import encode
from pentaglot.errors import PentaglotError


def test_normal_form() -> None:
    assert normal_form("￭Haus￭", lowercase=True) == "haus"
    assert normal_form("Haus", lowercase=False) == "Haus"
    assert normal_form("￭", lowercase=True) == "￭"


def test_spelling_key() -> None:
    assert spelling_key("Élève") == "eleve"
    assert spelling_key("Straße") == "strasse"


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("paris", "paris", 1.0),
        (",", ",", 1.0),
        ("parliament", "parlement", 0.0),
        ("nation", "nationen", 6 / 8),
        ("ban", "band", 0.0),
        ("haus", "maus", 0.0),
        ("information", "informatique", 9 / 12),
        ("", "", 0.0),
    ],
)
def test_likeness(one: str, other: str, wanted: float) -> None:
    assert likeness(one, other) == pytest.approx(wanted)


@given(st.text(max_size=8), st.text(max_size=8))
def test_likeness_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1


def test_classes_find_words_that_occur_alike() -> None:
    chooser = random.Random(4)
    kinds = [[f"d{k}" for k in range(3)], [f"a{k}" for k in range(6)], [f"n{k}" for k in range(9)]]
    text, vocabulary = encode([[chooser.choice(kind) for kind in kinds] for _ in range(500)])
    classes = exchange_classes(text, len(vocabulary), 4, 20)
    found = [{int(classes[vocabulary.find(word)]) for word in kind} for kind in kinds]
    assert all(len(each) == 1 for each in found) and len(set.union(*found)) == 3
    assert (classes[:4] == 0).all() and 0 not in set.union(*found)


def test_classes_never_make_the_text_less_likely() -> None:
    chooser = random.Random(7)
    text, vocabulary = encode([[f"w{int(chooser.expovariate(0.1))}" for _ in range(8)] for _ in range(200)])
    scores = [_class_likelihood(text.tokens, exchange_classes(text, len(vocabulary), 5, r)) for r in (0, 1, 2, 4, 8)]
    assert scores == sorted(scores) and scores[0] < scores[-1]


def _class_likelihood(tokens: np.ndarray, classes: np.ndarray) -> float:  # type: ignore[type-arg]
    """The log-likelihood of the bigram model of classes, apart from what does not depend on the classes."""
    path = classes[np.concatenate([[2], tokens])].astype(int)
    pairs = np.bincount(path[:-1] * 5 + path[1:], minlength=25).astype(float)
    sides = [np.bincount(path[:-1], minlength=5).astype(float), np.bincount(path[1:], minlength=5).astype(float)]
    total = sum(float((each[each > 0] * np.log(each[each > 0])).sum()) * sign for each, sign in
                ((pairs, 1), (sides[0], -1), (sides[1], -1)))  # fmt: skip
    return round(total, 6)


def test_impossible_numbers_of_classes() -> None:
    text, vocabulary = encode([["a"]])
    with pytest.raises(PentaglotError, match="from 2 to 1000"):
        exchange_classes(text, len(vocabulary), 1, 1)
