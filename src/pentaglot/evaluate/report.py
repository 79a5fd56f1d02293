"""The result of a comparison of systems as data; other modules format it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal

from pentaglot.evaluate.randomisation import Trials
from pentaglot.evaluate.significance import Comparison
from pentaglot.evaluate.simulation import PRange

__all__ = ["Change", "MetricReport", "Report", "SystemScore", "Verdict"]


@dataclass(frozen=True)
class SystemScore:
    """The scores of a system by one metric."""

    system: str
    scores: tuple[float, ...]  # of each run
    mean: float
    low: float  # 95 % interval of the mean over samples of segments
    high: float
    s_sel: float  # standard deviation over samples of segments, averaged over runs
    s_test: float | None  # standard deviation over runs, if there are at least two
    s_dev: float | None  # the same on the development set

    @property
    def median_run(self) -> int:
        """The median run; of an even number, the lower of the two in the middle."""
        order = sorted(range(len(self.scores)), key=lambda run: (self.scores[run], run))
        return order[(len(order) - 1) // 2]


@dataclass(frozen=True)
class Verdict:
    """One system compared with another by one metric."""

    system: str
    baseline: str
    bootstrap: Comparison
    p: float  # by approximate randomisation
    corrected: float  # p after Holm's correction for all pairs in the report

    @property
    def difference(self) -> float:
        """Mean score of the system minus that of the baseline."""
        return self.bootstrap.difference

    @property
    def is_nothing(self) -> bool:
        """Whether the systems have the same score."""
        return abs(self.difference) < 1e-9


@dataclass(frozen=True)
class MetricReport:
    """All systems by one metric."""

    name: str
    better: Literal["higher", "lower", ""]
    signature: str
    systems: tuple[SystemScore, ...]
    verdicts: tuple[Verdict, ...]
    simulated: tuple[PRange, ...] = ()

    def said_of(self, verdict: Verdict) -> Literal["better", "worse", "unclear"]:
        """The verdict at the level of 0.05. Systems that do not differ at all are never better or worse, whatever p."""
        if verdict.corrected >= 0.05 or verdict.is_nothing or not self.better:
            return "unclear"
        return "better" if (verdict.difference > 0) == (self.better == "higher") else "worse"


@dataclass(frozen=True)
class Change:
    """A segment in the median runs of two systems, with its gain by the first metric."""

    segment: int  # counted from 1, like lines of a file
    system: str
    baseline: str
    gain: float
    output: str
    before: str
    references: tuple[str, ...]
    source: str | None


@dataclass(frozen=True)
class Report:
    """A comparison of systems."""

    systems: tuple[str, ...]
    baseline: str
    runs: int
    segments: int
    references: int
    shuffles: int
    resamples: int
    seed: int
    ties: str
    pooled: bool
    metrics: tuple[MetricReport, ...]
    medians: dict[str, int]  # the run of each system whose sentences are shown
    changes: tuple[Change, ...]
    gains: dict[str, tuple[float, ...]]  # of all segments, by system
    notes: tuple[str, ...] = ()
    hierarchical: bool = False  # bootstrap samples draw runs, too
    # Of each system against the baseline by the first metric, for tests of several reports together.
    trials: dict[str, Trials] = field(default_factory=dict, compare=False, repr=False)

    def as_dictionary(self) -> dict[str, Any]:
        """The report for JSON, without the gains of all segments and the differences of all shuffles."""
        found = dataclasses.asdict(dataclasses.replace(self, gains={}, trials={}))
        del found["gains"], found["trials"]
        for metric in found["metrics"]:
            for verdict in metric["verdicts"]:
                compared = verdict.pop("bootstrap")
                verdict["difference"] = compared["score"] - compared["baseline"]
                verdict |= {name: compared[name] for name in ("low", "high", "better")}
                if not metric["better"]:
                    verdict["better"] = None
                verdict["p_bootstrap"] = compared["p"]
        return found
