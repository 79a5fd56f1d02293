"""Whether the sentences inside of a line begin with capitals is learnt from pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.joints import Joints

TEXT = ["There it is so, and he is here.", "Was it the man or was it not?", "So no one does it, of no use to me."]
MENU = [("Name: Der Name.", "Name: The name.")] * 12 + [("Name: ein Wort", "Name: a word")] * 2
NEWS = [("Er sagt: Es geht.", "He says: it is so.")] * 10
SOME = [("Er kam usw. und ging.", "He came etc. and was here.")] * 3


def tokenizer_of(pairs: list[tuple[str, str]]) -> Tokenizer:
    return Tokenizer(casing="truecase").train([*TEXT, *(target for _, target in pairs)]).with_edges(pairs)


@pytest.mark.parametrize(
    ("pairs", "words", "line", "expected"),
    [
        # After short words, too, the source says where a sentence begins.
        ([], "he is so. it is the man.", "Er ist so. Es ist der Mann.", "He is so. It is the man."),
        ([], "it is no. of it.", "Es ist die Nr. davon.", "It is no. of it."),
        ([], "he is so . it is.", "Er ist so . Es ist.", "He is so . It is."),
        # What follows a colon is a habit of the text.
        (MENU, "name: the man", "Name: Der Mann", "Name: The man"),
        (MENU, "name: the man", "name: Der Mann", "name: The man"),
        (NEWS, "name: the man", "Name: Der Mann", "Name: the man"),
        ([], "name: the man", "Name: Der Mann", "Name: the man"),
        # An abbreviation is one whose next word is mostly small.
        (SOME, "he is etc. and so. the man", "Er ist usw. Und so. Der Mann", "He is etc. and so. The man"),
        # If the source has other marks, what is usual in the text counts.
        ([("一。二。", "He is so. It is.")] * 10, "it is so. it is.", "一。二。", "It is so. It is."),
        ([("一。二。", "he is so. it is.")] * 10, "it is so. it is.", "一。二。", "it is so. it is."),
    ],
)
def test_inside_of_lines(pairs: list[tuple[str, str]], words: str, line: str, expected: str) -> None:
    assert tokenizer_of(pairs).recase(words, line) == expected


def test_placeables_are_not_words() -> None:
    tokenizer = tokenizer_of([])
    assert tokenizer.recase("it is {0}. it is so.", "Es ist {0}. Es ist so.") == "It is {0}. It is so."
    assert tokenizer.recase("it is so. {x} is.", "Es ist so. {x} ist.") == "It is so. {x} is."


WORDS = ["so", "So", "it", "It", "etc.", "is.", "no:", "3.", "no!", "“so”", "(It"]


@given(
    st.lists(st.tuples(*2 * [st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)]), max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
)
def test_only_words_after_marks_change(pairs: list[tuple[str, str]], line: str) -> None:
    joints = Joints.learn(pairs, str.lower)
    for place, _ in joints.capital(line, line).items():
        assert line[place].isalpha() and line[:place].rstrip(' “”("')[-1] in ".:!"
    cased = tokenizer_of(pairs).recase(line, line)
    assert cased.lower() == line.lower()


def test_what_was_learnt_does_not_depend_on_the_order_of_pairs() -> None:
    pairs = [*MENU, *NEWS[:4], *SOME]
    assert Joints.learn(pairs, str.lower) == Joints.learn(pairs[::-1], str.lower)


@pytest.mark.parametrize(
    "line",
    [
        "a" * 300_000,
        "a" * 300_000 + ". b",
        "a. " * 100_000,
        "." * 300_000,
        ". " + '" ' * 150_000,
        ".“" * 150_000 + " b",
    ],
)
def test_very_long_lines_take_no_longer_than_they_are(line: str) -> None:
    """A pattern that tries every letter of a long word would take hours."""
    assert all(line[place].isalpha() for place in Joints().capital(line, line.upper()))
