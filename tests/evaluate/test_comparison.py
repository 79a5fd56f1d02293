"""Whole comparisons: every number against its definition, MultEval's published table, and what cannot be compared."""

from __future__ import annotations

import itertools
import json
import os
import re
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.evaluate.conftest import MakeSystems

from pentaglot.corpus import read_lines
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate import CompareOptions, approximate_randomisation, compare, holm, paired_bootstrap
from pentaglot.metrics import Bleu, Chrf, Interval, Metric, Ter, resampled_totals
from pentaglot.metrics.metric import Statistics

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
REPLICAS = Path(os.environ.get("PENTAGLOT_DATA", _BESIDE)) / "replicas"


@pytest.mark.parametrize("runs", ["pooled", "averaged"])
def test_every_number_is_what_it_says(made_up: MakeSystems, runs: str) -> None:
    systems, references = made_up({"old": 40, "new": 34, "newer": 30}, references=2)
    options = CompareOptions(metrics="bleu,ter", shuffles=500, resamples=200, seed=3, runs=runs)  # type: ignore[arg-type]
    report = compare(systems, references, options)
    assert report.systems == ("old", "new", "newer") and report.baseline == "old"
    assert (report.runs, report.segments, report.references) == (3, 60, 2)
    for metric, found in zip((Bleu(), Ter()), report.metrics, strict=True):
        rows = {name: [metric.statistics(run, references) for run in each] for name, each in systems.items()}
        assert found.signature == metric.signature(2)
        for system in found.systems:
            scores = [metric.score(each) for each in rows[system.system]]
            assert system.scores == pytest.approx(scores)
            assert system.mean == pytest.approx(statistics.mean(scores))
            assert system.s_test == pytest.approx(statistics.stdev(scores)) and system.s_dev is None
            spreads = [
                statistics.stdev(metric.scores(resampled_totals(each, 200, 3)).tolist()) for each in rows[system.system]
            ]
            assert system.s_sel == pytest.approx(statistics.mean(spreads))
            samples = np.mean([metric.scores(resampled_totals(each, 200, 3)) for each in rows[system.system]], axis=0)
            bounds = Interval.of(samples)
            assert (system.low, system.high) == pytest.approx((bounds.low, bounds.high))
        assert [(each.system, each.baseline) for each in found.verdicts] == [("new", "old"), ("newer", "old")]
        chances = []
        for verdict in found.verdicts:
            sides = rows[verdict.system], rows[verdict.baseline]
            chances.append(approximate_randomisation(metric, *sides, shuffles=500, seed=3, runs=runs))  # type: ignore[arg-type]
            assert verdict.p == chances[-1]
            wanted = paired_bootstrap(metric, *sides, resamples=200, seed=3)
            assert verdict.bootstrap.p == pytest.approx(wanted.p)
            assert (verdict.bootstrap.low, verdict.bootstrap.high) == pytest.approx((wanted.low, wanted.high))
        assert [each.corrected for each in found.verdicts] == holm(chances)


@pytest.mark.parametrize("bootstrap", ["segments", "hierarchical"])
def test_intervals_are_those_of_the_mean_that_is_shown(made_up: MakeSystems, bootstrap: str) -> None:
    """One run of three is much too short: BLEU of all runs together is far from the mean of their scores."""
    systems, references = made_up({"old": 30, "new": 30})
    systems["new"][2] = [" ".join(line.split()[:3]) for line in systems["new"][2]]
    options = CompareOptions(metrics="bleu", shuffles=10, resamples=200, bootstrap=bootstrap)  # type: ignore[arg-type]
    [metric] = compare(systems, references, options).metrics
    assert all(system.low < system.mean < system.high for system in metric.systems)
    [verdict] = metric.verdicts
    assert verdict.bootstrap.low < verdict.difference < verdict.bootstrap.high


def test_the_same_with_any_number_of_threads(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 40, "new": 34})
    options = CompareOptions(metrics="bleu,chrf,ter,length", shuffles=2000, simulate=(1, 2), draws=5)
    first = compare(systems, references, options, threads=1)
    for threads in (2, 8):
        assert compare(systems, references, options, threads=threads) == first


def test_spread_of_a_textbook() -> None:
    """The standard deviation of 48, 49 and 50 is 1 (Clark 2015)."""
    reference = ["a"] * 50 + ["b"] * 50
    runs = [["a"] * wrong + ["x"] * (50 - wrong) + ["b"] * 50 for wrong in (2, 1, 0)]
    report = compare({"one": runs, "two": runs}, [reference], CompareOptions(metrics="ter", shuffles=10))
    assert report.metrics[0].systems[0].scores == (48, 49, 50)
    assert report.metrics[0].systems[0].s_test == pytest.approx(1.0)


def test_identical_systems(made_up: MakeSystems) -> None:
    systems, references = made_up({"one": 30})
    twins = {"one": systems["one"], "two": systems["one"]}
    for ties, wanted in (("inclusive", 1.0), ("strict", 1 / 501)):
        options = CompareOptions(shuffles=500, ties=ties)  # type: ignore[arg-type]
        for metric in compare(twins, references, options).metrics:
            [verdict] = metric.verdicts
            assert (verdict.p, verdict.difference, verdict.bootstrap.p) == (wanted, 0.0, 1.0)
            assert metric.said_of(verdict) == "unclear"


def test_development_sets_choose_the_median_run(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 40, "new": 30}, seed=1)
    dev, dev_references = made_up({"old": 40, "new": 30}, seed=2)
    report = compare(systems, references, CompareOptions(metrics="chrf"), dev=dev, dev_references=dev_references)
    chrf = Chrf()
    for at, name in enumerate(systems):
        scores = [chrf.score(chrf.statistics(run, dev_references)) for run in dev[name]]
        assert report.metrics[0].systems[at].s_dev == pytest.approx(statistics.stdev(scores))
        assert scores[report.medians[name]] == statistics.median(scores)
    without = compare(systems, references, CompareOptions(metrics="chrf"))
    for at, name in enumerate(systems):
        found = without.metrics[0].systems[at]
        assert found.scores[without.medians[name]] == statistics.median(found.scores)


def test_sentences_are_those_that_changed_most(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 50, "new": 20})
    sources = [f"line {number}" for number in range(60)]
    report = compare(systems, references, CompareOptions(metrics="chrf", sentences=4), sources=sources)
    chrf = Chrf()
    outputs = {name: systems[name][report.medians[name]] for name in systems}
    costs = {name: chrf.costs(chrf.statistics(each, references)) for name, each in outputs.items()}
    gains = 100 * (costs["old"] - costs["new"])
    assert report.gains["new"] == pytest.approx(gains)
    shown = [each for each in report.changes if each.gain > 0]
    assert [each.gain for each in shown] == pytest.approx(sorted(gains)[::-1][:4])
    for each in report.changes:
        at = each.segment - 1
        assert (each.output, each.before) == (outputs["new"][at], outputs["old"][at])
        assert each.references == (references[0][at],) and each.source == sources[at]
        assert each.gain == pytest.approx(gains[at])


def test_pairs_and_baselines(made_up: MakeSystems) -> None:
    systems, references = made_up({"a": 10, "b": 20, "c": 30}, runs=1)
    options = CompareOptions(metrics="ter", shuffles=50, pairs="all")
    report = compare(systems, references, options, baseline="b")
    pairs = [(each.system, each.baseline) for each in report.metrics[0].verdicts]
    assert pairs == [("a", "b"), ("c", "b"), ("c", "a")]
    assert all(system.s_test is None for system in report.metrics[0].systems)
    assert "Only one run of each system" in report.notes[0]
    with pytest.raises(OptionError, match="no system 'd' to use as the baseline"):
        compare(systems, references, options, baseline="d")


def test_notes_on_runs_that_are_one(made_up: MakeSystems) -> None:
    systems, references = made_up({"a": 10, "b": 20})
    systems["b"][2] = systems["b"][0]
    report = compare(systems, references, CompareOptions(metrics="ter", shuffles=10))
    warning = "p takes identical runs for new evidence, and is too small: go by bootstrap p."
    assert report.notes == ("Runs 1 and 3 of b are identical.", warning)
    systems["b"][1] = systems["b"][0]
    report = compare(systems, references, CompareOptions(metrics="ter", shuffles=10))
    assert report.notes == ("All runs of b are identical.", warning), "one line, however many runs there are"


def test_bootstrap_p_is_not_smaller_for_identical_runs(made_up: MakeSystems) -> None:
    """That of approximate randomisation is, as the note says: each run of a sentence has a coin of its own."""
    systems, references = made_up({"old": 36, "new": 30}, runs=1)
    options = CompareOptions(metrics="ter", shuffles=2000)
    one, many = (
        compare({name: runs * count for name, runs in systems.items()}, references, options).metrics[0].verdicts[0]
        for count in (1, 5)
    )
    assert many.bootstrap.p == one.bootstrap.p and many.p < one.p / 2


def test_ranges_are_wider_for_fewer_runs(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 30, "new": 28}, runs=8)
    report = compare(systems, references, CompareOptions(metrics="ter", shuffles=50, simulate=(1, 6), draws=30))
    one, six = report.metrics[0].simulated
    assert (one.runs, six.runs, one.draws) == (1, 6, 30) and one.system == "new"
    assert one.low <= one.median <= one.high and one.high - one.low > six.high - six.low
    [last] = (
        compare(systems, references, CompareOptions(metrics="ter", shuffles=50, simulate=(6,), draws=2, seed=2**63 - 1))
        .metrics[0]
        .simulated
    )
    assert last.draws == 2, "there are seeds beyond the largest one"
    with pytest.raises(PentaglotError, match="9 runs cannot be drawn from a pool of 8"):
        compare(systems, references, CompareOptions(metrics="ter", shuffles=50, simulate=(9,)))


def test_what_cannot_be_compared(made_up: MakeSystems) -> None:
    systems, references = made_up({"a": 10, "b": 20})
    lines = references[0]
    for given, wanted, complaint in (
        ({"a": systems["a"]}, references, "nothing to compare; give at least two systems"),
        (systems, [], "no references"),
        ({"a": systems["a"], "b": systems["b"][:2]}, references, "equal numbers of runs, but a has 3, b has 2"),
        ({"a": [], "b": []}, references, "nothing to compare"),
        ({"a": [lines], "b": [lines[1:]]}, references, "run 1 of 'b' has 59 segments but the first reference has 60"),
        ({"a": [lines], "b": [lines]}, [lines, lines[1:]], "59 segments in reference 2"),
        ({"a": [[]], "b": [[]]}, [[]], "no segments"),
    ):
        with pytest.raises(PentaglotError, match=complaint):
            compare(given, wanted)
    with pytest.raises(PentaglotError, match="2 source segments but 60 references"):
        compare(systems, references, sources=["a", "b"])
    with pytest.raises(PentaglotError, match="'a' has 3 runs but 1 on the development set"):
        compare(systems, references, dev={"a": [lines]}, dev_references=references)
    with pytest.raises(PentaglotError, match="no system 'c'"):
        compare(systems, references, dev={"c": [lines] * 3}, dev_references=references)
    with pytest.raises(PentaglotError, match="no metric is given"):
        compare(systems, references, metrics=[])
    with pytest.raises(OptionError, match="'shuffles' is 0"):
        compare(systems, references, CompareOptions(shuffles=0))


def test_outputs_may_be_read_once_only(made_up: MakeSystems) -> None:
    """Whatever can be iterated over is taken, and numbers and arrays of numpy."""
    systems, references = made_up({"a": 10, "b": 20}, references=2)
    plain = CompareOptions(metrics="ter", shuffles=50, simulate=(1,), draws=3, sentences=2)
    wanted = compare(systems, references, plain, dev=systems, dev_references=references, sources=references[0])
    given = {name: (iter(run) for run in runs) for name, runs in systems.items()}
    dev = {name: (tuple(run) for run in runs) for name, runs in systems.items()}
    texts = [(np.array(each) for each in references), (iter(each) for each in references), iter(references[0])]
    numbers = CompareOptions(
        metrics="ter",
        shuffles=np.int64(50),
        simulate=(np.int64(1),),
        draws=np.int8(3),
        sentences=np.uint8(2),  # type: ignore[arg-type]
    )
    found = compare(given, texts[0], numbers, dev=dev, dev_references=texts[1], sources=texts[2], metrics=iter([Ter()]))
    assert found == wanted
    json.dumps(found.as_dictionary())


def test_what_is_not_a_list_of_lines(made_up: MakeSystems) -> None:
    systems, references = made_up({"a": 10, "b": 20})
    for given, wanted, complaint in (
        (list(systems.values()), references, 'systems have no names; give {"old": runs, "new": runs}'),
        ({1: systems["a"], "b": systems["b"]}, references, "the name of a system is 1; give a string"),
        ({name: runs[0] for name, runs in systems.items()}, references, "'a': a text is given where a list is needed"),
        ({"a": "x y", "b": "x z"}, references, "'a': a text is given where a list is needed"),
        ({"a": None, "b": [[]]}, references, "'a': None is given where a list is needed"),
        (systems, references[0], "references: a text is given where a list is needed"),
        ({"a": [["x", None]], "b": [["x", "y"]]}, references, "segment 2 of 'a' is None; segments are strings"),
    ):
        with pytest.raises(PentaglotError, match=f"^{re.escape(complaint)}"):
            compare(given, wanted)  # type: ignore[arg-type]
    lines, dev = references[0], {name: [run[:9] for run in runs] for name, runs in systems.items()}
    for given, wanted, complaint in (
        (dev, [], "the development set has only one of outputs and references"),
        (None, [lines], "the development set has only one of outputs and references"),
        (dev, [[]], "the development set is empty"),
        (dev, [lines[:8]], "run 1 of 'a' has 9 segments on the development set but the first reference has 8"),
    ):
        with pytest.raises(PentaglotError, match=complaint):
            compare(systems, references, dev=given, dev_references=wanted)
    with pytest.raises(OptionError, match="'threads' is -1"):
        compare(systems, references, threads=-1)


class _Ratio(Metric):
    """A metric as someone may write it, which divides by the words of the reference."""

    name = "ratio"
    higher_is_better = True

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        words = [[len(text.split()) for text in side] for side in (hypotheses, references[0])]
        return np.array(words, np.float64).T

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        with np.errstate(all="ignore"):
            found: NDArray[np.float64] = totals[:, 0] / totals[:, 1]
        return found

    def costs(self, statistics: Statistics) -> NDArray[np.float64]:
        return 1 - self.scores(statistics)

    def signature(self, references: int = 1, **more: Any) -> str:
        return ""


class _Short(_Ratio):
    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        return super().segment_statistics(hypotheses, references)[1:]


def test_metrics_of_others_that_go_wrong() -> None:
    """Nothing is larger than `nan`, so p would be as small as can be."""
    systems = {"old": [["a b", ""] * 20], "new": [["a", ""] * 20]}
    for metric, reference, complaint in (
        (_Ratio(), "", "the metric ratio gives a score that is not a finite number"),
        (_Ratio(), "a", "the metric ratio gives segment 2 a cost that is not a finite number"),
        (_Short(), "a", "the metric ratio must give a row of statistics for each segment"),
    ):
        with pytest.raises(PentaglotError, match=complaint):
            compare(systems, [[reference, ""] * 20], metrics=[metric])


@pytest.mark.skipif(not REPLICAS.is_dir(), reason="the outputs of MultEval's example are not here")
def test_the_table_of_multeval() -> None:
    """Its example: mean (s_sel/s_opt/p) of BLEU and TER of a baseline and two systems, the second of which is the
    baseline again; strict, on text that is lower-cased and tokenised. That p is 0.00 there says: runs are pooled."""
    systems = {
        name: [list(read_lines(REPLICAS / f"hyps.lc.tok.en.{name}.opt{run}.gz")) for run in range(3)]
        for name in ("baseline", "sys1", "sys2")
    }
    references = [list(read_lines(REPLICAS / "refs.test2010.lc.tok.en.0.gz"))]
    options = CompareOptions(metrics="bleu,ter,length", tokenize="none", ties="strict")
    report = compare(systems, references, options)

    def shown(metric: int, system: int) -> str:
        found = report.metrics[metric].systems[system]
        chance = next((f"{each.p:.2f}" for each in report.metrics[metric].verdicts if each.system == found.system), "-")
        return f"{found.mean:.1f} ({found.s_sel:.1f}/{found.s_test:.1f}/{chance})"

    assert [shown(0, system) for system in range(3)] == [
        "18.5 (0.3/0.1/-)",
        "18.8 (0.3/0.3/0.00)",
        "18.5 (0.3/0.1/0.00)",
    ]
    assert [shown(1, system) for system in range(3)] == [
        "65.7 (0.4/0.2/-)",
        "64.8 (0.4/0.6/0.00)",
        "65.7 (0.4/0.2/0.00)",
    ]
    assert [shown(2, system)[:5] for system in range(3)] == ["107.5", "107.7", "107.5"]
    assert systems["sys2"] == systems["baseline"]


def _enumerated(good: list[list[int]], runs_too: bool) -> dict[float, float]:
    """The distribution of the bootstrapped score of a system over all samples, each equally likely: `good` says which
    run has which segment right."""
    runs, segments = len(good), len(good[0])
    found: dict[float, float] = {}
    whole = [tuple(range(runs))]
    for drawn in itertools.product(range(runs), repeat=runs) if runs_too else whole:
        for chosen in itertools.product(range(segments), repeat=segments):
            score = 100.0 - 100.0 * sum(good[run][at] for run in drawn for at in chosen) / (runs * segments)
            found[round(score, 6)] = found.get(round(score, 6), 0.0) + 1.0
    return {score: count / sum(found.values()) for score, count in found.items()}


@pytest.mark.parametrize("bootstrap", ["segments", "hierarchical"])
def test_bootstrap_samples_are_what_they_say(bootstrap: str) -> None:
    """Means, spreads and intervals of samples against all possible samples."""
    good = [[1, 1, 0], [0, 1, 0], [1, 1, 1]]
    outputs = [["a" if right else "b" for right in run] for run in good]
    options = CompareOptions(metrics="ter", resamples=20_000, shuffles=10, bootstrap=bootstrap)  # type: ignore[arg-type]
    report = compare({"one": outputs, "two": [["a"] * 3] * 3}, [["a"] * 3], options)
    system, [verdict] = report.metrics[0].systems[0], report.metrics[0].verdicts
    wanted = _enumerated(good, bootstrap == "hierarchical")
    ordered, total = sorted(wanted), 0.0
    below = {score: (total := total + wanted[score]) for score in ordered}
    low = next(score for score in ordered if below[score] >= 0.025)
    high = next(score for score in ordered if below[score] >= 0.975)
    assert (system.low, system.high) == pytest.approx((low, high), abs=1e-4)
    # The other system is always right, so the difference is the score of the first.
    assert (-verdict.bootstrap.high, -verdict.bootstrap.low) == pytest.approx((low, high), abs=1e-4)
    assert verdict.bootstrap.better == pytest.approx(1 - wanted.get(0.0, 0.0), abs=0.01)
    s_sel = np.mean([np.sqrt(sum(p * (x - _mean(each)) ** 2 for x, p in each.items())) for each in map(_of_one, good)])
    assert system.s_sel == pytest.approx(s_sel, abs=0.3), "the spread over segments is that, whatever is drawn"
    assert report.hierarchical == (bootstrap == "hierarchical")


def _of_one(run: list[int]) -> dict[float, float]:
    return _enumerated([run], False)


def _mean(chances: dict[float, float]) -> float:
    return sum(value * chance for value, chance in chances.items())


def test_the_hierarchical_bootstrap_sees_the_spread_of_runs(made_up: MakeSystems) -> None:
    """Runs that differ much make its interval wider; runs that are alike do not."""
    wide = {"a": [["a b c d"] * 50, ["a x y d"] * 50, ["x y z d"] * 50], "b": [["a b c d"] * 50] * 3}
    alike = {"a": [["a x c d"] * 50] * 3, "b": [["a b c d"] * 50] * 3}
    for systems, wider in ((wide, True), (alike, False)):
        spans = []
        for bootstrap in ("segments", "hierarchical"):
            options = CompareOptions(metrics="ter", shuffles=10, bootstrap=bootstrap)  # type: ignore[arg-type]
            [verdict] = compare(systems, [["a b c d"] * 50], options).metrics[0].verdicts
            spans.append(verdict.bootstrap.high - verdict.bootstrap.low)
        assert (spans[1] > spans[0] + 10) == wider
