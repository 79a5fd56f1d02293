"""Several metrics measured together, so that all of them see the same samples and the same shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.metrics import Metric
from pentaglot.metrics.metric import Statistics
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress

__all__ = ["Battery"]


@dataclass(frozen=True)
class Battery:
    """Metrics, and the number of columns that each of them has in a row of statistics.

    >>> from pentaglot.metrics import Bleu, Ter
    >>> battery, [rows] = Battery.measure([Bleu(), Ter()], [["a b c d e"]], [["a b c d f"]])
    >>> rows.shape, battery.scores(rows).round(1).tolist()
    ((1, 12), [[66.9, 20.0]])
    """

    metrics: tuple[Metric, ...]
    widths: tuple[int, ...]

    @classmethod
    def measure(
        cls,
        metrics: Sequence[Metric],
        outputs: Sequence[Sequence[str]],
        references: Sequence[Sequence[str]],
        *,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> tuple[Battery, list[Statistics]]:
        """The battery, and for each output its statistics by all metrics, one row per segment."""
        if not metrics:
            raise PentaglotError("no metric is given", hint="give at least one")
        jobs = [(metric, output) for output in outputs for metric in metrics]
        rows: list[Statistics] = []
        with progress.task("scoring", total=len(jobs), unit="outputs") as task:
            measured = in_order(lambda job: job[0].statistics(job[1], references), jobs, threads)
            for (metric, output), found in zip(jobs, measured, strict=True):
                rows.append(_checked(metric, np.asarray(found, np.float64), len(output)))
                task.advance()
        each = len(metrics)
        widths = tuple(found.shape[1] for found in rows[:each])
        return cls(tuple(metrics), widths), [np.hstack(rows[at : at + each]) for at in range(0, len(rows), each)]

    def columns(self, which: int) -> slice:
        """The columns of a metric."""
        begin = sum(self.widths[:which])
        return slice(begin, begin + self.widths[which])

    def scores(self, totals: Statistics) -> NDArray[np.float64]:
        """One score per metric for each row of summed statistics; any leading dimensions are kept."""
        rows = totals.reshape(-1, sum(self.widths))
        found = [metric.scores(rows[:, self.columns(which)]) for which, metric in enumerate(self.metrics)]
        for metric, scores in zip(self.metrics, found, strict=True):
            if not np.isfinite(scores).all():  # no comparison with it would mean anything
                raise PentaglotError(f"the metric {metric.name} gives a score that is not a finite number")
        return np.stack(found, axis=-1).reshape(*totals.shape[:-1], len(self.metrics))


def _checked(metric: Metric, rows: Statistics, segments: int) -> Statistics:
    """The statistics of a metric, which may come from another package."""
    if rows.ndim != 2 or len(rows) != segments or rows.shape[1] == 0:
        raise PentaglotError(f"the metric {metric.name} must give a row of statistics for each segment")
    return rows
