"""Ways to cut: each gives its line back, none hands out a word with a space in it, marks of ours in a text survive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.spaceless import SpacelessSplitter, characters
from pentaglot.corpus.splitters import JOINER, SPACER, SpaceSplitter, plain
from pentaglot.corpus.word_splitter import WordSplitter

MARKS = f"{JOINER}{SPACER}｟｠"
texts = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(MARKS + " a.第\u0301\u200d\ue000")))
SPLITTERS = [
    SpaceSplitter(),
    WordSplitter("conservative"),
    WordSplitter("aggressive"),
    SpacelessSplitter(lambda: characters),
    SpacelessSplitter(lambda: lambda piece: [piece[:1], piece[1:]]),
    SpacelessSplitter(lambda: lambda piece: ["something", "else"]),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=range(len(SPLITTERS)))
@given(lines=st.lists(texts, max_size=3))
def test_there_and_back(splitter: SpaceSplitter | WordSplitter | SpacelessSplitter, lines: list[str]) -> None:
    found = splitter.split(lines, None)
    assert len(found) == len(lines)
    for line, words in zip(lines, found, strict=True):
        assert splitter.join(words) == splitter.normalise(line)
        assert all(word and " " not in word for word in words)


@pytest.mark.parametrize("splitter", SPLITTERS, ids=range(len(SPLITTERS)))
def test_a_change_comes_before_cutting(splitter: SpaceSplitter | WordSplitter | SpacelessSplitter) -> None:
    assert splitter.join(splitter.split(["Das HAUS, Alt."], str.lower)[0]) == "das haus, alt."


def test_one_line_does_not_touch_the_next() -> None:
    splitter = WordSplitter("conservative")
    lines = ["a,b", "", "x￭y", "Straße 3.5"]
    assert splitter.split(lines, None) == [splitter.split([line], None)[0] for line in lines]


@given(texts)
def test_characters_are_all_there(text: str) -> None:
    assert "".join(characters(text)) == text


def test_marks_stay_with_their_letters() -> None:
    assert characters("กี第\u0301x2") == ["กี", "第\u0301", "x2"]
    assert characters("去हिन्दी和هَلْ和שָׁלוֹם") == ["去", "हिन्दी", "和", "هَلْ", "和", "שָׁלוֹם"]


@given(texts)
def test_plain_words_have_no_marks(text: str) -> None:
    for word in WordSplitter("conservative").split([text], None)[0]:
        shown = plain(word)
        assert shown
        assert "\ufdd0" not in shown
        assert not shown.startswith(JOINER) or JOINER in text or word == JOINER


def test_words_with_odd_letters_are_whole() -> None:
    splitter = WordSplitter("conservative")
    lines = [
        "می‌خواهم، و می‌روم.",
        "परमेश्‍वर ने (पृथ्‍वी)",
        "\ue000\ue001, \ue002\u0301a\ue000!",
        "\U000f0000\U000f0001 \uf0b7Item",
    ]
    assert splitter.split(lines, None) == [
        ["می‌خواهم", "￭،", "و", "می‌روم", "￭."],
        ["परमेश्‍वर", "ने", "(￭", "पृथ्‍वी", "￭)"],
        ["\ue000\ue001", "￭,", "\ue002\u0301a\ue000", "￭!"],
        ["\U000f0000\U000f0001", "\uf0b7￭", "Item"],
    ]
    assert splitter.split(["👨\u200d👩 a \u200d b"], None)[0].count("a") == 1
    older = WordSplitter("conservative", odd_words=False)
    assert older.split(["\ue000\ue001"], None) == [["\ue000", "￭\ue001"]]
