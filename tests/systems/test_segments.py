"""Long sentences are cut at good places, and nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.systems.segments import split_words


def lists(words: list[str], longest: int) -> list[list[str]]:
    return [list(part) for part in split_words(words, longest)]


@given(st.lists(st.sampled_from(["a", "b", ".", "￭,", "!"]), max_size=60), st.integers(1, 20))
def test_nothing_is_lost(words: list[str], longest: int) -> None:
    parts = [list(part) for part in split_words(words, longest)]
    assert [word for part in parts for word in part] == words
    assert all(len(part) <= longest for part in parts)
    assert all(parts) or not words


def test_prefers_the_end_of_a_sentence() -> None:
    assert lists(["a", "b", "c", ".", "d", ",", "e", "f"], 6) == [["a", "b", "c", "."], ["d", ",", "e", "f"]]
    assert lists(["a", "b", "c", "d", ",", "e", "f", "g"], 6) == [["a", "b", "c", "d", ","], ["e", "f", "g"]]
    assert lists(["a", "b", "c", "d", "e"], 2) == [["a", "b"], ["c", "d"], ["e"]]
