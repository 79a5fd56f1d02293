"""Precomputed lists: the frequent sequences, and the lists of Lopez 2008 (specification, 7.4), against brute force."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import index as native

from .texts import EXAMPLE, GAP, corpora, example_ids, index_of, occurrences_by_hand, text_of

IDS = example_ids()
TEXT = [[IDS[word] for word in EXAMPLE.split()]]


def _shared(sentences: list[list[int]]) -> object:
    tokens = text_of(sentences).tokens
    return native.common_prefixes(tokens, native.suffix_array(tokens))


def _sequences(sentences: list[list[int]], begin: object, length: object) -> list[tuple[int, ...]]:
    tokens = text_of(sentences).tokens
    order = native.suffix_array(tokens)
    starts = [int(order[rank]) for rank in begin]
    return [tuple(tokens[at : at + size].tolist()) for at, size in zip(starts, length.tolist(), strict=True)]


def test_frequent_sequences_of_the_thesis() -> None:
    begin, end, length = native.frequent_sequences(index_of(TEXT), _shared(TEXT), 4, 5)
    found = dict(zip(_sequences(TEXT, begin, length), (end - begin).tolist(), strict=True))
    ids = IDS
    assert found == {(ids["it"],): 4, (ids["him"],): 4, (ids["and"],): 2, (ids["and"], ids["it"]): 2}


@settings(max_examples=300, deadline=None)
@given(corpora(5), st.integers(0, 12), st.integers(1, 4))
def test_frequent_sequences(sentences: list[list[int]], most: int, max_length: int) -> None:
    counts = Counter(
        tuple(sentence[at : at + size])
        for sentence in sentences
        for at, size in itertools.product(range(len(sentence)), range(1, max_length + 1))
        if at + size <= len(sentence)
    )
    repeated = sorted((count for count in counts.values() if count > 1), reverse=True)
    begin, end, length = native.frequent_sequences(index_of(sentences), _shared(sentences), most, max_length)
    found = _sequences(sentences, begin, length)
    assert len(set(found)) == len(found) == min(most, len(repeated))
    assert [counts[sequence] for sequence in found] == (end - begin).tolist() == repeated[:most]


@settings(max_examples=200, deadline=None)
@given(corpora(5), st.integers(1, 8), st.integers(0, 3), st.integers(1, 12), st.integers(1, 3))
def test_lists(sentences: list[list[int]], frequent: int, supers: int, span: int, gap: int) -> None:
    index = index_of(sentences)
    made = native.precompute(
        index, _shared(sentences), native.PrecomputationSettings(frequent, supers, 3, span, gap), 1
    )
    sequences = _sequences(sentences, made["begin"], made["length"])
    count = len(sequences)
    words = [number for number, sequence in enumerate(sequences) if len(sequence) == 1][:supers]

    def stored(name: str, width: int, number: int) -> list[int]:
        offsets = made[f"{name}_offsets"]
        return made[f"{name}_positions"][width * int(offsets[number]) : width * int(offsets[number + 1])].tolist()

    for number, sequence in enumerate(sequences):
        assert stored("word", 1, number) == occurrences_by_hand(sentences, list(sequence), 99, gap)
    for (i, u), (j, v) in itertools.product(enumerate(sequences), repeat=2):
        assert stored("pair", 2, i * count + j) == occurrences_by_hand(sentences, [*u, GAP, *v], span, gap)
    size = len(words)
    for (i, u), (j, v) in itertools.product(enumerate(words), repeat=2):
        for w, sequence in enumerate(sequences):
            pattern = [*sequences[u], GAP, *sequences[v], GAP, *sequence]
            assert stored("triple", 3, (i * size + j) * count + w) == occurrences_by_hand(sentences, pattern, span, gap)
            pattern = [*sequence, GAP, *sequences[u], GAP, *sequences[v]]
            expected = [] if w in words else occurrences_by_hand(sentences, pattern, span, gap)
            assert stored("triple", 3, size * size * count + (w * size + i) * size + j) == expected


def test_collocations_of_the_thesis() -> None:
    index = index_of(TEXT)
    made = native.precompute(index, _shared(TEXT), native.PrecomputationSettings(4, 0, 5, 10, 1), 1)
    sequences = _sequences(TEXT, made["begin"], made["length"])
    names = {sequence: number for number, sequence in enumerate(sequences)}

    def pair(u: str, v: str) -> list[int]:
        one, other = (names[tuple(IDS[word] for word in words.split())] for words in (u, v))
        begin, end = made["pair_offsets"][one * 4 + other : one * 4 + other + 2].tolist()
        return made["pair_positions"][2 * begin : 2 * end].tolist()

    assert pair("and", "him") == [3, 6, 3, 10, 12, 15]
    assert pair("and it", "it") == [3, 8]
    assert pair("him", "and it") == [6, 12, 10, 12]
    assert pair("it", "it") == [0, 4, 0, 8, 4, 8, 4, 13, 8, 13]
    assert pair("and", "and") == [3, 12]
