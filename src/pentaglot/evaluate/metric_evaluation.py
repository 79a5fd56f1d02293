"""How well metrics agree with people, on one or more test sets, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.evaluate.agreement import (
    TieRule,
    expected_wins,
    hybrid_scores,
    mean_ranks,
    pearson,
    segment_tau,
    spearman,
    system_scores,
    tau_difference,
    williams,
    win_ratio,
)
from pentaglot.evaluate.judgments import Judged
from pentaglot.metrics import Metric
from pentaglot.progress import SILENT, Progress

__all__ = ["Agreement", "evaluate_metrics", "mean_rank_of", "segment_scores", "win_loss_draw"]


@dataclass(frozen=True)
class Agreement:
    """A metric on a test set. Values that the judgments do not allow are None; p is that of the metric being better
    than the baseline."""

    set: str
    metric: str
    tau: float | None = None  # on segments
    ahead: float | None = None  # of the baseline's tau
    low: float | None = None  # 95 % interval of that
    high: float | None = None
    pearson: float | None = None  # of systems
    spearman: float | None = None
    segment_pearson: float | None = None  # with direct scores
    p: float | None = None  # Williams, on segments
    hybrid_pearson: float | None = None
    hybrid_p: float | None = None


def segment_scores(metric: Metric, judged: Judged) -> NDArray[np.float64]:
    """The score of each translation by itself; higher is better, whatever the metric."""
    statistics = metric.statistics(judged.hypotheses, [judged.references])
    return metric.scores(statistics) if metric.higher_is_better else -metric.scores(statistics)


def evaluate_metrics(
    judged: Sequence[Judged],
    metrics: Sequence[Metric],
    *,
    ties: TieRule = "drop",
    human: str = "expected wins",
    hybrids: int = 0,
    resamples: int = 1000,
    seed: int = 12345,
    progress: Progress = SILENT,
) -> list[Agreement]:
    """Evaluate each metric on each test set. The last metric is the baseline that the others are compared with."""
    if not judged or not metrics:
        raise PentaglotError("judgments and metrics are needed", hint="give at least one of each")
    found = []
    with progress.task("asking metrics", total=len(judged) * len(metrics), unit="metrics") as task:
        for each in judged:
            scores = {}
            for metric in metrics:
                scores[metric.name] = segment_scores(metric, each)
                task.advance()
            if len(scores) < len(metrics):
                raise PentaglotError("two metrics have the same name", hint="name each metric once")
            found += _rows(each, scores, ties, human, hybrids, resamples, seed)
    return found


def _rows(
    judged: Judged,
    scores: Mapping[str, NDArray[np.float64]],
    ties: TieRule,
    human: str,
    hybrids: int,
    resamples: int,
    seed: int,
) -> list[Agreement]:
    baseline = list(scores)[-1]
    facts: dict[str, dict[str, float]] = {name: {} for name in scores}
    if len(judged.preferred):
        wins = expected_wins(judged) if human == "expected wins" else win_ratio(judged)
        for name, values in scores.items():
            facts[name]["tau"] = segment_tau(values, judged, ties=ties)
            if name != baseline:
                apart = tau_difference(values, scores[baseline], judged, ties=ties, resamples=resamples, seed=seed)
                facts[name] |= {"ahead": apart.difference, "low": apart.low, "high": apart.high}
            facts[name] |= _of_systems(wins, system_scores(values, judged))
    there = np.isfinite(judged.direct)
    if there.sum() > 3:
        people = judged.direct[there]
        means = _system_means(judged)
        for name, values in scores.items():
            facts[name]["segment_pearson"] = pearson(people, values[there])
            if name != baseline:
                facts[name]["p"] = _williams(people, values[there], scores[baseline][there])
            if not len(judged.preferred):
                facts[name] |= _of_systems(means, system_scores(values, judged))
        if hybrids:
            people, made = hybrid_scores(judged, scores, hybrids=hybrids, seed=seed)
            for name, values in made.items():
                facts[name]["hybrid_pearson"] = pearson(people, values)
                if name != baseline:
                    facts[name]["hybrid_p"] = _williams(people, values, made[baseline])
    return [Agreement(judged.name, name, **values) for name, values in facts.items()]


def _system_means(judged: Judged) -> dict[str, float]:
    names = np.array(judged.systems)
    there = np.isfinite(judged.direct)
    return {
        name: float(judged.direct[there & (names == name)].mean())
        for name in judged.system_names
        if (there & (names == name)).any()
    }


def _of_systems(people: Mapping[str, float], scores: Mapping[str, float]) -> dict[str, float]:
    known = [name for name, value in people.items() if np.isfinite(value)]
    if len(known) < 2:
        return {}
    lists = [people[name] for name in known], [scores[name] for name in known]
    return {"pearson": pearson(*lists), "spearman": spearman(*lists)}


def _williams(people: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return williams(pearson(people, one), pearson(people, other), pearson(one, other), len(people))


def win_loss_draw(rows: Sequence[Agreement], metric: str) -> tuple[int, int, int]:
    """The number of test sets on which the metric has a higher tau than the baseline, a lower one, and one that does
    not differ significantly (the interval of the difference contains 0)."""
    own = [row for row in rows if row.metric == metric and row.low is not None and row.high is not None]
    ahead = sum(row.low > 0 for row in own if row.low is not None)
    behind = sum(row.high < 0 for row in own if row.high is not None)
    return ahead, behind, len(own) - ahead - behind


def mean_rank_of(rows: Sequence[Agreement]) -> dict[str, float]:
    """The rank of each metric by tau, 1 for the best, averaged over test sets; equal metrics share their ranks."""
    names = list(dict.fromkeys(row.metric for row in rows))
    sets = list(dict.fromkeys(row.set for row in rows if row.tau is not None))
    taus = {(row.set, row.metric): row.tau for row in rows if row.tau is not None}
    ranks = [mean_ranks([-taus[each, name] for name in names]) for each in sets]
    return dict(zip(names, np.mean(ranks, axis=0).tolist(), strict=True)) if sets else {}
