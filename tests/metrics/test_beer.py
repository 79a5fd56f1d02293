"""The metric BEER: contract, several references, signature."""

from __future__ import annotations

import numpy as np
import pytest

from pentaglot.metrics import Beer, BeerModel, Metric, ScoringOptions, chosen_metrics, confidence_interval


def test_the_contract() -> None:
    [beer] = chosen_metrics(ScoringOptions(metrics="beer"))
    assert isinstance(beer, Metric) and beer.name == "BEER" and beer.higher_is_better
    said, wanted = ["the house is tiny", "a dog", "cats"], ["the house is small", "the dog", "cats"]
    statistics = beer.statistics(said, [wanted])
    assert beer.score(statistics) == pytest.approx(100 * statistics[:, 0].mean())
    assert beer.costs(statistics) == pytest.approx(1 - statistics[:, 0]) and beer.costs(statistics)[2] == 0
    assert confidence_interval(beer, statistics, resamples=100, seed=1).low <= beer.score(statistics)
    assert beer.statistics([], [[]]).shape == (0, 2)


def test_the_best_reference_counts() -> None:
    beer, said = Beer(), ["the house is small"]
    near, far = (beer.statistics(said, [[each]])[0, 0] for each in ("the house is tiny", "cats like dogs"))
    assert beer.statistics(said, [["cats like dogs"], ["the house is tiny"]])[0, 0] == near > far


def test_signatures_tell_models_apart() -> None:
    beer = Beer()
    assert beer.signature(2, resamples=10, seed=3).startswith("nrefs:2|bs:10|seed:3|case:mixed|features:edits59-symm")
    model = BeerModel.shipped()
    other = BeerModel(model.features, (*model.weights[:-1], 0.0), model.scaling)
    assert Beer(other).signature() != beer.signature() == Beer(model).signature()


def test_any_script_and_any_length() -> None:
    lines = ["", "日本語の文です。", "हिन्दी में एक वाक्य", "x" * 5000, "word " * 300, "🙂", "\ufeff"]
    scores = Beer().statistics(lines, [lines])[:, 0]
    assert (scores == 1).all()
    crossed = Beer().statistics(lines, [lines[::-1]])[:, 0]
    assert np.isfinite(crossed).all() and ((crossed >= 0) & (crossed <= 1)).all()
    assert (
        Beer().statistics(
            lines,
            [lines[::-1]],
        )[:, 0]
        == Beer(threads=4).statistics(lines, [lines[::-1]])[:, 0]
    ).all()
