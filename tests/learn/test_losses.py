"""Losses against the thesis' table, a twin in plain Python, finite differences, and forests of the same candidates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.forest.brute import FEATURES, goal_trees, random_forest, seeds, vector_of
from tests.learn.problems import Errors, lists_of, random_errors

from pentaglot._core import learn as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import Candidate, KBestLists
from pentaglot.learn.forest_loss import ForestLoss
from pentaglot.learn.losses import LOSSES, Loss, Side, find_loss
from pentaglot.learn.objectives import ListLoss, PairLoss
from pentaglot.learn.priced_forest import ForestSpace, PricedForest

Numbers = NDArray[np.float64]
SOFT = [name for name, loss in LOSSES.items() if loss.soft]


def table_of(alpha: float) -> ListLoss:
    """Gimpel 2012, spec 7.7: scores 2, 1, 0; one feature 1, 0, 2. The weight of `score` is 1, that of `f` is 0."""
    pool = [
        Candidate(f"c{at} 0", {"score": s, "f": f}) for at, (s, f) in enumerate([(2.0, 1.0), (1.0, 0.0), (0.0, 2.0)])
    ]
    lists = lists_of([pool], Errors(), ["x"])
    assert lists.names == ("score", "f")
    return ListLoss(lists, find_loss("ramp1"), alpha * np.array([0.6, 0.1, 0.9]))


def loss_of(name: str, table: ListLoss) -> tuple[float, Numbers]:
    return ListLoss(table.lists, find_loss(name), table.costs).value_and_gradient(np.array([1.0, 0.0]))


@pytest.mark.parametrize(
    ("names", "one", "ten"),
    [
        (("ramp1", "ramp2", "ramp3"), (0.6, 0.6, 1.2), (7.0, 2.0, 9.0)),
        (
            ("soft-ramp1", "soft-ramp2", "soft-ramp3"),
            (0.533010, 0.472992, 1.006002),
            (6.906322, 2.389335, 9.295657),
        ),
        (("risk",), (0.504645,), (5.046449,)),
        (
            ("log", "softmax-margin", "hinge", "perceptron"),
            (1.407606, 1.940616, 1.6, 1.0),
            (1.407606, 8.313928, 8.0, 1.0),
        ),
    ],
)
def test_the_table(names: tuple[str, ...], one: tuple[float, ...], ten: tuple[float, ...]) -> None:
    """Gimpel 2012, spec 7.7; the second candidate, which costs least, stands for the reference."""
    for alpha, wanted in ((1.0, one), (10.0, ten)):
        assert [loss_of(name, table_of(alpha))[0] for name in names] == pytest.approx(wanted, abs=1e-6)


def test_gradients_of_the_table() -> None:
    for alpha, wanted in ((1.0, (0.125927, 0.141924, 0.134622)), (10.0, (0.884603, 0.827076, 1.346222))):
        found = [loss_of(name, table_of(alpha))[1][1] for name in ("soft-ramp1", "soft-ramp2", "risk")]
        assert found == pytest.approx(wanted, abs=1e-6)


def test_a_pair_of_the_table() -> None:
    table = table_of(1.0)
    for factor in (1.0, 2.0):
        pair = PairLoss(table.lists, np.array([1], np.uint64), np.array([0], np.uint64), factor)
        value, gradient = pair.value_and_gradient(np.array([1.0, 0.0]))
        assert value == pytest.approx(factor * 1.313262, abs=1e-6)
        wrong = 1 / (1 + math.exp(-1))
        assert gradient == pytest.approx(factor * wrong * np.array([1.0, 1.0]))


class Twin:
    """A loss written down as the table has it."""

    def __init__(self, loss: Loss, vectors: Numbers, costs: Numbers) -> None:
        self.loss, self.vectors, self.costs = loss, vectors, costs

    def side(self, side: Side, scores: Numbers) -> float:
        least = self.costs.min()
        chosen = [at for at in range(len(scores)) if side.over == "all" or self.costs[at] == least]
        if side.over == "reference":
            chosen = chosen[:1]
        values = [scores[at] + side.factor * self.costs[at] for at in chosen]
        return math.log(sum(map(math.exp, values))) if side.soft else max(values)

    def value(self, weights: Numbers) -> float:
        scores = self.vectors @ weights
        if self.loss.up is None or self.loss.down is None:
            shares = np.exp(scores)
            return float(shares @ self.costs / shares.sum())
        return self.side(self.loss.down, scores) - self.side(self.loss.up, scores)


def random_lists(seed: int, sentences: int = 5, size: int = 7) -> tuple[KBestLists, Numbers, Numbers]:
    """Lists, their vectors as rows, and costs with ties."""
    lists = lists_of(random_errors(seed, sentences, size, 3), Errors(), ["x"] * sentences)
    rows = [lists.features(at) for at in range(len(lists))]
    vectors = np.array([[row.get(name, 0.0) for name in lists.names] for row in rows])
    costs = np.random.default_rng(seed).integers(0, 4, len(lists)) / 3.0
    return lists, vectors, costs


@pytest.mark.parametrize("name", LOSSES)
def test_equal_to_its_twin_and_to_differences(name: str) -> None:
    for seed in range(3):
        lists, vectors, costs = random_lists(seed)
        objective = ListLoss(lists, find_loss(name), costs)
        ends = lists.sentences.astype(int)
        twins = [Twin(objective.loss, vectors[a:b], costs[a:b]) for a, b in itertools.pairwise(ends)]
        weights = np.random.default_rng(seed + 9).normal(size=3)
        value, gradient = objective.value_and_gradient(weights)
        assert value == pytest.approx(sum(twin.value(weights) for twin in twins))
        for at in range(3):
            step = np.zeros(3)
            step[at] = 1e-6
            ahead, behind = (objective.value_and_gradient(weights + sign * step)[0] for sign in (1, -1))
            assert gradient[at] == pytest.approx((ahead - behind) / 2e-6, abs=1e-4)


@given(st.integers(0, 2**30), st.floats(0, 20))
def test_what_always_holds(seed: int, alpha: float) -> None:
    """Gimpel 2012, spec 7.11."""
    lists, _, costs = random_lists(seed, 2, 5)
    weights = np.random.default_rng(seed).normal(size=3)
    found = {name: ListLoss(lists, loss, alpha * costs).value_and_gradient(weights)[0] for name, loss in LOSSES.items()}
    best = lists.best(weights)
    cost = float(alpha * costs[best].sum())
    assert found["ramp3"] == pytest.approx(found["ramp1"] + found["ramp2"])
    assert found["soft-ramp3"] == pytest.approx(found["soft-ramp1"] + found["soft-ramp2"])
    assert found["softmax-margin"] == pytest.approx(found["log"] + found["soft-ramp1"])
    small = 1e-9
    assert -small <= found["ramp2"] <= cost + small
    assert cost <= found["ramp1"] + small and found["ramp1"] <= found["ramp3"] + small
    assert -small <= found["soft-ramp2"] <= found["risk"] + small
    assert found["risk"] <= found["soft-ramp1"] + small and found["soft-ramp1"] <= found["soft-ramp3"] + small
    for name in ("hinge", "log"):
        assert found[name] <= found["softmax-margin"] + small
    assert found["latent-hinge"] <= found["hinge"] + small


def test_soft_losses_become_hard_ones() -> None:
    lists, _, costs = random_lists(4)
    weights = np.array([1.0, -0.5, 0.3])
    for kind in ("ramp1", "ramp2", "ramp3"):
        hard = ListLoss(lists, find_loss(kind), costs).value_and_gradient(weights)[0]
        soft = ListLoss(lists, find_loss(f"soft-{kind}"), costs * 1e4).value_and_gradient(weights * 1e4)[0]
        assert soft / 1e4 == pytest.approx(hard, abs=1e-3)


def test_derivations_of_one_string_count_in_soft_losses() -> None:
    lists, _, costs = random_lists(5, 1, 4)
    pool = [Candidate(text, lists.features(at)) for at, text in enumerate(lists.texts(0))]
    twice = lists_of([[*pool, Candidate(pool[0].text + " 1", pool[0].features)]], Errors(), ["x"])
    weights, more = np.array([0.3, 0.2, -0.4]), np.append(costs, costs[0])
    for name in ("ramp1", "ramp2", "ramp3", "risk", "soft-ramp1"):
        one = ListLoss(lists, find_loss(name), costs).value_and_gradient(weights)[0]
        two = ListLoss(twice, find_loss(name), more).value_and_gradient(weights)[0]
        assert (one == pytest.approx(two)) == name.startswith("ramp")


def test_only_reached_references_teach() -> None:
    lists, _, costs = random_lists(6)
    loss = find_loss("hinge")
    reached = Loss(loss.name, loss.up, loss.down, reached=True)
    weights = np.array([0.3, 0.2, -0.4])
    assert ListLoss(lists, reached, costs + 0.1).value_and_gradient(weights)[0] == 0.0
    assert ListLoss(lists, reached, costs).value_and_gradient(weights)[0] > 0.0


def test_threads_do_not_matter() -> None:
    lists, _, costs = random_lists(7, 70, 9)
    weights = np.array([0.3, 0.2, -0.4])
    for loss in LOSSES.values():
        one, many = (ListLoss(lists, loss, costs, threads).value_and_gradient(weights) for threads in (1, 5))
        assert one[0] == many[0] and np.array_equal(one[1], many[1])


@given(seeds)
def test_forests_are_lists_of_all_their_derivations(seed: int) -> None:
    forest = random_forest(seed, impossible=False)
    trees = goal_trees(forest)
    if not trees:
        return
    random = np.random.default_rng(seed)
    edges, weights = random.integers(0, 4, forest.edges) / 3.0, random.normal(size=FEATURES)
    costs = np.array([edges[list(tree.edges)].sum() for tree in trees])
    vectors = np.array([vector_of(forest, tree) for tree in trees])
    # The first of the cheapest derivations depends on the order in which they are listed; all of them do not.
    for loss in LOSSES.values():
        if loss.up is not None and loss.up.over == "reference":
            continue
        value, gradient = ForestLoss(
            ForestSpace.of_all([PricedForest(forest, edges)], FEATURES), loss
        ).value_and_gradient(weights)
        cheap = np.where(np.isclose(costs, costs.min(), atol=1e-9), costs.min(), costs)
        twin = Twin(loss, vectors, cheap)
        assert value == pytest.approx(twin.value(weights), abs=1e-7)
        if loss.soft:
            steps = 1e-6 * np.eye(FEATURES)
            slopes = [(twin.value(weights + step) - twin.value(weights - step)) / 2e-6 for step in steps]
            assert gradient == pytest.approx(np.array(slopes), abs=1e-4)


def test_forests_descend_like_lists() -> None:
    """Sentence by sentence, hopes frozen or not, drawn to the anchor."""
    forests, rows = [], []
    for seed in range(40):
        forest = random_forest(seed, impossible=False)
        if 2 <= forest.count() <= 30 and len(forests) < 4:
            edges = np.random.default_rng(seed).normal(size=forest.edges) ** 2
            forests.append(PricedForest(forest, edges))
            rows.append([(vector_of(forest, tree), edges[list(tree.edges)].sum()) for tree in goal_trees(forest)])
    names = [f"f{at}" for at in range(FEATURES)]
    pools = [
        [Candidate(f"{a} {b} 0", dict(zip(names, v, strict=True))) for b, (v, _) in enumerate(row)]
        for a, row in enumerate(rows)
    ]
    lists = lists_of(pools, Errors(), ["x"] * len(pools))
    places = [names.index(name) for name in lists.names]
    costs = np.array([cost for row in rows for _, cost in row])
    assert len(lists) == len(costs)
    start, space = np.array([0.3, -0.2, 0.5, 0.1]), ForestSpace.of_all(forests, FEATURES)
    order = np.arange(len(forests), dtype=np.uint32)
    for name in ("ramp3", "soft-ramp3", "risk", "latent-log"):
        for freeze in (False, True):
            walks = [
                ForestLoss(space, find_loss(name)).descent(start, np.zeros(4), 0.05, 1.0),
                ListLoss(lists, find_loss(name), costs).descent(start[places], np.zeros(len(places)), 0.05, 1.0),
            ]
            for walk in walks:
                if freeze:
                    walk.freeze()
                walk.epoch(order)
                walk.epoch(order)
            assert walks[0].weights()[places] == pytest.approx(walks[1].weights(), abs=1e-5)


def test_forests_are_the_same_with_any_number_of_threads() -> None:
    forests = [random_forest(seed, impossible=False) for seed in range(30)]
    priced = [
        PricedForest(each, np.random.default_rng(at).normal(size=each.edges) ** 2)
        for at, each in enumerate(forests)
        if each.count()
    ]
    space, weights = ForestSpace.of_all(priced, FEATURES), np.array([0.3, -0.2, 0.5, 0.1])
    order = np.arange(len(priced), dtype=np.uint32)
    for name in ("ramp3", "soft-ramp2", "risk"):
        found = []
        for threads in (1, 8):
            objective = ForestLoss(space, find_loss(name), threads)
            value, gradient = objective.value_and_gradient(weights)
            walk = objective.descent(weights, np.zeros(4), 0.05, 1.0)
            walk.freeze()
            walk.epoch(order)
            found.append((value, gradient.tobytes(), walk.weights().tobytes()))
        assert found[0] == found[1]


def test_pairs() -> None:
    lists, _, costs = random_lists(8, 12, 9)
    owners = lists.owners
    drawn = core.draw_pairs(lists.native, costs, 500, 6, 0.5, False, 3)
    assert all(
        np.array_equal(one, other)
        for one, other in zip(drawn, core.draw_pairs(lists.native, costs, 500, 6, 0.5, False, 3), strict=True)
    )
    better, worse = (each.astype(int) for each in drawn)
    assert np.array_equal(owners[better], owners[worse]) and bool((costs[worse] - costs[better] > 0.5).all())
    assert bool((np.bincount(owners[better], minlength=12) <= 6).all()) and len(better) > 20
    other = core.draw_pairs(lists.native, costs, 500, 6, 0.5, False, 4)[0]
    assert not np.array_equal(drawn[0], other)
    few, many = (core.draw_pairs(lists.native, costs, 500, kept, 0.0, True, 3) for kept in (2, 400))
    for sentence in range(12):
        gaps = [
            sorted(
                (costs[w] - costs[b])
                for b, w in zip(*(each.astype(int) for each in pairs), strict=True)
                if owners[b] == sentence
            )
            for pairs in (few, many)
        ]
        assert gaps[0] == gaps[1][-len(gaps[0]) :], "those that differ most"


def test_what_does_not_fit() -> None:
    lists, _, costs = random_lists(9)
    with pytest.raises(OptionError, match="did you mean 'ramp3'"):
        find_loss("ramp33")
    with pytest.raises(PentaglotError, match="as many costs"):
        ListLoss(lists, find_loss("risk"), costs[1:]).value_and_gradient(np.zeros(3))
    with pytest.raises(PentaglotError, match="a cost is not a finite number"):
        ListLoss(lists, find_loss("risk"), costs * np.nan).value_and_gradient(np.zeros(3))
    with pytest.raises(PentaglotError, match="too large for the strength"):
        ListLoss(lists, find_loss("risk"), costs).descent(np.zeros(3), np.zeros(3), 1.0, 5.0)
    walk = ListLoss(lists, find_loss("risk"), costs).descent(np.zeros(3), np.zeros(3), 0.1, 1.0)
    with pytest.raises(PentaglotError, match="no such sentence"):
        walk.epoch(np.array([5], np.uint32))
    with pytest.raises(PentaglotError, match="sentence by sentence"):
        PairLoss(lists, np.array([], np.uint64), np.array([], np.uint64)).descent(np.zeros(3), np.zeros(3), 1.0, 0.0)
