"""Steps of earlier trainings: what is left of their results, and which of these must go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pentaglot.index import origin
from pentaglot.seals import seal
from pentaglot.steps import Place, Result, Step

__all__ = ["FormerSteps"]

# Parts that are added to an index after it is built.
_PARTS = ("target_suffixes", "precomputation")
# Results that may stay although they are not needed now: they took long to make.
_MAY_STAY = ("table",)


class FormerSteps:
    """The steps that earlier trainings have left marks of in the place of a model."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def dropped(self, steps: Sequence[Step]) -> list[Step]:
        """Those whose results must be removed: nothing replaces them now."""
        names = {step.name for step in steps}
        made = {result.name for step in steps for result in step.makes}
        former = [self._former(name) for name in self._place.names() if name not in (*names, *_MAY_STAY)]
        alone = [step for step in former if step.makes and not made & {result.name for result in step.makes}]
        return [step for step in alone if any(self._hold(step.name))]

    def are_there(self, name: str) -> bool:
        """Whether the present results were made by a step of this name."""
        return self._place.record(name) is not None and all(self._hold(name))

    def _former(self, name: str) -> Step:
        made = (self._place.record(name) or {"makes": ()})["makes"]
        return Step(name, makes=tuple(Result(each, _sealer(each)) for each in made))

    def _hold(self, name: str) -> list[bool]:
        """For each result of an earlier step, whether it is unchanged."""
        record = self._place.record(name)
        return [self._place.holds(each, record, each.name) for each in self._former(name).makes if record]


def _sealer(name: str) -> Callable[[Path], str]:
    """The seal of a result of this name."""
    if name.endswith(_PARTS):
        return origin.part_seal
    return origin.index_seal if name.startswith("corpora/") else seal
