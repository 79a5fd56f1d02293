"""Layers carried over to the words of a tokenizer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Sentence, Tokenizer, tokenised
from pentaglot.corpus.retokenising import carried_over
from pentaglot.errors import PentaglotError

from .annotated import sentences


@given(sentences())
def test_words_that_are_left_as_they_are_keep_everything(sentence: Sentence) -> None:
    assert tokenised(sentence, Tokenizer("none")) == sentence


@given(sentences(1), st.data())
def test_each_letter_keeps_its_annotation(sentence: Sentence, data: st.DataObject) -> None:
    """Cut the letters of a sentence anywhere: a word has the values of an annotated word with which it has letters."""
    sentence = Sentence(sentence.words, sentence.layers, sentence.metadata, text="".join(sentence.words))
    size = len(sentence.line)
    inside = data.draw(st.sets(st.integers(1, size - 1))) if size > 1 else set()
    cuts = [0, *sorted(inside), size]
    spans = list(pairwise(cuts))
    found = carried_over(sentence, [sentence.line[begin:end] for begin, end in spans], spans)
    for place, (begin, end) in enumerate(spans):
        under = [at for at, (first, last) in enumerate(sentence.places) if first < end and begin < last]
        for name, values in sentence.layers.items():
            if name != "head":
                assert found.layers[name][place] in [values[at] for at in under]
        if "head" in found.layers and len(under) == 1:
            head = sentence.layers["head"][under[0]]
            start, stop = sentence.places[under[0]]
            pieces = [at for at, (first, last) in enumerate(spans) if first < stop and start < last]
            if head == 0 and pieces[0] == place:
                assert found.layers["head"][place] == 0


@pytest.mark.parametrize(
    ("words", "text", "heads", "wanted"),
    [
        (["I", "can", "not"], "I cannot", [3, 3, 0], {"I": 2, "cannot": 0}),
        (["in", "U.K.-based", "firms"], "in U.K.-based firms", [3, 3, 0], None),
        (["de", "le", "pain"], "du pain", [3, 3, 0], None),
    ],
)
def test_examples(words: list[str], text: str, heads: list[int], wanted: dict[str, int] | None) -> None:
    spans = [(0, 2), (0, 2), (3, 7)] if text == "du pain" else ()
    found = tokenised(Sentence(words, {"head": heads, "lemma": words}, text=text, spans=spans), Tokenizer())
    roots = [place for place, head in enumerate(found.layers["head"]) if head == 0]
    assert len(roots) == 1
    if wanted is not None:
        assert dict(zip(found.words, found.layers["head"], strict=True)) == wanted
    if text == "du pain":
        assert found.words == ("du", "pain") and found.layers["lemma"] == ("de", "pain")


def test_pieces_depend_on_the_first() -> None:
    annotated = Sentence(["ab", "c"], {"head": [2, 0], "n": [1, 2]}, text="abc")
    found = carried_over(annotated, ["a", "b", "c"], [(0, 1), (1, 2), (2, 3)])
    assert found.layers == {"head": (3, 1, 0), "n": (1, 1, 2)}
    nothing = carried_over(Sentence(["a"], {"head": [0], "n": [7], "t": ["X"]}), ["a", "b"], [(0, 1), (1, 1)])
    assert nothing.layers == {"head": (0, 0), "n": (7, 0), "t": ("X", "_")}


def test_plain_lines_and_other_words() -> None:
    assert tokenised("Das Haus.", Tokenizer()) == Sentence(["Das", "Haus", "￭."])
    with pytest.raises(PentaglotError, match="cannot be found in it"):
        from pentaglot.corpus.retokenising import places_in

        places_in(["x"], "y")
