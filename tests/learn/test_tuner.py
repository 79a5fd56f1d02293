"""The contract, on every tuner."""

from __future__ import annotations

import pytest
from tests.learn.problems import PoolDecoder, translation_pools

from pentaglot.forest import Weights
from pentaglot.learn import Mert, Mira, TuneOptions, Tuner, Tuning, chosen_tuner
from pentaglot.metrics import Bleu, Chrf, Metric, Ter

NAMES = ("mira", "mert")
REFERENCES, POOLS = translation_pools(31, 30, 80)
START = Weights({"noise": 1.0, "length": 0.1, "unseen": 0.5})
each_tuner = pytest.mark.parametrize("name", NAMES)


def _tuned(name: str, metric: Metric, *, seed: int = 0, threads: int = 1) -> Tuning:
    settings = {"mira": Mira(epochs=20, pull=0.5), "mert": Mert(restarts=4)}
    options = TuneOptions(tuner=name, size=15, rounds=4, settings=settings.get(name))
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
    assert first.weights != _tuned(name, metric, seed=5).weights
