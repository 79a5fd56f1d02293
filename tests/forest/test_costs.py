"""Hope and fear, and n-grams of edges, against a twin that writes out every derivation."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.brute import goal_trees, random_forest, seeds

from pentaglot.errors import PentaglotError
from pentaglot.forest import Forest, example_forest, fear, hope, hope_and_fear, linear_bleu, matches

references = st.lists(st.lists(st.integers(4, 6), max_size=6), min_size=1, max_size=2)


def grams(words: tuple[int, ...] | list[int], order: int) -> list[tuple[int, ...]]:
    return [tuple(words[at : at + order]) for at in range(len(words) - order + 1)]


def shared(words: tuple[int, ...], wanted: list[list[int]], order: int) -> list[float]:
    counts = [float(len(words))]
    for size in range(1, order + 1):
        known = {each for reference in wanted for each in grams(reference, size)}
        counts.append(float(sum(each in known for each in grams(words, size))))
    return counts


@given(seeds, references, st.integers(1, 4))
def test_ngrams_belong_to_edges(seed: int, wanted: list[list[int]], order: int) -> None:
    """The same derivations with the same scores, and statistics that add up to what their words share."""
    forest = random_forest(seed)
    found = matches(forest, wanted, order)
    before = Counter((round(tree.score, 9), tree.words, tuple(sorted(tree.edges))) for tree in goal_trees(forest))
    after = goal_trees(found.forest)
    origins = found.origins.tolist()
    assert before == Counter(
        (round(tree.score, 9), tree.words, tuple(sorted(origins[edge] for edge in tree.edges))) for tree in after
    )
    for tree in after:
        assert found.statistics[list(tree.edges)].sum(axis=0).tolist() == shared(tree.words, wanted, order)


@given(seeds, references)
def test_linear_bleu_adds_up(seed: int, wanted: list[list[int]]) -> None:
    forest = random_forest(seed)
    found = matches(forest, wanted)
    costs = linear_bleu(found, 5.0)
    for tree in goal_trees(found.forest):
        words, *counts = shared(tree.words, wanted, 4)
        gain = -words / 5 + sum(count / (4 * 5 * 0.85 * 0.72**n) for n, count in enumerate(counts))
        assert costs[list(tree.edges)].sum() == pytest.approx(1 - gain)


@given(seeds)
def test_hope_and_fear_of_additive_costs(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    costs = np.random.default_rng(seed).normal(size=forest.edges)
    if not trees:
        with pytest.raises(PentaglotError, match="no derivation"):
            hope(forest, costs)
        return
    priced = [(tree.score, float(costs[list(tree.edges)].sum())) for tree in trees]
    assert hope(forest, costs).score == pytest.approx(max(score - cost for score, cost in priced))
    assert fear(forest, costs).score == pytest.approx(max(score + cost for score, cost in priced))
    listed = forest.plus(costs).kbest(3)
    assert [each.score for each in listed] == pytest.approx(sorted((s + c for s, c in priced), reverse=True)[:3])


@given(seeds, st.integers(1, 5), st.sampled_from([0.5, 3.0]))
def test_hope_and_fear_of_whole_translations(seed: int, batch: int, most: float) -> None:
    """Exact, although not all translations are looked at."""
    forest = random_forest(seed)
    best: dict[tuple[int, ...], float] = {}
    for tree in goal_trees(forest):
        best.setdefault(tree.words, tree.score)

    def cost(texts: list[tuple[int, ...]]) -> list[float]:
        return [most * (hash((seed, words)) % 97) / 96 for words in texts]

    if not best:
        with pytest.raises(PentaglotError, match="no derivation"):
            hope_and_fear(forest, cost, most=most)
        return
    found = hope_and_fear(forest, cost, most=most, batch=batch)
    assert found.exact
    assert found.hope.score - found.hope_cost == pytest.approx(max(s - cost([w])[0] for w, s in best.items()))
    assert found.fear.score + found.fear_cost == pytest.approx(max(s + cost([w])[0] for w, s in best.items()))
    one = hope_and_fear(forest, cost, most=most, limit=1)
    assert one.hope.words == one.fear.words == goal_trees(forest)[0].words


def test_few_are_asked_for_where_costs_are_small() -> None:
    asked: list[int] = []

    def cost(texts: list[tuple[int, ...]]) -> list[float]:
        asked.append(len(texts))
        return [0.0] * len(texts)

    assert hope_and_fear(example_forest(), cost, most=0.1, batch=1).exact
    assert sum(asked) < example_forest().count()


def test_what_does_not_fit() -> None:
    forest: Forest = example_forest()
    with pytest.raises(PentaglotError, match="from 0 to 1"):
        hope_and_fear(forest, lambda texts: [2.0] * len(texts))
    with pytest.raises(PentaglotError, match="1 to 16 words"):
        matches(forest, [[4]], 0)
    with pytest.raises(PentaglotError, match="too many edges"):
        from pentaglot._core import forest as core

        core.ngram_forest(forest.packed, 4, np.array([0], np.uint64), np.array([], np.uint32), 3)
