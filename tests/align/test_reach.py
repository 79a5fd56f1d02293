"""How far words move, against counting pairs one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.align import NO_POSITION, reach

Places = list[list[tuple[int, int] | None]]  # for each word of each sentence, first and last place


@st.composite
def texts(draw: st.DrawFn) -> Places:
    """Few kinds of sentences, many times: the shares of pairs are near the threshold, and there are enough pairs."""
    place = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))
    monotone = [(i, i) for i in range(draw(st.integers(2, 12)))]
    other = draw(st.lists(place, max_size=12))
    return [*([monotone] * draw(st.integers(0, 200))), *([other] * draw(st.integers(0, 200)))]


def counted(sentences: Places, least: int, most: int) -> int:
    found = least
    for distance in range(least, most + 1):
        pairs = [
            (one, other)
            for words in sentences
            for one, other in zip(words, words[distance:], strict=False)
            if one is not None and other is not None
        ]
        if len(pairs) < 100 or sum(sum(other) < sum(one) for one, other in pairs) < 0.05 * len(pairs):
            return found
        found = distance
    return found


@given(texts(), st.integers(1, 6), st.integers(0, 6))
def test_equals_counting(sentences: Places, least: int, more: int) -> None:
    first = [NO_POSITION if word is None else word[0] for words in sentences for word in [*words, None]]
    last = [NO_POSITION if word is None else word[1] for words in sentences for word in [*words, None]]
    offsets = np.cumsum([0, *(len(words) + 1 for words in sentences)]).astype(np.uint64)
    found = reach(np.array(first, np.uint16), np.array(last, np.uint16), offsets, least=least, most=least + more)
    assert found == counted(sentences, least, least + more)


def test_of_a_large_text_some_sentences_are_enough() -> None:
    first = np.tile(np.array([2, 1, 0, NO_POSITION], np.uint16), 50_000)
    offsets = np.arange(0, len(first) + 1, 4, dtype=np.uint64)
    assert reach(first, first, offsets, least=1, most=9) == 2
