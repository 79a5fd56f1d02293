"""MERT over forests, against the lists of all their derivations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.forest.brute import FEATURES, random_forest
from tests.learn.problems import Errors, problem_of

from pentaglot.errors import OptionError
from pentaglot.forest import Forest
from pentaglot.learn import Candidate, ForestSpace, Mert, PricedForest, Problem
from pentaglot.learn.forest_lines import ForestSurface
from pentaglot.learn.surfaces import ListSurface


def text_of(number: int, words: Sequence[int]) -> str:
    """Words, and a number of errors that depends on them."""
    return " ".join(map(str, [*words, (number + sum(words) + 3 * len(words)) % 7]))


def both(forests: Sequence[Forest]) -> tuple[Problem, ForestSurface]:
    """The lists of all derivations of some forests, and the forests."""
    found = [
        [
            Candidate(text_of(number, each.words), {f"f{id}": value for id, value in each.features.items()})
            for each in forest.derivations()
        ]
        for number, forest in enumerate(forests)
    ]
    problem = problem_of(found, Errors(), ["x"] * len(forests), {f"f{id}": 0.0 for id in range(FEATURES)})
    priced = [PricedForest(forest, np.zeros(forest.edges)) for forest in forests]
    places = np.array([int(name[1:]) for name in problem.lists.names], np.int64)
    space = ForestSpace(priced, places, np.zeros(FEATURES), text_of)

    def statistics(texts: list[str], owners: list[int]) -> np.ndarray:
        return Errors().statistics(texts, [["x"] * len(texts)])

    with_statistics = Problem(
        problem.lists, problem.metric, problem.lengths, problem.weights, problem.start, statistics=statistics
    )
    return with_statistics, ForestSurface(with_statistics, space)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_sweeps_are_those_of_all_derivations(seed: int) -> None:
    random = np.random.default_rng(seed)
    forests = [random_forest(seed + each, impossible=False) for each in range(4)]
    problem, surface = both(forests)
    if not len(problem.lists.names):
        return
    point, everywhere = random.normal(size=len(problem.lists.names)), np.arange(4, dtype=np.uint32)
    ours, theirs = surface.at(point, everywhere), ListSurface(problem).at(point, everywhere)
    assert set(ListSurface(problem).varying.tolist()) <= set(surface.varying.tolist())
    for _ in range(3):
        direction = random.normal(size=len(point))
        assert ours.totals().tolist() == theirs.totals().tolist()
        (here, sums), (there, wanted) = ours.sweep(direction), theirs.sweep(direction)
        # Values of lists are rounded to 32 bits, so boundaries are a little apart, and near ones may be merged.
        if len(here) == len(there) and not np.any(np.diff(here) < 1e-4):
            assert here == pytest.approx(there, rel=1e-4, abs=1e-4)
            assert sums.tolist() == wanted.tolist()
        for x in random.normal(0, 2, 20):
            near = np.concatenate([here, there, [np.inf]])
            if np.min(np.abs(near - x)) > 1e-3 * (1 + abs(x)):
                assert sums[np.searchsorted(here, x)] == wanted[np.searchsorted(there, x)]
        step = float(random.normal())
        ours.move(direction, step)
        theirs.move(direction, step)
        if not np.any(np.abs(np.concatenate([here, there, [np.inf]]) - step) < 1e-3 * (1 + abs(step))):
            assert ours.totals().tolist() == theirs.totals().tolist()


@pytest.mark.parametrize("threads", [1, 4])
def test_climbing_is_as_good_as_on_the_lists(threads: int) -> None:
    forests = [random_forest(seed, impossible=False) for seed in range(200)]
    problem, surface = both([each for each in forests if 2 <= each.count() <= 60][:12])
    problem = Problem(
        problem.lists,
        problem.metric,
        problem.lengths,
        problem.weights,
        problem.start,
        forests=lambda edges, scale: surface.space,
        statistics=problem.statistics,
    )
    start = np.random.default_rng(1)
    ours = Mert(space="forests", threads=threads).optimise(problem, np.random.default_rng(3))
    theirs = Mert().optimise(problem, np.random.default_rng(3))
    assert problem.score(ours) >= problem.score(start.normal(size=len(ours)))
    assert problem.score(ours) == pytest.approx(problem.score(theirs), abs=2.0)
    again = Mert(space="forests").optimise(problem, np.random.default_rng(3))
    assert np.array_equal(ours, again)


def test_a_decoder_without_forests() -> None:
    problem, _ = both([random_forest(5, impossible=False)])
    with pytest.raises(OptionError, match="only lists, no forests"):
        Mert(space="forests").optimise(problem, np.random.default_rng(0))
