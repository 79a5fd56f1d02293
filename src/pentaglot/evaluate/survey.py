"""`Survey`: the same systems compared on several language pairs, and which of them one would choose for another."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from pentaglot.evaluate.randomisation import Ties, chance_of_mean
from pentaglot.evaluate.report import MetricReport, Report, SystemScore, Verdict
from pentaglot.evaluate.significance import holm

__all__ = ["LeftOutPair", "Survey"]


@dataclass(frozen=True)
class LeftOutPair:
    """The system that does best on all other pairs, by text that is for choosing, and what it gains on this one."""

    pair: str
    system: str
    gain: float  # over the baseline, on the test set
    best: str  # what does best on the test set of this pair
    best_gain: float


@dataclass(frozen=True)
class Survey:
    """Reports by language pair, all of the same systems; `choosing` has the scores of all runs on the text for
    choosing, by pair and system. All is by the first metric, and gains are positive where systems are better."""

    reports: Mapping[str, Report]
    choosing: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Report:
        """One of the reports, for what is the same in all."""
        return next(iter(self.reports.values()))

    @property
    def metric(self) -> MetricReport:
        """The first metric, as it is on the first pair."""
        return self.first.metrics[0]

    @property
    def others(self) -> list[str]:
        """All systems but the baseline."""
        return [name for name in self.first.systems if name != self.first.baseline]

    def score(self, pair: str, system: str) -> SystemScore:
        """A system on the test set of a pair."""
        return next(each for each in self.reports[pair].metrics[0].systems if each.system == system)

    def gain(self, pair: str, system: str) -> float:
        """How much better than the baseline a system is on the test set of a pair."""
        sign = -1.0 if self.metric.better == "lower" else 1.0
        return sign * (self.score(pair, system).mean - self.score(pair, self.first.baseline).mean)

    def mean_gain(self, system: str) -> float:
        """The mean over pairs."""
        return statistics.mean(self.gain(pair, system) for pair in self.reports)

    @cached_property
    def chances(self) -> dict[tuple[str, str], tuple[float, float]]:
        """By pair and system, p of its difference from the baseline, and the same after Holm's correction for all
        systems on all pairs."""
        found: dict[tuple[str, str], float] = {}
        for pair, report in self.reports.items():
            against: list[Verdict] = [
                each for each in report.metrics[0].verdicts if each.baseline == self.first.baseline
            ]
            found |= {(pair, each.system): each.p for each in against}
        return dict(zip(found, zip(found.values(), holm(list(found.values())), strict=True), strict=True))

    @cached_property
    def mean_chances(self) -> dict[str, tuple[float, float]]:
        """By system, p of its mean gain over pairs, and the same after Holm's correction for all systems. The pairs are
        taken as they are, not as samples of all languages."""
        ties = cast("Ties", self.first.ties)
        found = [
            chance_of_mean([each.trials[name] for each in self.reports.values()], seed=self.first.seed, ties=ties)
            for name in self.others
        ]
        return dict(zip(self.others, zip(found, holm(found), strict=True), strict=True))

    def is_clear(self, pair: str, system: str) -> bool:
        """Whether a system differs from the baseline on a pair, at the level of 0.05 after the correction."""
        corrected = self.chances.get((pair, system), (1.0, 1.0))[1]
        return corrected < 0.05 and abs(self.gain(pair, system)) > 1e-9

    def spread(self, pair: str, system: str) -> float | None:
        """The standard deviation over runs; None if all runs are the same one."""
        score = self.score(pair, system)
        return None if len(set(score.scores)) < 2 else score.s_test

    def chosen_gain(self, pair: str, system: str) -> float:
        """How much better than the baseline a system is on the text for choosing."""
        sign = -1.0 if self.metric.better == "lower" else 1.0
        here = self.choosing[pair]
        return sign * (statistics.mean(here[system]) - statistics.mean(here[self.first.baseline]))

    def left_out(self) -> list[LeftOutPair]:
        """For each pair, what the others would choose for it; empty if there is no text for choosing."""
        if not self.choosing or len(self.reports) < 2:
            return []
        found = []
        for pair in self.reports:
            rest = [each for each in self.reports if each != pair]
            means = {
                system: statistics.mean(self.chosen_gain(each, system) for each in rest)
                for system in self.first.systems
            }
            chosen = max(means, key=lambda system: means[system])
            best = max(self.first.systems, key=lambda system: self.gain(pair, system))
            found.append(LeftOutPair(pair, chosen, self.gain(pair, chosen), best, self.gain(pair, best)))
        return found

    def as_dictionary(self) -> dict[str, Any]:
        """The survey for JSON; the reports have files of their own."""
        systems = {}
        for name in self.first.systems:
            pairs = {
                pair: {
                    "mean": self.score(pair, name).mean,
                    "runs": list(self.score(pair, name).scores),
                    "gain": self.gain(pair, name),
                    "p": self.chances.get((pair, name), (None, None))[0],
                    "corrected": self.chances.get((pair, name), (None, None))[1],
                    **({"choosing": list(self.choosing[pair][name])} if self.choosing else {}),
                }
                for pair in self.reports
            }
            p, corrected = self.mean_chances.get(name, (None, None))
            systems[name] = {"mean_gain": self.mean_gain(name), "p": p, "corrected": corrected, "pairs": pairs}
        left = [{"pair": each.pair, "chosen": each.system, "gain": each.gain} for each in self.left_out()]
        return {
            "metric": self.metric.name,
            "baseline": self.first.baseline,
            "pairs": list(self.reports),
            "systems": systems,
            "left_out": left,
            "notes": list(self.notes),
        }
