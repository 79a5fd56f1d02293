"""Learners work while other threads of Python do, which may share one: they take turns."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.learn.test_rough_scores import FEATURES, SENTENCES, drawn_weights, lists_like

from pentaglot._core import learn as core
from pentaglot.learn.losses import LOSSES

ORDER = np.arange(SENTENCES, dtype=np.uint32)
TIMES = 200


def in_threads(work: Callable[[], object]) -> None:
    with ThreadPoolExecutor(8) as pool:
        for each in [pool.submit(work) for _ in range(TIMES)]:
            each.result()


def test_sweeps() -> None:
    arrays, _ = lists_like("usual", 1, 400)
    random = np.random.default_rng(1)
    search = core.LineSearch(core.CandidateLists(*arrays), ORDER, random.normal(size=FEATURES))
    directions = [random.normal(size=FEATURES) for _ in range(2 * TIMES)]

    def swept(direction: NDArray[np.float64]) -> tuple[list[float], list[float]]:
        boundaries, totals = search.sweep(direction)
        return boundaries.tolist(), totals.tolist()

    alone = [swept(each) for each in directions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(swept, directions)) == alone


def test_epochs_of_mira() -> None:
    arrays, _ = lists_like("usual", 1, 3000)
    lists, weights = core.CandidateLists(*arrays), drawn_weights(np.random.default_rng(1))
    alone, shared = (core.Mira(lists, np.empty(0), weights, 0.01, 0.9) for _ in range(2))
    for _ in range(TIMES):
        alone.epoch(ORDER)

    def visit() -> None:
        shared.epoch(ORDER)
        shared.hope_and_fear(SENTENCES - 1)
        assert np.isfinite(shared.average()).all()

    in_threads(visit)
    assert shared.weights().tolist() == alone.weights().tolist()
    assert shared.average().tolist() == alone.average().tolist()


@pytest.mark.parametrize("name", ["ramp3", "soft-ramp3"])  # by rough scores, and by columns
def test_epochs_of_descent(name: str) -> None:
    arrays, matrix = lists_like("usual", 1, 3000)
    lists, costs = core.CandidateLists(*arrays), np.random.default_rng(1).random(len(matrix))
    start = np.zeros(FEATURES)
    alone, shared = (core.Descent(lists, LOSSES[name].native, costs, start, start, 1e-6, 1.0) for _ in range(2))
    for _ in range(TIMES):
        alone.epoch(ORDER)
    in_threads(lambda: shared.epoch(ORDER))
    assert shared.weights().tolist() == alone.weights().tolist()
