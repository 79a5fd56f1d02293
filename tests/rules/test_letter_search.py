"""The best spellings of a word, against all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core import lm as native_lm
from pentaglot._core.corpus import END, FIRST_WORD
from pentaglot._core.rules import LetterSearch
from pentaglot.corpus import encode
from pentaglot.errors import PentaglotError
from pentaglot.lm import LanguageModel
from pentaglot.rules.letter_words import letter_arrays

Unit = tuple[str, str]
UNITS: list[Unit] = [("a", "x"), ("a", "y"), ("a", ""), ("b", "xy"), ("b", "x"), ("ab", "z"), ("ba", "y")]
TEXTS = st.lists(st.lists(st.sampled_from(UNITS), min_size=1, max_size=4), min_size=1, max_size=12)


def language_of(text: list[list[Unit]], order: int = 3) -> LanguageModel:
    ids, vocabulary = encode([["→".join(unit) for unit in units] for units in text])
    run = native_lm.count_ngrams(ids, len(vocabulary), order, 1)
    made = native_lm.estimate([run], order, len(vocabulary), [0] * order, (0.5, 1.0, 1.5), 1)
    return LanguageModel(vocabulary, ngrams=made.ngrams)


def units_of(language: LanguageModel) -> list[Unit]:
    words = language.vocabulary.words(np.arange(FIRST_WORD, len(language.vocabulary), dtype=np.uint32))
    return [(each.partition("→")[0], each.partition("→")[2]) for each in words]


def search_of(language: LanguageModel) -> LetterSearch:
    units = units_of(language)
    return LetterSearch(*letter_arrays(one for one, _ in units), *letter_arrays(two for _, two in units), FIRST_WORD)


def ways(units: list[Unit], word: str) -> Iterator[list[int]]:
    """All ways to make a word of units, by number."""
    if not word:
        yield []
    for number, (source, _) in enumerate(units):
        if word.startswith(source):
            yield from ([number, *rest] for rest in ways(units, word[len(source) :]))


def best_of_all(language: LanguageModel, word: str) -> dict[str, float]:
    units, model, found = units_of(language), language.native, dict[str, float]()
    for way in ways(units, word):
        state, score = model.begin_sentence(), 0.0
        for number in way:
            added, state = model.score(state, FIRST_WORD + number)
            score += added
        score += model.score(state, END)[0]
        spelt = "".join(units[number][1] for number in way)
        if spelt:
            found[spelt] = max(found.get(spelt, -math.inf), score)
    return found


def spelt(language: LanguageModel, word: str, most: int = 100, beam: int = 10_000) -> list[tuple[str, float]]:
    found = search_of(language).spell(letter_arrays([word])[0], language.native, most, beam)
    return [("".join(map(chr, letters)), score) for letters, score in found]


@given(TEXTS, st.text("ab", min_size=1, max_size=4), st.integers(1, 3))
def test_the_best_spellings_of_all(text: list[list[Unit]], word: str, order: int) -> None:
    language = language_of(text, order)
    wanted = best_of_all(language, word)
    found = spelt(language, word)
    assert dict(found) == pytest.approx(wanted, abs=1e-4)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert spelt(language, word, most=2) == found[:2]


@given(TEXTS, st.text("ab", min_size=1, max_size=6), st.integers(1, 8))
def test_a_beam_finds_nothing_that_is_not_there(text: list[list[Unit]], word: str, beam: int) -> None:
    language = language_of(text)
    wanted = best_of_all(language, word)
    for each, score in spelt(language, word, beam=beam):
        assert score <= wanted[each] + 1e-4


def test_words_that_cannot_be_spelt() -> None:
    language = language_of([[("a", "x")], [("b", "")]])
    assert [each for each, _ in spelt(language, "ab")] == ["x"]
    for word in ("c", "ac", "", "b", "a" * 41):
        assert spelt(language, word) == []
    assert spelt(language, "a", most=0) == spelt(language, "a", beam=0) == []
    assert search_of(language).spell(np.array([0xFFFFFFFF], np.uint32), language.native, 5, 5) == []


def test_bad_arrays_are_refused() -> None:
    language = language_of([[("a", "x")]])
    good = letter_arrays(["a"]), letter_arrays(["x"])
    for sides, message in (
        ((letter_arrays(["abc"]), good[1]), "a unit of letters is empty, too long"),
        ((letter_arrays([""]), good[1]), "a unit of letters is empty, too long"),
        ((good[0], letter_arrays(["x" * 17])), "a unit of letters is empty, too long"),
        ((good[0], letter_arrays(["x", "y"])), "are missing"),
        ((good[0], (good[1][0], np.array([1, 0, 1], np.uint64))), "are missing"),
        ((good[0], (np.array([1 << 24], np.uint32), good[1][1])), "a unit of letters is empty, too long"),
    ):
        with pytest.raises(PentaglotError, match=message):
            LetterSearch(*sides[0], *sides[1], FIRST_WORD)
    other = LetterSearch(*letter_arrays(["a", "b"]), *letter_arrays(["x", "y"]), FIRST_WORD)
    with pytest.raises(PentaglotError, match="not one of these units"):
        other.spell(letter_arrays(["a"])[0], language.native, 5, 5)
