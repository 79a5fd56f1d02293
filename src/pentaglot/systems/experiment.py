"""Experiments: systems trained once, tuned with every seed, tested, and compared, in steps that are never done twice.

Equal steps are shared: variants that differ only in tuning share one model, and models share the parts that are equal
in them. A stopped run continues where it left off, and a changed file redoes only what depends on the change.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pentaglot import storage
from pentaglot.corpus import read_lines
from pentaglot.corpus.compression import StrPath
from pentaglot.errors import OptionError
from pentaglot.evaluate import Report, compare, comparison_page, to_latex, to_markdown
from pentaglot.metrics import chosen_metrics
from pentaglot.options import check_number, suggestion
from pentaglot.plans import Plan
from pentaglot.progress import SILENT, Progress
from pentaglot.steps import Step
from pentaglot.systems.experiment_clock import Clock
from pentaglot.systems.experiment_file import Experiment, Variant
from pentaglot.systems.experiment_run import do_steps
from pentaglot.systems.experiment_steps import ExperimentSteps, with_needs

__all__ = ["Laboratory", "work_together"]


class Laboratory:
    """An experiment in a directory of models, weights and outputs. With several `processes`, that many systems are
    tuned or tested at a time, and share the `threads`."""

    def __init__(
        self,
        experiment: Experiment,
        output: StrPath,
        *,
        threads: int = 1,
        processes: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        threads, processes = check_number("threads", threads, 1, 1024), check_number("processes", processes, 1, 1024)
        self.experiment, self.output = experiment, Path(output)
        self._threads, self._processes, self._progress = threads, processes, progress
        self.steps = ExperimentSteps(experiment, self.output, threads=threads, progress=progress)
        data = experiment.data
        data.check("train")
        self._references = {name: data.sides(name)[1:] for name in ("dev", "test", "choose") if data.has(name)}
        self._clock = Clock()

    # What to do.

    def plan(self, parts: Sequence[str] = ("dev", "test")) -> Plan:
        """What a run would do now; changes nothing. Swept systems are tested once their options are chosen."""
        return self.steps.shop.plan(self.wanted(parts))

    def wanted(self, parts: Sequence[str] = ("dev", "test")) -> list[Step]:
        """All steps that are known to be wanted now, each after those it needs, up to the translations of some sets."""
        return self._wanted(self._known_choices(), parts)

    def run(self, parts: Sequence[str] = ("dev", "test")) -> Report:
        """Does all steps that are left, up to the translations of some sets, and compares the systems on the test
        set."""
        first = self._wanted({}, parts)
        self._do(first, later=self._expected(first, parts))
        choices = {name: self._choose(name) for name in self.experiment.swept}
        for name, variant in choices.items():
            self._progress.say(f"{name}: chosen is {variant.told}")
        self._do(self._wanted(choices, parts))
        report = self._compared(choices)
        self._write(report, choices)
        return report

    def _expected(self, first: Sequence[Step], parts: Sequence[str]) -> list[str]:
        """The names of the steps that remain when sweeps are decided; what is chosen has as many as another point."""
        if not self.experiment.swept:
            return []
        choices = {name: self.experiment.systems[name][0] for name in self.experiment.swept} | self._known_choices()
        known = {step.name for step in first}
        left = self.steps.shop.plan(self._wanted(choices, parts)).steps
        return [each.step.name for each in left if each.reason and each.step.name not in known]

    def _do(self, steps: list[Step], later: Sequence[str] = ()) -> None:
        do_steps(
            [(self.steps, steps)],
            processes=self._processes,
            threads=self._threads,
            progress=self._progress,
            clock=self._clock,
            later=later,
        )

    def _known_choices(self) -> dict[str, Variant]:
        """The choices of earlier runs, if everything they depend on is still there."""
        found = {}
        for name in self.experiment.swept:
            seeds = self.experiment.sweep_seeds
            steps = [step for each in self.experiment.systems[name] for step in self._run_steps(each, "choose", seeds)]
            if not self.steps.shop.plan(with_needs(steps)).reasons:
                found[name] = self._choose(name)
        return found

    def _wanted(self, choices: Mapping[str, Variant], parts: Sequence[str] = ("dev", "test")) -> list[Step]:
        """All steps, each after those it needs; for a swept system, up to the choice, and beyond it once it is made.
        All systems come with the first seed, then with the second: an interrupted run has something to compare."""
        swept = self.experiment.swept
        points = [variant for name in swept for variant in self.experiment.systems[name]]
        tested = [choices.get(name, variants[0]) for name, variants in self.experiment.systems.items()]
        tested = [each for each in tested if each.system not in swept or each.system in choices]
        found: dict[str, Step] = {}
        for seed in self.experiment.options.seeds:
            swept_here = points if seed in self.experiment.sweep_seeds else []
            wanted = [self.steps.output_of(each, seed, "choose") for each in swept_here]
            wanted += [self.steps.output_of(each, seed, part) for each in tested for part in parts]
            found |= {step.name: step for step in with_needs(wanted)}
        return list(found.values())

    # Results.

    def outputs(self, system: str, part: str = "test") -> list[list[str]]:
        """The translations of a set by a system, a list of lines for each seed, after a run; of a swept system, those
        of its first point."""
        return self._runs(self._variant(system, part), part)

    def scores(self, part: str) -> dict[str, list[float]]:
        """By system, the score of each run on a set, by the first metric; of swept systems, that of what was chosen."""
        self._check_part(part)
        metric, choices = chosen_metrics(self.experiment.compare)[0], self._known_choices()
        chosen = {name: choices.get(name, variants[0]) for name, variants in self.experiment.systems.items()}
        references = self._references[part]
        return {
            name: [metric.score(metric.statistics(run, references)) for run in self._runs(variant, part)]
            for name, variant in chosen.items()
        }

    def facts(self, system: str, part: str = "test") -> list[dict[str, float]]:
        """For each seed, what is known of the translation of a set: the number of `sentences`, how many `seconds` of
        processor time it took, and how many `unknown` words had no translation."""
        steps = self._run_steps(self._variant(system, part), part)
        return [dict(self.steps.shop.done.facts(step)) for step in steps]

    def model(self, system: str) -> Path:
        """The directory of the model of a system, of the first seed if each has its own."""
        variant = self.steps.seeded(self._variant(system), self.experiment.options.seeds[0])
        [result] = self.steps.model(variant).makes
        return self.output / result.name

    def _variant(self, system: str, part: str = "test") -> Variant:
        """A system, or its first point."""
        self._check_part(part)
        if system not in (known := self.experiment.systems):
            raise OptionError(
                f"there is no system '{system}'", path=self.experiment.path, hint=suggestion(system, known)
            )
        return known[system][0]

    def _check_part(self, part: str) -> None:
        if part not in self._references:
            hint = suggestion(part, self._references)
            raise OptionError(f"there is no set '{part}' to translate", path=self.experiment.path, hint=hint)

    def _run_steps(self, variant: Variant, part: str, seeds: Sequence[int] = ()) -> list[Step]:
        return [self.steps.output_of(variant, seed, part) for seed in seeds or self.experiment.options.seeds]

    def _runs(self, variant: Variant, part: str, seeds: Sequence[int] = ()) -> list[list[str]]:
        return [list(read_lines(self.output / step.makes[0].name)) for step in self._run_steps(variant, part, seeds)]

    def _choose(self, name: str) -> Variant:
        """The variant with the best mean of the first metric over the seeds, on the text for choosing."""
        metric = chosen_metrics(self.experiment.compare)[0]
        references = self._references["choose"]

        def score(variant: Variant) -> float:
            runs = self._runs(variant, "choose", self.experiment.sweep_seeds)
            mean = float(np.mean([metric.score(metric.statistics(run, references)) for run in runs]))
            return mean if metric.higher_is_better else -mean

        return max(self.experiment.systems[name], key=score)

    def _compared(self, choices: Mapping[str, Variant]) -> Report:
        chosen = {name: choices.get(name, variants[0]) for name, variants in self.experiment.systems.items()}
        report = compare(
            {name: self._runs(variant, "test") for name, variant in chosen.items()},
            self._references["test"],
            self.experiment.compare,
            baseline=self.experiment.options.baseline,
            dev={name: self._runs(variant, "dev") for name, variant in chosen.items()},
            dev_references=self._references["dev"],
            sources=self.experiment.data.sides("test")[0],
            threads=self._threads,
            progress=self._progress,
        )
        if not choices:
            return report
        said = "; ".join(f"{name}: {each.told}" for name, each in choices.items())
        return dataclasses.replace(report, notes=(*report.notes, f"Chosen in sweeps, on a text for that only: {said}."))

    def _write(self, report: Report, choices: Mapping[str, Variant]) -> None:
        """Writes the report in all its formats."""
        found = report.as_dictionary() | {"chosen": {name: each.point for name, each in choices.items()}}
        forms = {
            "report.md": to_markdown(report),
            "report.tex": to_latex(report),
            "report.html": comparison_page(report, title=self.experiment.title),
            "report.json": json.dumps(found, ensure_ascii=False, indent=2) + "\n",
        }
        for name, text in forms.items():
            storage.write_text(self.output / name, text)


def work_together(
    laboratories: Sequence[Laboratory],
    parts: Sequence[str] = ("dev", "test"),
    *,
    processes: int = 1,
    threads: int = 1,
    progress: Progress = SILENT,
) -> None:
    """Does the steps of several experiments that sweep nothing, up to the translations of some sets, as if they were
    one: the next experiment begins before the last step of another is done. Systems are not compared."""
    work = [(each.steps, each.wanted(parts)) for each in laboratories]
    do_steps(work, processes=processes, threads=threads, progress=progress)
