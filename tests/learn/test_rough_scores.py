"""Rough scores only say where to look: what is found is what exact scores of all candidates would have found."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.learn.losses import LOSSES

Numbers = NDArray[np.float64]
FEATURES, SENTENCES = 40, 12
STATM = Path("/proc/self/statm")


def lists_of(matrix: Numbers, sizes: NDArray[np.int64], counts: Numbers) -> tuple[Any, ...]:
    """Arrays of candidates with these features and statistics."""
    rows, places = np.nonzero(matrix)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))]).astype(np.uint64)
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)
    values = matrix[rows, places].astype(np.float32)
    return ends, offsets, places.astype(np.uint32), values, counts.reshape(-1), matrix.shape[1]


def lists_like(kind: str, seed: int, size: int = 70) -> tuple[tuple[Any, ...], Numbers]:
    """Arrays of candidates, and their features as a matrix. The first sentence has no candidates, the next has one."""
    random = np.random.default_rng(seed)
    sizes = np.array([0, 1, *random.integers(1, size, SENTENCES - 2)])
    rows = int(sizes.sum())
    matrix = random.normal(size=(rows, FEATURES)) * 10.0 ** random.integers(-3, 4, FEATURES)
    if kind == "indicators":  # of words of the same rules: several have the same column
        matrix = np.repeat(random.integers(0, 3, (rows, FEATURES // 4)) // 2, 4, axis=1) * 1.0
        matrix[:, 5] += random.normal(size=rows)
    elif kind == "ties":
        matrix = random.integers(-1, 2, (rows, FEATURES)) * np.where(np.arange(FEATURES) < 3, 1.0, 0.0)
    elif kind == "alike":  # only the last digits differ
        matrix = 1e5 + np.round(random.normal(size=(rows, FEATURES)) * 128) / 128
    elif kind == "sparse":  # each candidate has features that hardly any other has
        matrix = matrix * (random.random(matrix.shape) < 0.06)
    elif kind == "near":  # one feature is so large that the others are lost in rounding
        matrix = 1.0 + 1e-4 * random.normal(size=(rows, FEATURES))
        matrix[:, 0] = 1000.0 * random.integers(0, 2, rows)
    else:
        matrix[random.random(matrix.shape) < 0.5] = 0.0
    matrix[:, 7] = 3.25
    matrix = matrix.astype(np.float32).astype(np.float64)
    counts = random.integers(1, 9, (rows, 10)).astype(np.float64)
    counts[:, 6:] += counts[:, 2:6]
    counts[:, 1] = 9.0
    return lists_of(matrix, sizes, counts), matrix


def exact(matrix: Numbers, weights: Numbers) -> list[float]:
    """Scores added up one feature after the other."""
    found = []
    for row in matrix.tolist():
        score = 0.0
        for value, weight in zip(row, weights.tolist(), strict=True):
            if value != 0.0:
                score += weight * value
        found.append(score)
    return found


def first_best(values: list[float], scores: list[float]) -> int:
    """Of equal values the one with the higher score, then the first."""
    return max(range(len(values)), key=lambda at: (values[at], scores[at], -at))


def drawn_weights(random: np.random.Generator) -> Numbers:
    weights = random.normal(size=FEATURES) * 10.0 ** float(random.integers(-6, 3))
    return np.asarray(np.where(random.random(FEATURES) < 0.2, 0.0, weights))


KINDS = ("usual", "indicators", "ties", "alike", "near", "sparse")


@pytest.mark.parametrize("kind", KINDS)
def test_the_best(kind: str) -> None:
    for seed in range(10):
        arrays, matrix = lists_like(kind, seed)
        lists, ends = core.CandidateLists(*arrays), arrays[0].astype(int)
        random = np.random.default_rng(seed)
        for weights in (*(drawn_weights(random) for _ in range(5)), np.zeros(FEATURES), np.full(FEATURES, 1e-200)):
            scores = exact(matrix, weights)
            parts = [(begin, scores[begin:end]) for begin, end in pairwise(ends) if begin < end]
            assert lists.best(weights).tolist() == [begin + first_best(part, part) for begin, part in parts]


def gain(counts: Numbers, totals: Numbers) -> float:
    """What a row is worth beside a pseudo-corpus."""
    length, reference, *both = (counts + totals + 1.0).tolist()
    precision = 1.0
    for right, all_of_them in zip(both[:4], both[4:], strict=True):
        precision *= right / all_of_them
    brevity = float(np.exp(1.0 - reference / length)) if length < reference else 1.0
    return float(np.sqrt(np.sqrt(precision))) * brevity * reference


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [False, True])
def test_hope_and_fear(kind: str, given: bool) -> None:
    for seed in range(5):
        arrays, matrix = lists_like(kind, seed)
        counts, ends = arrays[4].reshape(-1, 10), arrays[0].astype(int)
        random = np.random.default_rng(seed)
        fixed = random.integers(0, 5, len(matrix)) * 0.25 if given else np.empty(0)
        learner = core.Mira(core.CandidateLists(*arrays), fixed, drawn_weights(random), 0.01, 0.9)
        for _ in range(3 if given else 1):  # then the pseudo-corpus is no longer empty
            weights, totals = learner.weights(), np.zeros(10)
            for sentence in (*range(1, SENTENCES), 1):
                begin, end = ends[sentence], ends[sentence + 1]
                scores = exact(matrix[begin:end], weights)
                gains = fixed[begin:end].tolist() if given else [gain(row, totals) for row in counts[begin:end]]
                hope = first_best([s + g for s, g in zip(scores, gains, strict=True)], scores)
                fear = first_best([s - g for s, g in zip(scores, gains, strict=True)], scores)
                if not given and kind == "ties":
                    # The twin's gains may differ in the last bit, so of equals it may choose another.
                    found = learner.hope_and_fear(sentence)[:2]
                    assert [scores[each - begin] for each in found] == [scores[hope], scores[fear]]
                else:
                    assert learner.hope_and_fear(sentence)[:2] == (begin + hope, begin + fear)
            learner.epoch(np.arange(SENTENCES, dtype=np.uint32))


@pytest.mark.parametrize("lengths", [200, 300, 5000])  # of 256 and fewer there are rough gains
def test_many_lengths(lengths: int) -> None:
    random, size = np.random.default_rng(1), 5000
    matrix = random.normal(size=(size, 3)).astype(np.float32).astype(np.float64)
    counts = random.integers(1, 9, (size, 10)).astype(np.float64)
    counts[:, 6:] += counts[:, 2:6]
    counts[:, 0] = random.permutation(size) % lengths / 8 + 1
    weights = random.normal(size=3)
    learner = core.Mira(
        core.CandidateLists(*lists_of(matrix, np.array([size]), counts)), np.empty(0), weights, 0.1, 0.9
    )
    scores, gains = exact(matrix, weights), [gain(row, np.zeros(10)) for row in counts]
    hope = first_best([s + g for s, g in zip(scores, gains, strict=True)], scores)
    fear = first_best([s - g for s, g in zip(scores, gains, strict=True)], scores)
    assert learner.hope_and_fear(0)[:2] == (hope, fear)


@pytest.mark.parametrize("name", ["ramp1", "ramp2", "ramp3", "perceptron", "hinge"])
@pytest.mark.parametrize("kind", KINDS)
def test_descent(name: str, kind: str) -> None:
    """Steps between hope and fear, with and without frozen hopes, to the last bit."""
    loss = LOSSES[name]
    assert loss.up is not None and loss.down is not None
    arrays, matrix = lists_like(kind, 3)
    ends, random = arrays[0].astype(int), np.random.default_rng(5)
    costs = random.integers(0, 9, len(matrix)) / 8
    start, anchor = drawn_weights(random), drawn_weights(random)
    walk = core.Descent(core.CandidateLists(*arrays), loss.native, costs, start, anchor, 0.01, 1.0)
    moved, scale = start - anchor, 1.0

    def chosen(side: Any, sentence: int) -> int:
        begin, end = ends[sentence], ends[sentence + 1]
        if side.over == "reference":
            return int(begin + costs[begin:end].argmin())
        part = matrix[begin:end]
        scores = [one + scale * other for one, other in zip(exact(part, anchor), exact(part, moved), strict=True)]
        values = [score + side.factor * cost for score, cost in zip(scores, costs[begin:end].tolist(), strict=True)]
        return int(begin) + first_best(values, scores)

    for frozen in (False, True):
        hopes = {}
        if frozen:
            walk.freeze()
            hopes = {sentence: chosen(loss.up, sentence) for sentence in range(1, SENTENCES)}
        walk.epoch(np.arange(SENTENCES, dtype=np.uint32))
        for sentence in range(SENTENCES):
            up = down = 0
            if sentence > 0:
                up = hopes[sentence] if frozen else chosen(loss.up, sentence)
                down = chosen(loss.down, sentence)
            scale *= 1.0 - 0.01 * 1.0 / SENTENCES
            for candidate in sorted({up, down}) if up != down else ():
                moved = moved + (-0.01 * (1.0 if candidate == down else -1.0) / scale) * matrix[candidate]
        assert walk.weights().tolist() == (anchor + scale * moved).tolist()


def test_weights_that_are_no_numbers() -> None:
    arrays, _ = lists_like("usual", 1)
    lists = core.CandidateLists(*arrays)
    for bad in (np.nan, np.inf, 1e300):
        assert len(lists.best(np.full(FEATURES, bad))) == SENTENCES - 1


@pytest.mark.parametrize("features", [1990, 4482, 43_000])
def test_many_features_of_equal_weight(features: int) -> None:
    """Their weights are all rounded in the same direction, and their sum must still fit."""
    matrix = np.random.default_rng(1).random((8, features)).astype(np.float32).astype(np.float64)
    matrix[0], matrix[1] = 0.0, 1.0
    lists = core.CandidateLists(*lists_of(matrix, np.array([8]), np.ones(8)))
    weights = np.full(features, 0.01)
    assert [lists.best(each).tolist() for each in (weights, -weights)] == [[1], [0]]


def hashed(rows: NDArray[np.uint64], values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """What rough_builder.cpp makes of the first candidate that has a feature."""
    both = (rows << np.uint64(32) | values.view(np.uint32)) * np.uint64(0x9E3779B97F4A7C15)
    return both << np.uint64(29) | both >> np.uint64(35)


def test_two_features_with_the_same_hash() -> None:
    """They would share a column if they had the same values, but they have not."""
    random, size = np.random.default_rng(1), 1024
    rows = random.integers(0, 32, 1 << 18).astype(np.uint64)
    values = random.uniform(1, 2, 1 << 18).astype(np.float32)
    hashes = hashed(rows, values)
    rest = hashes & np.uint64(0xFFFFFC00FF800000)  # without the number of a later candidate and the digits of a value
    order = np.argsort(rest, kind="stable")
    same = np.flatnonzero((rest[order][1:] == rest[order][:-1]) & (hashes[order][1:] != hashes[order][:-1]))
    one, other = order[same[0]], order[same[0] + 1]
    difference = int(hashes[one] ^ hashes[other])
    apart = difference >> 32
    [next_row, *_] = [each for each in range(64, size - 8) if 64 <= each ^ apart < size - 8]
    next_value = np.float32(1.5).view(np.uint32) ^ np.uint32(difference & 0xFFFFFFFF)
    matrix = np.zeros((size, 2))
    matrix[int(rows[one]), 0], matrix[next_row, 0] = values[one], 1.5
    matrix[int(rows[other]), 1], matrix[next_row ^ apart, 1] = values[other], next_value.view(np.float32)
    matrix[size - 2], matrix[size - 1] = 0.5, 3.0  # both have the same least and largest values
    lists = core.CandidateLists(*lists_of(matrix, np.array([size]), np.ones(size)))
    for weights in (np.array([-1.0, 1.5]), np.array([1.5, -1.0])):
        assert lists.best(weights).tolist() == [int((matrix @ weights).argmax())]


@pytest.mark.skipif(not STATM.exists(), reason="needs to know how much memory it takes")
def test_sparse_features_take_little_room() -> None:
    """A table of all candidates and all features would have 80 million cells."""
    rows, features, own = 2000, 40_000, 100
    random = np.random.default_rng(1)
    ids = np.sort([random.choice(features, own, replace=False) for _ in range(rows)], axis=1).astype(np.uint32)
    offsets = np.arange(0, rows * own + 1, own, dtype=np.uint64)
    values, ends = np.ones(rows * own, np.float32), np.array([0, rows], np.uint64)
    weights = random.normal(size=features)
    before = resident()
    lists = core.CandidateLists(ends, offsets, ids.reshape(-1), values, np.ones(rows), features)
    assert lists.best(weights).tolist() == [int(weights[ids].sum(axis=1).argmax())]
    assert resident() - before < 50_000_000


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
