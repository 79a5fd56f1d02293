"""Stand-ins pass through every tokenizer as words of their own, and give back what they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot.corpus import Tokenizer
from pentaglot.systems import Fixed
from pentaglot.systems.standins import StandIns, joiners_work


@given(
    st.lists(st.tuples(st.text("aB ,.-(é日", max_size=6), st.text("xY-. ", min_size=1, max_size=5)), max_size=5),
    st.sampled_from(["conservative", "aggressive", "none", "characters"]),
)
def test_every_part_becomes_one_word(parts: list[tuple[str, str]], mode: str) -> None:
    line, marks = "", []
    for before, inside in parts:
        line += before
        if inside.strip():
            marks.append(Fixed(len(line), len(line) + len(inside), f"translation {len(marks)}"))
        line += inside
    tokenizer = Tokenizer(mode)
    made, words = StandIns.tokenised(line, marks, tokenizer)
    units = made.units(words, tokenizer)
    assert sum(len(made.in_word(word)) for word in words) == len(marks)
    assert not any(any(map(str.isalnum, made.without(words[place]))) for place in units)
    restored = made.restored(tokenizer.detokenise(words))
    for number in range(len(marks)):
        assert f"translation {number}" in restored


def test_words_are_cut_beside_a_mark() -> None:
    tokenizer = Tokenizer()
    made, words = StandIns.tokenised("eine BMW-Fahrerin (BMWs)", [Fixed(5, 8, "BMW"), Fixed(19, 22, "BMW")], tokenizer)
    shown = [made.restored(word) for word in words]
    assert "BMW" in shown and "s" in [word.strip("￭") for word in shown]
    assert "Fahrerin" in [word.strip("￭-") for word in shown]


def test_many_marks_and_odd_lines() -> None:
    line = "a " * 5000
    made = StandIns.put(line, [Fixed(2 * at, 2 * at + 1, str(at)) for at in range(5000)])
    assert made.restored(made.text).split() == [str(at) for at in range(5000)]
    linear = chr(0x10600) + " a"
    assert StandIns.put(linear, [Fixed(2, 3, "b")]).restored(StandIns.put(linear, [Fixed(2, 3, "b")]).text) == (
        chr(0x10600) + " b"
    )
    with pytest.raises(PentaglotError, match="at once cannot have fixed parts"):
        StandIns.put("".join(map(chr, (0x10600, 0x10000, 0x12000))) + " a", [Fixed(4, 5, "b")])


def test_which_tokenizers_join() -> None:
    assert joiners_work(Tokenizer())
    assert not joiners_work(Tokenizer("none"))
