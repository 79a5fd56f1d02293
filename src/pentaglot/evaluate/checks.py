"""Checks before systems are compared, and warnings for the reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion

__all__ = ["Outputs", "baseline_of", "check_systems", "listed_runs", "listed_systems", "notes_on", "pairs_of"]

Outputs = Mapping[str, Sequence[Sequence[str]]]  # for each system its runs, with one line per segment


def listed_systems(systems: Mapping[str, Iterable[Iterable[str]]]) -> dict[str, list[list[str]]]:
    """Systems whose runs and lines can be read more than once, however they were given."""
    if not isinstance(systems, Mapping):
        raise PentaglotError("systems have no names", hint='give {"old": runs, "new": runs}')
    for name in systems:
        if not isinstance(name, str):
            raise PentaglotError(f"the name of a system is {name!r}", hint="give a string")
    return {name: listed_runs(runs, f"'{name}'") for name, runs in systems.items()}


def listed_runs(runs: Iterable[Iterable[str]], whose: str) -> list[list[str]]:
    """Runs of a system, or references, as lists of lines.

    >>> listed_runs(iter([("a b", "c d")]), "'old'")
    [['a b', 'c d']]
    """
    found = []
    for run in _entries(runs, whose):
        lines = _entries(run, whose)
        for number, line in enumerate(lines, 1):
            if not isinstance(line, str):
                raise PentaglotError(f"segment {number} of {whose} is {line!r}", hint="segments are strings")
        found.append(lines)
    return found


def _entries(given: Iterable[Any], whose: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        hint = "give a list of runs or references, each a list of segments"
        raise PentaglotError(f"{whose}: {_shown(given)} is given where a list is needed", hint=hint)
    return list(given)


def _shown(given: Any) -> str:
    return "a text" if isinstance(given, str) else repr(given)


def pairs_of(systems: list[str], baseline: str, which: str) -> list[tuple[str, str]]:
    """The pairs of systems to compare: each with the baseline, or all with one another."""
    if which == "all":
        ordered = [baseline, *(name for name in systems if name != baseline)]
        return [(system, other) for other, system in combinations(ordered, 2)]
    return [(name, baseline) for name in systems if name != baseline]


def baseline_of(systems: Outputs, named: str | None) -> str:
    """The named system, or the first."""
    if named is not None and named not in systems:
        raise OptionError(f"there is no system '{named}' to use as the baseline", hint=suggestion(named, systems))
    return next(iter(systems)) if named is None else named


def check_systems(systems: Outputs, references: Sequence[Sequence[str]], sources: Sequence[str] | None) -> None:
    """Raise an error if the runs of the systems do not match."""
    if len(systems) < 2:
        raise PentaglotError("there is nothing to compare", hint="give at least two systems")
    if not references:
        raise PentaglotError("there are no references to compare with", hint="give at least one")
    counts = {name: len(runs) for name, runs in systems.items()}
    if min(counts.values()) == 0:
        raise PentaglotError("there is nothing to compare", hint="each system needs at least one output")
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise PentaglotError(f"systems need equal numbers of runs, but {shown}", hint="leave some out or add more")
    for name, runs in systems.items():
        for number, run in enumerate(runs, 1):
            if len(run) != len(references[0]):
                raise PentaglotError(
                    f"run {number} of '{name}' has {len(run)} segments but the first reference has {len(references[0])}"
                )
    if not references[0]:
        raise PentaglotError("there is nothing to compare", hint="the outputs have no segments")
    if sources is not None and len(sources) != len(references[0]):
        raise PentaglotError(f"there are {len(sources)} source segments but {len(references[0])} references")


def check_development(systems: Outputs, dev: Outputs, references: Sequence[Sequence[str]]) -> None:
    """Raise an error if the runs on the development set, if there are any, are not those of the systems."""
    if bool(dev) != bool(references):
        hint = "give outputs on the development set and references"
        raise PentaglotError("the development set has only one of outputs and references", hint=hint)
    if references and not references[0]:
        raise PentaglotError("the development set is empty", hint="leave it out")
    for name, runs in dev.items():
        if name not in systems:
            raise PentaglotError(f"there is no system '{name}'", hint=suggestion(name, systems))
        if len(runs) != len(systems[name]):
            raise PentaglotError(
                f"system '{name}' has {len(systems[name])} runs but {len(runs)} on the development set",
                hint="give the same runs on both",
            )
        for number, run in enumerate(runs, 1):
            if len(run) != len(references[0]):
                raise PentaglotError(
                    f"run {number} of '{name}' has {len(run)} segments on the development set but the first "
                    f"reference has {len(references[0])}"
                )


def notes_on(systems: Outputs) -> list[str]:
    """Warnings about the runs."""
    found = []
    for name, runs in systems.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for number, run in enumerate(runs, 1):
            alike.setdefault(tuple(run), []).append(str(number))
        for numbers in alike.values():
            if len(numbers) == len(runs) > 2:
                found.append(f"All runs of {name} are identical.")
            elif len(numbers) > 1:
                found.append(f"Runs {', '.join(numbers[:-1])} and {numbers[-1]} of {name} are identical.")
    if found:
        found.append("p takes identical runs for new evidence, and is too small: go by bootstrap p.")
    if len(next(iter(systems.values()))) == 1:
        found.append("Only one run of each system: p does not account for what tuning again would change.")
    return found
