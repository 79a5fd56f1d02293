"""Words that are spelt alike, that begin alike, and parts of compounds, by their definitions in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pentaglot._core.rules import WordForms
from pentaglot.errors import PentaglotError

FIRST = 4
LETTERS = st.text("abß𝔵", max_size=7)
WORDS = st.lists(st.tuples(LETTERS, st.integers(0, 7), st.integers(0, 4)), max_size=25)
Words = list[tuple[str, int, int]]


def letters(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def arrays(words: Words) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint8]]:
    offsets = np.cumsum([0, *(len(word) for word, _, _ in words)]).astype(np.uint64)
    return letters("".join(word for word, _, _ in words)), offsets, np.array([each for _, each, _ in words], np.uint8)


def counts_of(words: Words) -> NDArray[np.uint64]:
    return np.array([0] * FIRST + [count for _, _, count in words], np.uint64)


def fitting(words: Words, traits: int, heeded: int) -> Iterator[tuple[int, str, int]]:
    for number, (word, theirs, count) in enumerate(words, FIRST):
        if word and count and (theirs & heeded) == (traits & heeded):
            yield number, word, count


def alike(words: Words, word: str, traits: int, heeded: int) -> list[int]:
    found = [(-count, number) for number, each, count in fitting(words, traits, heeded) if each == word]
    return [number for _, number in sorted(found)]


def near(
    words: Words, word: str, traits: int, heeded: int, least: float, beginning: int
) -> list[tuple[float, int, int]]:
    found = []
    for number, each, count in fitting(words, traits, heeded):
        shared = next(
            (at for at, (a, b) in enumerate(zip(word, each, strict=False)) if a != b), min(len(word), len(each))
        )
        likeness = np.float32(2 * shared) / np.float32(len(word) + len(each))
        if shared >= max(beginning, math.ceil(len(word) / 2), 1) and likeness >= np.float32(least):
            found.append((-float(likeness), -count, number))
    return sorted(found)


def splits(words: Words, word: str, traits: int, heeded: int, between: int, parts: int) -> Iterator[list[int]]:
    """All ways to put a word together of parts of two letters or more that occur twice."""
    waiting: list[tuple[int, list[int]]] = [(0, [])]
    while waiting:
        at, found = waiting.pop()
        for end in range(at + 2, len(word) + 1):
            known = alike(words, word[at:end], traits, heeded)[:1]
            if not known or words[known[0] - FIRST][2] < 2:
                continue
            if end == len(word) and found:
                yield [*found, *known]
            elif len(found) + 1 < parts:
                waiting += [(end + skipped, [*found, *known]) for skipped in range(between + 1)]


@given(WORDS, LETTERS, st.integers(0, 7), st.sampled_from([0, 3, 7]), st.integers(0, 25))
def test_words_that_are_spelt_alike(words: Words, word: str, traits: int, heeded: int, cut: int) -> None:
    known, later = words[:cut], words[cut:]
    forms = WordForms(*arrays(known), FIRST).extended(*arrays(later))
    assert len(forms) == len(words)
    assert forms.alike(letters(word), traits, heeded, counts_of(words)) == alike(words, word, traits, heeded)
    # Words that nobody counts do not occur.
    assert forms.alike(letters(word), traits, heeded, counts_of(known)) == alike(known, word, traits, heeded)


@given(WORDS, LETTERS, st.sampled_from([0, 7]), st.floats(0, 1), st.integers(0, 4), st.integers(0, 5))
def test_words_that_begin_alike(words: Words, word: str, heeded: int, least: float, beginning: int, most: int) -> None:
    found = WordForms(*arrays(words), FIRST).near(letters(word), 1, heeded, counts_of(words), least, 1, beginning, most)
    wanted = near(words, word, 1, heeded, least, beginning)[:most]
    assert [number for number, _ in found] == [number for _, _, number in wanted]
    assert [likeness for _, likeness in found] == pytest.approx([-likeness for likeness, _, _ in wanted])


def test_only_those_that_are_nearly_as_near_as_the_nearest() -> None:
    words = [("worten", 0, 1), ("worte", 0, 1), ("wortlos", 0, 9)]
    asked = letters("wortes"), 0, 7, counts_of(words)
    forms = WordForms(*arrays(words), FIRST)
    assert [number for number, _ in forms.near(*asked, 0.6, 1.0, 4, 5)] == [5, 4, 6]
    assert [number for number, _ in forms.near(*asked, 0.6, 0.1, 4, 5)] == [5, 4][:1] + [4] * (10 / 12 >= 10 / 11 - 0.1)


@given(
    WORDS, st.lists(st.sampled_from(["ab", "aß", "bb", "abb", "a"]), max_size=5), st.integers(0, 2), st.integers(0, 3)
)
def test_parts_of_compounds(words: Words, pieces: list[str], between: int, parts: int) -> None:
    word = "".join(pieces)
    words = [*words, ("ab", 0, 3), ("bb", 0, 2)]
    found = WordForms(*arrays(words), FIRST).split(letters(word), 0, 7, counts_of(words), 2, between, parts, 2)

    def worth(split: list[int]) -> float:
        return sum(math.log(words[number - FIRST][2]) for number in split) / len(split)

    every = list(splits(words, word, 0, 7, between, parts))
    assert bool(found) == bool(every)
    if found:
        assert found in every and worth(found) == pytest.approx(max(map(worth, every)))


def test_very_long_words_are_looked_up_in_no_time() -> None:
    words = [("a" * length, 0, 5) for length in range(1, 200)]
    forms, long = WordForms(*arrays(words), FIRST), letters("a" * 10_000)
    assert forms.alike(long, 0, 7, counts_of(words)) == []
    assert forms.near(long, 0, 7, counts_of(words), 0.1, 1, 4, 5) == []
    assert forms.split(long, 0, 7, counts_of(words), 4, 2, 3, 2) == []


def test_nothing_is_found_among_no_words() -> None:
    forms, asked = WordForms(*arrays([]), FIRST), (letters("haus"), 0, 7, counts_of([]))
    assert forms.alike(*asked) == forms.split(*asked, 4, 2, 3, 2) == [] == forms.near(*asked, 0.6, 0.1, 4, 5)


def test_arrays_that_do_not_fit_are_refused() -> None:
    for offsets in ([0, 2], [1, 3], [0, 4, 3], []):
        with pytest.raises(PentaglotError, match="do not fit together"):
            WordForms(letters("abc"), np.array(offsets, np.uint64), np.zeros(max(len(offsets) - 1, 0), np.uint8), 4)
