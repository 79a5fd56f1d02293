"""Agreement with people, against definitions and other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pentaglot import PentaglotError
from pentaglot.evaluate import (
    Judged,
    expected_wins,
    pearson,
    segment_tau,
    spearman,
    tau_difference,
    williams,
    win_ratio,
)
from pentaglot.evaluate.agreement import hybrid_scores, mean_ranks


def judged(preferred: list[tuple[int, int]], systems: str = "abc", segments: int = 1, **more: object) -> Judged:
    count = len(systems) * segments
    facts: dict[str, object] = {
        "name": "set",
        "segments": tuple(str(at // len(systems)) for at in range(count)),
        "systems": tuple(systems) * segments,
        "hypotheses": ("x",) * count,
        "references": ("x",) * count,
        "preferred": np.array(preferred, np.int64).reshape(-1, 2),
        "tied": np.empty((0, 2), np.int64),
        "direct": np.full(count, np.nan),
    }
    return Judged(**(facts | more))  # type: ignore[arg-type]


def test_tau_with_every_rule_for_ties() -> None:
    # Two right, one wrong, one that only the metric finds equal.
    people = judged([(0, 1), (0, 2), (2, 1), (1, 0)], segments=2)
    scores = np.array([3.0, 1.0, 1.0, 0, 0, 0])
    assert segment_tau(scores, people) == pytest.approx((2 - 1) / 3)
    assert segment_tau(scores, people, ties="wrong") == pytest.approx((2 - 2) / 4)
    assert segment_tau(scores, people, ties="half") == pytest.approx((2 - 1) / 4)
    assert segment_tau(np.zeros(6), people) == 0


def test_wins_by_hand() -> None:
    # a beats b twice and loses once; b beats c once; a and c never met.
    people = judged([(0, 1), (0, 1), (1, 0), (1, 2)])
    assert expected_wins(people) == pytest.approx({"a": 2 / 3, "b": (1 / 3 + 1) / 2, "c": 0})
    assert win_ratio(people) == pytest.approx({"a": 2 / 3, "b": 2 / 4, "c": 0})
    lonely = expected_wins(judged([(0, 1)], systems="abz"))
    assert lonely["a"] == 1 and np.isnan(lonely["z"])


def test_correlations_are_those_of_scipy() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        one, other = random.integers(0, 5, 12).astype(float), random.random(12)
        assert pearson(one, other) == pytest.approx(stats.pearsonr(one, other)[0])
        assert spearman(one, other) == pytest.approx(stats.spearmanr(one, other)[0])
        assert mean_ranks(one) == pytest.approx(stats.rankdata(one))
    assert pearson([1, 1], [2, 3]) == 0
    assert pearson([1e308, -1e308, 0], [1, -1, 0]) == pytest.approx(1)
    with pytest.raises(PentaglotError, match="3 and 2 numbers cannot be correlated"):
        pearson([1, 2, 3], [1, 2])


def test_williams_rejects_as_often_as_it_should() -> None:
    """Two metrics that are equally good: p below 0.05 in about 5 % of the cases, in one direction."""
    random, below = np.random.default_rng(5), 0
    for _ in range(1000):
        truth = random.standard_normal(60)
        one, other = (truth + random.standard_normal(60) for _ in range(2))
        below += williams(pearson(truth, one), pearson(truth, other), pearson(one, other), 60) < 0.05
    assert 25 <= below <= 80
    assert williams(0.9, 0.5, 0.4, 100) < 1e-6 < 0.5 < williams(0.5, 0.9, 0.4, 100)
    with pytest.raises(PentaglotError, match="at least 4"):
        williams(0.9, 0.5, 0.4, 3)


def test_williams_by_hand() -> None:
    """The p that the documentation of R's package psych gives for Steiger's example, two-sided; and the formula, with
    the determinant of all three correlations, on few values, where every part of it weighs."""
    assert 2 * williams(0.5, 0.4, 0.1, 103) == pytest.approx(0.37, abs=0.005)
    for one, other, between, size in ((0.9, 0.5, 0.3, 6), (0.6, 0.7, 0.2, 5), (0.3, -0.1, -0.4, 9)):
        determinant = np.linalg.det([[1, one, other], [one, 1, between], [other, between, 1]])
        variance = 2 * determinant * (size - 1) / (size - 3) + ((one + other) / 2) ** 2 * (1 - between) ** 3
        value = (one - other) * ((size - 1) * (1 + between) / variance) ** 0.5
        assert williams(one, other, between, size) == pytest.approx(1 - stats.t.cdf(value, size - 3))


def test_the_interval_of_a_difference_covers_it() -> None:
    random = np.random.default_rng(7)
    truth = random.standard_normal(600)
    pairs = [(2 * at, 2 * at + 1) if truth[2 * at] > truth[2 * at + 1] else (2 * at + 1, 2 * at) for at in range(300)]
    people = judged(pairs, systems="ab", segments=300)
    good, bad = truth + 0.3 * random.standard_normal(600), truth + 3 * random.standard_normal(600)
    apart = tau_difference(good, bad, people)
    assert 0 < apart.low < apart.difference < apart.high
    assert apart.difference == pytest.approx(segment_tau(good, people) - segment_tau(bad, people))
    same = tau_difference(good, good, people)
    assert same.difference == same.low == same.high == 0


def test_hybrids_are_made_of_any_two_systems() -> None:
    direct = np.tile([0.0, 1.0, 10.0], 200)
    human, _ = hybrid_scores(judged([], segments=200, direct=direct), {"metric": direct}, hybrids=300)
    pairs = [np.abs(human - mean) < 1.5 for mean in (0.5, 5.0, 5.5)]
    assert 60 < pairs[0].sum() < 140 and (pairs[0] | pairs[1] | pairs[2]).all()


def test_hybrids_lie_between_their_systems() -> None:
    people = judged([], systems="ab", segments=50, direct=np.tile([0.0, 1.0], 50))
    human, made = hybrid_scores(people, {"metric": np.tile([10.0, 20.0], 50)}, hybrids=200)
    assert human.min() > 0.2 and human.max() < 0.8
    assert made["metric"] == pytest.approx(10 + 10 * human)
    sparse = np.array([1, np.nan, np.nan, 2, np.nan, 3])  # some hybrids have nothing that was scored: they are not made
    human, made = hybrid_scores(
        judged([], systems="ab", segments=3, direct=sparse), {"metric": np.arange(6.0)}, hybrids=50
    )
    assert np.isfinite(human).all() and np.isfinite(made["metric"]).all()
    with pytest.raises(PentaglotError, match="at least two systems"):
        direct = np.array([1, np.nan, 2, np.nan])
        hybrid_scores(judged([], systems="ab", segments=2, direct=direct), {"metric": np.zeros(4)})
    with pytest.raises(PentaglotError, match="at least two systems"):
        hybrid_scores(judged([(0, 1)]), {"metric": np.zeros(3)})
