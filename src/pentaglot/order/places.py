"""Text in another order that knows where its words were typed, and back.

The place of every word in its sentence as it was typed is kept as a layer of the reordered text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import Annotation, Bitext, Column, Sentence, Text
from pentaglot.corpus.columns import NO_NUMBER
from pentaglot.corpus.sentence import HEAD
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.order.permutation import Permutations

__all__ = [
    "TYPED_PLACE",
    "is_reordered",
    "order_of",
    "places_in_sentence",
    "reordered_bitext",
    "reordered_sentence",
    "typed_bitext",
    "typed_places",
    "typed_sentence",
]

TYPED_PLACE = "typed_place"  # the layer: places in the sentence as it was typed, counted from 0


def reordered_sentence(sentence: Sequence[str], order: Sequence[int]) -> Sentence:
    """A sentence with its words in another order: at place p the word `order[p]`. Layers go with their words, and a new
    one says where they were typed.

    >>> moved = reordered_sentence(Sentence(["I", "tea", "drink"], {"head": [3, 3, 0]}), (0, 2, 1))
    >>> moved.words, moved.layers["head"], moved.layers["typed_place"]
    (('I', 'drink', 'tea'), (2, 0, 2), (0, 2, 1))
    >>> typed_sentence(moved).words
    ('I', 'tea', 'drink')
    """
    return Sentence.of(sentence).select(list(order)).with_layers({TYPED_PLACE: list(order)})


def order_of(sentence: Sequence[str]) -> tuple[int, ...]:
    """Where the words of a sentence were typed; empty if it does not say."""
    found = sentence.layers.get(TYPED_PLACE, ()) if isinstance(sentence, Sentence) else ()
    if found and sorted(found) != list(range(len(sentence))):
        raise PentaglotError(f"the places of the layer '{TYPED_PLACE}' are not those of all words of the sentence")
    return tuple(found)


def typed_sentence(sentence: Sentence) -> Sentence:
    """The sentence as it was typed."""
    if TYPED_PLACE not in sentence.layers:
        return sentence
    order = order_of(sentence)
    typed = sentence.select(sorted(range(len(order)), key=order.__getitem__))
    layers = {name: values for name, values in typed.layers.items() if name != TYPED_PLACE}
    return Sentence(typed.words, layers, typed.metadata)


def is_reordered(bitext: Bitext) -> bool:
    """Whether the source side of a text is in another order than it was typed in."""
    return TYPED_PLACE in bitext.annotation.source


def reordered_bitext(bitext: Bitext, permutations: Permutations) -> Bitext:
    """A text whose source sentences are in another order; it knows where their words were typed.

    >>> from pentaglot.order.permutation import Permutation
    >>> bitext = Bitext.from_sentences([["I", "tea", "drink"]], [["ich", "trinke", "Tee"]])
    >>> moved = reordered_bitext(bitext, Permutations.join([Permutation((0, 2, 1))]))
    >>> moved.pair(0)[0], typed_bitext(moved).pair(0)[0]
    (['I', 'drink', 'tea'], ['I', 'tea', 'drink'])
    """
    if TYPED_PLACE in bitext.annotation.source:
        raise PentaglotError(f"the text has a layer '{TYPED_PLACE}' already", hint="give that layer another name")
    text = bitext.source
    offsets = np.asarray(text.offsets).astype(np.int64)
    if len(permutations) != len(text) or not np.array_equal(
        np.diff(np.asarray(permutations.offsets).astype(np.int64)), np.diff(offsets) - 1
    ):
        raise PentaglotError("the permutations are those of another text")
    begins = np.repeat(offsets[:-1], np.diff(offsets) - 1)
    came_from = np.arange(len(text.tokens))
    came_from[begins + permutations.ranks] = np.delete(came_from, offsets[1:] - 1)
    places = came_from - np.repeat(offsets[:-1], np.diff(offsets))
    places[offsets[1:] - 1] = NO_NUMBER
    moved = _moved(bitext, came_from)
    layers = {**moved.annotation.source, TYPED_PLACE: Column(places.astype(np.uint32))}
    return replace(moved, annotation=Annotation(layers, moved.annotation.target, moved.annotation.pairs))


def typed_bitext(bitext: Bitext) -> Bitext:
    """The same text with its source sentences as they were typed."""
    if not is_reordered(bitext):
        return bitext
    places = typed_places(bitext)
    went_to = np.empty(len(places), np.int64)
    went_to[places] = np.arange(len(places))
    moved = _moved(bitext, went_to)
    layers = {name: column for name, column in moved.annotation.source.items() if name != TYPED_PLACE}
    return replace(moved, annotation=Annotation(layers, moved.annotation.target, moved.annotation.pairs))


def typed_places(bitext: Bitext) -> NDArray[np.int64]:
    """For every token of a reordered text, its place in the whole text as it was typed. Sentences of which nothing is
    known are as they were typed."""
    values = np.asarray(bitext.layer(TYPED_PLACE, "source").values).astype(np.int64)
    offsets = np.asarray(bitext.source.offsets).astype(np.int64)
    lengths = np.diff(offsets)
    begins = np.repeat(offsets[:-1], lengths)
    here = np.arange(len(values))
    places = np.where(values == NO_NUMBER, here, begins + values)
    within = (places >= begins) & (places < np.repeat(offsets[1:], lengths))
    if not within.all() or not np.array_equal(np.bincount(places, minlength=len(places)), np.ones(len(places))):
        raise StorageError(f"the layer '{TYPED_PLACE}' is damaged: words share a place", hint="train the model again")
    return places


def places_in_sentence(bitext: Bitext, pair: int) -> tuple[int, ...]:
    """Where the source words of one pair were typed; in order if the text is as it was typed."""
    begin, end = (int(each) for each in bitext.source.offsets[pair : pair + 2])
    as_typed = tuple(range(end - begin - 1))
    if not is_reordered(bitext):
        return as_typed
    places = tuple(np.asarray(bitext.layer(TYPED_PLACE, "source").values[begin : end - 1]).tolist())
    if all(place == NO_NUMBER for place in places):
        return as_typed
    if sorted(places) != list(as_typed):
        raise StorageError(f"the layer '{TYPED_PLACE}' is damaged: words share a place", hint="train the model again")
    return places


def _moved(bitext: Bitext, came_from: NDArray[np.int64]) -> Bitext:
    """The text with other source tokens at all places: at place p that from `came_from[p]`."""
    text = bitext.source
    layers = {}
    for name, column in bitext.annotation.source.items():
        values = np.asarray(column.values)[came_from]
        if name == HEAD:
            values = _moved_heads(values, came_from, np.asarray(text.offsets).astype(np.int64))
        layers[name] = Column(np.ascontiguousarray(values), column.vocabulary)
    moved = Text(np.ascontiguousarray(np.asarray(text.tokens)[came_from]), text.offsets)
    annotation = Annotation(layers, bitext.annotation.target, bitext.annotation.pairs)
    return replace(bitext, source=moved, annotation=annotation)


def _moved_heads(
    heads: NDArray[np.uint32], came_from: NDArray[np.int64], offsets: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Heads are numbers of words of the sentence, from 1."""
    went_to = np.empty(len(came_from), np.int64)
    went_to[came_from] = np.arange(len(came_from))
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    has = (heads != NO_NUMBER) & (heads > 0)
    found = heads.copy()
    at = np.flatnonzero(has)
    found[at] = (went_to[begins[at] + heads[at].astype(np.int64) - 1] - begins[at] + 1).astype(np.uint32)
    return found
