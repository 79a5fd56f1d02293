"""Experiments: systems trained once, tuned with every seed, tested, and compared, in steps that are never done twice.

Equal steps are shared: variants that differ only in tuning share one model. A stopped run continues where it left off,
and a changed file redoes only what depends on the change.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from pentaglot import storage
from pentaglot._core import base
from pentaglot.corpus import read_lines
from pentaglot.errors import writing
from pentaglot.evaluate import Report, compare, comparison_page, to_latex, to_markdown
from pentaglot.forest import Weights
from pentaglot.learn import History, history_path
from pentaglot.metrics import chosen_metrics
from pentaglot.plans import Plan, Workshop
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.operators import operators_to
from pentaglot.steps import Result, Step, file_key
from pentaglot.systems.experiment_clock import Clock
from pentaglot.systems.experiment_file import Experiment, Variant
from pentaglot.systems.inducing import induce, induction_beside, save_tuned
from pentaglot.systems.model import Model
from pentaglot.systems.training import train
from pentaglot.systems.translator import Translator
from pentaglot.systems.tuning import tune

__all__ = ["Laboratory"]


class Laboratory:
    """An experiment in a directory of models, weights and outputs."""

    def __init__(self, experiment: Experiment, output: Path, *, threads: int = 1, progress: Progress = SILENT) -> None:
        self.experiment, self.output = experiment, output
        self._threads, self._progress = threads, progress
        self._shop = Workshop(output, ".experiment")
        data = experiment.data
        self._references = {name: data.sides(name)[1:] for name in ("dev", "test", "choose") if data.has(name)}
        self._clock = Clock()

    # What to do.

    def plan(self) -> Plan:
        """What a run would do now; changes nothing. Swept systems are tested once their options are chosen."""
        return self._shop.plan(self._steps(self._known_choices()))

    def run(self) -> Report:
        """Does all steps that are left, and compares the systems on the test set."""
        self._do(self._steps({}))
        choices = {name: self._choose(name) for name in self.experiment.swept}
        for name, variant in choices.items():
            self._progress.say(f"{name}: chosen is {variant.point}")
        self._do(self._steps(choices))
        report = self._compared(choices)
        self._write(report, choices)
        return report

    def _do(self, steps: list[Step]) -> None:
        plan = self._shop.plan(steps)
        self._clock.begin([each.step.name for each in plan.steps if each.reason])
        self._shop.run(plan)

    def _known_choices(self) -> dict[str, Variant]:
        """The choices of earlier runs, if everything they depend on is still there."""
        found = {}
        for name in self.experiment.swept:
            steps = [step for variant in self.experiment.systems[name] for step in self._outputs(variant, "choose")]
            if not self._shop.plan(self._with_needs(steps)).reasons:
                found[name] = self._choose(name)
        return found

    def _steps(self, choices: Mapping[str, Variant]) -> list[Step]:
        """All steps, each after those it needs; for a swept system, up to the choice, and beyond it once it is made."""
        wanted: list[Step] = []
        for name, variants in self.experiment.systems.items():
            if name in self.experiment.swept:
                wanted += [step for variant in variants for step in self._outputs(variant, "choose")]
                variants = [choices[name]] if name in choices else []
            for variant in variants:
                wanted += [*self._outputs(variant, "dev"), *self._outputs(variant, "test")]
        return self._with_needs(wanted)

    def _with_needs(self, steps: Sequence[Step]) -> list[Step]:
        """Steps and those they need: all models first, then all weights, so that failures come early."""
        weights = {each.name: each for step in steps for each in step.needs}
        models = {each.name: each for step in weights.values() for each in step.needs}
        return [*models.values(), *weights.values(), *steps]

    # The steps.

    def _step(self, name: str, work: Callable[[], None], **inputs: object) -> Step:
        """A step that reports how long it took, and how long the rest may take."""

        def timed() -> None:
            begun = monotonic()
            work()
            self._progress.say(self._clock.told(name, monotonic() - begun))

        return Step(name, timed, in_place=True, **inputs)  # type: ignore[arg-type]

    def _model(self, variant: Variant) -> Step:
        options = {
            "train": dataclasses.asdict(variant.train),
            "align": dataclasses.asdict(variant.align),
            "rules": dataclasses.asdict(variant.trained_rules),
        }
        if variant.train.preorder is not None:
            options["preorder"] = dataclasses.asdict(variant.grammar)
            options["order"] = dataclasses.asdict(variant.trained_order)
        key = base.checksum(json.dumps(options, sort_keys=True).encode())
        name = f"{variant.train.system}-{key:016x}"
        return self._step(
            f"model {name}",
            lambda: self._train(variant, f"models/{name}"),
            options=options,
            files=self.experiment.data.keys("train"),
            makes=(Result(f"models/{name}"),),
        )

    def _weights(self, variant: Variant, seed: int) -> Step:
        place = _place(variant, seed)
        return self._step(
            f"weights of {variant.name}, seed {seed}",
            lambda: self._tune(variant, seed, place),
            options={
                "tune": variant.tuning.values,
                "rules": dataclasses.asdict(variant.rules),
                "search": dataclasses.asdict(variant.search),
                "seed": seed,
                "development": self.experiment.options.development,
                **({"induce": operators_to(variant.induce)} if variant.induce else {}),
                **({"separate": True} if variant.separate else {}),
                **({"order": dataclasses.asdict(variant.order)} if variant.train.preorder else {}),
            },
            files=self.experiment.data.keys("dev") | _judge(variant),
            needs=(self._model(variant),),
            makes=tuple(Result(f"{place}/{name}") for name in self._weight_files(variant)),
        )

    def _weight_files(self, variant: Variant) -> dict[str, str | None]:
        """The files of weights, and the domain of each; None if it is for all."""
        if not variant.separate:
            return {"weights.txt": None}
        return {f"weights.{domain}.txt": domain for domain in self.experiment.data.domains}

    def _outputs(self, variant: Variant, part: str) -> list[Step]:
        """The translations of a set, by the weights of each seed."""
        found = []
        for seed in self.experiment.options.seeds:
            place = f"{_place(variant, seed)}/{part}.txt"
            found.append(
                self._step(
                    f"{part} of {variant.name}, seed {seed}",
                    lambda seed=seed, place=place: self._translate(variant, seed, part, place),  # type: ignore[misc]
                    files={name: key for name, key in self.experiment.data.keys(part).items() if name.endswith(" 0")},
                    needs=(self._weights(variant, seed),),
                    makes=(Result(place),),
                )
            )
        return found

    # How to do it.

    def _train(self, variant: Variant, place: str) -> None:
        path = self.output / place
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        source, target = self._training_text()
        train(
            source,
            target,
            path,
            options=variant.train,
            align=variant.align,
            rules=variant.trained_rules,
            grammar=variant.grammar,
            order=variant.trained_order,
            threads=self._threads,
            progress=self._progress,
        )

    def _training_text(self) -> list[Path]:
        """Two files: those of the experiment if they are used whole, or copies of what is used of them."""
        given = self.experiment.data.files("train")
        if len(given) == 2 and all(each.is_whole for each in given):
            return [each.path for each in given]
        texts = self.output / "texts"
        with writing(texts):
            texts.mkdir(exist_ok=True)
        places = [texts / f"train.{side}" for side in ("source", "target")]
        for place, lines in zip(places, self.experiment.data.sides("train"), strict=True):
            storage.write_text(place, "".join(f"{line}\n" for line in lines))
        return places

    def _translator(self, variant: Variant) -> Translator:
        model = Model.open(self.output / self._model(variant).makes[0].name)
        return Translator(model, rules=variant.rules, search=variant.search, order=variant.order)

    def _tune(self, variant: Variant, seed: int, place: str) -> None:
        path = self.output / place
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
        for file, domain in self._weight_files(variant).items():
            self._tune_on(variant, seed, path / file, domain)

    def _tune_on(self, variant: Variant, seed: int, file: Path, domain: str | None) -> None:
        """Tunes on the development sentences of a domain, or on all."""
        data = self.experiment.data
        sources, references = data.sources("dev", domain), data.sides("dev", domain)[1:]
        if self.experiment.options.development == "drawn":
            # The same for all systems, so that nothing else differs.
            drawn = np.random.default_rng(seed).integers(0, len(sources), len(sources)).tolist()
            sources = [sources[each] for each in drawn]
            references = [[side[each] for each in drawn] for side in references]
        work: dict[str, Any] = {"threads": self._threads, "progress": self._progress}
        translator = self._translator(variant)
        if variant.induce:
            translator = induce(translator, sources, variant.induce, **work)
        kept = file.parent / ("tuning" if domain is None else f"tuning.{domain}")
        tuned = tune(translator, sources, references, variant.tuning, seed=seed, checkpoint=kept, **work)
        save_tuned(translator, tuned.weights, translator.model.path, file)
        History.of(tuned, seed).save(history_path(file))

    def _translate(self, variant: Variant, seed: int, part: str, place: str) -> None:
        lines: list[str] = []
        for file, domain in self._weight_files(variant).items():
            weights = self.output / _place(variant, seed) / file
            translator = self._translator(variant)
            if (induction := induction_beside(weights, translator.model)) is not None:
                translator = translator.with_induction(induction)
            translator = translator.with_weights(Weights.open(weights))
            sources = self.experiment.data.sources(part, domain)
            with self._progress.task(f"translating {part}", total=len(sources), unit="sentences") as task:
                for found in translator.translate_all(sources, threads=self._threads):
                    lines.append(found.text)
                    task.advance()
        storage.write_text(self.output / place, "".join(f"{line}\n" for line in lines))

    # Results.

    def _runs(self, variant: Variant, part: str) -> list[list[str]]:
        return [list(read_lines(self.output / step.makes[0].name)) for step in self._outputs(variant, part)]

    def _choose(self, name: str) -> Variant:
        """The variant with the best mean of the first metric over the seeds, on the text for choosing."""
        metric = chosen_metrics(self.experiment.compare)[0]
        references = self._references["choose"]

        def score(variant: Variant) -> float:
            runs = self._runs(variant, "choose")
            mean = float(np.mean([metric.score(metric.statistics(run, references)) for run in runs]))
            return mean if metric.higher_is_better else -mean

        return max(self.experiment.systems[name], key=score)

    def _compared(self, choices: Mapping[str, Variant]) -> Report:
        chosen = {name: choices.get(name, variants[0]) for name, variants in self.experiment.systems.items()}
        return compare(
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

    def _write(self, report: Report, choices: Mapping[str, Variant]) -> None:
        """Writes the report in all its formats."""
        found = report.as_dictionary() | {"chosen": {name: each.point for name, each in choices.items()}}
        forms = {
            "report.md": to_markdown(report),
            "report.tex": to_latex(report),
            "report.html": comparison_page(report, title=self.experiment.path.stem),
            "report.json": json.dumps(found, ensure_ascii=False, indent=2) + "\n",
        }
        for name, text in forms.items():
            storage.write_text(self.output / name, text)


def _judge(variant: Variant) -> dict[str, str]:
    """The file of the metric that a variant is tuned by, if it has one."""
    beer = variant.tuning.beer_model
    return {} if beer is None else {"model of BEER": file_key(Path(beer))}


def _place(variant: Variant, seed: int) -> str:
    return "/".join(filter(None, ["runs", variant.system, variant.point, str(seed)]))
