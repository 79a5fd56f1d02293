"""Penalties as they are written: each is the one that it names, on the features that it names."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot.errors import OptionError
from pentaglot.forest import FeatureSpace, FeatureStructure
from pentaglot.learn.curves import Curves
from pentaglot.learn.group_lasso import GroupLasso
from pentaglot.learn.isotonic import NearlyIsotonic
from pentaglot.learn.neighbours import Complexity, LinearNeighbours, MonotoneNeighbours
from pentaglot.learn.penalties import Absolute, ElasticNet, Largest, Oscar, Partly, Penalties, Squared
from pentaglot.learn.penalty import Penalty
from pentaglot.learn.penalty_text import chosen_penalties

Numbers = NDArray[np.float64]


def _structure() -> FeatureStructure:
    """Two dense features, two binned quantities, and conjunctions of their bins."""
    space = FeatureSpace()
    space.add("translation", group="rule")
    space.add("language_model", group="search")
    count = space.add_bins("count", ["1", "2", "3", "4"])
    length = space.add_bins("length", ["a", "b", "c"])
    for one in count:
        for other in length:
            space.conjoin([one, other], ordered=False, group="count^length")
    return FeatureStructure.of(space)


STRUCTURE = _structure()
SIZE = len(STRUCTURE.names)
COUNT, LENGTH, BOTH = (np.asarray(STRUCTURE.groups[name], np.int64) for name in ("count", "length", "count^length"))
DENSE, INDUCED = np.arange(2), np.arange(2, SIZE)


def _same(one: Penalty, other: Penalty) -> None:
    random = np.random.default_rng(1)
    for _ in range(5):
        weights = random.normal(size=SIZE)
        assert one.smooth == other.smooth
        assert one.value(weights) == pytest.approx(other.value(weights))
        assert one.gradient(weights) == pytest.approx(other.gradient(weights))
        assert one.prox(weights, 0.7) == pytest.approx(other.prox(weights, 0.7))


def _tensor(triples: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return triples[triples[:, 1] >= BOTH[0]]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("l1=0.1", Absolute(0.1)),
        ("l2=0.1", Squared(0.1)),
        ("l2=5@dense", Partly(Squared(5.0), DENSE)),
        ("l1=0.1@induced", Partly(Absolute(0.1), INDUCED)),
        ("l1=0.1@count+length", Partly(Absolute(0.1), np.concatenate([COUNT, LENGTH]))),
        ("elastic=0.1,0.2", ElasticNet(0.1, 0.2)),
        ("largest=0.3", Largest(0.3)),
        ("oscar=0.1,0.01", Oscar(0.1, 0.01, 50)),
        ("oscar=0.1,0.01,features=99", Oscar(0.1, 0.01, 99)),
        ("oscar-groups=0.1,0.01", Oscar(0.1, 0.01, 50, True)),
        ("oscar=0.1,0.01@length", Partly(Oscar(0.1, 0.01, 3), LENGTH)),
        ("group-lasso=0.5@count+length", GroupLasso([COUNT, LENGTH], [0.5, 0.5])),
        ("group-lasso=0.5,sized@count", GroupLasso([COUNT], [1.0])),
        ("group-lasso=0.5@induced", GroupLasso([INDUCED], [0.5])),
        ("complexity=5", Complexity(5.0, STRUCTURE.orders)),
        ("linear=2", LinearNeighbours(2.0, STRUCTURE.neighbours)),
        ("linear=2@count", LinearNeighbours(2.0, np.array([[2, 3, 4], [3, 4, 5]], np.uint32))),
        ("monotone=2", MonotoneNeighbours(2.0, STRUCTURE.neighbours)),
        ("monotone=2,power=3,centre", MonotoneNeighbours(2.0, STRUCTURE.neighbours, 3.0, True)),
        ("monotone=2@count^length", MonotoneNeighbours(2.0, _tensor(STRUCTURE.neighbours))),
        ("monotone=2,centre=0", MonotoneNeighbours(2.0, STRUCTURE.neighbours)),
        ("group-lasso=0.5,sized=0@count", GroupLasso([COUNT], [0.5])),
        ("isotonic=0.4", NearlyIsotonic(0.4, [COUNT, LENGTH])),
        ("isotonic=0.4,falling@length", NearlyIsotonic(0.4, [LENGTH], "falling")),
    ],
)
def test_each_is_what_it_names(text: str, wanted: Penalty) -> None:
    [found] = chosen_penalties([text], STRUCTURE, 50)
    _same(found, wanted)


def test_squares_to_the_initial_weights() -> None:
    start, weights = np.random.default_rng(1).normal(size=(2, SIZE))
    [all_, some, zero] = chosen_penalties(["l2=3,start", "l2=3,start@count", "l2=3"], STRUCTURE, 50, start)
    assert all_.value(weights) == pytest.approx(3 * ((weights - start) ** 2).sum())
    assert some.value(weights) == pytest.approx(3 * ((weights - start)[COUNT] ** 2).sum())
    assert zero.value(weights) == pytest.approx(3 * (weights**2).sum())
    assert some.gradient(start) == pytest.approx(np.zeros(SIZE))
    [without] = chosen_penalties(["l2=3,start"], STRUCTURE, 50)
    assert without.value(weights) == pytest.approx(zero.value(weights))


def test_the_curves_that_bins_began_with() -> None:
    start, weights = np.random.default_rng(1).normal(size=(2, SIZE))
    [both, one] = chosen_penalties(["curve=3", "curve=3@length"], STRUCTURE, 50, start)
    _same(both, Curves(3.0, [COUNT, LENGTH], start))
    _same(one, Curves(3.0, [LENGTH], start))
    assert both.value(2.5 * start) == pytest.approx(0.0, abs=1e-12)
    [zero] = chosen_penalties(["curve=3"], STRUCTURE, 50)
    assert zero.value(weights) == pytest.approx(3 * sum(weights[each] @ weights[each] for each in (COUNT, LENGTH)))


def test_tensor_neighbours() -> None:
    """Spec 7.5: (A - 2) B + A (B - 2) triples of a full grid."""
    assert len(_tensor(STRUCTURE.neighbours)) == (4 - 2) * 3 + 4 * (3 - 2)


@pytest.mark.parametrize(
    "text", ["l1=1", "largest=1", "oscar=1,1", "oscar-groups=1,1", "group-lasso=1", "curve=1", "l2=1"]
)
def test_a_group_may_have_no_features_yet(text: str) -> None:
    """The decoder knows it, but no candidate has any of its features."""
    weights = np.array([3.0, 2.0])
    [found] = chosen_penalties([f"{text}@count"], STRUCTURE.over(["translation", "language_model"]), 2)
    assert found.value(weights) == 0.0 and found.gradient(weights).tolist() == [0.0, 0.0]
    assert found.prox(weights).tolist() == [3.0, 2.0]


def test_the_number_of_features_of_a_group_is_that_of_the_first_round() -> None:
    [found] = chosen_penalties(["oscar=0.1,0.01@count"], STRUCTURE, 4)  # two of the bins are new
    _same(found, Partly(Oscar(0.1, 0.01, 2), COUNT))


def test_several_at_once() -> None:
    made = Penalties(chosen_penalties(["l1=0.1@count", "oscar=0.2,0.1@length", "l2=0.5"], STRUCTURE, 50))
    weights = np.random.default_rng(1).normal(size=SIZE)
    moved = made.prox(weights)
    assert moved[COUNT] == pytest.approx(Absolute(0.1).prox(weights[COUNT]))
    assert moved[LENGTH] == pytest.approx(Oscar(0.2, 0.1).prox(weights[LENGTH]))
    assert moved[BOTH] == pytest.approx(weights[BOTH])
    for both in (
        ["l1=0.1", "oscar=0.2,0.1@length"],
        ["l1=0.1@count+length", "largest=1@length"],
        ["l1=1", "l1=1"],
        ["group-lasso=1@count", "isotonic=1"],
    ):
        with pytest.raises(OptionError, match="two penalties that are not smooth"):
            Penalties(chosen_penalties(both, STRUCTURE, 50))


@pytest.mark.parametrize(
    "both",
    [
        ["group-lasso=1@dense", "group-lasso=5@induced"],  # Clark 2015, chapter 5: sparse against dense features
        ["group-lasso=0.3@count", "l1=0.1@dense"],
        ["isotonic=0.3@count", "isotonic=0.2,falling@length"],
        ["isotonic=0.3", "oscar=0.2,0.1@dense"],
    ],
)
def test_groups_and_curves_beside_others(both: list[str]) -> None:
    """They too are on some features only, so each does what it does alone."""
    weights = np.random.default_rng(1).normal(size=SIZE)
    one, other = chosen_penalties(both, STRUCTURE, 50)
    made = Penalties([one, other])
    assert made.prox(weights, 0.7) - weights == pytest.approx(
        one.prox(weights, 0.7) - weights + other.prox(weights, 0.7) - weights
    )
    assert made.value(weights) == pytest.approx(one.value(weights) + other.value(weights))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ridge=1", "there is no penalty 'ridge'"),
        ("l1", "the penalty 'l1' lacks a strength or a group; write l1=STRENGTH"),
        ("oscar=1", "lacks a strength or a group; write oscar=STRENGTH,STRENGTH"),
        ("l1=much", "'much' in the penalty 'l1=much' is not a number from 0 on"),
        ("l1=-1", "is not a number from 0 on"),
        ("l1=nan", "is not a number from 0 on"),
        ("l1=1,2", "the penalty 'l1' has no setting '2'; known: none"),
        ("monotone=1,centr", "the penalty 'monotone' has no setting 'centr'; known: power=NUMBER, centre"),
        ("monotone=1,power", "the penalty 'monotone' has no setting 'power'; known: power=NUMBER, centre"),
        ("oscar=1,1,features=2.5", "the number of features in the penalty 'oscar=1,1,features=2.5' is not whole"),
        ("l1=1@", "lacks a strength or a group"),
        ("l1=1@cuont", "there is no group of features 'cuont'; did you mean 'count'?"),
        ("isotonic=1,rising,falling", "is rising or falling"),
    ],
)
def test_slips(text: str, complaint: str) -> None:
    with pytest.raises(OptionError) as failed:
        chosen_penalties([text], STRUCTURE, 50)
    assert complaint in str(failed.value)
