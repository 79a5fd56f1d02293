"""Checks before systems are compared, and warnings for the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion

__all__ = ["Outputs", "baseline_of", "check_systems", "notes_on", "pairs_of"]

Outputs = Mapping[str, Sequence[Sequence[str]]]  # for each system its runs, with one line per segment


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


def check_systems(
    systems: Outputs, references: Sequence[Sequence[str]], sources: Sequence[str] | None, dev: Outputs
) -> None:
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
    for name, runs in dev.items():
        if name not in systems:
            raise PentaglotError(f"there is no system '{name}'", hint=suggestion(name, systems))
        if len(runs) != counts[name]:
            raise PentaglotError(
                f"system '{name}' has {counts[name]} runs but {len(runs)} on the development set",
                hint="give the same runs on both",
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
