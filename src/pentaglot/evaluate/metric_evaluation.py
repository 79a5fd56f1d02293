"""How well metrics agree with people, on one or more test sets, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate.agreement import (
    TieRule,
    expected_wins,
    hybrid_scores,
    mean_ranks,
    pearson,
    segment_tau,
    spearman,
    system_scores,
    williams,
    win_ratio,
)
from pentaglot.evaluate.judgments import Judged
from pentaglot.evaluate.leads import TauDifference, mean_difference, tau_difference
from pentaglot.metrics import Metric
from pentaglot.options import check_choice, check_number
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.wording import number_of

__all__ = ["Agreement", "agreement_of", "evaluate_metrics", "mean_rank_of", "segment_scores", "win_loss_draw"]

HUMAN_SCORES = ("expected wins", "win ratio")  # of systems, from rankings
_LEAST, _MOST = 4, 10**9  # hybrids


@dataclass(frozen=True)
class Agreement:
    """A metric on a test set, or its means over several. Values that the judgments do not allow are None; p is that of
    the metric being better than the baseline."""

    set: str
    metric: str
    sets: int = 1  # that this is a mean of
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
    """How good each translation is by itself: what its cost leaves of 100. So BLEU is that of sentences, of the orders
    of n-grams that they have, and higher is better, whatever the metric."""
    return _measured(metric, judged)[0]


def _measured(metric: Metric, judged: Judged) -> tuple[NDArray[np.float64], dict[str, float]]:
    """The scores of translations by themselves, and those of all translations of each system; higher is better."""
    statistics = metric.statistics(judged.hypotheses, [judged.references])
    names, sign = np.array(judged.systems), 1 if metric.higher_is_better else -1
    systems = {name: sign * metric.score(statistics[names == name]) for name in judged.system_names}
    return 100.0 * (1.0 - metric.costs(statistics)), systems


def evaluate_metrics(
    judged: Sequence[Judged],
    metrics: Sequence[Metric],
    *,
    ties: TieRule = "drop",
    human: str = "expected wins",
    hybrids: int = 0,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 1,
    progress: Progress = SILENT,
) -> list[Agreement]:
    """Evaluate each metric on each test set. The last metric is the baseline that the others are compared with. With
    several test sets, the means over them follow."""
    judged, metrics = list(judged), list(metrics)
    _check(ties, human, hybrids, resamples, seed)
    if not judged or not metrics:
        raise PentaglotError("judgments and metrics are needed", hint="give at least one of each")
    if len({metric.name for metric in metrics}) < len(metrics):
        raise PentaglotError("two metrics have the same name", hint="name each metric once")
    jobs = [(metric, each) for each in judged for metric in metrics]
    scores: list[dict[str, NDArray[np.float64]]] = [{} for _ in judged]
    systems: list[dict[str, dict[str, float]]] = [{} for _ in judged]
    with progress.task("asking metrics", total=len(jobs), unit="metrics") as task:
        for number, found in enumerate(in_order(lambda job: _measured(*job), jobs, threads)):
            at, name = number // len(metrics), jobs[number][0].name
            scores[at][name], systems[at][name] = found
            task.advance()
    return agreement_of(
        judged, scores, systems, ties=ties, human=human, hybrids=hybrids, resamples=resamples, seed=seed
    )


def _check(ties: str, human: str, hybrids: int, resamples: int, seed: int) -> None:
    """Raises an error if judgments cannot be compared in this way."""
    check_choice("ties", ties, get_args(TieRule))
    check_choice("human", human, HUMAN_SCORES)
    check_number("hybrids", hybrids, 0, _MOST)
    if 0 < hybrids < _LEAST:
        raise OptionError(f"option 'hybrids' is {hybrids}", hint=f"at least {_LEAST} are needed to correlate them")
    check_number("resamples", resamples, 1, _MOST)
    check_number("seed", seed, 0, 2**128)


def agreement_of(
    judged: Sequence[Judged],
    scores: Sequence[Mapping[str, NDArray[np.float64]]],
    systems: Sequence[Mapping[str, Mapping[str, float]]] | None = None,
    *,
    ties: TieRule = "drop",
    human: str = "expected wins",
    hybrids: int = 0,
    resamples: int = 1000,
    seed: int = 12345,
) -> list[Agreement]:
    """The same, given the scores of all translations of each test set by each metric, and those of its systems, which
    are means over their translations if they are not given."""
    rows: list[Agreement] = []
    leads: dict[str, list[TauDifference]] = {}
    for number, (each, values) in enumerate(zip(judged, scores, strict=True)):
        apart = {}
        if len(each.preferred):
            *others, baseline = values
            for name in others:
                apart[name] = tau_difference(
                    values[name], values[baseline], each, ties=ties, resamples=resamples, seed=[seed, number]
                )
                leads.setdefault(name, []).append(apart[name])
        means = {name: system_scores(each_score, each) for name, each_score in values.items()}
        rows += _rows(each, values, means if systems is None else systems[number], apart, ties, human, hybrids, seed)
    return rows + (_means(rows, leads) if len(judged) > 1 else [])


_AVERAGED = ("tau", "pearson", "spearman", "segment_pearson", "hybrid_pearson")


def _means(rows: Sequence[Agreement], leads: Mapping[str, Sequence[TauDifference]]) -> list[Agreement]:
    found = []
    for metric in dict.fromkeys(row.metric for row in rows):
        own = [row for row in rows if row.metric == metric]
        values = {name: [getattr(row, name) for row in own if getattr(row, name) is not None] for name in _AVERAGED}
        facts: dict[str, Any] = {name: float(np.mean(each)) for name, each in values.items() if each}
        if metric in leads:
            lead = mean_difference(leads[metric])
            facts |= {"ahead": lead.difference, "low": lead.low, "high": lead.high}
        found.append(Agreement("mean", metric, sets=len(own), **facts))
    return found


def _rows(
    judged: Judged,
    scores: Mapping[str, NDArray[np.float64]],
    systems: Mapping[str, Mapping[str, float]],
    apart: Mapping[str, TauDifference],
    ties: TieRule,
    human: str,
    hybrids: int,
    seed: int,
) -> list[Agreement]:
    baseline = list(scores)[-1]
    facts: dict[str, dict[str, float]] = {name: {} for name in scores}
    if len(judged.preferred):
        wins = expected_wins(judged) if human == "expected wins" else win_ratio(judged)
        for name, values in scores.items():
            facts[name]["tau"] = segment_tau(values, judged, ties=ties)
            if name in apart:
                lead = apart[name]
                facts[name] |= {"ahead": lead.difference, "low": lead.low, "high": lead.high}
            facts[name] |= _of_systems(wins, systems[name])
    there = np.isfinite(judged.direct)
    if not len(judged.preferred) and there.sum() <= 3:
        few = f"'{judged.name}' has direct scores of {number_of(int(there.sum()), 'translation')}"
        raise PentaglotError(few, hint="at least 4 are needed to correlate them with a metric's")
    if there.sum() > 3:
        people = judged.direct[there]
        means = _system_means(judged)
        for name, values in scores.items():
            facts[name]["segment_pearson"] = pearson(people, values[there])
            if name != baseline:
                facts[name]["p"] = _williams(people, values[there], scores[baseline][there])
            if not len(judged.preferred):
                facts[name] |= _of_systems(means, systems[name])
        if hybrids:
            people, made = hybrid_scores(judged, scores, hybrids=hybrids, seed=seed)
            for name, values in made.items():
                facts[name]["hybrid_pearson"] = pearson(people, values)
                if name != baseline:
                    facts[name]["hybrid_p"] = _williams(people, values, made[baseline])
    return [Agreement(judged.name, name, sets=1, **values) for name, values in facts.items()]


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


def _of_sets(rows: Sequence[Agreement]) -> list[Agreement]:
    """Without means."""
    return [row for row in rows if row.sets == 1]


def win_loss_draw(rows: Sequence[Agreement], metric: str) -> tuple[int, int, int]:
    """The number of test sets on which the metric has a higher tau than the baseline, a lower one, and one that does
    not differ significantly (the interval of the difference contains 0)."""
    own = [row for row in _of_sets(rows) if row.metric == metric and row.low is not None and row.high is not None]
    ahead = sum(row.low > 0 for row in own if row.low is not None)
    behind = sum(row.high < 0 for row in own if row.high is not None)
    return ahead, behind, len(own) - ahead - behind


def mean_rank_of(rows: Sequence[Agreement]) -> dict[str, float]:
    """The rank of each metric by tau, 1 for the best, averaged over test sets; equal metrics share their ranks."""
    taus: dict[str, list[float | None]] = {}  # of each metric, set by set: names of sets may be equal
    for row in _of_sets(rows):
        taus.setdefault(row.metric, []).append(row.tau)
    columns = [[-tau for tau in column if tau is not None] for column in zip(*taus.values(), strict=True)]
    ranks = [mean_ranks(column) for column in columns if column]
    return dict(zip(taus, np.mean(ranks, axis=0).tolist(), strict=True)) if ranks else {}
