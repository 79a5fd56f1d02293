"""The contract, on every tuner."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.forest.brute import FEATURES, random_forest
from tests.learn.problems import Errors, PoolDecoder, lists_of, problem_of, translation_pools

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureSpace, FeatureStructure, Weights
from pentaglot.learn import (
    Candidate,
    ForestSpace,
    KBestTuner,
    LossLearner,
    Mert,
    Mira,
    PricedForest,
    Pro,
    Problem,
    TuneOptions,
    Tuner,
    Tuning,
    chosen_tuner,
    tuner_names,
)
from pentaglot.learn.cross_validation import cross_validated
from pentaglot.learn.losses import LOSSES
from pentaglot.metrics import Bleu, Chrf, Metric, Ter

NAMES = ("mira", "mert", "pro", "ramp2", "ramp3", "soft-ramp3", "risk", "latent-hinge", "softmax-margin", "latent-log")
SETTINGS = {
    "mira": Mira(epochs=20, pull=0.5),
    "mert": Mert(restarts=4),
    "pro": Pro(samples=500),
    **dict.fromkeys(LOSSES, LossLearner(rate=0.02, strength=0.1, scale=5.0)),
}
REFERENCES, POOLS = translation_pools(31, 30, 80)
START = Weights({"noise": 1.0, "length": 0.1, "unseen": 0.5})
each_tuner = pytest.mark.parametrize("name", NAMES)


def _tuned(name: str, metric: Metric, *, seed: int = 0, threads: int = 1) -> Tuning:
    options = TuneOptions(tuner=name, size=15, rounds=4, settings=SETTINGS[name])
    tuner: Tuner = chosen_tuner(options, threads=threads)
    return tuner.tune(PoolDecoder(POOLS), [REFERENCES], metric, START, seed=seed)


@each_tuner
@pytest.mark.parametrize("metric", [Bleu(tokenize="none"), Chrf(), Ter()], ids=lambda metric: metric.name)
def test_every_metric_gets_better(name: str, metric: Metric) -> None:
    found = _tuned(name, metric)
    gain = found.score - found.rounds[0].score
    assert (gain if metric.higher_is_better else -gain) > 15
    shown = PoolDecoder(POOLS)(found.weights, 1)
    assert metric.score(metric.statistics([best[0].text for best in shown], [REFERENCES])) == found.score
    assert found.rounds[found.best_round].weights == found.weights


@each_tuner
def test_weights_are_what_search_can_use(name: str) -> None:
    found = _tuned(name, Bleu(tokenize="none"))
    assert list(found.weights)[:3] == ["noise", "length", "unseen"], "in the order of the start"
    assert found.weights["unseen"] == 0.5, "nothing was learned about it"
    assert set(found.weights) == {"noise", "length", "unseen", "right", "wrong", "swap"}
    assert found.rounds[0].weights == START


@each_tuner
def test_the_seed_decides_all(name: str) -> None:
    metric = Bleu(tokenize="none")
    first = _tuned(name, metric, seed=4)
    assert first == _tuned(name, metric, seed=4, threads=2)
    chance = name in ("mira", "mert", "pro")
    assert (first.weights != _tuned(name, metric, seed=5).weights) == chance


@pytest.mark.parametrize("name", tuner_names())
def test_every_name_is_a_tuner(name: str) -> None:
    options = TuneOptions(tuner=name, size=10, rounds=2)
    found = chosen_tuner(options).tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
    assert found.score >= found.rounds[0].score


SOLVED = LossLearner(solver="lbfgs", steps=300, strength=1e-3, scale=1.0)


@pytest.mark.parametrize("solver", ["cccp", "sgd", "adagrad", "lbfgs", "proximal"])
@pytest.mark.parametrize(
    "penalty",
    ["", "l1=1e-4", "elastic=1e-4,1e-5", "largest=1e-4", "oscar=1e-4,1e-5", "oscar-groups=1e-4,1e-5", "l2=1e-4"],
)
def test_any_loss_with_any_penalty(solver: str, penalty: str) -> None:
    settings = LossLearner(
        solver=solver,  # type: ignore[arg-type]
        rate=0.02,
        strength=0.1,
        scale=5.0,
        scale_by_step=True,
    )
    tuner = chosen_tuner(
        TuneOptions(tuner="softmax-margin", size=15, rounds=2, settings=settings, penalty=(penalty,) if penalty else ())
    )
    if solver == "lbfgs" and penalty not in ("", "l2=1e-4"):
        with pytest.raises(OptionError, match="smooth penalty"):
            tuner.tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
        return
    found = tuner.tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
    assert found.score > found.rounds[0].score + 5


def test_the_last_round_counts_if_one_says_so() -> None:
    options = TuneOptions(tuner="ramp3", size=15, rounds=3, final="last", settings=SETTINGS["ramp3"])
    found = chosen_tuner(options).tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
    assert found.best_round == len(found.rounds) - 1 and found.weights == found.rounds[-1].weights


def test_squares_hold_weights_where_they_began() -> None:
    """Squares to zero, as strong, draw them all the way there."""
    seen = [name for name in START if name != "unseen"]
    for penalty, wanted in (("l2=1e7,start", START), ("l2=1e7", dict.fromkeys(START, 0.0))):
        options = TuneOptions(tuner="pro", size=15, rounds=2, final="last", penalty=(penalty,))
        found = chosen_tuner(options).tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
        assert [found.weights[name] for name in seen] == pytest.approx([wanted[name] for name in seen], abs=1e-3)


def test_penalties_know_the_features_of_the_first_round() -> None:
    """However the lists grow, and if a run goes on after a stop."""
    seen: list[int] = []

    class Watching:
        def __repr__(self) -> str:
            return "Watching()"

        def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
            seen.append(problem.features)
            return problem.weights + random.normal(size=len(problem.weights))

    pools = [
        [Candidate(f"{text} {n}", {**features, f"rare{n}": 1.0}) for n, (text, features) in enumerate(pool)]
        for pool in POOLS
    ]
    KBestTuner(Watching(), size=3, rounds=3).tune(PoolDecoder(pools), [REFERENCES], Bleu(tokenize="none"), START)
    assert len(set(seen)) == 1 and len(seen) > 1


def test_bins_that_no_candidate_has_learn_from_their_neighbours() -> None:
    """They have a place from the first round on, and penalties on neighbours reach them."""
    space = FeatureSpace()
    space.add_bins("errors", [str(number) for number in range(7)])

    class Decoder(PoolDecoder):
        def structure(self) -> FeatureStructure:
            return FeatureStructure.of(space)

        def bins(self) -> list[str]:
            return space.names

    # The third bin is never there.
    pools = [
        [Candidate(f"{text} {n}", {f"errors={bin}": 1.0}) for n, bin in enumerate((0, 1, 3, 4, 5, 6))]
        for text in ("a", "b", "c")
    ]
    costs = {0: 0, 1: 1, 2: 3, 3: 4, 4: 5, 5: 6}
    pools = [[Candidate(f"x {costs[n]}", each.features) for n, each in enumerate(pool)] for pool in pools]
    for text, between in (("linear=10", True), ("l2=1e-6", False)):
        options = TuneOptions(tuner="softmax-margin", size=9, rounds=1, penalty=(text,), settings=SOLVED)
        found = chosen_tuner(options).tune(Decoder(pools), [["r"] * 3], Errors(), {"errors=0": 0.0})
        weights = [found.rounds[-1].weights[f"errors={bin}"] for bin in range(7)]
        middle = (weights[1] + weights[3]) / 2
        assert (abs(weights[2] - middle) < 0.05) == between, (text, weights)
        assert weights[0] > weights[6]


def test_scale_and_strength_by_cross_validation() -> None:
    """The setting is the best of the grid on folds that were not learnt from, computed here one by one."""
    problem = problem_of(POOLS, Bleu(tokenize="none"), REFERENCES, START)
    learner = LossLearner(loss="soft-ramp3", solver="lbfgs", steps=40, strength=0.3, folds=4)
    found = cross_validated(learner, problem)
    assert found.folds == 0 and found.scale is not None
    scores = {}
    for scale in (0.3, 1.0, 3.0):
        for strength in (0.1, 1.0, 10.0):
            chosen = dataclasses.replace(learner, scale=10 * scale, strength=0.3 * strength, folds=0)
            rows = []
            for part in range(4):
                kept = [pool if number % 4 != part else [] for number, pool in enumerate(POOLS)]
                vector = chosen.optimise(problem_of(kept, Bleu(tokenize="none"), REFERENCES, START), None)  # type: ignore[arg-type]
                names = lists_of(kept, Bleu(tokenize="none"), REFERENCES).names
                weights = dict(zip(names, vector, strict=True))
                for number in range(part, len(POOLS), 4):
                    shown = max(
                        POOLS[number],
                        key=lambda each: sum(weights.get(n, 0.0) * np.float32(v) for n, v in each.features.items()),
                    )
                    rows.append(Bleu(tokenize="none").statistics([shown.text], [[REFERENCES[number]]])[0])
            scores[scale, strength] = Bleu(tokenize="none").score(np.array(rows))
    assert scores[found.scale / 10, round(found.strength / 0.3, 6)] == pytest.approx(max(scores.values()))
    for folds in (1, len(POOLS) + 1):
        with pytest.raises(OptionError, match="cannot be cut into"):
            cross_validated(dataclasses.replace(learner, folds=folds), problem)


@pytest.mark.parametrize("seed", [100, 300])
def test_cross_validation_on_forests_is_that_on_all_their_derivations(seed: int) -> None:
    forests = [random_forest(seed + each, impossible=False) for each in range(60)]
    forests = [each for each in forests if 2 <= each.count() <= 30][:12]
    priced = [
        PricedForest(each, np.random.default_rng(at).integers(0, 4, each.edges) / 10.0)
        for at, each in enumerate(forests)
    ]
    pools = [
        [
            Candidate(
                f"c{at} {10 * each.costs[tree.edges].sum():.0f}", {f"f{id}": v for id, v in tree.features.items()}
            )
            for at, tree in enumerate(each.forest.derivations())
        ]
        for each in priced
    ]
    on_lists = problem_of(pools, Errors(), ["x"] * len(pools), {"f0": 0.5, "f1": -0.2})
    places = np.array([int(name[1:]) for name in on_lists.lists.names], np.int64)

    def spaces(edges: int, scale: float) -> ForestSpace:
        return ForestSpace([PricedForest(e.forest, scale * e.costs) for e in priced], places, np.zeros(FEATURES))

    on_forests = dataclasses.replace(on_lists, forests=spaces)
    learner = LossLearner(loss="soft-ramp3", solver="lbfgs", steps=40, strength=0.3, folds=3)
    of_forests = dataclasses.replace(learner, space="forests")
    found, wanted = cross_validated(of_forests, on_forests), cross_validated(learner, on_lists)
    assert (found.scale, found.strength) == (wanted.scale, wanted.strength) != (10.0, 0.3)
    random = np.random.default_rng(0)
    assert of_forests.optimise(on_forests, random) == pytest.approx(learner.optimise(on_lists, random), abs=1e-4)
    with pytest.raises(OptionError, match="only lists, no forests"):
        cross_validated(of_forests, on_lists)


def test_cross_validation_is_a_switch() -> None:
    settings = LossLearner(solver="lbfgs", steps=20, folds=3)
    options = TuneOptions(tuner="soft-ramp3", size=10, rounds=2, settings=settings)
    found = chosen_tuner(options).tune(PoolDecoder(POOLS), [REFERENCES], Bleu(tokenize="none"), START)
    assert found.score > found.rounds[0].score
