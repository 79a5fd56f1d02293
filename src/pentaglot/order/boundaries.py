"""`Boundaries`: where words that change places stop, in text that a reordering grammar knows little of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Vocabulary
from pentaglot.align import Alignment
from pentaglot.corpus import Text
from pentaglot.corpus.splitters import plain
from pentaglot.order.links import gold_orders, sentence_lengths

__all__ = ["Boundaries"]

_ENDS = frozenset(".!?;。！？；｡…؟؛۔।॥")  # of sentences, or of parts that could be sentences
_CROSSED = 0.6  # of the times that a mark has words on both sides; if they change places more often, it is no wall
_JOINED, _WALLED = 1, 2  # as in core/order/parse.hpp
_STRANGE, _FOLLOWS, _PRECEDES, _WALL = 1, 2, 4, 8
_UNKNOWN_MARK = _FOLLOWS | _PRECEDES | _WALL


@dataclass(frozen=True, eq=False)
class Boundaries:
    """What a grammar's training text says about the gaps between words. `kinds` has for each word, by its id, as bits
    whether it is an unknown word to the grammar, whether it often follows and precedes such words, and whether it is a
    wall: a mark that nothing changes places over.

    In a row of unknown words the grammar would see verbs and objects as well as names, and turn them around. But rare
    words beside each other are seldom turned in its training text: they belong together. So does a word that was hardly
    ever seen beside a rare one. Marks are walls unless the training text says otherwise: it may have had few or none
    of them.
    """

    kinds: NDArray[np.uint8]

    @classmethod
    def learn(
        cls, text: Text, vocabulary: Vocabulary, alignment: Alignment, terminals: NDArray[np.uint32], cutoff: int
    ) -> Boundaries:
        """From sentences, their links, and the terminal of each word, which is 0 for unknown words."""
        names = vocabulary.words(np.arange(len(vocabulary), dtype=np.uint32))
        marks = np.array([number >= FIRST_WORD and is_mark(name) for number, name in enumerate(names)], bool)
        strange = (terminals == 0) & ~marks
        first, second = text.tokens[:-1], text.tokens[1:]
        beside = (first >= FIRST_WORD) & (second >= FIRST_WORD)
        after = np.bincount(second[beside & strange[first]], minlength=len(names)) > cutoff
        before = np.bincount(first[beside & strange[second]], minlength=len(names)) > cutoff
        walls = marks & (_seldom_crossed(text, alignment, marks, cutoff) | [plain(name) in _ENDS for name in names])
        kinds = strange * _STRANGE | (after | marks) * _FOLLOWS | (before | marks) * _PRECEDES | walls * _WALL
        return cls(kinds.astype(np.uint8))

    def gaps(self, text: Text, sentences: Sequence[Sequence[str]]) -> NDArray[np.uint8]:
        """What holds for the gap after each word of all sentences, for native code: 0 nothing, 1 that the words are
        joined, 2 that nothing changes places over it. `text` has the ids of the words."""
        lengths = sentence_lengths(text).astype(np.int64)
        ends = np.cumsum(lengths) - 1  # the last words of sentences that have any
        ids = np.delete(text.tokens, np.cumsum(lengths + 1) - 1)
        kinds = np.append(self.kinds[ids], np.uint8(0))
        for place in np.flatnonzero(ids == UNKNOWN).tolist():
            sentence = int(np.searchsorted(ends, place))
            if is_mark(sentences[sentence][place - int(ends[sentence]) - 1]):
                kinds[place] = _UNKNOWN_MARK
        first, second = kinds[:-1], kinds[1:]
        after = (first & _STRANGE != 0) & (second & _FOLLOWS == 0)
        before = (second & _STRANGE != 0) & (first & _PRECEDES == 0)
        joined = (first & second & _STRANGE != 0) | after | before
        walls = first & _WALL != 0
        walls[(ends - lengths + 1)[lengths > 0]] = False  # a sentence may begin with a mark
        gaps = np.where(walls, _WALLED, joined * _JOINED).astype(np.uint8)
        gaps[ends[lengths > 0]] = 0
        return gaps


def _seldom_crossed(text: Text, alignment: Alignment, marks: NDArray[np.bool_], cutoff: int) -> NDArray[np.bool_]:
    """Which marks links seldom cross, where there are words on both sides; also those that were seen there at most
    `cutoff` times, which says nothing."""
    lengths = sentence_lengths(text).astype(np.int64)
    orders = gold_orders(alignment, text)
    linked = np.diff(np.asarray(alignment.offsets).astype(np.int64)) > 0
    ids = np.delete(text.tokens, np.cumsum(lengths + 1) - 1)
    begins = np.cumsum(lengths) - lengths
    seen, crossed = np.zeros(len(marks), np.int64), np.zeros(len(marks), np.int64)
    places = np.flatnonzero(marks[ids])
    sentences = np.searchsorted(begins, places, side="right") - 1
    for place, sentence in zip(places.tolist(), sentences.tolist(), strict=True):
        begin, end = int(begins[sentence]), int(begins[sentence] + lengths[sentence])
        if not linked[sentence] or not begin < place < end - 1:
            continue
        seen[ids[place]] += 1
        crossed[ids[place]] += orders.ranks[begin:place].max() > orders.ranks[place + 1 : end].min()
    found: NDArray[np.bool_] = (seen <= cutoff) | (crossed <= _CROSSED * seen)
    return found


def is_mark(word: str) -> bool:
    return not any(letter.isalnum() for letter in plain(word))
