"""Small texts for the tests of the index, and their brute-force twins."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from pentaglot._core import index as native
from pentaglot.corpus import Text

GAP = native.GAP
EXAMPLE = "it makes him and it mars him , it sets him on and it takes him off ."
INPUT = "it persuades him and it disheartens him"


def example_ids() -> dict[str, int]:
    """Ids in the order of the thesis's example: words alphabetically, then punctuation."""
    words = sorted({word for word in EXAMPLE.split() if word.isalpha()})
    names = [*words, ",", ".", "persuades", "disheartens"]
    return {word: number for number, word in enumerate(names, start=4)}


def array(numbers: list[int] | tuple[int, ...]) -> np.ndarray:
    return np.array(numbers, np.uint32)


def text_of(sentences: list[list[int]]) -> Text:
    tokens, offsets = [], [0]
    for sentence in sentences:
        tokens += [*sentence, 2]
        offsets.append(len(tokens))
    return Text(array(tokens), np.array(offsets, np.uint64))


def index_of(sentences: list[list[int]]) -> native.SourceIndex:
    text = text_of(sentences)
    tokens = text.tokens
    return native.SourceIndex(
        text, native.suffix_array(tokens), native.first_ranks(tokens), *native.sentence_marks(tokens)
    )


def precomputed_for(
    sentences: list[list[int]], index: native.SourceIndex, settings: tuple[int, int, int, int, int]
) -> native.Precomputed:
    tokens = text_of(sentences).tokens
    shared = native.common_prefixes(tokens, native.suffix_array(tokens))
    compiled = native.PrecomputationSettings(*settings)
    return native.precomputed(compiled, **native.precompute(index, shared, compiled, 1))


def occurrences_by_hand(sentences: list[list[int]], pattern: list[int], span: int, gap: int) -> list[int]:
    """Every combination of places in every sentence, tested word by word; flat, sorted."""
    chunks = [list(group) for is_gap, group in itertools.groupby(pattern, lambda symbol: symbol == GAP) if not is_gap]
    found, begin = [], 0
    for sentence in sentences:
        starts = [[at for at in range(len(sentence)) if sentence[at : at + len(chunk)] == chunk] for chunk in chunks]
        for places in itertools.product(*starts):
            apart = all(
                later >= earlier + len(chunk) + gap
                for earlier, later, chunk in zip(places, places[1:], chunks, strict=False)
            )
            if apart and places[-1] + len(chunks[-1]) - places[0] <= span:
                found.append([begin + place for place in places])
        begin += len(sentence) + 1
    return list(itertools.chain.from_iterable(sorted(found)))


def corpora(max_words: int = 8) -> st.SearchStrategy[list[list[int]]]:
    """Texts of few word types, so that patterns repeat."""
    return st.integers(4, 3 + max_words).flatmap(
        lambda top: st.lists(st.lists(st.integers(4, top), max_size=14), min_size=1, max_size=8)
    )


def limits() -> st.SearchStrategy[tuple[int, int, int, int]]:
    """Span, symbols, gaps, least gap."""
    return st.tuples(st.integers(1, 12), st.integers(1, 7), st.integers(0, 3), st.integers(1, 3))
