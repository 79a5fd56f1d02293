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
from pentaglot.learn import Candidate, Mert
from pentaglot.learn.mert import ListSurface, best_step, positions
from pentaglot.metrics import Bleu, Metric, Ter

whole = st.integers(-6, 6)


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
        assert np.abs(found).sum() == pytest.approx(1.0)


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
