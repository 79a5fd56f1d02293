"""The most frequent n-grams of a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import END, START
from pentaglot.corpus import Text

__all__ = ["frequent_ngrams"]

Ids = NDArray[np.uint32]


def frequent_ngrams(
    text: Text, order: int, least: int, most: int, words: NDArray[np.bool_] | None = None
) -> list[list[int]]:
    """N-grams of two to `order` words that occur at least `least` times, the most frequent first: at most `most` of
    each length (0: all). They may begin with the beginning of a sentence or end with its end. If `words` are given,
    only n-grams of these count. Of equally frequent ones, that with smaller ids comes first.

    >>> from pentaglot.corpus import encode
    >>> text, vocabulary = encode([["the", "house"], ["the", "tree"], ["the", "house"]])
    >>> found = frequent_ngrams(text, 2, 2, 0)
    >>> [[vocabulary.word(each) for each in ngram] for ngram in found]
    [['<s>', 'the'], ['the', 'house'], ['house', '</s>']]
    """
    tokens, sentence = _with_ends(text)
    usable = np.ones(len(tokens), np.bool_)
    if words is not None:
        usable = (
            (tokens == START) | (tokens == END) | (words[np.minimum(tokens, len(words) - 1)] & (tokens < len(words)))
        )
    counted: list[tuple[int, list[int]]] = []
    begins = np.flatnonzero(usable)
    for size in range(2, order + 1):
        begins = begins[begins + size <= len(tokens)]
        ends = begins + size - 1
        begins = begins[usable[ends] & (sentence[ends] == sentence[begins])]
        windows = np.stack([tokens[begins + place] for place in range(size)], axis=1) if len(begins) else None
        if windows is None:
            break
        ngrams, counts = _distinct(windows)
        kept = counts >= least
        found = sorted(zip((-counts[kept]).tolist(), ngrams[kept].tolist(), strict=True))
        counted += found[:most] if most else found
    counted.sort(key=lambda each: (each[0], len(each[1]), each[1]))
    return [ngram for _, ngram in counted]


def _with_ends(text: Text) -> tuple[Ids, NDArray[np.int64]]:
    """All words with the beginning of each sentence before it and its end after it, and the sentence of each."""
    offsets = np.asarray(text.offsets).astype(np.int64)
    sizes = offsets[1:] - offsets[:-1]  # sentences end with their end
    starts = np.insert(np.asarray(text.tokens), offsets[:-1], START)
    return starts.astype(np.uint32), np.repeat(np.arange(len(sizes)), sizes + 1)


def _distinct(rows: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """The distinct rows and how often each is there; like `np.unique`, but much faster on short rows."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    begins = np.flatnonzero(new)
    return ordered[begins], np.diff(np.append(begins, len(rows)))
