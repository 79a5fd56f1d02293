"""Expected statistics against a twin, their gradient against differences, and problems whose solution is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.learn.problems import Errors, problem_of, random_errors, translation_pools

from pentaglot.errors import PentaglotError
from pentaglot.learn import Candidate, ExpectedScore, Problem
from pentaglot.metrics import Bleu, Chrf, Metric, Ter


def vectors(problem: Problem) -> NDArray[np.float64]:
    lists = problem.lists
    return np.array([[lists.features(row).get(name, 0.0) for name in lists.names] for row in range(len(lists))])


def chances(problem: Problem, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distribution by its definition, one sentence after the other."""
    scores, owners = vectors(problem) @ weights, problem.lists.owners
    found = np.empty(len(scores))
    for sentence in set(owners.tolist()):
        mine = owners == sentence
        powers = np.exp(scores[mine] - scores[mine].max())
        found[mine] = powers / powers.sum()
    return found


def a_problem(metric: Metric) -> Problem:
    references, pools = translation_pools(3, 40, 12)
    return problem_of([*pools, []], metric, [*references, "nothing"], {"length": 0.5, "noise": 0.5})


def test_expected_statistics_by_definition() -> None:
    problem = a_problem(Bleu(tokenize="none"))
    weights = np.random.default_rng(1).normal(size=len(problem.lists.names))
    wanted = chances(problem, weights) @ problem.lists.statistics
    assert problem.lists.native.expected_statistics(weights) == pytest.approx(wanted)
    eight = problem.lists.native.expected_statistics(weights, 8)
    assert np.array_equal(problem.lists.native.expected_statistics(weights, 1), eight)


@pytest.mark.parametrize("metric", [Bleu(tokenize="none"), Chrf(), Ter()], ids=lambda metric: metric.name)
def test_the_gradient_is_that_of_the_value(metric: Metric) -> None:
    problem = a_problem(metric)
    weights = np.random.default_rng(2).normal(size=len(problem.lists.names))
    _, gradient = ExpectedScore()._value(problem, weights)
    for at in range(len(weights)):
        step = np.zeros(len(weights))
        step[at] = 1e-4
        above, below = (ExpectedScore()._value(problem, weights + way * step)[0] for way in (1, -1))
        assert gradient[at] == pytest.approx((above - below) / 2e-4, rel=2e-3, abs=1e-5)


def test_the_gradient_is_the_same_with_any_number_of_threads() -> None:
    problem = a_problem(Chrf())
    weights = np.random.default_rng(5).normal(size=len(problem.lists.names))
    slopes = np.random.default_rng(6).normal(size=problem.lists.statistics.shape[1])
    one, eight = (problem.lists.native.expected_gradient(weights, slopes, threads) for threads in (1, 8))
    assert np.array_equal(one, eight)


def test_spread_by_definition() -> None:
    problem = a_problem(Chrf())
    rows, owners = vectors(problem), problem.lists.owners
    away = np.concatenate([rows[owners == each] - rows[owners == each].mean(axis=0) for each in set(owners.tolist())])
    assert problem.lists.native.spread() == pytest.approx(np.sqrt((away**2).mean(axis=0)))


@pytest.mark.parametrize("metric", [Bleu(tokenize="none"), Chrf(), Ter()], ids=lambda metric: metric.name)
def test_scores_rise_and_all_is_repeatable(metric: Metric) -> None:
    references, pools = translation_pools(13)
    problem = problem_of(pools, metric, references, {"noise": 1.0})
    found = [ExpectedScore(threads=threads).optimise(problem, np.random.default_rng(threads)) for threads in (1, 4)]
    assert np.array_equal(*found)
    assert problem.score(found[0]) > problem.score(problem.weights) + 10
    weights = dict(zip(problem.lists.names, found[0].tolist(), strict=True))
    assert weights["right"] > 0 > weights["wrong"]


def test_weights_stay_near_the_start_if_that_is_wanted() -> None:
    references, pools = translation_pools(13)
    problem = problem_of(pools, Bleu(tokenize="none"), references, {"right": 1.0})
    unit = problem.lists.native.spread()

    def distance(strength: float) -> float:
        found = ExpectedScore(strength=strength).optimise(problem, np.random.default_rng(0))
        anchor = problem.start * ExpectedScore()._scale(problem)
        return float(np.linalg.norm((found - anchor) * unit))

    distances = [distance(strength) for strength in (0.0001, 0.01, 1.0, 1e6)]
    assert distances == sorted(distances, reverse=True) and distances[-1] < 1e-4


def test_a_feature_that_never_differs_keeps_its_weight() -> None:
    found = [[Candidate(f"{n} {n}", {"errors": -n, "same": 3.0}) for n in range(4)] for _ in range(5)]
    problem = problem_of(found, Errors(), ["x"] * 5, {"errors": 0.0, "same": 0.25})
    weights = dict(
        zip(problem.lists.names, ExpectedScore().optimise(problem, np.random.default_rng(0)).tolist(), strict=True)
    )
    assert weights["errors"] > 0.5
    assert weights["same"] == pytest.approx(0.25 * ExpectedScore()._scale(problem))


def test_equal_candidates_teach_nothing() -> None:
    found = [[Candidate("a 3", {"x": 1.0}), Candidate("b 3", {"x": 1.0})], []]
    problem = problem_of(found, Errors(), ["a", "b"], {"x": 0.25})
    assert ExpectedScore().optimise(problem, np.random.default_rng(0)).tolist() == [0.25]


def test_what_does_not_fit() -> None:
    native = problem_of(random_errors(1, 2, 3, 2), Errors(), ["x"] * 2, {}).lists.native
    with pytest.raises(PentaglotError, match="as many weights"):
        native.expected_statistics(np.zeros(3))
    with pytest.raises(PentaglotError, match="as many slopes"):
        native.expected_gradient(np.zeros(2), np.zeros(2))
    with pytest.raises(PentaglotError, match="finite"):
        native.expected_statistics(np.array([np.nan, 0.0]))
