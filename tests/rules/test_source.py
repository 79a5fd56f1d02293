"""Rules on demand against an offline extractor that reads the whole bitext (spec lopez2008, 7.6 and 7.7)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot._core.rules import ExtractLimits, extract_occurrence
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, feature_space

Links = list[tuple[int, int]]
Pair = tuple[list[str], list[str], Links]


@st.composite
def bitexts(draw: st.DrawFn) -> list[Pair]:
    pairs = []
    for _ in range(draw(st.integers(1, 6))):
        source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=7))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=7))
        cells = [(s, t) for s in range(len(source)) for t in range(len(target))]
        pairs.append((source, target, sorted(draw(st.lists(st.sampled_from(cells), unique=True, max_size=8)))))
    return pairs


def index_of(pairs: list[Pair]) -> Index:
    bitext = Bitext.from_sentences([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return Index.build(bitext, Alignment.from_links([pair[2] for pair in pairs]))


def rules_of(pairs: list[Pair], sentence: list[str], **options: Any) -> SentenceRules:
    return IndexRules(index_of(pairs), feature_space(), RuleOptions(fallbacks=(), **options)).rules(sentence)


def placements(source: list[str], pattern: tuple[str, ...], at: int) -> list[list[tuple[int, int]]]:
    """All ways to lay the words of a pattern (gaps inside only, of any width) from a place on, as chunk spans."""
    chunks, rest = [], list(pattern)
    while rest:
        size = rest.index("X") if "X" in rest else len(rest)
        chunks.append(rest[:size])
        rest = rest[size + 1 :]

    def lay(number: int, begins: range | list[int]) -> list[list[tuple[int, int]]]:
        found: list[list[tuple[int, int]]] = []
        for begin in begins:
            end = begin + len(chunks[number])
            if source[begin:end] != chunks[number]:
                continue
            if number + 1 == len(chunks):
                found.append([(begin, end)])
            else:
                found += [[(begin, end), *more] for more in lay(number + 1, range(end + 1, len(source)))]
        return found

    return lay(0, [at])


def offline(pairs: list[Pair], pattern: tuple[str, ...], limits: ExtractLimits, span: int, gap: int) -> Any:
    """Attempts, successes and counts by target side of one pattern, over the whole bitext."""
    left, right = pattern[0] == "X", pattern[-1] == "X"
    core = pattern[left : len(pattern) - right]
    attempts, successes, counts = 0, 0, Counter[str]()
    for source, target, links in pairs:
        for at in range(len(source)):
            for chunks in placements(source, core, at):
                narrow = all(b[0] - a[1] >= gap for a, b in pairwise(chunks))
                if chunks[-1][1] - chunks[0][0] > span or not narrow:
                    continue
                attempts += 1
                found = extract_occurrence(len(source), len(target), links, chunks, left, right, limits)
                sides = {spelt(target, reading) for reading in found}
                successes += bool(sides)
                for side in sides:
                    counts[side] += 1 / len(sides)  # type: ignore[assignment]
    return attempts, successes, counts


def spelt(words: list[str], reading: Any) -> str:
    _, (at, end), gaps = reading
    starts = {span[0]: (number, span[1]) for number, (_, span) in enumerate(gaps, 1)}
    symbols = []
    while at < end:
        if at in starts:
            symbols.append(f"X{starts[at][0]}")
            at = starts[at][1]
        else:
            symbols.append(words[at])
            at += 1
    return " ".join(symbols)


@settings(max_examples=150)
@given(
    bitexts(),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    st.booleans(),
    st.integers(1, 2),
    st.sampled_from([1, 2, 7]),
)
def test_equal_to_an_offline_extractor(
    pairs: list[Pair], sentence: list[str], tight: bool, gap: int, max_chunks: int
) -> None:
    extraction = "tight" if tight else "loose"
    rules = rules_of(pairs, sentence, sample=0, min_gap=gap, max_span=6, max_chunks=max_chunks, extraction=extraction)
    limits = ExtractLimits(6, 10, gap, tight, max_chunks)
    space, table = feature_space(), rules.table
    translation, coherence = (table.feature(space.id(name)) for name in ("translation", "coherence"))
    unknown = table.feature(space.id("unknown"))
    for pattern in range(table.patterns):
        symbols = tuple("X" if s.startswith("X") else s for s in rules.source_side(pattern))
        first, last = table.rule_offsets[pattern : pattern + 2].tolist()
        if unknown[first]:
            continue
        attempts, successes, counts = offline(pairs, symbols, limits, 6, gap)
        assert (attempts, successes) == (table.attempts[pattern], table.successes[pattern])
        found = {" ".join(rules.target_side(rule)): float(table.counts[rule]) for rule in range(first, last)}
        assert found == pytest.approx(dict(counts))
        for rule in range(first, last):
            assert math.exp(translation[rule]) == pytest.approx(table.counts[rule] / successes, rel=1e-4)
            assert math.exp(coherence[rule]) == pytest.approx(successes / attempts, rel=1e-4)


def lexical(pairs: list[Pair]) -> Any:
    """p(target | source) and p(source | target) by counting links, words without any linked to nothing."""
    both: Counter[tuple[str, str]] = Counter()
    for source, target, links in pairs:
        both.update((source[s], target[t]) for s, t in links)
        both.update((word, "") for s, word in enumerate(source) if s not in {s for s, _ in links})
        both.update(("", word) for t, word in enumerate(target) if t not in {t for _, t in links})
    totals: dict[int, Counter[str]] = defaultdict(Counter)
    for (s, t), count in both.items():
        totals[0][s] += count
        totals[1][t] += count
    return both, totals


@settings(max_examples=100)
@given(bitexts())
def test_lexical_weights(pairs: list[Pair]) -> None:
    source = pairs[0][0]
    rules = rules_of(pairs, source, max_gaps=0, sample=0, extraction="loose")
    both, totals = lexical(pairs)
    space, table = feature_space(), rules.table
    columns = [table.feature(space.id(name)) for name in ("lexical_target", "lexical_source")]
    unknown = table.feature(space.id("unknown"))
    for pattern in range(table.patterns):
        left = rules.source_side(pattern)
        for rule in range(*table.rule_offsets[pattern : pattern + 2].tolist()):
            if unknown[rule]:
                continue
            right = rules.target_side(rule)
            weights = [[], []]  # type: list[list[float]]
            for s, t, links in pairs:  # every place where the rule is, with its own links
                for at in range(len(s) - len(left) + 1):
                    for begin in range(len(t) - len(right) + 1):
                        if s[at : at + len(left)] != left or t[begin : begin + len(right)] != right:
                            continue
                        found = extract_occurrence(
                            len(s), len(t), links, [(at, at + len(left))], False, False, ExtractLimits(tight=False)
                        )
                        if (begin, begin + len(right)) not in [reading[1] for reading in found]:
                            continue
                        inner = [(x - at, y - begin) for x, y in links if at <= x < at + len(left)]
                        for side, words in ((0, right), (1, left)):
                            total = 0.0
                            for place, word in enumerate(words):
                                others = [link[side] for link in inner if link[1 - side] == place]
                                other = left if side == 0 else right
                                chances = [
                                    both[(other[o], word) if side == 0 else (word, other[o])] / totals[side][other[o]]
                                    for o in others
                                ] or [both[("", word) if side == 0 else (word, "")] / totals[side][""]]
                                total += math.log(max(sum(chances) / len(chances), 1e-7))
                            weights[side].append(total)
            for side in (0, 1):
                assert columns[side][rule] == pytest.approx(max(weights[side]), rel=1e-4, abs=1e-4)


BOOK: list[Pair] = [(["das", "Haus"], ["the", "house"], [(0, 0), (1, 1)]), (["das"], ["that"], [(0, 0)])]


def test_sightings_and_counts() -> None:
    rules = rules_of(BOOK, ["das", "Haus"], max_gaps=0)
    sides = {" ".join(rules.target_side(rule)): rule for rule in range(rules.table.rules)}
    assert rules.table.sightings(sides["the"]) == [(0, 0, 0)]
    assert rules.table.sightings(sides["that"]) == [(0, 1, 0)]
    assert rules.table.links(sides["the house"]) == [(0, 0), (1, 1)]
    assert rules.table.counts[sides["that"]] == 1
    assert rules.table.feature(feature_space().id("seen_once")).tolist() == [1.0] * 4


def test_unknown_words() -> None:
    for how, expected in (("copy", "Zug"), ("mark", "⟨Zug⟩"), ("drop", "")):
        rules = rules_of(BOOK, ["das", "Zug"], unknown=how)
        last = rules.table.rules - 1
        assert " ".join(rules.target_side(last)) == expected
        assert rules.source_side(rules.table.patterns - 1) == ["Zug"]
        assert rules.table.feature(feature_space().id("unknown"))[last] == 1


def test_an_unknown_word_is_dealt_with_once_however_often_it_stands_there() -> None:
    rules = rules_of(BOOK, ["Zug", "das", "Zug", "Bahn", "Zug"])
    assert rules.source[0] == rules.source[2] == rules.source[4] != rules.source[3]
    copied = np.flatnonzero(rules.table.feature(feature_space().id("unknown")))
    assert [" ".join(rules.target_side(int(rule))) for rule in copied] == ["Zug", "Bahn"]


def test_numbers_are_copied_even_if_known() -> None:
    pairs: list[Pair] = [(["1912"], ["nineteen"], [(0, 0)])]
    rules = rules_of(pairs, ["1912", "1913"])
    sides = [" ".join(rules.target_side(rule)) for rule in range(rules.table.rules)]
    assert sides == ["nineteen", "1912", "1913"]
    assert rules.table.feature(feature_space().id("copied")).tolist() == [0, 1, 0]
    assert rules.table.feature(feature_space().id("unknown")).tolist() == [0, 0, 1]


def test_a_hook_adds_features() -> None:
    def longer(found: SentenceRules) -> dict[str, Any]:
        return {"length": np.array([len(found.target_side(rule)) for rule in range(found.table.rules)])}

    space = feature_space()
    source = IndexRules(index_of(BOOK), space, hooks=[longer])
    table = source.rules(["das", "Haus"]).table
    assert table.feature(space.id("length")).tolist() == [len(table.target(rule)) for rule in range(table.rules)]
    broken = IndexRules(index_of(BOOK), space, hooks=[lambda found: {"bad": np.array([1.0])}])
    with pytest.raises(PentaglotError, match="'bad' has 1 values for"):
        broken.rules(["das", "Haus"])


def test_sampling_takes_evenly_spaced_occurrences() -> None:
    pairs: list[Pair] = [(["a"], [word], [(0, 0)]) for word in "qrstuvwxyz"]
    rules = rules_of(pairs, ["a"], sample=4)
    # In suffix order, which here is the text backwards: numbers 0, 2, 5 and 7 of it (spec 7.6).
    assert [" ".join(rules.target_side(rule)) for rule in range(4)] == ["z", "x", "u", "s"]
    assert rules.table.attempts.tolist() == [4]
    assert rules.table.occurrences.tolist() == [10]


def test_the_same_from_any_thread() -> None:
    index = index_of(BOOK * 50)
    source = IndexRules(index, feature_space())
    with ThreadPoolExecutor(8) as pool:
        tables = [found.table for found in pool.map(source.rules, [["das", "Haus", "das"]] * 64)]
    assert all(table.counts.tobytes() == tables[0].counts.tobytes() for table in tables)
    assert all(table.feature(2).tobytes() == tables[0].feature(2).tobytes() for table in tables)
