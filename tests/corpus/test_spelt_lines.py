"""Rows of word ids as lines of text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Vocabulary
from pentaglot.errors import PentaglotError

WORDS = ["Haus", "größe", "猫", "a\u00a0b", "<s>"]
OTHERS = ("Haus", "ungesehen", "")
FIRST = 1 << 30


def _vocabulary() -> Vocabulary:
    words = Vocabulary()
    for word in WORDS:
        words.add(word)
    return words


def _lines(rows: list[list[int]], others: tuple[str, ...] = OTHERS) -> list[str]:
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.uint64)
    ids = np.array([each for row in rows for each in row], np.uint32)
    text, offsets = _vocabulary().lines(ends, ids, FIRST, others)
    places = offsets.tolist()
    return [text.tobytes()[begin:end].decode() for begin, end in pairwise(places)]


@given(st.lists(st.lists(st.sampled_from([*range(4, 4 + len(WORDS)), FIRST, FIRST + 1, FIRST + 2]))))
def test_lines_are_the_words_with_spaces_between(rows: list[list[int]]) -> None:
    words = _vocabulary()

    def spelt(number: int) -> str:
        return OTHERS[number - FIRST] if number >= FIRST else words.word(number)

    assert _lines(rows) == [" ".join(map(spelt, row)) for row in rows]


def test_what_has_no_spelling_is_refused() -> None:
    for bad in (4 + len(WORDS), FIRST - 1, FIRST + len(OTHERS), 2**32 - 1):
        with pytest.raises(PentaglotError, match="out of range"):
            _lines([[4, bad]])
    with pytest.raises(PentaglotError, match="surrogate"):
        _lines([[FIRST]], ("\ud800",))
    for ends in ([0, 2], [1, 1], [], [0, 3, 1]):
        with pytest.raises(PentaglotError, match="do not fit"):
            _vocabulary().lines(np.array(ends, np.uint64), np.array([4], np.uint32), FIRST, ())
