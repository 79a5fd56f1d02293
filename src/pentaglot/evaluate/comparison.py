"""Compare systems soundly: several runs of each, several metrics, significance tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.evaluate.battery import Battery
from pentaglot.evaluate.changes import changes_between, gains_between
from pentaglot.evaluate.checks import (
    Outputs,
    baseline_of,
    check_development,
    check_systems,
    listed_runs,
    listed_systems,
    notes_on,
    pairs_of,
)
from pentaglot.evaluate.randomisation import Runs, Ties, Trials, randomised
from pentaglot.evaluate.report import Change, MetricReport, Report, SystemScore, Verdict
from pentaglot.evaluate.significance import Comparison, holm
from pentaglot.evaluate.simulation import PRange, check_counts, simulate
from pentaglot.metrics import Interval, Length, Metric, MetricOptions, chosen_metrics, note_on_spaces, resampled_totals
from pentaglot.metrics.metric import Statistics
from pentaglot.options import check_number, checked, setting
from pentaglot.progress import SILENT, Progress

__all__ = ["Bootstrap", "CompareOptions", "compare"]

Bootstrap = Literal["segments", "hierarchical"]


@dataclass(frozen=True)
class CompareOptions(MetricOptions):
    """Which metrics to compare by, and how to test differences."""

    shuffles: int = setting(10_000, "Number of shuffles for p.", minimum=1)
    resamples: int = setting(1000, "Number of bootstrap samples for intervals and s_sel.", minimum=40)
    bootstrap: Bootstrap = setting(
        "segments", "What bootstrap samples draw: segments, or also runs (hierarchical), for intervals over both."
    )
    seed: int = setting(12345, "Seed of shuffles and samples.", minimum=0, maximum=2**63 - 1)
    runs: Runs = setting("pooled", "In tests, add up the statistics of all runs of a system, or average their scores.")
    ties: Ties = setting(
        "inclusive", "Whether a shuffle with exactly the same difference counts; strict is MultEval's way."
    )
    pairs: Literal["baseline", "all"] = setting(
        "baseline", "Compare each system with the baseline, or with all others."
    )
    sentences: int = setting(10, "How many improved, and how many worsened, sentences to show.", minimum=0)
    simulate: tuple[int, ...] = setting((), "Also show the range of p for draws of this many runs.")
    draws: int = setting(250, "Number of draws to simulate.", minimum=1, maximum=10**6)


def compare(
    systems: Mapping[str, Iterable[Iterable[str]]],
    references: Iterable[Iterable[str]],
    options: CompareOptions | None = None,
    *,
    baseline: str | None = None,
    metrics: Iterable[Metric] | None = None,
    dev: Mapping[str, Iterable[Iterable[str]]] | None = None,
    dev_references: Iterable[Iterable[str]] = (),
    sources: Iterable[str] | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Report:
    """Compare systems, each given by the outputs of one or more of its runs on the same segments.

    The first system is the baseline unless another is named. `metrics` may be any metrics, instead of those that the
    options name. With the outputs of the same runs on the development set (`dev`), the report also has the spread
    there, and the median runs, whose sentences it shows, are chosen on that set.

    >>> report = compare(
    ...     {"old": [["a b c d"] * 60 + ["a b x y"] * 40], "new": [["a b c d"] * 80 + ["a b x y"] * 20]},
    ...     [["a b c d"] * 100],
    ...     CompareOptions(metrics="ter"),
    ... )
    >>> [verdict] = report.metrics[0].verdicts
    >>> verdict.system, verdict.baseline, verdict.difference, verdict.p < 0.01
    ('new', 'old', -10.0, True)
    """
    options = checked(options or CompareOptions())
    metrics = chosen_metrics(options) if metrics is None else list(metrics)
    check_number("threads", threads, 0, 2**31 - 1)
    systems, references = listed_systems(systems), listed_runs(references, "references")
    dev, dev_references = listed_systems(dev or {}), listed_runs(dev_references, "references of the development set")
    if sources is not None:
        [sources] = listed_runs([sources], "sources")
    check_systems(systems, references, sources)
    check_development(systems, dev, dev_references)
    check_counts(options.simulate, min(map(len, systems.values())))
    baseline = baseline_of(systems, baseline)
    runs = len(systems[baseline])
    battery, rows = Battery.measure(
        metrics, [run for each in systems.values() for run in each], references, threads=threads, progress=progress
    )
    statistics = {name: rows[at * runs : (at + 1) * runs] for at, name in enumerate(systems)}
    on_dev = _dev_scores(battery, dev, dev_references, threads, progress)
    sampled = resampled_totals(np.hstack(rows), options.resamples, options.seed)
    samples = dict(zip(systems, np.split(sampled, len(systems), axis=1), strict=True))
    drawn = _drawn_runs(len(systems), runs, options)
    scores = {
        name: _scored(battery, name, statistics[name], samples[name], on_dev.get(name), drawn[at])
        for at, name in enumerate(systems)
    }
    pairs = pairs_of(list(systems), baseline, options.pairs)
    verdicts, trials = _verdicts(battery, statistics, scores, pairs, options, threads, progress)
    simulated = _simulated(battery, statistics, pairs, options, threads, progress)
    medians = {name: _median(scores[name].systems[0], on_dev.get(name)) for name in systems}
    changes, gains = _changes(battery, systems, statistics, references, sources, baseline, medians, options)
    reports = [
        _metric_report(metric, len(references), [each.systems[which] for each in scores.values()], tests, ranges)
        for which, (metric, tests, ranges) in enumerate(zip(metrics, verdicts, simulated, strict=True))
    ]
    return Report(
        systems=tuple(systems),
        baseline=baseline,
        runs=runs,
        segments=len(references[0]),
        references=len(references),
        shuffles=options.shuffles,
        resamples=options.resamples,
        seed=options.seed,
        ties=options.ties,
        pooled=options.runs == "pooled",
        hierarchical=options.bootstrap == "hierarchical",
        metrics=tuple(reports),
        medians=medians,
        changes=changes,
        gains=gains,
        notes=(*notes_on(systems), *filter(None, [note_on_spaces(metrics, references[0])])),
        trials={system: each for (system, other), each in trials.items() if other == baseline},
    )


def _metric_report(
    metric: Metric,
    references: int,
    scores: Sequence[SystemScore],
    verdicts: Sequence[Verdict],
    simulated: Sequence[PRange],
) -> MetricReport:
    better: Literal["higher", "lower", ""] = (
        "" if isinstance(metric, Length) else "higher" if metric.higher_is_better else "lower"
    )
    return MetricReport(
        metric.name, better, metric.signature(references), tuple(scores), tuple(verdicts), tuple(simulated)
    )


@dataclass(frozen=True)
class _Scored:
    """A system by all metrics: what the report shows, and the scores of samples."""

    systems: tuple[SystemScore, ...]
    samples: NDArray[np.float64]  # of the whole system, by sample and metric


def _scored(
    battery: Battery,
    name: str,
    statistics: list[Statistics],
    sampled: Statistics,
    dev: NDArray[np.float64] | None,
    drawn: NDArray[np.int64] | None,
) -> _Scored:
    values = battery.scores(np.stack([each.sum(axis=0) for each in statistics]))
    by_run = battery.scores(sampled.reshape(len(sampled), len(statistics), -1))  # by sample, run and metric
    # As the score that is shown is the mean over runs, so are those of samples, however p is tested.
    samples = (by_run if drawn is None else np.take_along_axis(by_run, drawn[:, :, None], axis=1)).mean(axis=1)
    found = []
    for which in range(len(battery.metrics)):
        bounds = Interval.of(samples[:, which])
        found.append(
            SystemScore(
                name,
                tuple(map(float, values[:, which])),
                float(values[:, which].mean()),
                bounds.low,
                bounds.high,
                float(by_run[:, :, which].std(axis=0, ddof=1).mean()),
                _spread(values[:, which]),
                None if dev is None else _spread(dev[:, which]),
            )
        )
    return _Scored(tuple(found), samples)


def _drawn_runs(systems: int, runs: int, options: CompareOptions) -> list[NDArray[np.int64] | None]:
    """For each system and sample, which of its runs are drawn, with replacement; None stands for each of them once.
    Systems draw independently: runs with the same number need not have anything in common."""
    if options.bootstrap == "segments":
        return [None] * systems
    random = np.random.default_rng([options.seed, 1])
    return list(random.integers(0, runs, (systems, options.resamples, runs)))


def _spread(scores: NDArray[np.float64]) -> float | None:
    return float(scores.std(ddof=1)) if len(scores) > 1 else None


def _verdicts(
    battery: Battery,
    statistics: Mapping[str, list[Statistics]],
    scores: Mapping[str, _Scored],
    pairs: list[tuple[str, str]],
    options: CompareOptions,
    threads: int,
    progress: Progress,
) -> tuple[list[list[Verdict]], dict[tuple[str, str], Trials]]:
    """The verdicts on all pairs, for each metric, and what those by the first metric come from."""
    found, trials = [], {}
    with progress.task("testing", total=len(pairs), unit="pairs") as task:
        for system, baseline in pairs:
            chance, trials[system, baseline] = randomised(
                battery,
                statistics[system],
                statistics[baseline],
                shuffles=options.shuffles,
                seed=options.seed,
                ties=options.ties,
                runs=options.runs,
                threads=threads,
            )
            found.append(chance)
            task.advance()
    verdicts = []
    for which, metric in enumerate(battery.metrics):
        corrected = holm([float(each[which]) for each in found])
        verdicts.append(
            [
                Verdict(
                    system,
                    baseline,
                    Comparison.of(
                        metric,
                        scores[system].systems[which].mean,
                        scores[baseline].systems[which].mean,
                        scores[system].samples[:, which],
                        scores[baseline].samples[:, which],
                    ),
                    float(chance[which]),
                    p,
                )
                for (system, baseline), chance, p in zip(pairs, found, corrected, strict=True)
            ]
        )
    return verdicts, trials


def _simulated(
    battery: Battery,
    statistics: Mapping[str, list[Statistics]],
    pairs: list[tuple[str, str]],
    options: CompareOptions,
    threads: int,
    progress: Progress,
) -> list[list[PRange]]:
    found: list[list[PRange]] = [[] for _ in battery.metrics]
    for system, baseline in pairs if options.simulate else ():
        ranges = simulate(
            battery,
            statistics[system],
            statistics[baseline],
            options.simulate,
            names=(system, baseline),
            draws=options.draws,
            seed=options.seed,
            ties=options.ties,
            runs=options.runs,
            threads=threads,
            progress=progress,
        )
        for which, each in enumerate(ranges):
            found[which].extend(each)
    return found


def _changes(
    battery: Battery,
    systems: Outputs,
    statistics: Mapping[str, list[Statistics]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    baseline: str,
    medians: Mapping[str, int],
    options: CompareOptions,
) -> tuple[tuple[Change, ...], dict[str, tuple[float, ...]]]:
    """For each system, the sentences that differ most from the baseline's, and the gains of all sentences."""
    changes: list[Change] = []
    gains = {}
    columns = battery.columns(0)
    for name in systems:
        if name == baseline:
            continue
        before, after = (statistics[each][medians[each]][:, columns] for each in (baseline, name))
        found = gains_between(battery.metrics[0], after, before)
        gains[name] = tuple(map(float, found))
        outputs = systems[name][medians[name]], systems[baseline][medians[baseline]]
        changes += changes_between((name, baseline), outputs, references, sources, found, options.sentences)
    return tuple(changes), gains


def _median(score: SystemScore, dev: NDArray[np.float64] | None) -> int:
    """The run whose sentences are shown. It should be chosen on a different set from the one that is shown."""
    if dev is None:
        return score.median_run
    return int(np.argsort(dev[:, 0], kind="stable")[(len(dev) - 1) // 2])


def _dev_scores(
    battery: Battery,
    dev: Outputs,
    references: Sequence[Sequence[str]],
    threads: int,
    progress: Progress,
) -> dict[str, NDArray[np.float64]]:
    """The scores of each run on the development set, by all metrics."""
    found = {}
    for name, runs in dev.items():
        _, rows = Battery.measure(battery.metrics, runs, references, threads=threads, progress=progress)
        found[name] = battery.scores(np.stack([each.sum(axis=0) for each in rows]))
    return found
