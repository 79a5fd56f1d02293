"""Bins against the oracles of the specification (Clark 2015, §6.3) and against a slow twin."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pentaglot._core.rules import Induction, Quantity, RuleTable, fill_bins
from pentaglot.errors import PentaglotError
from pentaglot.rules.binning import Bins, Histogram

FREQUENCIES = st.lists(st.integers(1, 60), min_size=1, max_size=40)


def groups(values: list[float], counts: list[int], bins: int) -> list[list[float]]:
    first = [*fill_bins(np.array(counts, np.uint64), bins).tolist(), len(values)]
    return [values[begin:end] for begin, end in itertools.pairwise(first)]


@pytest.mark.parametrize(
    ("values", "counts", "bins", "expected"),
    [
        (list(range(1, 11)), [1] * 10, 5, [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]),
        ([0, 1, 2, 3, 4], [100, 1, 1, 1, 1], 3, [[0], [1, 2], [3, 4]]),
        ([1, 2, 3], [5, 5, 5], 4, [[1], [2], [3]]),
        ([1, 2, 3, 4, 5, 6], [10, 3, 1, 1, 1, 2], 3, [[1], [2, 3], [4, 5, 6]]),
        (list(range(1, 8)), [4] * 7, 3, [[1, 2], [3, 4, 5], [6, 7]]),
        ([1, 2, 3, 4], [1, 1, 1, 50], 2, [[1, 2, 3], [4]]),
        (
            [0.001, 0.01, 0.02, 0.1, 0.25, 0.5, 1],
            [3, 5, 2, 8, 6, 10, 40],
            4,
            [[0.001, 0.01, 0.02], [0.1, 0.25], [0.5], [1]],
        ),
    ],
)
def test_the_seven_of_the_specification(
    values: list[float], counts: list[int], bins: int, expected: list[list[float]]
) -> None:
    assert groups(values, counts, bins) == expected
    fitted = Bins.fitted(np.array(values, np.float32), np.array(counts, np.uint64), bins)
    found = fitted.of(np.array(values, np.float64)).tolist()  # 0.1 of double precision is less than that of single
    assert [[value for value, bin_ in zip(values, found, strict=True) if bin_ == at] for at in range(bins)][
        : len(expected)
    ] == expected


def twin(counts: list[int], bins: int) -> list[int]:
    """The repaired algorithm 3 in fractions, with the share in closed form."""
    if len(counts) <= bins:
        return list(range(len(counts)))
    falling = sorted(counts, reverse=True)
    shares = (Fraction(sum(falling[own:]), bins - own) for own in range(bins))
    share = next(share for own, share in enumerate(shares) if falling[own] <= share)
    cut = [min(Fraction(count), share) for count in counts]
    first, at, filled = [], 0, Fraction(0)
    for bin_ in range(1, bins + 1):
        begin = at
        first.append(begin)
        if bin_ == bins:
            break
        last = len(counts) - (bins - bin_)
        while at < last and (at == begin or filled + cut[at] <= bin_ * share):
            filled, at = filled + cut[at], at + 1
        if at < last and (cut[at] - (bin_ * share - filled)) / cut[at] < Fraction(1, 2):
            filled, at = filled + cut[at], at + 1
    return first


@settings(max_examples=150, deadline=None)
@given(FREQUENCIES, st.integers(1, 12))
@example([1, 4, 2, 13, 1, 4, 1, 2, 66, 1, 1, 1, 4], 12)  # the ninth value lies half and half
def test_as_the_twin(counts: list[int], bins: int) -> None:
    found = fill_bins(np.array(counts, np.uint64), bins).tolist()
    assert len(found) == min(bins, len(counts)) and found == sorted(set(found)) and found[0] == 0
    assert found == twin(counts, bins)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=200), st.integers(2, 9))
def test_rising_transforms_change_nothing(numbers: list[int], bins: int) -> None:
    def cut(values: np.ndarray) -> list[int]:
        seen = Histogram()
        for part in np.array_split(values, 3):
            seen.add(part)
        return Bins.fitted(*seen.counted(), bins).of(values).tolist()

    values = np.array(numbers, np.float32)
    expected = cut(values)
    assert cut(np.exp(values / 10).astype(np.float32)) == expected
    assert cut(3 * values - 7) == expected
    assert set(expected) == set(range(max(expected) + 1))  # none is empty


def test_every_number_has_a_bin_and_others_have_none() -> None:
    bins = Bins.fitted(np.array([1, 2, 4], np.float32), np.array([3, 3, 3], np.uint64), 2)
    values = np.array([-1e30, 1.5, 3.9, 4, 1e30, np.nan], np.float32)
    assert bins.of(values).tolist() == [0, 0, 0, 1, 1, -1] or bins.of(values).tolist() == [0, 0, 1, 1, 1, -1]
    assert sum(bins.population) == 9


def test_there_is_one_zero() -> None:
    seen = Histogram()
    seen.add(np.array([-0.0, 1, 2], np.float32))
    assert Bins.fitted(*seen.counted(), 3).labels() == ["0", "1", "2+"]


def test_labels_are_distinct() -> None:
    close = np.array([1.0, 1.0000001, 1.0000002, 1.5], np.float32)
    bins = Bins.fitted(close, np.ones(4, np.uint64), 4)
    assert len(set(bins.labels())) == 4


@pytest.mark.parametrize(
    "bins",
    [
        Bins((), (), (), ()),
        Bins((1.0,), (1.0,), (1.0,), (1, 2)),
        Bins((2.0, 1.0), (2.0, 1.0), (2.0, 1.0), (1, 1)),
        Bins((1.0, 1.0 + 1e-12), (1.0, 1.0), (1.0, 1.0), (1, 1)),
        Bins((float("nan"),), (1.0,), (1.0,), (1,)),
        Bins((1.0,), (1.0,), (1.0,), (-1,)),
    ],
)
def test_what_cannot_be_bins(bins: Bins) -> None:
    with pytest.raises(PentaglotError):
        bins.check()


def test_no_bins_at_all() -> None:
    with pytest.raises(PentaglotError, match="at least one bin"):
        fill_bins(np.ones(3, np.uint64), 0)


def test_a_probability_is_one_feature() -> None:
    quantity = Quantity("column", 3)
    nothing, edges = np.empty(0, np.float32), np.array([-1.0], np.float32)
    Induction().add_bins(quantity, "probability", nothing, nothing, np.array([7], np.uint32))
    with pytest.raises(PentaglotError, match="has one bin"):
        Induction().add_bins(quantity, "probability", edges, nothing, np.array([7, 8], np.uint32))


@settings(deadline=None)
@given(
    st.lists(st.floats(-50, 50, width=32), unique=True, max_size=150).map(sorted),
    st.lists(st.floats(-60, 60, width=32), max_size=20),
)
def test_rules_are_in_the_bins_of_the_definition(edges: list[float], between: list[float]) -> None:
    values = np.array([*between, *edges, np.nan, np.inf, -np.inf], np.float32)
    table, nothing = RuleTable(), np.empty(0, np.float32)
    table.add_pattern([5])
    for rule in range(len(values)):
        table.add_rule([rule])
    table.set_feature(3, values)
    induction = Induction()
    bins = np.arange(100, 101 + len(edges), dtype=np.uint32)
    induction.add_bins(Quantity("column", 3), "apart", np.array(edges, np.float32), nothing, bins)
    induction.apply(table, ([], np.empty(0, np.uint8), np.empty(0, np.uint8)))
    fired = [[id_ for id_ in table.features_of(rule)[0].tolist() if id_ >= 100] for rule in range(len(values))]
    number = 100 + np.searchsorted(np.array(edges, np.float32), values, side="right")
    expected = zip(number.tolist(), values, strict=True)
    assert fired == [[] if np.isnan(value) else [at] for at, value in expected]
