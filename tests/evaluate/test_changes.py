"""Words that changed: nothing is lost, and what is marked differs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.evaluate.changes import changes_between, marked

lines = st.lists(st.sampled_from(["a", "b", "c", "<d>", "我们", "我。", "bก็"]), max_size=8).map(" ".join)


@given(lines, lines)
def test_marked_words_are_those_that_differ(before: str, after: str) -> None:
    both = marked(before, after)
    for line, runs in zip((before, after), both, strict=True):
        assert "".join(text for text, _ in runs) == line
        assert all(text == text.strip() for text, new in runs if new)
        kinds = [new for _, new in runs]
        assert all(one != next_one for one, next_one in pairwise(kinds)), "pieces are as long as they can be"
    same = ["".join(text for text, new in runs if not new).replace(" ", "") for runs in both]
    assert same[0] == same[1], "what is not marked is in both, in the same order"
    if before == after:
        assert not any(new for runs in both for _, new in runs)


def test_characters_are_marked_where_there_are_no_spaces() -> None:
    before, after = marked("ฉันไปตลาด 5 วัน", "ฉันมาตลาด 7 วัน")
    assert [text for text, new in before if new] == ["ไป", "5"]
    assert [text for text, new in after if new] == ["มา", "7"]
    assert marked("", "a b") == ([], [("a b", True)])
    assert marked(" a  b ", "b") == ([("a", True), (" b", False)], [("b", False)])


def test_better_ones_first_and_ties_in_order() -> None:
    gains = np.array([0.0, 5.0, -3.0, 5.0, -7.0, 1.0])
    texts = [str(number) for number in range(6)]
    found = changes_between(("new", "old"), (texts, texts), [texts], None, gains, 2)
    assert [(each.segment, each.gain) for each in found] == [(2, 5.0), (4, 5.0), (5, -7.0), (3, -3.0)]
    assert found[0].source is None and found[0].references == ("1",)
    assert changes_between(("new", "old"), (texts, texts), [texts], None, gains, 0) == []
