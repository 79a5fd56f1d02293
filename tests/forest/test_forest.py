"""Every verb of `Forest` against a twin that writes out all derivations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pentaglot._core import forest as core
from pentaglot.errors import OptionError, PentaglotError, StorageError
from pentaglot.forest import Forest, ForestBuilder, example_forest, tail

from .brute import FEATURES, goal_trees, probabilities, random_forest, seeds, trees_of, vector_of

many = settings(max_examples=600, deadline=None)
some = settings(max_examples=200, deadline=None)


def chain(length: int, width: int = 1) -> Forest:
    """A forest as deep as it is long: `width` ways to say each of its words."""
    nodes = np.arange(1, length, dtype=np.uint32).repeat(width) - 1
    edges = length * width
    features = np.tile(np.linspace(-1, 0, width, dtype=np.float32) if width > 1 else np.float32([-1]), length)
    packed = core.Forest(
        node_payloads=np.zeros(length, np.uint64),
        edge_offsets=np.arange(0, edges + 1, width, dtype=np.uint64),
        tail_offsets=np.maximum(np.arange(edges + 1) - width, 0).astype(np.uint64),
        tails=nodes,
        feature_offsets=np.arange(edges + 1, dtype=np.uint64),
        feature_ids=np.zeros(edges, np.uint32),
        feature_values=features,
        templates=np.array([0] * width + [1] * (edges - width), np.uint32),
        template_offsets=np.array([0, 1, 3], np.uint64),
        symbols=np.array([4, tail(0), 5], np.int32),
        edge_payloads=np.zeros(edges, np.uint64),
        goal=length - 1,
    )
    return Forest.from_packed(packed, [1.0])


@many
@given(seeds)
def test_kbest_is_the_sorted_enumeration(seed: int) -> None:
    forest = random_forest(seed)
    expected = goal_trees(forest)
    found = forest.kbest(len(expected) + 3)
    assert [each.score for each in found] == [tree.score for tree in expected]
    assert [tuple(each.edges.tolist()) for each in found] == [tree.edges for tree in expected]
    assert [each.words for each in found] == [tree.words for tree in expected]
    few = forest.kbest(2)
    assert [each.edges.tolist() for each in few] == [each.edges.tolist() for each in found[:2]]
    assert forest.count() == len(expected)


@many
@given(seeds)
def test_distinct_kbest_has_the_best_of_each_string(seed: int) -> None:
    forest = random_forest(seed)
    best: dict[tuple[int, ...], float] = {}
    for tree in goal_trees(forest):
        best.setdefault(tree.words, tree.score)
    found = forest.kbest(len(best) + 3, distinct=True)
    assert {each.words: each.score for each in found} == best
    assert len(found) == len(best)
    assert [each.score for each in found] == sorted(best.values(), reverse=True)


@some
@given(seeds)
def test_viterbi_and_lazy_iteration(seed: int) -> None:
    forest = random_forest(seed)
    expected = goal_trees(forest)
    if not expected:
        with pytest.raises(PentaglotError, match="no derivation"):
            forest.viterbi()
        assert list(forest.derivations()) == [] and forest.kbest(5, distinct=True) == [] and forest.sample(3) == []
        assert forest.log_total() == -np.inf
        return
    assert tuple(forest.viterbi().edges.tolist()) == expected[0].edges
    assert [tuple(each.edges.tolist()) for each in forest.derivations()] == [tree.edges for tree in expected]


@many
@given(seeds)
def test_inside_and_outside(seed: int) -> None:
    forest = random_forest(seed)
    trees = trees_of(forest)
    for node in range(forest.nodes):
        scores = np.array([tree.score for tree in trees[node]])
        assert forest.inside("count")[node] == len(scores)
        assert np.isclose(forest.inside("max")[node], scores.max(initial=-np.inf))
        assert np.isclose(forest.inside("log")[node], np.logaddexp.reduce(scores) if len(scores) else -np.inf)
    uses = Counter[int]()
    for tree in trees[forest.goal]:
        uses.update(int(forest.packed.heads[edge]) for edge in tree.edges)
    product = forest.inside("count") * forest.outside("count")
    used = {node: int(times) for node, times in enumerate(product) if times}
    assert used == dict(uses), "inside times outside counts how often each node is used"


@many
@given(seeds)
def test_marginals(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    best = np.full(forest.edges, -np.inf)
    posterior = np.zeros(forest.edges)
    for tree, share in zip(trees, probabilities(trees), strict=True):
        for edge in tree.edges:
            best[edge] = max(best[edge], tree.score)
            posterior[edge] += share
    assert np.allclose(forest.marginals("max"), best)
    assert np.allclose(forest.marginals("log"), posterior)


@many
@given(seeds, st.integers(0, 12))
def test_threshold_pruning_keeps_exactly_what_is_near_the_best(seed: int, steps: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    threshold = steps / 8 + 1e-9  # beyond rounding, short of the next score in forests with ties
    near = {edge for tree in trees if tree.score >= trees[0].score - threshold for edge in tree.edges}
    mask = core.prune(forest.packed, forest.scores, threshold, 0, 0)
    assert set(np.flatnonzero(mask).tolist()) == near
    pruned = forest.prune(threshold=threshold)
    assert pruned.edges == len(near)
    assert pruned.viterbi().score == trees[0].score and pruned.viterbi().words == trees[0].words
    inside_only = [tree for tree in trees if set(tree.edges) <= near]
    assert [each.words for each in pruned.kbest(1000)] == [tree.words for tree in inside_only]


@many
@given(seeds, st.integers(1, 8))
def test_histogram_pruning(seed: int, limit: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    best = trees[0]
    for pruned in (forest.prune(edges=limit), forest.prune(edges_per_node=limit)):
        assert pruned.viterbi().score == best.score and pruned.viterbi().words == best.words
    assert forest.prune(edges=limit).edges <= max(limit, len(set(best.edges)))
    narrow = forest.prune(edges_per_node=limit)
    assert all(len(narrow.incoming(node)) <= limit for node in range(narrow.nodes))
    marginals = np.sort(forest.marginals("max"))[::-1].round(9)
    marginals = marginals[~np.isneginf(marginals)]
    if limit < len(marginals) and marginals[limit] < marginals[0]:
        # Equals stay or go together, so what stays is everything above some value.
        wanted = max(int((marginals > marginals[limit]).sum()), len(set(best.edges)))
        assert forest.prune(edges=limit).edges == wanted or limit < len(set(best.edges))


@some
@given(seeds)
def test_expectations_are_derivatives(seed: int) -> None:
    forest = random_forest(seed, impossible=False)
    trees = goal_trees(forest)
    assume(trees)
    shares, vectors = probabilities(trees), np.array([vector_of(forest, tree) for tree in trees])
    mean = shares @ vectors
    assert np.allclose(forest.expectations(FEATURES), mean)
    weights, step = np.array([0.3, -0.2, 0.5, 0.1]), 1e-5
    for feature in range(FEATURES):
        up, down = weights.copy(), weights.copy()
        up[feature] += step
        down[feature] -= step
        slope = (forest.rescore(up).log_total() - forest.rescore(down).log_total()) / (2 * step)
        assert np.isclose(forest.rescore(weights).expectations(FEATURES)[feature], slope, atol=1e-6)


@some
@given(seeds)
def test_second_order_expectations(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    generator = np.random.default_rng(seed)
    one, other = generator.normal(size=(2, forest.edges))
    first = np.array([one[list(tree.edges)].sum() for tree in trees])
    second = np.array([other[list(tree.edges)].sum() for tree in trees])
    shares, vectors = probabilities(trees), np.array([vector_of(forest, tree) for tree in trees])
    assert np.allclose(forest.second_moments(one, other), [shares @ first, shares @ second, shares @ (first * second)])
    assert np.isclose(forest.mean(one), shares @ first)
    expected = (shares * first) @ vectors - (shares @ first) * (shares @ vectors)
    assert np.allclose(forest.covariances(one, FEATURES), expected)
    assert np.isclose(forest.entropy(), -(shares @ np.log(shares)))
    (logs, means), (outside_logs, outside_means) = core.inside_outside_expectation(forest.packed, forest.scores, one)
    assert np.isclose(logs[forest.goal], forest.log_total()) and np.isclose(means[forest.goal], shares @ first)
    assert outside_logs[forest.goal] == 0 and outside_means[forest.goal] == 0


@some
@given(seeds)
def test_hope_and_fear(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(trees)
    cost = np.random.default_rng(seed).integers(0, 8, forest.edges) / 4
    hope = max(tree.score - cost[list(tree.edges)].sum() for tree in trees)
    fear = max(tree.score + cost[list(tree.edges)].sum() for tree in trees)
    assert np.isclose(forest.plus(-cost).viterbi().score, hope)
    assert np.isclose(forest.plus(cost).viterbi().score, fear)


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_samples_follow_the_distribution(seed: int) -> None:
    forest = random_forest(seed)
    trees = goal_trees(forest)
    assume(len(trees) > 1)
    draws = 4000
    drawn = Counter(tuple(each.edges.tolist()) for each in forest.sample(draws, seed=seed))
    shares = {tree.edges: share for tree, share in zip(trees, probabilities(trees), strict=True)}
    assert set(drawn) <= set(shares)
    for edges, share in shares.items():
        spread = 6 * np.sqrt(draws * share * (1 - share)) + 6
        assert abs(drawn[edges] - draws * share) < spread


def test_samples_depend_on_the_seed_only() -> None:
    forest = example_forest()
    first = [each.edges.tolist() for each in forest.sample(200, seed=3)]
    assert first == [each.edges.tolist() for each in forest.sample(200, seed=3)]
    assert first[:50] == [each.edges.tolist() for each in forest.sample(50, seed=3)]
    assert first != [each.edges.tolist() for each in forest.sample(200, seed=4)]
    # Written down once: the same on every machine and in every release.
    assert [each.words for each in forest.sample(3, seed=1)] == [(7, 5), (7, 5), (6, 5)]


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_save_and_open(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    forest = random_forest(seed)
    place = tmp_path_factory.mktemp("forest") / "saved"
    forest.save(place)
    again = Forest.open(place)
    assert again.scores.tolist() == forest.scores.tolist() and again.goal == forest.goal
    assert [each.edges.tolist() for each in again.kbest(50)] == [each.edges.tolist() for each in forest.kbest(50)]
    assert again.packed.node_payloads.tolist() == forest.packed.node_payloads.tolist()
    assert again.packed.edge_payloads.tolist() == forest.packed.edge_payloads.tolist()


def test_open_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no forest here"):
        Forest.open(tmp_path / "none")


def test_deep_forests_need_no_stack() -> None:
    forest = chain(1_000_000)
    best = forest.viterbi()
    assert len(best) == len(best.words) == 1_000_000 and best.score == -1e6
    assert forest.count() == 1 and forest.inside("log")[-1] == -1e6 and forest.outside("log")[0] == 1 - 1e6
    assert len(forest.kbest(2)) == 1 and len(forest.kbest(2, distinct=True)) == 1
    assert len(forest.sample(1)[0]) == 1_000_000
    assert forest.prune(threshold=0.0).edges == 1_000_000
    wide = chain(100_000, width=2)
    assert [each.score for each in wide.kbest(3)] == [0.0, -1.0, -1.0]
    assert len(wide.kbest(5, distinct=True)) == 1
    assert chain(100, width=2).count() == 2**100


def test_ties_go_to_the_first_edge() -> None:
    builder = ForestBuilder()
    goal = builder.node()
    for word in (9, 4, 7):
        builder.edge(goal, target=[word])
    assert [each.words for each in builder.finish(goal).kbest(3)] == [(9,), (4,), (7,)]


def test_shared_nodes_may_make_huge_derivations() -> None:
    builder = ForestBuilder()
    node = builder.node()
    builder.edge(node, target=[4])
    for _ in range(64):
        above = builder.node()
        builder.edge(above, [node, node])
        node = above
    forest = builder.finish(node)
    assert forest.count() == 1 and forest.inside("max")[forest.goal] == 0
    with pytest.raises(PentaglotError, match="derivation of the forest is too large"):
        forest.viterbi()


def test_bad_builders_are_refused() -> None:
    def build(*edges: tuple[int, list[int], list[int]], goal: int = 1) -> Forest:
        builder = ForestBuilder()
        builder.node(), builder.node()
        for head, tails, target in edges:
            builder.edge(head, tails, target)
        return builder.finish(goal)

    with pytest.raises(PentaglotError, match="cycle"):
        build((0, [1], [tail(0)]), (1, [0], [tail(0)]))
    with pytest.raises(PentaglotError, match="cycle"):
        build((1, [1], []))
    with pytest.raises(PentaglotError, match="edge 0 .* tail that does not exist"):
        build((0, [2], []))
    with pytest.raises(PentaglotError, match="head that does not exist"):
        build((7, [], []))
    with pytest.raises(PentaglotError, match="names a tail it lacks"):
        build((1, [], [tail(0)]))
    with pytest.raises(PentaglotError, match="names a tail twice"):
        build((0, [], [4]), (1, [0], [tail(0), tail(0)]))
    with pytest.raises(PentaglotError, match="goal"):
        build(goal=2)
    with pytest.raises(PentaglotError, match="goal"):
        ForestBuilder().finish(0)
    empty = build()
    assert (empty.nodes, empty.edges, empty.count()) == (1, 0, 0)


def test_bad_arrays_are_refused() -> None:
    packed = example_forest().packed
    good = {name: np.array(getattr(packed, name)) for name in _names()}

    def changed(**other: object) -> core.Forest:
        return core.Forest(**{**good, "goal": 2, **other})  # type: ignore[arg-type]

    assert changed().edges == 6
    tails = good["tails"].copy()
    tails[0] = 2
    values = good["feature_values"].copy()
    values[0] = np.nan
    for message, other in {
        "tail that does not come before": {"tails": tails},
        "edge offsets": {"edge_offsets": good["edge_offsets"][::-1].copy()},
        "tail offsets": {"tail_offsets": good["tail_offsets"][:-1]},
        "feature offsets": {"feature_offsets": good["feature_offsets"] + np.uint64(1)},
        "not one of its nodes": {"goal": 3},
        "different lengths": {"edge_payloads": np.zeros(2, np.uint64)},
        "template that does not exist": {"templates": np.full(6, 99, np.uint32)},
        "template offsets": {"template_offsets": np.empty(0, np.uint64)},
        "no nodes": {"node_payloads": np.empty(0, np.uint64)},
        "not finite": {"feature_values": values},
    }.items():
        with pytest.raises(PentaglotError, match=message):
            changed(**other)


def _names() -> tuple[str, ...]:
    from pentaglot.forest.arrays import ARRAYS

    return ARRAYS


def test_bad_numbers_are_refused() -> None:
    forest = example_forest()
    for bad in (np.nan, np.inf, 1e200):
        broken = forest.with_scores([0, 0, bad, 0, 0, 0])
        for verb in (broken.viterbi, broken.log_total, broken.count, lambda b=broken: b.kbest(2), broken.marginals):
            with pytest.raises(PentaglotError, match="score of edge 2"):
                verb()
    with pytest.raises(PentaglotError, match="3 scores for 6 edges"):
        forest.with_scores([0, 0, 0])
    with pytest.raises(PentaglotError, match="negative"):
        forest.prune(threshold=-1.0)
    with pytest.raises(OptionError, match="k is -1"):
        forest.kbest(-1)
    with pytest.raises(OptionError, match="edges is 0"):
        forest.prune(edges=0)
    with pytest.raises(OptionError, match="unknown semiring 'min'"):
        forest.inside("min")  # type: ignore[arg-type]
    with pytest.raises(PentaglotError, match="every edge of the forest needs a mark"):
        forest.keep([True])


@given(seeds)
def test_the_best_along_a_line_are_best_of_all(seed: int) -> None:
    forest = random_forest(seed)
    random = np.random.default_rng(seed)
    slopes = random.integers(-2, 3, forest.edges) / 2 if seed % 2 else random.normal(size=forest.edges)
    found = forest.best_along(slopes)
    everything = list(forest.derivations())
    assert bool(found) == bool(everything)
    starts = [start for start, _ in found]
    assert starts[:1] in ([], [-np.inf]) and all(np.diff(starts) > 0)
    for x in random.normal(0, 3, 20) if found else ():
        chosen = found[np.searchsorted(starts, x, side="right") - 1][1]
        best = max(each.score + x * slopes[each.edges].sum() for each in everything)
        assert chosen.score + x * slopes[chosen.edges].sum() == pytest.approx(best, abs=1e-9)


def test_slopes_of_a_line_are_checked() -> None:
    forest = random_forest(3)
    with pytest.raises(PentaglotError, match="scores for"):
        forest.best_along(np.zeros(forest.edges + 1))
    with pytest.raises(PentaglotError, match="slope is not a usable number"):
        forest.best_along(np.full(forest.edges, np.nan))


def test_sums_of_scores_that_are_no_numbers() -> None:
    """A deep forest may say a part more often than scores can be added up."""
    builder = ForestBuilder()
    ends = []
    for sign in (1.0, -1.0):
        below = builder.node()
        builder.edge(below, target=[4], features={0: sign})
        for _ in range(530):
            above = builder.node()
            builder.edge(above, [below, below])
            below = above
        ends.append(below)
    goal = builder.node()
    builder.edge(goal, target=[5])
    builder.edge(goal, ends)
    forest = builder.finish(goal, weights=[1e150])
    for slopes in (np.zeros(forest.edges), np.linspace(-1, 1, forest.edges)):
        with pytest.raises(PentaglotError, match="too large to be added up"):
            forest.best_along(slopes)
    with pytest.raises(PentaglotError, match="too large to be added up"):
        forest.rescore([0.0]).best_along(forest.scores)
