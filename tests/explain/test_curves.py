"""Response curves against NumPy's fits and a slow search for what is not monotone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core import rules as native
from pentaglot.errors import PentaglotError
from pentaglot.explain import ResponseCurve, binned_curve
from pentaglot.forest import FeatureSpace
from pentaglot.rules.binning import Bins
from pentaglot.rules.induced import BinnedQuantity
from pentaglot.rules.quantities import QUANTITIES

numbers = st.floats(-5, 5).map(lambda value: round(value, 3))


@given(
    st.lists(
        st.tuples(st.floats(0.01, 100), st.integers(1, 1000), numbers),
        min_size=3,
        max_size=12,
        unique_by=lambda each: each[0],
    )
)
def test_fits_are_those_of_numpy(bins: list[tuple[float, int, float]]) -> None:
    lows, populations, weights = (np.array(each) for each in zip(*sorted(bins), strict=True))
    curve = ResponseCurve.of("f", lows, populations, weights)
    for fit, at in ((curve.log, np.log(lows)), (curve.linear, lows)):
        assert fit is not None
        if np.ptp(at) < 1e-3:
            continue
        slope, intercept = np.polyfit(at, weights, 1, w=np.sqrt(populations))
        assert fit.slope == pytest.approx(slope, abs=1e-6, rel=1e-5)
        assert fit.intercept == pytest.approx(intercept, abs=1e-6, rel=1e-5)
        assert fit.residuals == pytest.approx(weights - intercept - slope * at, abs=1e-5)
        assert fit.at(float(lows[1])) == pytest.approx(intercept + slope * at[1], abs=1e-5)


@given(st.lists(numbers, min_size=2, max_size=20))
def test_turns_are_the_steps_against_the_whole(weights: list[float]) -> None:
    curve = ResponseCurve.of("f", range(1, len(weights) + 1), [1] * len(weights), weights)
    slope = np.polyfit(range(len(weights)), weights, 1)[0]
    steps = np.diff(weights)
    wrong = {at for at, step in enumerate(steps) if abs(slope) > 1e-9 and step * slope < -1e-12}
    if abs(slope) > 1e-9:
        assert {at for turn in curve.turns for at in range(turn.first, turn.last)} == wrong
        assert all(turn.amount == pytest.approx(weights[turn.last] - weights[turn.first]) for turn in curve.turns)
        apart = [(one.last, other.first) for one, other in zip(curve.turns, curve.turns[1:], strict=False)]
        assert all(one < other for one, other in apart), "turns that touch are one"


def test_the_log_is_found() -> None:
    random = np.random.default_rng(1)
    lows = np.exp(np.linspace(math.log(1e-4), 0, 32))
    sizes = random.integers(10, 500, 32)
    rising = ResponseCurve.of("p", lows, sizes, 2.0 + 0.3 * np.log(lows) + random.normal(0, 0.02, 32))
    assert rising.log is not None and rising.log.slope == pytest.approx(0.3, abs=0.02)
    assert rising.advice == "best used as log" and rising.direction == "rises"
    straight = ResponseCurve.of("p", lows, sizes, 1.0 - 2.0 * lows)
    assert straight.advice == "best used as it is" and straight.direction == "falls" and straight.turns == ()
    hill = ResponseCurve.of("words", range(1, 10), [1] * 9, [-((each - 4) ** 2) for each in range(9)])
    assert hill.advice.startswith("best kept in bins")


def test_two_bins_ask_for_no_logarithm() -> None:
    """Both a line and a logarithm go through two points."""
    curve = ResponseCurve.of("f", [0.001, 0.3], [7, 5], [0.1, 0.7])
    assert curve.log is not None and curve.log.explained == pytest.approx(1)
    assert curve.advice == "best used as it is"


def test_values_without_a_logarithm() -> None:
    curve = ResponseCurve.of("count", [0, 1, 2, 4], [9, 1, 1, 1], [-3.0, 0.0, 1.0, 2.0])
    assert curve.log is not None and curve.log.residuals[0] is None
    assert curve.log.slope == pytest.approx(1 / math.log(2))
    assert ResponseCurve.of("log", [-3, -2, -1], [1, 1, 1], [1, 2, 3]).log is None
    flat = ResponseCurve.of("flat", [1, 2], [1, 1], [0.5, 0.5])
    assert flat.direction == "is flat" and flat.turns == () and flat.advice.startswith("no use")
    assert ResponseCurve.of("one", [1], [1], [0.5]).linear is None


def test_bins_that_are_none() -> None:
    for lows, sizes in (([2, 1], [1, 1]), ([1, 1], [1, 1]), ([1, 2], [1]), ([], []), ([1, math.nan], [1, 1])):
        with pytest.raises(PentaglotError, match="bins of 'f'"):
            ResponseCurve.of("f", lows, sizes, [0.0] * len(lows))


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize("kind", ["apart", "overlapping", "thresholds", "hats"])
def test_the_curve_of_a_binned_quantity_is_what_rules_get(kind: str, number: int) -> None:
    """Its weight in a bin is the score that a rule with such a value gets from the fitted bins."""
    values = np.array([1, 2, 3, 5, 8, 13], np.float32)
    bins = Bins.fitted(values, np.array([9, 7, 5, 3, 2, 1], np.uint64), number)
    binned = BinnedQuantity(QUANTITIES["pair_count"], bins, kind)
    random = np.random.default_rng(1)
    weights = {name: float(random.normal()) for name in binned.features}
    curve = binned_curve(binned, weights)
    assert [each.population for each in curve.bins] == list(bins.population) and len(curve.bins) == len(bins)
    assert [each.low for each in curve.bins] == list(bins.first)
    given = list(weights.values())
    for at, shown in enumerate(curve.bins):
        if kind == "thresholds":  # fires for every threshold above the value
            wanted = sum(weight for weight, edge in zip(given, bins.first[1:], strict=True) if shown.value < edge)
        elif kind == "overlapping" and number > 2:  # of two bins, only one fires
            wanted = sum(given[max(0, at - 1) : at + 2])
        else:
            wanted = given[at]
        assert shown.weight == pytest.approx(wanted)
        assert shown.weight == pytest.approx(fired(binned, shown.value, weights), abs=1e-6)


def fired(binned: BinnedQuantity, value: float, weights: dict[str, float]) -> float:
    """What a rule that was seen `value` times gets in a search."""
    space, induction, table, nothing = FeatureSpace(), native.Induction(), native.RuleTable(), np.empty(0, np.uint8)
    binned.add_to(induction, space)
    table.add_pattern([5], occurrences=9)
    table.add_rule([5], count=value)
    induction.apply(table, ([], nothing, nothing))
    ids, values = table.features_of(0)
    return sum(weights[space.name(id_)] * value for id_, value in zip(ids.tolist(), values.tolist(), strict=True))


@pytest.mark.parametrize("kind", ["apart", "overlapping", "thresholds", "hats", "probability"])
def test_bins_begin_as_the_feature_they_replace(kind: str) -> None:
    """The curve that a feature's weight gives its bins; thresholds leave out what the last bin has, and a probability
    has the nearest line."""
    logs = np.linspace(-3, -0.5, 6, dtype=np.float32)
    populations = np.array([9, 7, 5, 3, 2, 1], np.uint64)
    binned = BinnedQuantity(QUANTITIES["coherent"], Bins.fitted(logs, populations, 6), kind)
    curve = np.array([each.weight for each in binned_curve(binned, binned.start(0.3)).bins])
    wanted = 0.3 * logs.astype(np.float64)
    if kind == "thresholds":
        wanted = wanted - wanted[-1]
    if kind == "overlapping":  # ends have one neighbour, which is on one side
        assert curve[2:-2] == pytest.approx(wanted[2:-2]) and abs(curve - wanted).max() < 0.3
    elif kind == "probability":
        slope = np.polyfit(np.exp(logs), wanted, 1, w=np.sqrt(populations.astype(np.float64)))[0]
        assert curve == pytest.approx(slope * np.exp(logs), rel=1e-5)
    else:
        assert curve == pytest.approx(wanted, abs=1e-6)


def test_logarithms_are_shown_as_probabilities() -> None:
    logs = np.log(np.array([0.01, 0.1, 0.5, 1.0])).astype(np.float32)
    binned = BinnedQuantity(QUANTITIES["coherent"], Bins.fitted(logs, np.ones(4, np.uint64), 4))
    curve = binned_curve(binned, binned.start(0.3))
    assert [each.value for each in curve.bins] == pytest.approx([0.01, 0.1, 0.5, 1.0], rel=1e-5)
    assert curve.log is not None and curve.log.slope == pytest.approx(0.3, abs=1e-5)
    assert curve.advice == "best used as log"
