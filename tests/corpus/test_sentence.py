"""Sentences: what is checked, and what becomes of layers where a sentence is cut."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Sentence
from pentaglot.errors import PentaglotError

from .annotated import sentences


def ancestor(heads: tuple[int, ...], place: int, kept: list[int]) -> int:
    """The nearest ancestor of a word among those that are kept, by its number there; 0 if there is none."""
    while heads[place]:
        place = heads[place] - 1
        if place in kept:
            return kept.index(place) + 1
    return 0


@given(sentences(), st.data())
def test_words_are_selected_with_their_layers(sentence: Sentence, data: st.DataObject) -> None:
    kept = sorted(data.draw(st.sets(st.integers(0, len(sentence) - 1)))) if len(sentence) else []
    found = sentence.select(kept)
    assert list(found) == [sentence[place] for place in kept]
    assert list(found.layers) == list(sentence.layers) and found.metadata == sentence.metadata
    for name, values in sentence.layers.items():
        if name == "head":
            assert list(found.layers[name]) == [ancestor(values, place, kept) for place in kept]
        else:
            assert list(found.layers[name]) == [values[place] for place in kept]


@given(sentences(), st.integers(-9, 9), st.integers(-9, 9))
def test_slices_are_selections(sentence: Sentence, begin: int, end: int) -> None:
    assert sentence[begin:end] == sentence.select(range(*slice(begin, end).indices(len(sentence))))


@given(sentences())
def test_a_sentence_is_a_value(sentence: Sentence) -> None:
    twin = pickle.loads(pickle.dumps(sentence))
    assert twin == sentence == Sentence.of(sentence) and hash(twin) == hash(sentence)
    assert sentence.spaced().line == " ".join(sentence)
    assert [sentence.line[begin:end] for begin, end in sentence.places] == list(sentence)


def test_sentences_differ_by_all_that_they_say() -> None:
    plain = Sentence(["a"])
    others = [Sentence(["b"]), Sentence(["a"], {"upos": ["X"]}), Sentence(["a"], metadata={"domain": "law"})]
    assert len({plain, *others, Sentence(["a"], text="a ")}) == 4


def test_text_and_places_go_along() -> None:
    sentence = Sentence(["Das", "Haus", "."], text="Das  Haus.")
    assert sentence.places == ((0, 3), (5, 9), (9, 10))
    assert sentence[1:].line == "Haus." and sentence[1:].places == ((0, 4), (4, 5))
    assert sentence.select([0, 2]).line == "Das ."


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({"upos": ["X"]}, "the layer 'upos' has 1 values for 2 words"),
        ({"upos": "XY"}, "the layer 'upos' has 2 values for 2 words"),
        ({"": ["X", "Y"]}, "cannot be called ''"),
        ({"a/b": ["X", "Y"]}, "cannot be called 'a/b'"),
        ({"upos": ["X", 1]}, "all strings or all whole numbers"),
        ({"count": [1, -1]}, "all strings or all whole numbers"),
        ({"count": [1, 1 << 32]}, "all strings or all whole numbers"),
        ({"count": [1, True]}, "all strings or all whole numbers"),
        ({"head": [0, 3]}, "the head of word 2 is 3, but there are only the words 1 to 2"),
        ({"head": [-1, 0]}, "the head of word 1 is -1"),
        ({"head": ["0", "1"]}, "the head of word 1 is '0'"),
        ({"head": [2, 1]}, "word 1 depends on itself"),
        ({"head": [0, 2]}, "word 2 depends on itself"),
    ],
)
def test_bad_layers_are_refused(layers: dict[str, list[object]], message: str) -> None:
    with pytest.raises(PentaglotError, match=message):
        Sentence(["a", "b"], layers)


def test_other_bad_input() -> None:
    with pytest.raises(PentaglotError, match="not strings"):
        Sentence(["a"], metadata={"domain": 1})  # type: ignore[dict-item]
    for spans in ([(0, 1), (0, 1)], [(0, 2)], [(-1, 0)], [(1, 0)]):
        with pytest.raises(PentaglotError, match="stands outside its text"):
            Sentence(["a"], text="a", spans=spans)
    with pytest.raises(PentaglotError, match="not those of its text"):
        Sentence(["a"], text="b")
    with pytest.raises(PentaglotError, match=r"no layer 'head'; a parser needs it; its layers are: upos"):
        Sentence(["a"], {"upos": ["X"]}).check_has(["head"], "a parser")
    assert Sentence(["a", "b"], {"head": [None, 1]}).value("head", 1) == 1
