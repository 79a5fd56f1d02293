"""Tokenising loses nothing, whatever the text; what was chosen can be stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pentaglot import storage
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.truecaser import Truecaser
from pentaglot.errors import OptionError, StorageError

from .texts import texts

MODES = ["conservative", "aggressive", "characters"]
TRUECASER = Truecaser({"the": "the", "house": "house", "ibm": "IBM", "i": "I", "a": "a", "ß": "ß", "dž": "dž"})


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=400)
@given(text=texts())
@example("")
@example("￭")
@example("a ￭b￭ c ▁ d▁")
@example("｟a b｠ ｟")
@example("\u0301a \u0301 \u0301b")
@example("a|||b ||| <s> </s>")
def test_the_round_trip_is_exact(mode: str, text: str) -> None:
    tokenizer = Tokenizer(mode)
    words = tokenizer.tokenise(text)
    assert tokenizer.detokenise(words) == normalise(text) == tokenizer.normalise(text)
    assert all(words), "no word is empty"
    assert " ".join(words).split(" ") == (words or [""]), "words can be written with spaces between them"


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_every_assigned_character_survives_anywhere(mode: str) -> None:
    tokenizer = Tokenizer(mode)
    # Planes 2 and 3 are all Han, 4 to 13 empty, 15 and 16 private: parts of each stand for the rest.
    for begin in [*range(0, 0x20000, 0x400), 0xE0000, *range(0x20000, 0x110000, 0x8000)]:
        characters = [chr(code) for code in range(begin, begin + 0x400) if not 0xD800 <= code < 0xE000]
        lines = [f"{c}b a{c} {c} -{c}-{c} 1{c}2" for c in characters]
        for line, words in zip(lines, tokenizer.tokenise_all(lines), strict=True):
            assert tokenizer.detokenise(words) == normalise(line)


@pytest.mark.parametrize("casing", ["lowercase", "truecase"])
@pytest.mark.parametrize("mode", [*MODES, "none"])
@given(text=texts())
def test_the_round_trip_is_exact_up_to_the_chosen_casing(mode: str, casing: str, text: str) -> None:
    tokenizer = Tokenizer(mode, casing, TRUECASER)  # type: ignore[arg-type]
    line = tokenizer.detokenise(tokenizer.tokenise(text))
    assert line == tokenizer.normalise(text)
    expected = text if mode == "none" else normalise(text)
    assert line.lower().split() == normalise(expected.lower()).split() or "İ" in text or mode == "none"


@given(texts())
def test_text_that_is_tokenised_already_is_left_alone(text: str) -> None:
    tokenizer = Tokenizer("none")
    words = tokenizer.tokenise(text)
    assert words == [word for word in text.replace("\t", " ").split(" ") if word]
    assert tokenizer.detokenise(words) == tokenizer.normalise(text)


@given(st.lists(texts(), max_size=8), st.sampled_from([*MODES, "none"]))
def test_many_lines_are_tokenised_as_one_by_one(lines: list[str], mode: str) -> None:
    tokenizer = Tokenizer(mode)
    before = list(lines)
    assert tokenizer.tokenise_all(lines) == [tokenizer.tokenise(line) for line in lines]
    assert lines == before, "the caller's list is not touched"


@pytest.mark.parametrize(
    ("mode", "line", "words"),
    [
        ("conservative", "I don't pay $1,234.56.", "I don ￭'￭ t pay $￭ 1,234.56 ￭."),
        ("conservative", "L’arrière-pensée : « oui »", "L ￭’￭ arrière-pensée : « oui »"),
        ("aggressive", "state-of-the-art", "state ￭-￭ of ￭-￭ the ￭-￭ art"),
        ("characters", "私はIBM Modelです。", "私 は IBM ▁ Model で す 。"),
        ("characters", "ภาษา", "ภ า ษ า"),
        ("characters", "น้ำ", "น้ ำ"),
        ("none", " a  b\tc￭ ▁", "a b c￭ ▁"),
    ],
)
def test_examples(mode: str, line: str, words: str) -> None:
    assert Tokenizer(mode).tokenise(line) == words.split(" ")


def test_marks_in_the_text_are_not_taken_for_ours() -> None:
    tokenizer = Tokenizer()
    words = tokenizer.tokenise("a￭ ￭b")
    assert not any("￭" in word.strip("￭") for word in words)
    assert tokenizer.detokenise(["a", "￭b"]) == "ab"
    assert tokenizer.detokenise(words) == "a￭ ￭b"


@pytest.mark.parametrize("casing", ["keep", "lowercase", "truecase"])
def test_what_was_chosen_is_stored(tmp_path: Path, casing: str) -> None:
    corpus = ["The house of IBM.", "In the house.", "All of the\u0308 IBM house."]
    tokenizer = Tokenizer("aggressive", casing).train(corpus)  # type: ignore[arg-type]
    tokenizer.save(tmp_path / "tokenizer")
    again = Tokenizer.open(tmp_path / "tokenizer")
    assert again == tokenizer
    assert again.tokenise("The IBM house") == tokenizer.tokenise("The IBM house")
    (tmp_path / "tokenizer" / "contents.toml").unlink()
    with pytest.raises(StorageError, match="holds no tokenizer"):
        Tokenizer.open(tmp_path / "tokenizer")


def test_tokenizers_from_before_odd_words_stay_as_they_were(tmp_path: Path) -> None:
    with storage.create(tmp_path / "old", kind="tokenizer", version=1) as new:
        new.facts.update(mode="conservative", casing="keep", truecaser=False, placeables=True)
    assert Tokenizer.open(tmp_path / "old").tokenise("\ue000\ue001") == ["\ue000", "￭\ue001"]
    Tokenizer().save(tmp_path / "new")
    assert Tokenizer.open(tmp_path / "new").tokenise("\ue000\ue001") == ["\ue000\ue001"]


def test_capitals_go_and_come_back() -> None:
    corpus = ["The house of IBM.", "In the house of IBM.", "See Berlin and the house."]
    lower = Tokenizer(casing="lowercase").train(corpus)
    assert lower.tokenise("The House of IBM.") == ["the", "house", "of", "ibm", "￭."]
    assert lower.recase("the house of ibm.", like="Das Haus.") == "The house of IBM."
    true = Tokenizer(casing="truecase").train(corpus)
    assert true.tokenise("The house in Berlin.") == ["the", "house", "in", "Berlin", "￭."]
    assert true.recase("the house in Berlin.") == "The house in Berlin."
    assert Tokenizer().recase("the house") == "the house"


def test_mistakes_are_named() -> None:
    with pytest.raises(OptionError, match="no tokenizer 'conservativ'; did you mean 'conservative'"):
        Tokenizer("conservativ")
    with pytest.raises(OptionError, match="casing cannot be 'lower'; did you mean 'lowercase'"):
        Tokenizer(casing="lower")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="learnt from text first"):
        Tokenizer(casing="truecase").tokenise("a")


def test_very_long_lines() -> None:
    line = "x" * 1_000_000 + " " + "ab, " * 100_000
    for mode in [*MODES, "none"]:
        tokenizer = Tokenizer(mode)
        assert tokenizer.detokenise(tokenizer.tokenise(line)) == line.strip()
