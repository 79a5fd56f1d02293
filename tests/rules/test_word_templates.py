"""Features of the words of rules, against a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core.rules import Induction, RuleTable, WordTemplate

WORDS = st.sampled_from(
    [0, 1, 2, 3, 8, 65535, 65536, 65537, 131072, (1 << 30) - 1]
)  # some are alike in their last bits
NGRAMS = st.lists(WORDS, min_size=2, max_size=4).map(tuple)


def fired(table: RuleTable, rule: int) -> Counter[int]:
    ids, values = table.features_of(rule)
    assert values.tolist() == [1] * len(ids)  # as often as it has them
    return Counter(ids.tolist())


@settings(deadline=None)
@given(st.lists(NGRAMS, unique=True, max_size=60), st.lists(st.lists(WORDS, max_size=9), min_size=1, max_size=8))
def test_ngrams_are_those_of_a_dictionary(keys: list[tuple[int, ...]], targets: list[list[int]]) -> None:
    features = {key: 100 + at for at, key in enumerate(keys)}
    table, induction, classes = RuleTable(), Induction(), np.empty(0, np.uint32)
    table.add_pattern([5])
    for target in targets:
        table.add_rule(target)
    offsets = np.cumsum([0, *map(len, keys)]).astype(np.uint64)
    symbols = np.array([word for key in keys for word in key], np.int32)
    ids = np.array(list(features.values()), np.uint32)
    induction.add_words(WordTemplate("target_ngrams", 4, classes, classes), offsets, symbols, ids)
    induction.apply(table, ([], np.empty(0, np.uint8), np.empty(0, np.uint8)))
    for rule, target in enumerate(targets):
        ngrams = (tuple(target[at : at + size]) for size in (2, 3, 4) for at in range(len(target) + 1 - size))
        expected = Counter(features[each] for each in ngrams if each in features)
        assert fired(table, rule) == expected


@settings(deadline=None)
@given(st.sets(WORDS), st.sets(st.tuples(WORDS, WORDS)), st.lists(WORDS, min_size=1, max_size=5))
def test_words_and_pairs_are_those_of_a_dictionary(
    words: set[int], pairs: set[tuple[int, int]], target: list[int]
) -> None:
    table, induction, classes = RuleTable(), Induction(), np.empty(0, np.uint32)
    table.add_pattern([3, 8])
    table.add_rule(target)
    single = {(word,): 100 + at for at, word in enumerate(sorted(words))}
    double = {pair: 200 + at for at, pair in enumerate(sorted(pairs))}
    for kind, features, size in (("target_words", single, 1), ("all_pairs", double, 2)):
        offsets = np.arange(len(features) + 1, dtype=np.uint64) * size
        symbols = np.array([word for key in features for word in key], np.int32)
        ids = np.array(list(features.values()), np.uint32)
        induction.add_words(WordTemplate(kind, 1, classes, classes), offsets.astype(np.uint64), symbols, ids)
    induction.apply(table, ([], np.empty(0, np.uint8), np.empty(0, np.uint8)))
    expected = Counter(single[word,] for word in target if (word,) in single)
    expected.update(double[one, other] for one in (3, 8) for other in target if (one, other) in double)
    assert fired(table, 0) == expected
