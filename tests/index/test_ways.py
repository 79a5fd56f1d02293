"""The ways in which a pattern is written, counted by looking at every place."""

from __future__ import annotations

from collections import Counter

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.index import FindOptions, GrammarLimits, Index, find
from pentaglot.index.ways import ways_written

LINES = ["ja, das, was", "ja , das , was", "ja ,das, was", "was, ja, das", "ja, das", '"ja", das']
TOKENIZER = Tokenizer()


def _index(lines: list[str]) -> Index:
    words = [TOKENIZER.tokenise(line) for line in lines]
    return Index.build(Bitext.from_sentences(words, [["t"]] * len(words)), Alignment.from_links([[]] * len(words)))


def test_as_many_as_the_places_have() -> None:
    indexes = [_index(LINES[:4]), _index(LINES[4:])]
    for pattern in (",", "ja X das", ", X ,", "X,", "das, was", ", das"):
        everything = FindOptions(examples=100)
        counts: Counter[tuple[str | None, ...]] = Counter()
        for each in find(indexes, pattern, everything, tokenizer=TOKENIZER).translations:
            for hit in each.examples:
                way: list[str | None] = [None] if pattern.startswith("X") else []
                for begin, end in hit.chunks:
                    way += [*hit.source[begin:end], None]
                counts[tuple(way if pattern.endswith("X") else way[:-1])] += 1
        ways = ways_written(indexes, pattern, GrammarLimits(max_span=99, min_gap=1), TOKENIZER)
        assert set(ways) == set(counts) and len(ways) == len(set(ways)) > 0
        assert [counts[way] for way in ways] == sorted(counts.values(), reverse=True)


def test_limits_count() -> None:
    index = _index(["ja a b c das", "ja a das"])
    assert ways_written([index], "ja X das", GrammarLimits(max_span=3, min_gap=1), TOKENIZER)
    assert not ways_written([index], "ja X das", GrammarLimits(max_span=4, min_gap=2), TOKENIZER)
    assert ways_written([index], "nein", GrammarLimits(), TOKENIZER) == []
