"""From a line to segments, and from typed words to lines that begin with them."""

from __future__ import annotations

from pentaglot.corpus import Tokenizer
from pentaglot.rules import Unit
from pentaglot.systems import Fixed
from pentaglot.systems.prepared import PreparedLine, TypedWords


def test_units_stay_with_their_segment() -> None:
    tokenizer = Tokenizer("none")
    line = "a b c d e f"
    sentence = PreparedLine.read(line, [Fixed(0, 1, "A"), Fixed(8, 11, "E F")], tokenizer, tokenizer)
    segments = sentence.parts(3)
    assert [len(each.words) for each in segments] == [3, 2]
    assert segments[0].units == {0: Unit("a", ("A",))}
    assert segments[1].units == {1: Unit("e f", ("E", "F"))}
    assert PreparedLine.read("", [], tokenizer, tokenizer).parts(3) == []


def test_typed_words() -> None:
    tokenizer = Tokenizer()
    assert TypedWords.read("The old ho", tokenizer).unfinished
    assert not TypedWords.read("The old ", tokenizer).unfinished
    assert TypedWords.read(" ", tokenizer).words == ()


def test_what_was_typed_stays_as_it_is() -> None:
    tokenizer = Tokenizer(casing="lowercase")
    sentence = PreparedLine.read("Das alte Haus", [], tokenizer, tokenizer)
    surface = ["the", "old", "house", "￭."]
    text = sentence.text(surface)
    assert text == "The old house."
    assert TypedWords.read("The o", tokenizer).before(text, sentence, surface) == text
    assert TypedWords.read("THE  OLD ho", tokenizer).before(text, sentence, surface) == "THE  OLD house."
    assert TypedWords.read("the old ", tokenizer).before(text, sentence, surface) == "the old house."
    assert TypedWords.read("", tokenizer).before(text, sentence, surface) == text
