"""MIRA against a twin in plain Python, hope and fear against brute force, and problems whose solution is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.learn.problems import Errors, problem_of, random_errors, translation_pools

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.learn import Candidate, Mira, Problem
from pentaglot.learn.mira import gains
from pentaglot.metrics import Bleu, Chrf, Metric


class Twin:
    """The algorithm as the paper has it, with dense vectors and no regard for time."""

    def __init__(self, problem: Problem, strength: float, decay: float) -> None:
        self.problem, self.strength, self.decay = problem, strength, decay
        lists = problem.lists
        rows = [lists.features(number) for number in range(len(lists))]
        self.vectors = np.array([[row.get(name, 0.0) for name in lists.names] for row in rows])
        self.weights = problem.weights.copy()
        self.background = np.zeros(10)
        self.history: list[NDArray[np.float64]] = []

    def gain(self, candidate: int) -> float:
        fixed = gains(self.problem)
        if len(fixed):
            return float(fixed[candidate])
        sums = self.problem.lists.statistics[candidate] + self.background + 1
        logs = [math.log(sums[2 + n] / sums[6 + n]) for n in range(4)]
        brevity = min(0.0, 1 - sums[1] / sums[0])
        return math.exp(sum(logs) / 4 + brevity) * float(sums[1])

    def hope_and_fear(self, sentence: int) -> tuple[int, int]:
        ends = self.problem.lists.sentences.tolist()
        mine = range(ends[sentence], ends[sentence + 1])
        scores = {c: float(self.vectors[c] @ self.weights) for c in mine}
        gain = {c: self.gain(c) for c in mine}
        return (
            max(mine, key=lambda c: (scores[c] + gain[c], scores[c], -c)),
            max(mine, key=lambda c: (scores[c] - gain[c], scores[c], -c)),
        )

    def visit(self, sentence: int) -> None:
        hope, fear = self.hope_and_fear(sentence)
        difference = self.vectors[hope] - self.vectors[fear]
        loss = self.gain(hope) - self.gain(fear) - float(difference @ self.weights)
        length = float(difference @ difference)
        if loss > 0 and length > 0:
            self.weights = self.weights + min(self.strength, loss / length) * difference
        self.background = self.decay * self.background + (
            self.problem.lists.statistics[hope] if self.problem.lists.statistics.shape[1] == 10 else 0
        )
        self.history.append(self.weights)


@pytest.mark.parametrize("metric", [Bleu(tokenize="none"), Chrf()], ids=lambda metric: metric.name)
@pytest.mark.parametrize("strength", [0.001, 0.5])
def test_equal_to_its_twin(metric: Metric, strength: float) -> None:
    references, pools = translation_pools(11, 15, 20)
    problem = problem_of(pools, metric, references, {"length": 0.5, "noise": 0.5})
    learner = core.Mira(problem.lists.native, gains(problem), problem.weights, strength, 0.9)
    twin = Twin(problem, strength, 0.9)
    random = np.random.default_rng(2)
    for _ in range(3):
        order = random.permutation(15).astype(np.uint32)
        for sentence in order.tolist():
            hope, fear, hope_gain, fear_gain = learner.hope_and_fear(sentence)
            assert (hope, fear) == twin.hope_and_fear(sentence)
            assert (hope_gain, fear_gain) == pytest.approx((twin.gain(hope), twin.gain(fear)))
            learner.epoch(np.array([sentence], np.uint32))
            twin.visit(sentence)
            assert learner.weights() == pytest.approx(twin.weights, rel=1e-9, abs=1e-12)
            assert learner.average() == pytest.approx(np.mean(twin.history, axis=0), rel=1e-9, abs=1e-12)
    whole = core.Mira(problem.lists.native, gains(problem), problem.weights, strength, 0.9)
    random = np.random.default_rng(2)
    for _ in range(3):
        whole.epoch(random.permutation(15).astype(np.uint32))
    assert np.array_equal(whole.weights(), learner.weights())


def test_one_step_by_hand() -> None:
    """Hope and fear differ by (1, -1): squared length 2. Their gains are 10 * 0.9 and 10 * 0.2 words."""
    found = [[Candidate("good 1", {"x": 1.0}), Candidate("bad 8", {"y": 1.0})]]
    ten = "a b c d e f g h i j"
    for strength, step in [(0.01, 0.01), (100.0, (7.0 + 1.0) / 2)]:
        problem = problem_of(found, Errors(), [ten], {"x": 0.0, "y": 1.0})
        learner = core.Mira(problem.lists.native, gains(problem), problem.weights, strength, 1.0)
        assert learner.hope_and_fear(0) == pytest.approx((0, 1, 9.0, 2.0))
        learner.epoch(np.array([0], np.uint32))
        assert learner.weights() == pytest.approx([step, 1 - step])
        # Now the margin is large enough, or the next step is as small again.
        learner.epoch(np.array([0], np.uint32))
        assert learner.weights() == pytest.approx([2 * step, 1 - 2 * step] if step == 0.01 else [step, 1 - step])


def test_a_linear_problem_is_solved() -> None:
    """Where errors are a linear function of the features, the best candidate of every sentence is found."""
    random = np.random.default_rng(5)
    truth = np.array([2.0, -1.0, 0.5, 0.0])
    found: list[list[Candidate]] = []
    for _ in range(30):
        vectors = random.normal(size=(25, 4))
        errors = np.argsort(np.argsort(-(vectors @ truth)))
        names = [f"f{n}" for n in range(4)]
        found.append(
            [
                Candidate(f"c{n} {errors[n] / 3}", dict(zip(names, map(float, vectors[n]), strict=True)))
                for n in range(25)
            ]
        )
    problem = problem_of(found, Errors(), ["a b c"] * 30, {})
    best = Mira(strength=0.1).optimise(problem, np.random.default_rng(1))
    assert problem.score(best) == 0.0, "no errors"
    cosine = best @ truth / np.sqrt((best @ best) * (truth @ truth))
    assert cosine > 0.95


def test_bleu_rises_and_all_is_repeatable() -> None:
    references, pools = translation_pools(13)
    problem = problem_of(pools, Bleu(tokenize="none"), references, {"noise": 1.0})
    found = [Mira(pull=0.0).optimise(problem, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(found[0], found[1]) and not np.array_equal(found[0], found[2])
    assert problem.score(found[0]) > problem.score(problem.weights) + 20
    weights = dict(zip(problem.lists.names, found[0].tolist(), strict=True))
    assert weights["right"] > 0 > weights["wrong"] and abs(weights["noise"]) < weights["right"] / 3


def _linear(truth: NDArray[np.float64], sentences: int, noise: float) -> list[list[Candidate]]:
    """Candidates whose errors follow from their features, and from chance."""
    random = np.random.default_rng(5)
    found = []
    for _ in range(sentences):
        vectors = random.normal(size=(12, len(truth)))
        wrong = -(vectors @ truth) + noise * random.normal(size=12)
        errors = np.argsort(np.argsort(wrong))
        rows = [{f"f{at}": float(value) for at, value in enumerate(vector)} for vector in vectors]
        found.append([Candidate(f"c{n} {errors[n] / 2}", rows[n]) for n in range(12)])
    return found


def _cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(one @ other / np.sqrt((one @ one) * (other @ other)))


def test_pull_by_definition() -> None:
    """The share of the weights to begin with, when both are equally long in units of the features' spread."""
    pools = _linear(np.array([1.0, -2.0, 0.5]), 10, 1.0)
    problem = problem_of(pools, Errors(), ["a b"] * 10, {"f0": 0.1, "f2": 0.3})
    free, half, whole = (
        Mira(pull=pull, epochs=1).optimise(problem, np.random.default_rng(3)) for pull in (0.0, 0.5, 1.0)
    )
    learner = core.Mira(problem.lists.native, gains(problem), problem.weights, 0.01, 0.999)
    learner.epoch(np.random.default_rng(3).permutation(10).astype(np.uint32))
    vectors = np.array([[[each.features[f"f{at}"] for at in range(3)] for each in pool] for pool in pools])
    spread = np.sqrt(((vectors - vectors.mean(axis=1, keepdims=True)) ** 2).mean(axis=(0, 1)))
    shrunk = np.sqrt(((problem.start * spread) ** 2).sum() / ((learner.average() * spread) ** 2).sum())
    assert free == pytest.approx(learner.average() * shrunk, rel=1e-5)
    assert half == pytest.approx((free + problem.start) / 2, rel=1e-5)
    assert whole == pytest.approx(problem.start)


def test_what_pull_is_good_for() -> None:
    """Weights that are good to begin with stay so where there is little to learn from, and much of it chance."""
    truth = np.array([1.0, -2.0, 0.5, 0.0, 0.0, 0.0])
    problem = problem_of(_linear(truth, 8, 5.0), Errors(), ["a b"] * 8, {"f0": 0.1, "f1": -0.2, "f2": 0.05})
    free, half = (Mira(0.1, epochs=20, pull=pull).optimise(problem, np.random.default_rng(1)) for pull in (0.0, 0.5))
    assert _cosine(half, truth) > _cosine(free, truth) + 0.05


def test_equal_candidates_teach_nothing() -> None:
    found = [[Candidate("a 3", {"x": 1.0}), Candidate("b 3", {"x": 1.0})], []]
    problem = problem_of(found, Errors(), ["a", "b"], {"x": 0.25})
    assert Mira().optimise(problem, np.random.default_rng(0)).tolist() == [0.25]


def test_what_does_not_fit() -> None:
    problem = problem_of([*random_errors(1, 2, 3, 2), []], Errors(), ["x"] * 3, {})
    native = problem.lists.native
    with pytest.raises(PentaglotError, match="statistics of BLEU"):
        core.Mira(native, np.empty(0), np.zeros(2), 0.1, 0.9)
    with pytest.raises(PentaglotError, match="as many gains"):
        core.Mira(native, np.zeros(5), np.zeros(2), 0.1, 0.9)
    with pytest.raises(PentaglotError, match="as many weights"):
        core.Mira(native, np.zeros(6), np.zeros(3), 0.1, 0.9)
    learner = core.Mira(native, np.zeros(6), np.zeros(2), 0.1, 0.9)
    with pytest.raises(PentaglotError, match="no such sentence"):
        learner.epoch(np.array([3], np.uint32))
    with pytest.raises(PentaglotError, match="no candidates"):
        learner.hope_and_fear(2)
