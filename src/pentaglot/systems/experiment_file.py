"""Reads the TOML file of an experiment: data, systems, sweeps, seeds, and how systems are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pentaglot.corpus.compression import StrPath
from pentaglot.errors import MissingDependencyError, OptionError
from pentaglot.evaluate import CompareOptions
from pentaglot.evaluate.simulation import check_counts
from pentaglot.metrics import Length, Metric, chosen_metrics
from pentaglot.options import read_options, read_toml, setting, suggestion
from pentaglot.systems.experiment_data import Data, read_pairs
from pentaglot.systems.experiment_variants import TABLES, Variant, read_variants, table_of
from pentaglot.toml_lines import located
from pentaglot.wording import number_of

__all__ = ["Experiment", "ExperimentOptions", "Variant", "read_experiment", "read_experiments"]

_DOMAINS = "describe their texts as [data.domains.NAME]"


@dataclass(frozen=True)
class ExperimentOptions:
    """Seeds, tuning samples and the baseline."""

    seeds: tuple[int, ...] = setting((1, 2, 3), "One run of each system per seed.", minimum=0, maximum=2**63 - 1)
    development: Literal["whole", "drawn"] = setting(
        "whole", "Tune on the whole development set, or on as many sentences drawn from it by each seed."
    )
    grammars: Literal["one", "each"] = setting(
        "one", "One grammar of word order for all seeds, or one that is learnt anew with each."
    )
    baseline: str | None = setting(None, "The system that the others are compared with.")
    leave_out: bool = setting(
        False, "Also say which system one would choose for each language pair by the others, on the text for choosing."
    )
    sweep_seeds: int = setting(0, "How many of the seeds sweeps are decided with; 0: all.", minimum=0)


@dataclass(frozen=True)
class Experiment:
    """The contents of the file."""

    path: Path
    options: ExperimentOptions
    data: Data
    systems: dict[str, list[Variant]]  # several variants if something is swept
    compare: CompareOptions
    pair: str = ""  # its name, if the file has several language pairs

    @property
    def title(self) -> str:
        """The name of the file, and the pair."""
        return f"{self.path.stem}, {self.pair}" if self.pair else self.path.stem

    @property
    def sweep_seeds(self) -> tuple[int, ...]:
        """The seeds that sweeps are decided with."""
        return self.options.seeds[: self.options.sweep_seeds or None]

    @property
    def swept(self) -> list[str]:
        """The systems whose options are swept."""
        return [name for name, variants in self.systems.items() if len(variants) > 1]


def read_experiment(path: StrPath, data: StrPath | None = None) -> Experiment:
    """Reads and checks the file; paths in it are relative to it, and `{data}` stands for the directory `data`."""
    found = read_experiments(path, data)
    if len(found) > 1:
        raise OptionError(f"has {len(found)} language pairs, not one", path=path, hint="take `read_experiments`")
    return found[0]


def read_experiments(path: StrPath, data: StrPath | None = None) -> list[Experiment]:
    """The same for a file that may have several language pairs: an experiment for each."""
    with located(path := Path(path)):
        return _read(path, None if data is None else Path(data))


def _read(path: Path, data: Path | None) -> list[Experiment]:
    tables = read_toml(path)
    known = {"experiment", "data", "systems", "compare", "induce", *TABLES}
    for name in tables:
        if name not in known:
            raise OptionError(f"has an unknown table [{name}]", path=path, hint=suggestion(name, known))
    with located(path, "experiment", name="seeds"):
        options = _options(table_of(tables, "experiment", path), path)
    shared = {name: table_of(tables, name, path) for name in TABLES} | {"induce": tables.get("induce", [])}
    listed = table_of(tables, "systems", path)
    if len(listed) < 2:
        raise OptionError("has nothing to compare", path=path, hint="describe two systems, as [systems.NAME]")
    systems: dict[str, list[Variant]] = {}
    for name in listed:
        with located(path, "systems", name):
            systems[name] = read_variants(name, table_of(listed, name, path), shared, path)
    if options.baseline is not None and options.baseline not in systems:
        hint = suggestion(options.baseline, systems)
        raise OptionError(f"has no system '{options.baseline}' to be the baseline", path=path, hint=hint)
    with located(path, "compare"):
        compare = read_options(CompareOptions, table_of(tables, "compare", path), path=path)
        if compare.beer_model is not None:
            compare = replace(compare, beer_model=str(path.parent / compare.beer_model))
        first = _metrics(compare, path)[0]
        if isinstance(first, Length) and (options.leave_out or any(len(each) > 1 for each in systems.values())):
            problem = "the first of the 'metrics' chooses, and a greater length is neither better nor worse"
            raise OptionError(problem, path=path, hint="name another metric before it")
        check_counts(compare.simulate, len(options.seeds))
    found = []
    for pair, texts in read_pairs(table_of(tables, "data", path), path, data).items():
        found.append(Experiment(path, options, texts, systems, compare, pair))
        _check_texts(found[-1])
    return found


def _metrics(compare: CompareOptions, path: Path) -> list[Metric]:
    """The metrics to compare by. Each is tried, since what one needs may not be installed: not after all the work."""
    metrics = chosen_metrics(compare)
    try:
        for metric in metrics:
            metric.statistics(["a"], [["a"]])
    except MissingDependencyError as error:
        raise OptionError(error.message, path=path, hint=error.hint) from error
    return metrics


def _options(table: Mapping[str, Any], path: Path) -> ExperimentOptions:
    found = read_options(ExperimentOptions, table, path=path)
    if not found.seeds:
        raise OptionError("names no seeds", path=path, hint="a system needs at least one run, better three")
    for seed in found.seeds:
        if found.seeds.count(seed) > 1:
            raise OptionError(f"names the seed {seed} twice", path=path, hint="such runs would be the same")
    if found.sweep_seeds > len(found.seeds):
        problem = f"decides sweeps with {number_of(found.sweep_seeds, 'seed')}, but names {len(found.seeds)}"
        raise OptionError(problem, path=path, hint="lower 'sweep_seeds', or name more seeds")
    return found


def _check_texts(experiment: Experiment) -> None:
    """Whether the texts are there that the systems need."""
    path, texts = experiment.path, experiment.data
    for name, variants in experiment.systems.items():
        if variants[0].separate and not texts.domains:
            raise OptionError(f"tunes '{name}' for each domain, but has no domains", path=path, hint=_DOMAINS)
    if experiment.options.leave_out and not (texts.has("choose") and experiment.pair):
        hint = "describe them as [data.pairs.NAME], each with choose"
        raise OptionError("'leave_out' needs several language pairs and text for choosing", path=path, hint=hint)
    if experiment.swept and not texts.has("choose"):
        problem = f"sweeps options of '{experiment.swept[0]}' but has no text to choose them on"
        raise OptionError(problem, path=path, hint="name some as choose in [data], apart from dev and test")
