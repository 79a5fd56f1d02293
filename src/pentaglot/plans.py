"""Plans: which steps of a job have to be done, and why; `pentaglot.workshop` does them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pentaglot.steps import NOT_DONE, Place, Step

__all__ = ["Plan", "Planned"]


@dataclass(frozen=True)
class Planned:
    """A step, and the reason why it has to be done; if there is none, where its results are."""

    step: Step
    reason: str = ""
    place: Place | None = None

    def __str__(self) -> str:
        """What happens to it, for people."""
        if not self.reason:
            return f"{self.step.name}: kept"
        why = "for the first time" if self.reason == NOT_DONE else f"again, because {self.reason}"
        return f"{self.step.name}: {why}"


@dataclass(frozen=True)
class Plan:
    """All steps of a job in order, and steps of earlier runs whose results are not wanted any more."""

    steps: tuple[Planned, ...]
    dropped: tuple[Step, ...] = ()

    @property
    def reasons(self) -> dict[str, str]:
        """Why steps have to be done, by their names."""
        return {each.step.name: each.reason for each in self.steps if each.reason}

    @property
    def first(self) -> bool:
        """Whether no part of the job was done before."""
        return all(each.reason == NOT_DONE for each in self.steps)

    def lines(self) -> Iterator[str]:
        """What is kept, what is done and why, and what is removed, for people."""
        yield from map(str, self.steps)
        yield from (f"{step.name}: removed, because it is not asked for" for step in self.dropped)
