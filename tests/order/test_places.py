"""Text in another order knows where its words were typed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pentaglot.corpus import Bitext, Column, Sentence
from pentaglot.corpus.columns import NO_NUMBER
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.order import Permutation, Permutations
from pentaglot.order.places import (
    TYPED_PLACE,
    is_reordered,
    order_of,
    places_in_sentence,
    reordered_bitext,
    reordered_sentence,
    typed_bitext,
    typed_sentence,
)


def random_pairs(random: Random) -> tuple[list[Sentence], list[Permutation]]:
    sentences, orders = [], []
    for _ in range(30):
        size = random.choice((0, 1, 2, 5, 9)) if sentences else 3
        words = [random.choice("abcdef") for _ in range(size)]
        heads = [random.choice((0, *range(1, at + 1))) for at in range(size)]  # no cycles: heads come before
        sentences.append(Sentence(words, {"upos": [word.upper() for word in words], "head": heads}))
        orders.append(Permutation(tuple(random.sample(range(size), size))))
    return sentences, orders


@pytest.mark.parametrize("seed", range(5))
def test_a_text_is_reordered_like_its_sentences(seed: int) -> None:
    sentences, orders = random_pairs(Random(seed))
    bitext = Bitext.from_sentences(sentences, [["t"]] * len(sentences))
    moved = reordered_bitext(bitext, Permutations.join(orders))
    assert is_reordered(moved) and not is_reordered(bitext)
    for number, (sentence, order) in enumerate(zip(sentences, orders, strict=True)):
        expected = reordered_sentence(sentence, order.order)
        found = moved.sentence(number, "source")
        assert found.words == expected.words == tuple(order.apply(sentence.words))
        assert places_in_sentence(moved, number) == order.order
        if len(sentence):
            assert dict(found.layers) == dict(expected.layers)
            assert order_of(found) == order.order
        assert typed_sentence(expected) == sentence
    back = typed_bitext(moved)
    assert not is_reordered(back) and typed_bitext(back) is back
    assert back.source.tokens.tolist() == bitext.source.tokens.tolist()
    for name in ("upos", "head"):
        assert back.layer(name, "source").values.tolist() == bitext.layer(name, "source").values.tolist()


def test_sentences_of_which_nothing_is_known_are_as_typed() -> None:
    bitext = Bitext.from_sentences([["a", "b"], ["c", "d"]], [["t"]] * 2)
    moved = reordered_bitext(bitext, Permutations.join([Permutation((1, 0))] * 2))
    moved.annotation.source[TYPED_PLACE].values[:2] = NO_NUMBER
    assert places_in_sentence(moved, 0) == (0, 1) and places_in_sentence(moved, 1) == (1, 0)
    assert typed_bitext(moved).pair(0)[0] == ["b", "a"] and typed_bitext(moved).pair(1)[0] == ["c", "d"]


def test_damage_is_named() -> None:
    bitext = Bitext.from_sentences([["a", "b"], ["c", "d"]], [["t"]] * 2)
    for places in ([0, 0], [0, 2], [1, 7]):
        values = np.array([0, 1, NO_NUMBER, *places, NO_NUMBER], np.uint32)
        moved = reordered_bitext(bitext, Permutations.join([Permutation((0, 1))] * 2))
        moved.annotation.source[TYPED_PLACE] = Column(values)  # type: ignore[index]
        with pytest.raises(StorageError, match="words share a place"):
            typed_bitext(moved)
        with pytest.raises(StorageError, match="words share a place"):
            places_in_sentence(moved, 1)
        assert places_in_sentence(moved, 0) == (0, 1)


def test_bad_orders() -> None:
    bitext = Bitext.from_sentences([["a", "b"]], [["t"]])
    with pytest.raises(PentaglotError, match="those of another text"):
        reordered_bitext(bitext, Permutations.join([Permutation((0, 1, 2))]))
    with pytest.raises(PentaglotError, match="those of another text"):
        reordered_bitext(bitext, Permutations.join([Permutation((0, 1))] * 2))
    moved = reordered_bitext(bitext, Permutations.join([Permutation((1, 0))]))
    with pytest.raises(PentaglotError, match="already"):
        reordered_bitext(moved, Permutations.join([Permutation((1, 0))]))
    with pytest.raises(PentaglotError, match="not those of all words"):
        order_of(Sentence(["a", "b"], {TYPED_PLACE: [1, 1]}))
