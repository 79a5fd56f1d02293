"""Approximate randomisation: against all shuffles of tiny sets, against a slow twin, under the null, and its traps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot._core import evaluate as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate import approximate_randomisation, holm, paired_bootstrap, simulate
from pentaglot.evaluate.battery import Battery
from pentaglot.evaluate.randomisation import Trials, chance_of_mean, randomised
from pentaglot.metrics import Bleu, Metric, Ter

Rows = NDArray[np.float64]


class Mean(Metric):
    """The mean of a number that each segment has, which need not be whole."""

    name = "mean"  # type: ignore[assignment]
    higher_is_better = True  # type: ignore[assignment]

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        return self.rows([float(each) for each in hypotheses])

    @staticmethod
    def rows(values: Sequence[float]) -> Rows:
        return np.array([[value, 1.0] for value in values])

    def scores(self, totals: Rows) -> NDArray[np.float64]:
        return totals[:, 0] / totals[:, 1]

    def costs(self, statistics: Rows) -> NDArray[np.float64]:
        return -statistics[:, 0]

    def signature(self, references: int = 1, **more: Any) -> str:
        return "mean"


def test_the_example_of_the_specification() -> None:
    """A = (3, 1, 2), B = (1, 2, 0): of all 8 exchanges, 2 are farther apart than 1.0 and 4 as far or farther."""
    first, second = [Mean.rows([3, 1, 2])], [Mean.rows([1, 2, 0])]
    strict = approximate_randomisation(Mean(), first, second, shuffles=200_000, ties="strict")
    inclusive = approximate_randomisation(Mean(), first, second, shuffles=200_000)
    assert strict == pytest.approx(0.25, abs=0.005) and inclusive == pytest.approx(0.5, abs=0.005)


def _all_shuffles(metric: Metric, first: Sequence[Rows], second: Sequence[Rows], averaged: bool) -> list[float]:
    """How far all pseudo-systems are apart, each as often as chance would make it."""
    runs, segments = len(first), len(first[0])
    dealt = list(product(permutations(range(runs)), product((0, 1), repeat=runs)))
    found = []
    for choice in product(dealt, repeat=segments):
        sides = np.zeros((2, runs, first[0].shape[1]))
        for segment, (order, coins) in enumerate(choice):
            for run, row in enumerate(order):
                pair = first[row][segment], second[row][segment]
                sides[0, run] += pair[coins[run]]
                sides[1, order[row]] += pair[1 - coins[run]]
        if not averaged:
            sides = sides.sum(axis=1, keepdims=True)
        scores = [metric.scores(side).mean() for side in sides]
        found.append(abs(scores[0] - scores[1]))
    return found


@pytest.mark.parametrize("runs", ["pooled", "averaged"])
@pytest.mark.parametrize("ties", ["inclusive", "strict"])
def test_all_shuffles_of_tiny_sets(runs: Any, ties: Any) -> None:
    random = np.random.default_rng(4)
    for count, segments in ((1, 6), (2, 3), (3, 2)):
        sides = [
            [
                np.stack([random.integers(0, 5, segments), random.integers(4, 7, segments)], axis=1).astype(float)
                for _ in range(count)
            ]
            for _ in range(2)
        ]
        apart = np.array(_all_shuffles(Ter(), sides[0], sides[1], runs == "averaged"))
        sums = np.array([[each.sum(axis=0) for each in side] for side in sides])
        if runs == "pooled":
            sums = sums.sum(axis=1, keepdims=True)
        observed = abs(Ter().scores(sums[0]).mean() - Ter().scores(sums[1]).mean())
        wanted = np.mean(apart >= observed - 1e-9 if ties == "inclusive" else apart > observed + 1e-9)
        found = approximate_randomisation(Ter(), *sides, shuffles=40_000, ties=ties, runs=runs)
        assert found == pytest.approx(wanted, abs=0.012)


def test_every_row_is_dealt_once_and_fairly() -> None:
    """Rows are told apart by columns of their own; each side and each run gets each of them equally often."""
    runs, segments, trials = 3, 2, 20_000
    each = 2 * runs * segments
    rows = np.eye(each).reshape(2, runs * segments, each)
    found = core.shuffled_totals(rows[0].ravel(), rows[1].ravel(), runs, segments, each, 0, trials, 7)
    dealt = found.reshape(trials, 2, runs, 2, runs, segments)  # trial, side, slot, system, run, segment
    assert np.array_equal(dealt.sum(axis=(1, 2)), np.ones((trials, 2, runs, segments))), "each row goes somewhere once"
    assert np.array_equal(dealt.sum(axis=(3, 4)), np.ones((trials, 2, runs, segments))), "each place gets one row"
    both = dealt.sum(axis=2)  # the two rows of a run go to different sides
    assert np.array_equal(both[:, 0, 0], both[:, 1, 1])
    assert np.abs(dealt.mean(axis=0) - 1 / 6).max() < 0.015
    # Coins of different rows, and of different segments, are independent.
    coins = both[:, 0, 0].reshape(trials, -1)
    assert np.abs(np.corrcoef(coins.T) - np.eye(runs * segments)).max() < 0.03


def test_pooled_trials_are_sums_of_rows() -> None:
    """Coins of a trial can be read off columns that tell rows apart; the same coins move all other columns."""
    random = np.random.default_rng(3)
    for rows, whole in ((5, True), (8, True), (67, True), (67, False)):
        values = random.integers(0, 50, (2, rows, 3)).astype(float)
        if not whole:
            values += random.random(values.shape)
        marks = np.stack([np.zeros((rows, rows)), np.eye(rows)])
        sides = np.concatenate([values, marks], axis=2)
        found = core.shuffled_totals(sides[0].ravel(), sides[1].ravel(), 1, rows, rows + 3, 0, 300, 5, True)
        totals = found.reshape(300, 2, rows + 3)
        coins = totals[:, 0, 3:]
        assert set(np.unique(coins)) == {0.0, 1.0} and len({each.tobytes() for each in coins}) > 20
        wanted = (1 - coins) @ values[0] + coins @ values[1]
        assert totals[:, 0, :3] == pytest.approx(wanted, rel=1e-12)
        assert totals.sum(axis=1)[:, :3] == pytest.approx(np.tile(values.sum(axis=(0, 1)), (300, 1)), rel=1e-12)
        assert 0.45 < coins.mean() < 0.55


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_the_same_with_any_number_of_threads_and_pieces(pooled: bool, whole: bool) -> None:
    random = np.random.default_rng(1)
    rows = random.integers(0, 9, (2, 3 * 50 * 4)).astype(float) + (0 if whole else 0.125)
    arguments = (rows[0], rows[1], 3, 50, 4)
    wanted = core.shuffled_totals(*arguments, 0, 1500, 9, pooled, 1)
    for threads in (2, 8):
        assert np.array_equal(core.shuffled_totals(*arguments, 0, 1500, 9, pooled, threads), wanted)
    cut = [core.shuffled_totals(*arguments, begin, 500, 9, pooled, 2) for begin in (0, 500, 1000)]
    assert np.array_equal(np.concatenate(cut), wanted)
    assert not np.array_equal(core.shuffled_totals(*arguments, 0, 1500, 10, pooled, 1), wanted)


def test_identical_systems() -> None:
    rows = [Mean.rows(np.random.default_rng(run).random(30)) for run in range(3)]
    assert approximate_randomisation(Mean(), rows, rows, shuffles=999) == 1.0
    assert approximate_randomisation(Mean(), rows, rows, shuffles=999, ties="strict") == 1 / 1000
    # The order in which runs are given does not make systems differ.
    assert approximate_randomisation(Mean(), rows, rows[::-1], shuffles=999) == 1.0


def test_a_perfect_system_beside_a_poor_one() -> None:
    bleu = Bleu(tokenize="none")
    references = [[f"a b c d e f{number}" for number in range(60)]]
    good, bad = bleu.statistics(references[0], references), bleu.statistics(["x b c d"] * 60, references)
    assert approximate_randomisation(bleu, [good], [bad], shuffles=1999) == 1 / 2000


@pytest.mark.slow
@pytest.mark.parametrize("runs", ["pooled", "averaged"])
def test_p_is_uniform_under_the_null(runs: Any) -> None:
    """Both systems draw their outputs from the same pool, so p is below any level as often as that level says."""
    random = np.random.default_rng(11)
    chances = []
    for _ in range(600):
        errors = random.binomial(12, random.uniform(0.1, 0.5, 40), (2, 3, 40))  # easy segments and hard ones
        sides = [[np.stack([run, np.full(40, 12)], axis=1).astype(float) for run in side] for side in errors]
        chances.append(approximate_randomisation(Ter(), *sides, shuffles=199, runs=runs))
    below = {level: np.mean(np.array(chances) <= level) for level in (0.05, 0.1, 0.25, 0.5, 0.75, 0.9)}
    for level, share in below.items():
        # Three standard deviations; ties make p rather too large than too small.
        assert abs(share - level) < 3 * np.sqrt(level * (1 - level) / 600) + 0.01, (level, share)


def test_strata_matter() -> None:
    """Outputs are exchanged within a segment only: what all outputs of a segment share does not hide a difference."""
    random = np.random.default_rng(5)
    hardness = random.normal(0, 100, 40)
    first, second = ([Mean.rows(hardness + gain + random.normal(0, 1, 40))] for gain in (1.5, 0))
    assert approximate_randomisation(Mean(), first, second) < 0.001


def test_what_cannot_be_compared() -> None:
    rows = Mean.rows([1, 2, 3])
    for first, second, complaint in (
        ([rows], [rows[1:]], "outputs of 2 and of 3 segments"),
        ([rows, rows], [rows], "a system with 2 runs cannot be compared with one with 1"),
        ([], [rows], "nothing to compare"),
        ([rows[:0]], [rows[:0]], "nothing to compare"),
    ):
        with pytest.raises(PentaglotError, match=complaint):
            approximate_randomisation(Mean(), first, second)
    with pytest.raises(PentaglotError, match="finite number"):
        approximate_randomisation(Mean(), [Mean.rows([1, float("nan")])], [Mean.rows([1, 2])])
    with pytest.raises(PentaglotError, match="shuffles"):
        approximate_randomisation(Mean(), [rows], [rows], shuffles=0)
    with pytest.raises(OptionError, match="'seed' is -1; it must be from 0"):
        approximate_randomisation(Mean(), [rows], [rows], seed=-1)


def test_misspelt_choices_are_refused() -> None:
    """They must not quietly mean the other one."""
    rows = [Mean.rows([3, 1, 2])]
    for wrong in ({"ties": "Strict"}, {"runs": "pool"}, {"threads": -1}):
        with pytest.raises(OptionError, match=f"option '{next(iter(wrong))}'"):
            approximate_randomisation(Mean(), rows, rows, **wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="option 'ties' cannot be 'Strict'; did you mean 'strict'"):
        chance_of_mean([Trials(1.0, np.zeros(3))], ties="Strict")  # type: ignore[arg-type]


def test_runs_may_be_read_once_only() -> None:
    first, second = ([Mean.rows(each) for each in runs] for runs in ([[3, 1], [2, 2]], [[1, 2], [0, 0]]))
    found = approximate_randomisation(Mean(), iter(first), iter(second), shuffles=99)
    assert found == approximate_randomisation(Mean(), first, second, shuffles=99)
    assert paired_bootstrap(Mean(), iter(first), iter(second)) == paired_bootstrap(Mean(), first, second)
    battery = Battery((Mean(),), (2,))
    assert simulate(battery, iter(first), iter(second), iter([1]), draws=3) == simulate(
        battery, first, second, [1], draws=3
    )
    assert holm(iter([0.01, 0.04])) == holm(np.array([0.01, 0.04])) == [0.02, 0.04]


def test_native_input_is_checked() -> None:
    rows = np.zeros(12)
    for sizes in ((2, 3, 3), (0, 3, 4), (2, 0, 6), (2**63, 2, 3), (12, 1, 0)):
        with pytest.raises(PentaglotError, match="runs times segments times width"):
            core.shuffled_totals(rows, rows, *sizes, 0, 10, 1)
    with pytest.raises(PentaglotError, match="equally many rows"):
        core.shuffled_totals(rows, rows[:6], 2, 3, 2, 0, 10, 1)
    with pytest.raises(PentaglotError, match="too many trials"):
        core.shuffled_totals(rows, rows, 2, 3, 2, 0, 2**40, 1)
    assert Counter(core.shuffled_totals(rows, rows, 2, 3, 2, 0, 0, 1).shape) == {0: 1}


def _trials(first: Rows, second: Rows, **options: Any) -> Trials:
    given: dict[str, Any] = {"shuffles": 20_000, "seed": 3, "ties": "inclusive", "runs": "pooled"} | options
    return randomised(Battery((Mean(),), (2,)), [first], [second], **given)[1]


def test_one_text_is_tested_like_itself() -> None:
    random = np.random.default_rng(4)
    first, second = (Mean.rows(random.normal(each, 1, 40)) for each in (0.3, 0.0))
    alone = approximate_randomisation(Mean(), [first], [second], shuffles=20_000, seed=3)
    assert 0.01 < alone < 0.5
    assert chance_of_mean([_trials(first, second)]) == pytest.approx(alone, abs=1e-12)


def test_the_mean_over_texts_is_tested_like_the_texts_in_one() -> None:
    """The mean of means over texts of one size is the mean of all their segments, so p is that of one long text."""
    random = np.random.default_rng(7)
    texts = [[Mean.rows(random.normal(each, 1, 30)) for each in (0.25, 0.0)] for _ in range(3)]
    whole = [np.vstack(side) for side in zip(*texts, strict=True)]
    expected = approximate_randomisation(Mean(), [whole[0]], [whole[1]], shuffles=200_000)
    assert 0.01 < expected < 0.5
    found = chance_of_mean([_trials(*each, shuffles=100_000) for each in texts])
    assert found == pytest.approx(expected, abs=0.01)


def test_gains_and_losses_cancel_in_the_mean() -> None:
    better, worse = Mean.rows([1.0] * 50), Mean.rows([0.0] * 50)
    both = [_trials(better, worse), _trials(worse, better)]
    assert chance_of_mean(both) == 1.0 and chance_of_mean([both[0], both[0]]) < 0.001


def test_the_mean_over_texts_under_the_null() -> None:
    random = np.random.default_rng(11)
    found = []
    for _ in range(200):
        texts = [[Mean.rows(random.normal(0, 1, 20)) for _ in range(2)] for _ in range(3)]
        found.append(chance_of_mean([_trials(*each, shuffles=500) for each in texts]))
    assert np.quantile(found, [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.09)


def test_texts_of_unequally_many_shuffles() -> None:
    rows = [Mean.rows([1, 2]), Mean.rows([2, 1])]
    with pytest.raises(PentaglotError, match="the same number of shuffles"):
        chance_of_mean([_trials(*rows, shuffles=10), _trials(*rows, shuffles=20)])
    with pytest.raises(PentaglotError, match="the same number of shuffles"):
        chance_of_mean([])
    with pytest.raises(OptionError, match="'seed' is -1; it must be from 0"):
        chance_of_mean([_trials(*rows, shuffles=10)], seed=-1)


def test_a_limit_on_the_shuffles_that_are_kept() -> None:
    rows = [Mean.rows([1, 2]), Mean.rows([2, 1])]
    assert len(_trials(*rows, shuffles=150_000).shuffled) == 100_000
