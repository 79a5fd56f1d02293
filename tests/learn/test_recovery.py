"""Synthetic problems whose truth is known (Clark 2015, spec 7.8): penalties find the structure that is there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.forest import FeatureSpace
from pentaglot.learn.isotonic import NearlyIsotonic
from pentaglot.learn.neighbours import Complexity, LinearNeighbours, MonotoneNeighbours
from pentaglot.learn.objectives import Descent
from pentaglot.learn.penalties import Absolute, Oscar, Partly, Penalties, Squared
from pentaglot.learn.penalty import Penalty
from pentaglot.learn.solvers import lbfgs, proximal

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The mean logistic loss of pairs, given the difference of their features, the better one first."""

    rows: Numbers
    sentences: int = 1

    def value_and_gradient(self, weights: Numbers) -> tuple[float, Numbers]:
        margins = self.rows @ weights
        value = float(np.logaddexp(0.0, -margins).mean())
        return value, -(self.rows / (1 + np.exp(margins))[:, None]).mean(axis=0)

    def descent(self, weights: Numbers, anchor: Numbers, rate: float, strength: float) -> Descent:
        raise NotImplementedError


def _hypotheses(random: np.random.Generator, count: int) -> tuple[Numbers, Numbers]:
    """Pairs of hypotheses of 4 rules with a probability each, and which one is better but for noise."""
    rules = 10 ** random.uniform(-4, 0, size=(count, 2, 4))
    truth = np.log(rules).sum(axis=2)
    return rules, truth


def _accuracy(penalty: Penalty, features: str, seed: int, *, exact: bool = False) -> float:
    random = np.random.default_rng(seed)
    (rules, truth), (held_out, real) = _hypotheses(random, 150), _hypotheses(random, 1000)
    noisy = truth + random.normal(size=truth.shape)
    edges = np.quantile(rules, np.linspace(0, 1, 33)[1:-1])

    def rows(given: Numbers) -> Numbers:
        if features == "raw":
            return given.sum(axis=2)[..., None]
        if features == "log":
            return np.log(given).sum(axis=2)[..., None]
        return np.eye(32)[np.searchsorted(edges, given)].sum(axis=2)

    found = rows(rules)
    better = np.sign(noisy[:, 0] - noisy[:, 1])
    pairs = Pairs((found[:, 0] - found[:, 1]) * better[:, None])
    weights = (proximal if exact else lbfgs)(pairs, penalty, np.zeros(found.shape[2]))
    shown = rows(held_out)
    right = np.sign((shown[:, 0] - shown[:, 1]) @ weights) == np.sign(real[:, 0] - real[:, 1])
    return float(right.mean())


def test_neighbours_find_the_logarithm() -> None:
    """Bins beat raw probabilities, by more if neighbours must be alike; the logarithm is the truth."""
    space = FeatureSpace()
    space.add_bins("p", [str(number) for number in range(32)])
    triples, small = space.neighbours(), Squared(1e-3)
    penalties = {
        "raw": small,
        "bins": small,
        "linear": Penalties([small, LinearNeighbours(1.0, triples)]),
        "monotone": Penalties([small, MonotoneNeighbours(1.0, triples)]),
        "log": small,
    }
    found = {
        name: np.mean([_accuracy(penalty, name if name in ("raw", "log") else "bins", seed) for seed in range(3)])
        for name, penalty in penalties.items()
    }
    assert found["raw"] + 0.05 < found["bins"]
    assert found["bins"] + 0.02 < min(found["linear"], found["monotone"])
    assert max(found["linear"], found["monotone"]) <= found["log"] + 0.005
    assert found["log"] > 0.97


def test_oscar_finds_few_different_weights() -> None:
    """True weights have few magnitudes: OSCAR keeps more weights than l1, with fewer magnitudes."""
    random = np.random.default_rng(3)
    truth = random.choice([-2.0, -1.0, 0.0, 0.0, 1.0, 2.0], size=60)
    vectors = random.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=(400, 60))
    labels = np.sign(vectors @ truth + random.normal(size=400))
    problem = Pairs(vectors[labels != 0] * labels[labels != 0, None])
    sparse, grouped = (
        proximal(problem, penalty, np.zeros(60), steps=3000) for penalty in (Absolute(0.01), Oscar(0.002, 0.0003))
    )

    def counted(weights: Numbers) -> tuple[int, int]:
        active = np.abs(weights[weights != 0]).round(8)
        return len(active), len(set(active.tolist()))

    assert counted(grouped)[0] > counted(sparse)[0]
    assert counted(grouped)[1] / counted(grouped)[0] < 0.7 * counted(sparse)[1] / counted(sparse)[0]


def test_coarse_bins_with_fine_children() -> None:
    """Fine bins may correct coarse ones, but must earn it: better than either alone where data are few."""
    right = {"coarse": [], "fine": [], "both": []}  # type: dict[str, list[float]]
    for seed in range(6):
        random = np.random.default_rng(seed)
        (rules, truth), (held_out, real) = _hypotheses(random, 250), _hypotheses(random, 1500)
        better = np.sign(np.subtract(*(truth + random.normal(size=truth.shape)).T))

        def rows(given: Numbers, bins: int, rules: Numbers = rules) -> Numbers:
            edges = np.quantile(rules, np.linspace(0, 1, bins + 1)[1:-1])
            return np.eye(bins)[np.searchsorted(edges, given)].sum(axis=2)

        places = np.arange(8, 72)
        for name, bins, penalty in (
            ("coarse", (8,), Squared(1e-3)),
            ("fine", (64,), Squared(1e-3)),
            ("both", (8, 64), Penalties([Squared(1e-3), Partly(Squared(2e-2), places)])),
        ):
            found, shown = (np.concatenate([rows(given, each) for each in bins], axis=2) for given in (rules, held_out))
            pairs = Pairs((found[:, 0] - found[:, 1]) * better[:, None])
            weights = lbfgs(pairs, penalty, np.zeros(found.shape[2]))
            wins = np.sign((shown[:, 0] - shown[:, 1]) @ weights) == np.sign(real[:, 0] - real[:, 1])
            right[name].append(float(wins.mean()))
    means = {name: float(np.mean(values)) for name, values in right.items()}
    assert means["both"] > means["fine"] + 0.01 and means["both"] > means["coarse"] + 0.003, means


def test_the_nearly_isotonic_penalty_finds_a_rising_curve() -> None:
    """As good as the monotone neighbours, and better than bins alone."""
    chain = [np.arange(32)]
    small = Squared(1e-3)
    accuracy = {
        name: np.mean([_accuracy(penalty, "bins", seed, exact=True) for seed in range(3)])
        for name, penalty in {
            "bins": small,
            "isotonic": Penalties([small, NearlyIsotonic(0.02, chain)]),
        }.items()
    }
    assert accuracy["isotonic"] > accuracy["bins"] + 0.02, accuracy


def _in_domains(random: np.random.Generator, truth: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """Differences of one feature between pairs of hypotheses, alone and conjoined with each domain; and which
    hypothesis is better by the true weights, one for each domain."""
    domains = random.integers(len(truth), size=count)
    values = random.normal(size=count)
    rows = np.concatenate([values[:, None], np.eye(len(truth))[domains] * values[:, None]], axis=1)
    return rows, np.sign(values * truth[domains] + 0.5 * random.normal(size=count))


def _conjoined(domains: int) -> FeatureSpace:
    space = FeatureSpace(["x"])
    for number in range(domains):
        indicator = space.add(f"domain={number}", visible=False)
        space.conjoin([indicator, 0], ordered=False)
    return space


def test_a_feature_that_means_the_opposite_in_another_domain() -> None:
    """One weight for both domains is a guess; with one for each, it is learnt."""
    random, truth = np.random.default_rng(5), np.array([2.0, -2.0])
    (rows, labels), (held_out, real) = _in_domains(random, truth, 400), _in_domains(random, truth, 2000)
    right = {}
    for name, columns in (("alone", slice(0, 1)), ("conjoined", slice(0, 3))):
        pairs = Pairs(rows[:, columns] * labels[:, None])
        weights = lbfgs(pairs, Squared(1e-3), np.zeros(rows[:, columns].shape[1]))
        right[name] = float((np.sign(held_out[:, columns] @ weights) == real).mean())
    assert abs(right["alone"] - 0.5) < 0.06 and right["conjoined"] > 0.85, right


def test_complexity_steadies_many_small_domains() -> None:
    """Where most domains agree, weights of their own are accidents of few pairs unless they are held near 0."""
    space = _conjoined(40)
    orders = space.orders()[space.visible()]
    truth, right = np.ones(40), {0.0: [], 0.1: []}  # type: tuple[Numbers, dict[float, list[float]]]
    for seed in range(12):
        random = np.random.default_rng(seed)
        (rows, labels), (held_out, real) = _in_domains(random, truth, 80), _in_domains(random, truth, 2000)
        for strength, found in right.items():
            penalty = Penalties([Squared(1e-4), Complexity(strength, orders)])
            weights = lbfgs(Pairs(rows * labels[:, None]), penalty, np.zeros(rows.shape[1]))
            found.append(float((np.sign(held_out @ weights) == real).mean()))
    assert np.mean(right[0.1]) > np.mean(right[0.0]) + 0.01
    assert np.std(right[0.1]) < np.std(right[0.0])
