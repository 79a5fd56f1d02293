"""Scores of a translation by several metrics, as reports show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pentaglot.errors import PentaglotError
from pentaglot.metrics.bootstrap import Interval, confidence_interval
from pentaglot.metrics.metric import Metric, listed_texts
from pentaglot.metrics.options import ScoringOptions
from pentaglot.metrics.registry import chosen_metrics
from pentaglot.options import checked
from pentaglot.progress import SILENT, Progress

__all__ = ["Score", "score_translations"]


@dataclass(frozen=True)
class Score:
    """A score in a report, with its signature and its confidence interval."""

    name: str
    value: float
    higher_is_better: bool
    signature: str
    interval: Interval | None


def score_translations(
    hypotheses: Iterable[str],
    references: Iterable[Iterable[str]],
    options: ScoringOptions | None = None,
    *,
    metrics: Iterable[Metric] | None = None,
    progress: Progress = SILENT,
) -> list[Score]:
    """Score hypotheses against one or more references, by the metrics that the options name or by others.

    >>> options = ScoringOptions(metrics="bleu", confidence=False)
    >>> [score] = score_translations(["it is a small house"], [["it is a small house"]], options)
    >>> score.name, round(score.value, 1), score.interval
    ('BLEU', 100.0, None)
    """
    options = checked(options or ScoringOptions())
    metrics = chosen_metrics(options) if metrics is None else list(metrics)
    hypotheses, references = listed_texts(hypotheses, references)
    if not hypotheses:
        raise PentaglotError("there are no hypotheses to score")
    scores = []
    with progress.task("scoring", total=len(metrics), unit="metrics") as task:
        for metric in metrics:
            statistics = metric.statistics(hypotheses, references)
            interval, signature = None, metric.signature(len(references))
            if options.confidence:
                interval = confidence_interval(metric, statistics, resamples=options.resamples, seed=options.seed)
                signature = metric.signature(len(references), resamples=options.resamples, seed=options.seed)
            value = metric.score(statistics)
            scores.append(Score(metric.name, value, metric.higher_is_better, signature, interval))
            task.advance()
    return scores
