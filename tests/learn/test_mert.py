"""Exact line search, against brute force and the oracle of the spec; climbing, against all directions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.learn.problems import Errors, problem_of, random_errors, translation_pools

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.learn import Candidate, KBestLists, Mert, Problem
from pentaglot.learn.line_steps import best_step, positions
from pentaglot.learn.surfaces import ListSurface
from pentaglot.metrics import Bleu, Metric, Ter

whole = st.integers(-6, 6)
Numbers = NDArray[np.float64]


def test_oracle_of_the_spec() -> None:
    """Lopez 2008, spec 7.6: three lines in each of two sentences."""
    sentences = [[(-1, 0, 3), (0, 1, 0), (1, 0, 2)], [(-2, -1, 0), (1, 2, 1), (3, 0, 0)]]
    found = [
        [Candidate(f"{slope} {errors}", {"along": slope, "rest": height}) for slope, height, errors in lines]
        for lines in sentences
    ]
    problem = problem_of(found, Errors(), ["x", "x"], {"along": 0.0, "rest": 1.0})
    search = core.LineSearch(problem.lists.native, np.arange(2, dtype=np.uint32), problem.weights)
    boundaries, totals = search.sweep(problem.lists.vector({"along": 1.0}))
    assert boundaries.tolist() == [-1.0, 1.0]
    assert totals.tolist() == [3.0, 1.0, 2.0]
    assert search.totals().tolist() == [1.0]
    assert best_step(boundaries, -totals, 0.1) == (0.0, -1.0)


@given(st.lists(st.tuples(whole, whole), min_size=1, max_size=12))
def test_envelope_of_whole_lines_is_exact(lines: list[tuple[int, int]]) -> None:
    slopes, heights = (np.array(each, np.float64) for each in zip(*lines, strict=True))
    starts, chosen = core.upper_envelope(slopes, heights)

    def highest(x: Fraction) -> int:
        values = [slope * x + height for slope, height in lines]
        return values.index(max(values))

    crossings = sorted(
        {Fraction(b - d, c - a) for a, b in lines for c, d in lines if a != c}  # where any two lines meet
    )
    # Between neighbouring crossings one line (or several equal ones) is on top.
    probes = [Fraction(0)] if not crossings else [crossings[0] - 1]
    probes += [(one + other) / 2 for one, other in pairwise(crossings)]
    probes += [crossings[-1] + 1] if crossings else []
    wanted: list[tuple[float, int]] = []
    for place, probe in enumerate(probes):
        if not wanted or wanted[-1][1] != highest(probe):
            wanted.append((-np.inf if place == 0 else float(crossings[place - 1]), highest(probe)))
    assert list(zip(starts.tolist(), chosen.tolist(), strict=True)) == wanted


@given(st.integers(0, 2**32 - 1), st.integers(1, 300))
@settings(max_examples=50)
def test_envelope_of_any_lines_is_on_top(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    slopes, heights = random.normal(size=(2, count)) * np.array([[1.0], [10.0]])
    starts, chosen = core.upper_envelope(slopes, heights)
    assert np.all(np.diff(starts) > 0) and np.all(np.diff(slopes[chosen]) > 0)
    for x in random.normal(0, 20, 100):
        line = chosen[np.searchsorted(starts, x, side="right") - 1]
        assert heights[line] + x * slopes[line] == pytest.approx(np.max(heights + x * slopes), abs=1e-9)


def test_lines_that_few_digits_do_not_tell_apart() -> None:
    """Far left the first line is highest, though it differs from the second one in the eighth digit only."""
    for near in (1e-8, 1e-12):
        slopes, heights = np.array([-1.0 - near, -1.0, 0.0, 0.5]), np.array([-5.0, -1.0, 0.0, -1e-3])
        starts, chosen = core.upper_envelope(slopes, heights)
        assert chosen.tolist() == [0, 1, 2, 3]
        assert starts[1] == pytest.approx(-4.0 / near, rel=1e-3)
    # Less the top, all but one are alike.
    starts, chosen = core.upper_envelope(np.array([1.0, 1e-20, 2e-20]), np.array([0.0, -3.0, -2.0]))
    assert chosen.tolist() == [1, 2, 0]
    starts, chosen = core.upper_envelope(np.array([1e-60, 0.0, -1e-60]), np.array([-1.0, 0.0, -1.0]))
    assert chosen.tolist() == [2, 1, 0]


def test_lines_of_extreme_size() -> None:
    tiny = 5e-324
    starts, chosen = core.upper_envelope(np.array([0.0, tiny]), np.array([1e300, -1e300]))
    assert (starts.tolist(), chosen.tolist()) == ([-np.inf], [0])
    assert core.upper_envelope(np.empty(0), np.empty(0))[1].tolist() == []
    with pytest.raises(PentaglotError, match="slope and an intercept"):
        core.upper_envelope(np.ones(2), np.ones(1))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_sweeps_are_what_decoding_would_give(seed: int) -> None:
    random = np.random.default_rng(seed)
    problem = problem_of(random_errors(seed, 5, 8, 3), Errors(), ["x"] * 5, {})
    some = np.array([0, 1, 3, 4], np.uint32) if seed % 2 else np.arange(5, dtype=np.uint32)
    point, lines = random.normal(size=3), np.concatenate([random.normal(size=(4, 3)), np.eye(3)])
    search = core.LineSearch(problem.lists.native, some, point)

    def decoded(weights: NDArray[np.float64]) -> float:
        return float(problem.lists.statistics[problem.lists.best(weights)[some]].sum())

    for line in lines:
        assert search.totals().sum() == decoded(point)
        boundaries, totals = search.sweep(line)
        assert np.all(np.diff(boundaries) > 0) and len(totals) == len(boundaries) + 1
        places, _ = positions(boundaries, 0.5)
        for x, total in [*zip(places, totals, strict=True)]:
            assert decoded(point + x * line) == total
        for x in random.normal(0, 3, 30):
            assert decoded(point + x * line) == totals[np.searchsorted(boundaries, x)]
        step = float(random.normal())
        search.move(line, step)
        point = point + step * line


@pytest.mark.parametrize("metric", [Bleu(tokenize="none"), Ter(), Errors()], ids=lambda metric: metric.name)
def test_line_search_finds_the_best_of_a_line(metric: Metric) -> None:
    if isinstance(metric, Errors):
        references, pools = ["x"] * 30, random_errors(3, 30, 40, 5)
    else:
        references, pools = translation_pools(3, 30, 40)
    problem = problem_of(pools, metric, references, dict.fromkeys(pools[0][0].features, 0.1))
    surface = ListSurface(problem)
    lines = surface.at(problem.weights, np.arange(30, dtype=np.uint32))
    for direction in np.random.default_rng(1).normal(size=(6, len(problem.weights))):
        boundaries, totals = lines.sweep(direction)
        step, reached = best_step(boundaries, surface.scores(totals), 0.1)
        assert problem.score(problem.weights + step * direction) == pytest.approx(reached, abs=1e-9)
        for x in np.linspace(-2, 2, 301):
            assert problem.score(problem.weights + x * direction) <= reached + 1e-9


def test_a_sample_of_sentences_only_chooses_where_to_climb() -> None:
    references, pools = translation_pools(5, 60, 30)
    problem = problem_of(pools, Bleu(tokenize="none"), references, {"length": 1.0})
    found = Mert(sample=10, finalists=2).optimise(problem, np.random.default_rng(2))
    alone = Mert(restarts=0).optimise(problem, np.random.default_rng(2))
    assert problem.score(found) >= problem.score(problem.weights) + 10
    assert problem.score(found) >= problem.score(alone) - 1.0


def _highest(point: Numbers, direction: Numbers, lists: KBestLists) -> list[tuple[float, Numbers]]:
    """Where along a line the statistics change, and how: the plain way, one candidate after the other."""
    vectors = np.zeros((len(lists), len(lists.names)))
    rows = np.repeat(np.arange(len(lists)), np.diff(lists.feature_offsets.astype(np.int64)))
    vectors[rows, lists.feature_ids] = lists.feature_values
    found = []
    for begin, end in pairwise(lists.sentences.astype(np.int64).tolist()):
        slopes, heights = vectors[begin:end] @ direction, vectors[begin:end] @ point
        # Far left the least slope is highest; from there always the next line to rise above it.
        least = np.flatnonzero(slopes == slopes.min())
        line, at = int(least[np.argmax(heights[least])]), -np.inf
        found.append((at, lists.statistics[begin + line]))
        while (slopes > slopes[line]).any():
            steeper = np.flatnonzero(slopes > slopes[line])
            meets = (heights[line] - heights[steeper]) / (slopes[steeper] - slopes[line])
            nearest = steeper[meets == meets.min()]
            following, at = int(nearest[np.argmax(slopes[nearest])]), float(meets.min())
            found.append((at, lists.statistics[begin + following] - lists.statistics[begin + line]))
            line = following
    return sorted(found, key=lambda each: each[0])


def _och(problem: Problem, point: Numbers, random: np.random.Generator) -> float:
    """What Och's search reaches from a point: each time it takes the best of all directions."""
    top = problem.score(point)
    while True:
        directions = [*np.eye(len(point)), *random.normal(size=(2, len(point)))]
        best = (top, point)
        for direction in directions:
            changes = _highest(point, direction, problem.lists)
            places = np.array([at for at, _ in changes if at > -np.inf])
            sums = np.cumsum([row for _, row in changes], axis=0)[len(changes) - len(places) - 1 :]
            middles, widths = positions(places, 0.1)
            scores = np.where(widths > 1e-7, problem.scores(sums), -np.inf)
            step = float(middles[np.argmax(scores)])
            best = max(best, (problem.score(point + step * direction), point + step * direction), key=lambda e: e[0])
        if best[0] <= top + 1e-9:
            return top
        top, point = best


def test_as_good_as_a_search_in_all_directions() -> None:
    """In the mean over problems, with as many starting points."""
    ours, theirs = [], []
    for seed in range(4):
        references, pools = translation_pools(seed, 25, 20)
        problem = problem_of(pools, Bleu(tokenize="none"), references, {"noise": 1.0, "length": 0.1})
        random = np.random.default_rng(seed)
        points = [problem.weights, *random.uniform(-1.0, 1.0, (3, len(problem.weights)))]
        theirs.append(max(_och(problem, point, random) for point in points))
        ours.append(problem.score(Mert(restarts=3, sample=4, finalists=2).optimise(problem, random)))
    assert np.mean(ours) >= np.mean(theirs) - 0.25
    assert np.mean(theirs) > 20  # the twin does climb


def test_hopeless_climbs_are_given_up() -> None:
    references, pools = translation_pools(9, 40, 30)
    problem = problem_of(pools, Bleu(tokenize="none"), references, {"noise": 1.0})
    surface, every = ListSurface(problem), np.arange(40, dtype=np.uint32)

    def climbed(goal: float) -> float:
        return Mert()._climb(surface, every, problem.weights, np.random.default_rng(1), goal, 0.05)[0]

    assert climbed(1000.0) < climbed(-np.inf)
    assert climbed(climbed(-np.inf)) == climbed(-np.inf)


def test_features_that_decide_nothing_are_no_lines() -> None:
    found = [[Candidate(f"{n} {n}", {"same": 2.0 + s, "other": float(n)}) for n in range(3)] for s in range(2)]
    problem = problem_of(found, Errors(), ["x", "x"], {"same": 0.7, "other": -0.3})
    assert [problem.lists.names[number] for number in problem.lists.native.varying()] == ["other"]
    for pool in found:
        del pool[1:]
    problem = problem_of(found, Errors(), ["x", "x"], {"same": 0.7, "other": -0.3})
    assert Mert().optimise(problem, np.random.default_rng(0)) is problem.weights


def test_the_best_of_all_directions_is_found() -> None:
    """With two features the lists depend on the angle only, so all of them can be tried."""
    for seed in range(5):
        problem = problem_of(random_errors(seed, 6, 10, 2), Errors(), ["x"] * 6, {"feature0": 1.0})
        angles = np.linspace(0, 2 * np.pi, 4001)
        best = max(problem.score(np.array([np.cos(angle), np.sin(angle)])) for angle in angles)
        found = Mert().optimise(problem, np.random.default_rng(seed))
        assert problem.score(found) >= best


def test_what_decides_nothing_keeps_its_weight_beside_the_others() -> None:
    """Only directions matter to the lists. In other text, what no list could tell is compared with what is learnt: so
    that is as long as before, and no random point changes what has no influence."""
    for seed in range(5):
        found = [
            [Candidate(each.text, {**each.features, "same": 2.0 + sentence}) for each in pool]
            for sentence, pool in enumerate(random_errors(seed, 6, 10, 3))
        ]
        start = {"feature0": 3.0, "feature1": -40.0, "same": -7.0, "unseen": 5.0}
        problem = problem_of(found, Errors(), ["x"] * 6, start)
        spread, same = problem.lists.native.spread(), problem.lists.names.index("same")
        weights = Mert().optimise(problem, np.random.default_rng(seed))
        assert weights[same] == -7.0
        assert problem.score(weights) >= problem.score(problem.weights)
        assert np.linalg.norm(weights * spread) == pytest.approx(np.linalg.norm(problem.start * spread))
        assert not np.allclose(weights, problem.weights)


def test_threads_change_nothing() -> None:
    references, pools = translation_pools(7)
    problem = problem_of(pools, Bleu(tokenize="none"), references, {"length": 1.0})
    found = [Mert(restarts=3, threads=threads).optimise(problem, np.random.default_rng(5)) for threads in (1, 2, 8)]
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    assert problem.score(found[0]) > problem.score(problem.weights) + 10


def test_too_many_features() -> None:
    found = [[Candidate(f"{n} 0", {f"f{n}": 1.0}) for n in range(501)]]
    problem = problem_of(found, Errors(), ["x"], {})
    with pytest.raises(PentaglotError, match="cannot tune 501 features .at most 500.; use mira"):
        Mert().optimise(problem, np.random.default_rng(0))
