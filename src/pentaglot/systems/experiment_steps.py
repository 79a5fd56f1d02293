"""The steps of an experiment: models, weights and translations, what each depends on, and how it is done."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from pentaglot import storage
from pentaglot._core import base
from pentaglot.corpus import Sentence
from pentaglot.errors import writing
from pentaglot.forest import Weights
from pentaglot.learn import History, history_path
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.operator_tables import operators_to
from pentaglot.seals import file_key
from pentaglot.steps import Result, Step
from pentaglot.systems.experiment_file import Experiment, Variant
from pentaglot.systems.inducing import induce, induction_beside, save_tuned
from pentaglot.systems.line import Request
from pentaglot.systems.model import Model
from pentaglot.systems.training import train
from pentaglot.systems.translator import Translator
from pentaglot.systems.tuning import tune
from pentaglot.workshop import Workshop

__all__ = ["ExperimentSteps"]


class ExperimentSteps:
    """The steps of an experiment in a directory of models, weights and outputs."""

    def __init__(self, experiment: Experiment, output: Path, *, threads: int = 1, progress: Progress = SILENT) -> None:
        self.experiment, self.output = experiment, output
        self.shop = Workshop(output, ".experiment")
        self._threads, self._progress = threads, progress
        self._keys = functools.cache(experiment.data.keys)
        self._titles = functools.cache(experiment.data.titles)

    def every(self) -> Iterator[Step]:
        """All steps of all systems and points of sweeps, whether they will be needed or not."""
        parts = [part for part in ("choose", "dev", "test") if self.experiment.data.has(part)]
        variants = [variant for variants in self.experiment.systems.values() for variant in variants]
        for seed in self.experiment.options.seeds:
            yield from with_needs([self.output_of(variant, seed, part) for variant in variants for part in parts])

    def do(self, step: Step) -> None:
        """Does a step; its mark says so."""
        self.shop.done.do(step)

    # What they depend on.

    def model(self, variant: Variant) -> Step:
        """Training."""
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
        return _step(
            f"model {name}",
            lambda: self._train(variant, f"models/{name}"),
            options=options,
            files=self._keys("train"),
            titles=self._titles("train"),
            makes=(Result(f"models/{name}"),),
        )

    def seeded(self, variant: Variant, seed: int) -> Variant:
        """A variant as it is trained for a seed: with a grammar of its own, if each seed has one. Without tuning, all
        runs are the first one."""
        options = self.experiment.options
        if options.grammars == "one" or variant.train.preorder in (None, "gold"):
            return variant
        own = seed if variant.tuned else options.seeds[0]
        return dataclasses.replace(variant, grammar=dataclasses.replace(variant.grammar, seed=own))

    def weights(self, variant: Variant, seed: int) -> Step:
        """Tuning."""
        variant = self.seeded(variant, seed)
        place = _place(variant, seed)
        return _step(
            f"weights of {variant.name}, seed {seed}",
            lambda: self._tune(variant, seed, place),
            options={
                "tune": variant.tuning.values,
                "seed": seed,
                "development": self.experiment.options.development,
                **_decoding(variant),
                **({"induce": operators_to(variant.induce)} if variant.induce else {}),
                **({"separate": True} if variant.separate else {}),
            },
            files=self._keys("dev") | _judge(variant),
            titles=self._titles("dev"),
            needs=(self.model(variant),),
            makes=tuple(Result(f"{place}/{name}") for name in self._weight_files(variant)),
        )

    def output_of(self, variant: Variant, seed: int, part: str) -> Step:
        """The translation of a set by the weights of a seed; without tuning it is the same for all seeds."""
        variant = self.seeded(variant, seed)
        place = f"{_place(variant, seed)}/{part}.txt"
        sides = (" 0", " 1") if variant.orders_by_reference else (" 0",)
        return _step(
            f"{part} of {variant.name}, {f'seed {seed}' if variant.tuned else 'not tuned'}",
            lambda: self._translate(variant, seed, part, place),
            options=({} if variant.tuned else _decoding(variant))
            | ({"true_order": True} if variant.orders_by_reference else {}),
            files={name: key for name, key in self._keys(part).items() if name.endswith(sides)},
            titles=self._titles(part),
            needs=(self.weights(variant, seed) if variant.tuned else self.model(variant),),
            makes=(Result(place),),
        )

    def _weight_files(self, variant: Variant) -> dict[str, str | None]:
        """The files of weights, and the domain of each; None if it is for all."""
        if not variant.separate:
            return {"weights.txt": None}
        return {f"weights.{domain}.txt": domain for domain in self.experiment.data.domains}

    # How they are done.

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
            like=sorted(path.parent.iterdir()),
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
        model = Model.open(self.output / self.model(variant).makes[0].name)
        return Translator(
            model, rules=variant.rules, search=variant.search, order=variant.order, without=variant.without
        )

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
        gone = {name: 0.0 for name in variant.without if name in translator.weights}
        save_tuned(translator, Weights(tuned.weights | gone), translator.model.path, file)
        History.of(tuned, seed).save(history_path(file))

    def _translate(self, variant: Variant, seed: int, part: str, place: str) -> dict[str, float]:
        """Translates; the facts say how much processor time that took, and how many words have no translation."""
        lines: list[str] = []
        facts = {"sentences": 0.0, "seconds": 0.0, "unknown": 0.0}
        for translator, domain in self._translators(variant, seed):
            sources: list[str | Sentence | Request] = [*self.experiment.data.sources(part, domain)]
            if variant.orders_by_reference:
                references = self.experiment.data.sides(part, domain)[1]
                texts = zip(self.experiment.data.sources(part, domain), references, strict=True)
                sources = [Request(line, order_by=reference) for line, reference in texts]
            begun = process_time()
            with self._progress.task(f"translating {part}", total=len(sources), unit="sentences") as task:
                for found in translator.translate_all(sources, threads=self._threads):
                    lines.append(found.text)
                    facts["unknown"] += found.nbest[0][1].features.get("unknown", 0.0) if found.nbest else 0.0
                    task.advance()
            facts["seconds"] += process_time() - begun
        path = self.output / place
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        storage.write_text(path, "".join(f"{line}\n" for line in lines))
        return facts | {"sentences": float(len(lines))}

    def _translators(self, variant: Variant, seed: int) -> Iterator[tuple[Translator, str | None]]:
        """Translators with the weights of a seed, each with its domain; None if it is for all."""
        if not variant.tuned:
            yield self._translator(variant), None
            return
        for file, domain in self._weight_files(variant).items():
            weights = self.output / _place(variant, seed) / file
            translator = self._translator(variant)
            if (induction := induction_beside(weights, translator.model)) is not None:
                translator = translator.with_induction(induction)
            yield translator.with_weights(Weights.open(weights)), domain


def with_needs(steps: Sequence[Step]) -> list[Step]:
    """Steps and those they need: all models first, then all weights, so that failures come early."""
    levels = [list(steps)]
    while further := [each for step in levels[-1] for each in step.needs]:
        levels.append(further)
    return list({step.name: step for level in reversed(levels) for step in level}.values())


def _step(name: str, work: Callable[[], Mapping[str, Any] | None], **inputs: Any) -> Step:
    return Step(name, work, in_place=True, **inputs)


def _decoding(variant: Variant) -> dict[str, Any]:
    """What translations depend on besides model and weights."""
    return {
        "rules": dataclasses.asdict(variant.rules),
        "search": dataclasses.asdict(variant.search),
        **({"order": dataclasses.asdict(variant.order)} if variant.train.preorder else {}),
        **({"without": variant.without} if variant.without else {}),
    }


def _judge(variant: Variant) -> dict[str, str]:
    """The file of the metric that a variant is tuned by, if it has one."""
    beer = variant.tuning.beer_model
    return {} if beer is None else {"model of BEER": file_key(Path(beer))}


def _place(variant: Variant, seed: int) -> str:
    run = str(seed) if variant.tuned else "untuned"
    return "/".join(filter(None, ["runs", variant.system, variant.point, run]))
