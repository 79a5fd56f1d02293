"""What bins mean, in words."""

from __future__ import annotations

import numpy as np
import pytest

from pentaglot._core.rules import Quantity, RuleTable
from pentaglot.rules.binning import Bins
from pentaglot.rules.induced import BinnedQuantity
from pentaglot.rules.quantities import quantity_named


def meanings(name: str, values: list[float], bins: int, kind: str = "apart") -> list[str]:
    counts = np.ones(len(values), np.uint64)
    cut = BinnedQuantity(quantity_named(name), Bins.fitted(np.array(values, np.float32), counts, bins), kind)
    return [each.removeprefix("phrase seen ").removesuffix(" in training") for each in cut.meanings().values()]


def test_bins_of_counts() -> None:
    assert meanings("pair_count", [1, 2, 5], 3) == ["once", "2 to 4 times", "5 times or more"]
    fractions = [0.5, 1, 2.5, 1200, 1300]
    wanted = ["below 1 times", "1 to 2.5 times", "2.5 to 1200 times", "1200 to 1300 times", "1300 or more times"]
    assert meanings("pair_count", fractions, 5) == wanted


def test_a_bin_that_overlaps_others_says_all_that_it_has() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert meanings("pair_count", values, 5, "overlapping") == [
        "1 to 2 times",
        "1 to 3 times",
        "2 to 4 times",
        "3 times or more",
        "4 times or more",
    ]
    assert meanings("pair_count", values[:3], 3, "overlapping")[1] == "once or more"
    assert meanings("pair_count", values[:2], 2, "overlapping") == ["once", "twice or more"]  # of two, one fires
    halves = [value / 2 for value in values]
    assert meanings("pair_count", halves, 5, "overlapping") == [
        "below 1.5 times",
        "below 2 times",
        "1 to 2.5 times",
        "1.5 or more times",
        "2 or more times",
    ]


def test_thresholds_and_hats() -> None:
    assert meanings("pair_count", [1, 3, 1500], 3, "thresholds") == ["less than 3 times", "less than 1500 times"]
    assert meanings("pair_count", [1, 3, 1500], 3, "hats") == ["about 1 times", "about 3 times", "about 1500 times"]
    logs = np.log([0.1, 0.5, 1]).tolist()
    said = "chance of the target words given the source words: "
    assert meanings("lexical_target", logs, 3, "thresholds") == [f"{said}less than 0.5", f"{said}less than 1"]
    assert meanings("lexical_target", logs, 3, "hats") == [f"{said}about {each}" for each in ("0.1", "0.5", "1")]


def test_logarithms_that_are_shown_as_they_are() -> None:
    bins = Bins.fitted(np.array([-2, -1, 0], np.float32), np.ones(3, np.uint64), 3)
    cut = BinnedQuantity(quantity_named("lexical_target"), bins, shown="log")
    said = "chance of the target words given the source words: logarithm"
    assert list(cut.meanings().values()) == [f"{said} {each}" for each in ("below -1", "-1 to 0", "0 or more")]


@pytest.mark.parametrize("kind", ["apart", "overlapping", "thresholds", "hats"])
def test_many_bins_have_different_meanings(kind: str) -> None:
    """Three digits do not tell 256 bins apart."""
    logs = np.log(np.linspace(0.3, 0.31, 256)).tolist()
    said = meanings("lexical_target", logs, 256, kind)
    assert len(set(said)) == len(said)


def test_which_rules_have_a_feature() -> None:
    """That does not depend on the other rules of a sentence: all have a dense feature, those with an entry a sparse
    one, and all have 0 of what is always there."""
    table, around = RuleTable(), ([], np.empty(0, np.uint8), np.empty(0, np.uint8))
    table.add_pattern([5])
    for word in (1, 2, 3):
        table.add_rule([word])
    table.set_feature(7, np.array([0, 2, 0], np.float32))
    table.add_sparse(np.array([0, 1, 1, 3], np.uint32), np.array([8, 8, 9], np.uint32), np.array([4, 0, 1], np.float32))

    def of(kind: str, feature: int) -> list[float | None]:
        values = Quantity(kind, feature).of_rules(table, around).tolist()
        return [None if np.isnan(value) else value for value in values]

    assert of("column", 7) == of("always", 7) == [0, 2, 0]
    assert of("column", 8) == [4, None, 0] and of("always", 8) == [4, 0, 0]
    assert of("column", 10) == [None] * 3 and of("always", 10) == [0] * 3
    kinds = [quantity_named(name).kind for name in ("translation", "unknown", "spelling_distance", "remembered")]
    assert kinds == ["column", "always", "always", "always"]
