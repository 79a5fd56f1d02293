"""Doing the steps of a job so that what is there stays good until the end.

New results are made in a separate directory, and put in place when all of them are there. So a run that fails or is
killed leaves the old results as they were, and the next one goes on where it was.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from pentaglot import storage
from pentaglot.errors import PentaglotError, writing
from pentaglot.plans import Plan, Planned
from pentaglot.steps import NOT_DONE, Place, Record, Result, Step

__all__ = ["Workshop"]


class Workshop:
    """A directory of results, with a directory in it for marks and for what is being made.

    >>> import tempfile
    >>> shop = Workshop(Path(tempfile.mkdtemp()), ".work")
    >>> def steps(minutes):
    ...     knead = Step("knead", lambda: shop.to("dough").write_text("soft") and None, makes=(Result("dough"),))
    ...     bake = lambda: shop.to("bread").write_text(shop.at("dough").read_text() + " and brown") and None
    ...     return [knead, Step("bake", bake, {"minutes": minutes}, needs=(knead,), makes=(Result("bread"),))]
    >>> list(shop.run(shop.plan(steps(30))))
    ['knead', 'bake']
    >>> print(*shop.plan(steps(45)).lines(), sep="; ")
    knead: kept; bake: again, because minutes changed from 30 to 45
    """

    def __init__(self, output: Path, work: str) -> None:
        self.marks = output / work
        self.done = Place(output, self.marks)
        self.new = Place(self.marks / "new")
        self._lent: dict[str, tuple[Result, Step]] = {}
        self._found: dict[str, Path] = {}  # where lent results are, until the next step is done
        self._in_place = False

    # Where things are.

    def to(self, name: str) -> Path:
        """Where the step that is being done leaves a result."""
        return (self.done if self._in_place else self.new).path(name)

    def at(self, name: str) -> Path:
        """Where a result is now."""
        if name not in self._lent:
            new = self.new.path(name)
            return new if new.exists() else self.done.path(name)
        found = self._found.get(name) or self._at_hand(*self._lent[name])
        if found is None:
            raise PentaglotError(f"what a step has made is gone: {name}", path=self.marks, hint="run it again")
        self._found[name] = found
        return found

    def _at_hand(self, result: Result, step: Step) -> Path | None:
        """Where a lent result is, as its step made it."""
        for marks in (self.new, self.done):
            record = marks.record(step.name)
            for name in (result.name, *result.also_in) if record and record["key"] == step.key else ():
                for place in (self.new, self.done):
                    if record and place.holds(result, record, name):
                        return place.path(name)
        return None

    def unsettled(self) -> dict[str, Record]:
        """What a run that was killed has made, by the names of its steps; some of it may be in place already. To be
        asked before `run`, which removes what is of no more use."""
        return {name: record for name in self.new.names() if (record := self.new.record(name))}

    # What is to be done.

    def plan(self, steps: Sequence[Step], dropped: Sequence[Step] = ()) -> Plan:
        """Returns what has to be done; nothing is changed yet. A step stands after those that it needs, and one that is
        done in place after all that are not."""
        self._lent = {result.name: (result, step) for step in steps for result in step.makes if result.lent}
        self._found = {}
        found = {step.name: self._planned(step) for step in steps}
        for step in reversed(steps):
            for name in step.takes if found[step.name].reason else ():
                result, maker = self._lent[name]
                if not found[maker.name].reason and self._at_hand(result, maker) is None:
                    found[maker.name] = Planned(maker, f"{step.name} needs its {name}, which is gone")
        for step in steps:
            outer = [each for each in found.values() if (each.reason or each.place is self.new) and _inside(step, each)]
            if outer and not found[step.name].reason:
                found[step.name] = Planned(step, f"{outer[0].step.name} is made again")
        return Plan(tuple(found.values()), tuple(dropped))

    def _planned(self, step: Step) -> Planned:
        news = NOT_DONE if step.in_place else self.new.trouble(step, self.done)
        if not news:
            return Planned(step, place=self.new)
        trouble = self.done.trouble(step)
        if not trouble:
            return Planned(step, place=self.done)
        return Planned(step, news if trouble == NOT_DONE else trouble)

    # Doing it.

    def run(self, plan: Plan) -> dict[str, float]:
        """Does what has to be done, and returns how many seconds each step took."""
        if not plan.reasons and not plan.dropped and not self.new.path("").exists():
            return {}
        with writing(self.marks):
            self.new.path("").mkdir(parents=True, exist_ok=True)
        for each in plan.steps:
            self._clear(each)
        seconds: dict[str, float] = {}
        for each in plan.steps:
            if each.step.in_place and not self._in_place:
                self._put_in_place(plan)
            self._in_place = each.step.in_place
            if each.reason:
                begun = monotonic()
                self._found = {}
                (self.done if self._in_place else self.new).do(each.step)
                seconds[each.step.name] = monotonic() - begun
        self._put_in_place(plan)
        shutil.rmtree(self.new.path(""), ignore_errors=True)
        return seconds

    def _clear(self, planned: Planned) -> None:
        """Removes what an abandoned run has left of a step."""
        if planned.place is self.new:
            self._clear_exchanged(planned.step)
            return
        self.new.forget(planned.step.name)
        for result in planned.step.makes:
            if not planned.step.in_place and (planned.reason or not result.lent):
                self._remove(self.new.path(result.name))

    def _clear_exchanged(self, step: Step) -> None:
        """Removes old results that a killed run has just exchanged for the new ones, which are in place already."""
        record = self.new.record(step.name)
        for result in step.makes:
            old = self.new.path(result.name)
            if record and not result.lent and old.exists() and not self.new.holds(result, record, result.name):
                self._remove(old)

    def _put_in_place(self, plan: Plan) -> None:
        """Moves all that is new to where it belongs. A kill on the way loses nothing: a mark here goes last."""
        waiting = [(each.step, record) for each in plan.steps if (record := self.new.record(each.step.name))]
        for each in plan.steps:
            if waiting and each.step.goes_first and each.reason:
                self.done.begin(each.step.name)
                for result in each.step.makes:
                    self._remove(self.done.path(result.name))
        for step, record in waiting:
            before = self.done.record(step.name) or {"makes": ()}
            for result in step.makes:
                if not result.lent and self.new.path(result.name).exists():
                    if result.name in before["makes"] and storage.kind_of(self.done.path(result.name)) is None:
                        self._remove(self.done.path(result.name))  # too damaged to be recognised
                    storage.move(self.new.path(result.name), self.done.path(result.name))
            self._drop(Step(step.name), except_for=record)
            self.done.adopt(step.name, record)
            self.new.forget(step.name)
        for step in plan.dropped:
            self._drop(step)
            self.done.forget(step.name)

    def _drop(self, step: Step, except_for: Record | None = None) -> None:
        """Removes what a step has made, unless somebody else put something in its place."""
        record = self.done.record(step.name)
        known = {result.name: result for result in step.makes}
        for name in record["makes"] if record else ():
            result = known.get(name, Result(name))
            if name not in (except_for or {"makes": ()})["makes"] and record and self.done.holds(result, record, name):
                self._remove(self.done.path(name))

    def _remove(self, path: Path) -> None:
        """Removes a result at once, as others see it."""
        if path.exists():
            aside = self.new.path(f".{os.urandom(4).hex()}.old")
            with writing(path):
                path.rename(aside)
            shutil.rmtree(aside, ignore_errors=True) if aside.is_dir() else aside.unlink()


def _inside(step: Step, planned: Planned) -> bool:
    """Whether a step adds to what another makes, and goes with it."""
    outer = tuple(f"{result.name}/" for result in planned.step.makes)
    return any(result.name.startswith(outer) for result in step.makes)
