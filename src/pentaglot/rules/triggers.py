"""Trigger pairs: words of a text that tell that others will follow (Rosenfeld 1996)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import FIRST_WORD
from pentaglot.corpus import Text

__all__ = ["trigger_pairs"]

_SENTENCES = 100_000  # that are looked at: enough for pairs that are worth a feature
_MOST_WORDS = 65_535  # in all pairs; see core/search/trigger_pairs.hpp


def trigger_pairs(text: Text, least: int, most: int, words: NDArray[np.bool_] | None = None) -> list[list[int]]:
    """Pairs of words, the first anywhere before the second in a sentence, by the mutual information of having both and
    of having each: at most `most` (0: all), in at least `least` sentences. If `words` are given, only pairs of these.

    >>> from pentaglot.corpus import encode
    >>> lines = [["not", "a", "dog", "but", "a", "cat"], ["a", "dog"], ["not", "here", "but", "there"], ["a", "cat"]]
    >>> text, vocabulary = encode(lines)
    >>> [[vocabulary.word(each) for each in pair] for pair in trigger_pairs(text, 2, 1)]
    [['not', 'but']]
    """
    offsets = np.asarray(text.offsets).astype(np.int64)[: _SENTENCES + 1]
    tokens = np.asarray(text.tokens)[: offsets[-1]].astype(np.int64)
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    usable = tokens >= FIRST_WORD
    if words is not None:
        usable &= words[np.minimum(tokens, len(words) - 1)] & (tokens < len(words))
    tokens, sentence = tokens[usable], sentence[usable]
    if not len(tokens):
        return []
    size = int(tokens.max()) + 1
    single = np.bincount(np.unique(sentence * size + tokens) % size, minlength=size)
    firsts, seconds, together = _together(tokens, sentence, size)
    kept = together >= least
    firsts, seconds, together = firsts[kept], seconds[kept], together[kept]
    gain = _information(single[firsts], single[seconds], together, len(offsets) - 1)
    order = np.lexsort((seconds, firsts, -gain))
    order = order[: most or None]
    found: list[list[int]] = np.stack([firsts, seconds], axis=1)[order].tolist()
    seen: set[int] = set()
    for place, pair in enumerate(found):
        seen.update(pair)
        if len(seen) > _MOST_WORDS:
            return found[:place]
    return found


Numbers = NDArray[np.int64]


def _together(tokens: Numbers, sentence: Numbers, size: int) -> tuple[Numbers, Numbers, Numbers]:
    """All pairs in order, and how many sentences have each."""
    pairs: list[Numbers] = []
    distance = 1
    while True:
        same = sentence[distance:] == sentence[:-distance]
        if not same.any():
            break
        ahead = tokens[:-distance][same] * size + tokens[distance:][same]
        pairs.append(np.stack([sentence[distance:][same], ahead]))
        distance += 1
    if not pairs:
        return (np.empty(0, np.int64),) * 3
    every = np.concatenate(pairs, axis=1)
    order = np.lexsort((every[0], every[1]))
    ordered = every[:, order]
    new = np.concatenate([[True], (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)])  # once in each sentence
    keys, counts = np.unique(ordered[1][new], return_counts=True)
    return keys // size, keys % size, counts


def _information(first: Numbers, second: Numbers, both: Numbers, sentences: int) -> NDArray[np.float64]:
    """The mutual information of two events, over sentences that have both, one, or neither."""
    found = np.zeros(len(both))
    # A word that is there twice may follow itself in fewer sentences than it is in.
    for cell, one, other in (
        (both, first, second),
        (first - both, first, sentences - second),
        (second - both, sentences - first, second),
        (sentences - first - second + both, sentences - first, sentences - second),
    ):
        there = (cell > 0) & (one > 0) & (other > 0)
        chance = cell[there] / sentences
        found[there] += chance * np.log(cell[there] * sentences / (one[there] * other[there]))
    return found
