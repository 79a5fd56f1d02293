"""Word classes from a layer: the most frequent value of each word, as a plain count finds it."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Column, Sentence, encode
from pentaglot.corpus.layer_builder import LayerBuilder
from pentaglot.errors import PentaglotError
from pentaglot.lm import classes_of_layer

PAIRS = st.tuples(st.sampled_from("abcd"), st.sampled_from(["N", "V", "D", "_"]))


def column(sentences: list[Sentence], name: str = "tag") -> Column:
    builder = LayerBuilder()
    for sentence in sentences:
        builder.append(sentence)
    return builder.finish()[name]


@given(st.lists(st.lists(PAIRS, max_size=6), min_size=1, max_size=6))
def test_the_most_frequent_value_counts(lines: list[list[tuple[str, str]]]) -> None:
    sentences = [Sentence([word for word, _ in line], {"tag": [tag for _, tag in line]}) for line in lines]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, int] = {}
    for word, tag in (pair for line in lines for pair in line if pair[1] != "_"):
        counts[word][tag] += 1
        first.setdefault(tag, len(first))
    expected = {word: min(found, key=lambda tag: (-found[tag], first[tag])) for word, found in counts.items()}
    text, words = encode([list(sentence.words) for sentence in sentences])
    if not expected:
        with pytest.raises(PentaglotError, match="the layer 'tag' has no values"):
            classes_of_layer(text, words, column(sentences), "tag")
        return
    assert classes_of_layer(text, words, column(sentences), "tag") == expected


def test_numbers_are_no_classes() -> None:
    sentences = [Sentence(["a", "b"], {"head": [0, 1]})]
    text, words = encode([list(sentences[0].words)])
    with pytest.raises(PentaglotError, match="the layer 'head' has numbers, not names"):
        classes_of_layer(text, words, column(sentences, "head"), "head")


def test_a_layer_of_another_text_is_refused() -> None:
    sentences = [Sentence(["a", "b"], {"tag": ["N", "V"]})]
    text, words = encode([["a", "b", "a"]])
    with pytest.raises(PentaglotError, match="the layer 'tag' is damaged: it has 3 values for 4 words"):
        classes_of_layer(text, words, column(sentences), "tag")
    damaged = Column(np.array([4, 9, 2], np.uint32), column(sentences).vocabulary)
    with pytest.raises(PentaglotError, match="it has values that its vocabulary lacks"):
        classes_of_layer(encode([["a", "b"]])[0], words, damaged, "tag")
