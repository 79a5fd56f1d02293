"""The best derivations as arrays, against the same derivations one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.brute import random_forest, seeds

from pentaglot.errors import OptionError
from pentaglot.forest import DerivationArrays, Forest, ForestBuilder, tail

Row = tuple[float, tuple[int, ...], dict[int, float]]


def _rows(found: DerivationArrays) -> list[Row]:
    words, features = found.word_offsets.tolist(), found.feature_offsets.tolist()
    rows = []
    for number, score in enumerate(found.scores.tolist()):
        ids = found.feature_ids[features[number] : features[number + 1]].tolist()
        values = found.feature_values[features[number] : features[number + 1]].tolist()
        assert ids == sorted(set(ids))
        rows.append(
            (score, tuple(found.words[words[number] : words[number + 1]].tolist()), dict(zip(ids, values, strict=True)))
        )
    assert words[-1] == len(found.words) and features[-1] == len(found.feature_ids) == len(found.feature_values)
    return rows


def _one_by_one(forest: Forest, k: int, distinct: bool) -> list[Row]:
    return [(each.score, each.words, each.features) for each in forest.kbest(k, distinct=distinct)]


@given(seeds, st.integers(0, 12), st.booleans())
def test_arrays_are_what_the_derivations_say(seed: int, k: int, distinct: bool) -> None:
    """To the last bit: sums are made in the same order."""
    forest = random_forest(seed)
    found = forest.kbest_arrays(k, distinct=distinct)
    assert _rows(found) == _one_by_one(forest, k, distinct)
    assert len(found) == len(forest.kbest(k, distinct=distinct))


@pytest.mark.parametrize("far", [0, 65_530, 70_000, 2**32 - 3])
def test_feature_ids_may_be_as_large_as_they_like(far: int) -> None:
    builder = ForestBuilder()
    below, goal = builder.node(), builder.node()
    for number in range(3):
        builder.edge(below, target=[4 + number], features={far: -0.1 * number, far + 1: 0.1, 2: 1.0})
        builder.edge(goal, [below, below], [tail(1), 9, tail(0)], {far + 1: 0.3 - number, 0: 0.0})
    forest = builder.finish(goal)
    found = _rows(forest.kbest_arrays(50))
    assert found == _one_by_one(forest, 50, False) and len(found) == 27
    assert all(0 in features for _, _, features in found), "what adds up to zero is named all the same"


def test_threads_may_share_a_forest() -> None:
    forest = random_forest(5, impossible=False)
    wanted = _one_by_one(forest, 20, True)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: _rows(forest.kbest_arrays(20, distinct=True)), range(40))
        assert all(each == wanted for each in found)


def test_a_number_below_zero_is_refused() -> None:
    with pytest.raises(OptionError, match="k is -1"):
        random_forest(1).kbest_arrays(-1)
