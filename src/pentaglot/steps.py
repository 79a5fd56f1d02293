"""Long jobs as steps: what each depends on, what it makes, and how a later run knows that it is done.

A step leaves a mark when it is done. The mark says from which options, files and other steps its results were made, and
what they held then. The step counts as done as long as all of that is still so. If something that it depends on has
changed, if a result is gone, damaged or made by another run, or if it was killed before its end, it is done again.
Training, tuning and extraction all go on by such marks; `pentaglot.workshop` runs steps that depend on each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pentaglot import placing, storage
from pentaglot._core import base
from pentaglot.differences import differences
from pentaglot.errors import PentaglotError, StorageError, writing
from pentaglot.seals import seal

__all__ = ["NOT_DONE", "Place", "Record", "Result", "Step", "beside", "remove_scratch", "scratch"]

StrPath = str | os.PathLike[str]
Record = dict[str, Any]

NOT_DONE = "it was not done yet"

_MOST_REASONS = 3


@dataclass(frozen=True)
class Result:
    """Something that a step makes, below the directory of its job. What is `lent` is for later steps only: it may be
    gone when they are done. `also_in` names other results that hold it, too."""

    name: str
    seal: Callable[[Path], str] = seal
    lent: bool = False
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Step:
    """One part of a job: what it does, what that depends on, and what is there when it is done.

    `files` are identified by their content (`file_key`) and may have `titles` for people. `needs` are steps whose
    results go into this one's; `takes` names those results among them that are lent. A step that is done `in_place`
    changes what is there, while the others make something new beside it; what it made before `goes_first` if it
    cannot stand beside other new results.
    """

    name: str
    work: Callable[[], Mapping[str, Any] | None] = lambda: None  # may give facts to remember
    options: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[Step, ...] = ()
    makes: tuple[Result, ...] = ()
    takes: tuple[str, ...] = ()
    in_place: bool = False
    goes_first: bool = False

    @cached_property
    def inputs(self) -> Record:
        """Everything the results depend on, as kept in the mark."""
        needs = {step.name: step.key for step in self.needs}
        text = json.dumps({"options": self.options, "files": self.files, "needs": needs})
        found: Record = json.loads(text)
        return found

    @cached_property
    def key(self) -> str:
        """A key that identifies the results of these inputs."""
        return f"{base.checksum(f'{self.name}|{json.dumps(self.inputs, sort_keys=True)}'.encode()):016x}"


class Place:
    """A directory in which steps leave their results, and the directory of their marks.

    >>> import tempfile
    >>> place = Place(Path(tempfile.mkdtemp()))
    >>> bread = place.path("bread")
    >>> bake = Step("bake", lambda: bread.write_text("brown") and None, {"minutes": 30}, makes=(Result("bread"),))
    >>> place.trouble(bake)
    'it was not done yet'
    >>> place.do(bake)
    >>> place.trouble(bake), place.trouble(Step("bake", options={"minutes": 45}, makes=bake.makes))
    ('', 'minutes changed from 30 to 45')
    >>> _ = bread.write_text("black")
    >>> place.trouble(bake)
    'bread was changed since'
    """

    def __init__(self, results: Path, marks: Path | None = None) -> None:
        self._results = results
        self._marks = marks or results

    def path(self, name: str) -> Path:
        """Where a result is or will be."""
        return self._results / name

    def names(self) -> list[str]:
        """The steps that have a mark here."""
        return sorted(mark.name.removesuffix(".done") for mark in self._marks.glob("*.done"))

    def record(self, name: str) -> Record | None:
        """What the mark of a step says; None if there is none that can be read."""
        try:
            recorded, _, text = self._mark(name).read_text("utf-8").partition("\n")
            found = json.loads(text)
        except (OSError, ValueError, RecursionError):
            return None
        return found if recorded == f"{base.checksum(text.encode()):016x}" and _is_record(found) else None

    def facts(self, step: Step) -> Record:
        """The facts that the work of a finished step has returned."""
        found: Record = (self.record(step.name) or {"facts": {}})["facts"]
        return found

    def trouble(self, step: Step, *others: Place) -> str:
        """Why a step is not done here; empty if it is. Its results may also be in `others`."""
        record = self.record(step.name)
        if record is None:
            return NOT_DONE
        if record["key"] != step.key:
            found = list(differences(record["inputs"], step.inputs, step.titles)) or ["it was made by another version"]
            more = [f"and {len(found) - _MOST_REASONS} more"] if len(found) > _MOST_REASONS else []
            return ", ".join(found[:_MOST_REASONS] + more)
        if record["begun"]:
            return "it was stopped before it was done"
        problems = (self._problem(result, record, others) for result in step.makes if not result.lent)
        return next(filter(None, problems), "")

    def holds(self, result: Result, record: Record, name: str) -> bool:
        """Whether what is called `name` here holds the result as the record has it."""
        path = self.path(name)
        try:
            return path.exists() and result.seal(path) == record["makes"].get(result.name)
        except PentaglotError:
            return False

    def do(self, step: Step) -> None:
        """Does a step. If it fails and what was there before is still as it was, the old mark counts again."""
        old = self.record(step.name)
        self.begin(step.name)
        try:
            facts = step.work()
        except BaseException:
            if old is not None and not old["begun"] and self._stands(step, old):
                self._write(step.name, old)
            raise
        self.finish(step, facts)

    def begin(self, name: str) -> None:
        """Marks the step as not done, whatever happens from now on."""
        if (record := self.record(name)) is not None:
            self._write(name, record | {"begun": True})

    def finish(self, step: Step, facts: Mapping[str, Any] | None = None) -> None:
        """Marks the step as done."""
        makes = {result.name: result.seal(self.path(result.name)) for result in step.makes}
        record = {"key": step.key, "inputs": step.inputs, "makes": makes, "facts": dict(facts or {}), "begun": False}
        self._write(step.name, record)

    def adopt(self, name: str, record: Record) -> None:
        """Writes the mark of a step whose results were put here."""
        self._write(name, record)

    def forget(self, name: str) -> None:
        """Removes the mark of a step."""
        self._mark(name).unlink(missing_ok=True)

    def _mark(self, name: str) -> Path:
        return _mark_of(self._marks, name)

    def _write(self, name: str, record: Record) -> None:
        with writing(self._marks):
            self._marks.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record, indent=1)
        storage.write_text(self._mark(name), f"{base.checksum(text.encode()):016x}\n{text}")

    def _stands(self, step: Step, record: Record) -> bool:
        """Whether the results are still those of an earlier mark."""
        known = {result.name: result for result in step.makes}
        made = [known.get(name, Result(name)) for name in record["makes"]]
        return all(result.lent or self.holds(result, record, result.name) for result in made)

    def _problem(self, result: Result, record: Record, others: tuple[Place, ...]) -> str:
        problem = f"{result.name} is missing"
        for place in (self, *others):
            path = place.path(result.name)
            if not path.exists():
                continue
            try:
                if result.seal(path) == record["makes"].get(result.name):
                    return ""
                problem = f"{result.name} was changed since"
            except PentaglotError as error:
                problem = f"{result.name} is damaged ({error.message})"
        return problem


def _is_record(found: object) -> bool:
    """Whether a mark could have been left here. It names nothing outside its place."""
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name), dict) for name in ("inputs", "makes", "facts")
    ):
        return False
    names = [Path(name) for name in found["makes"]]
    return {"key", "begun"} <= found.keys() and not any(each.is_absolute() or ".." in each.parts for each in names)


def beside(path: StrPath) -> Path:
    """Where the pieces of a long job are kept whose result will be at `path`."""
    return Path(path).with_name(f".{Path(path).name}.work")


def scratch(directory: Path, job: Step) -> Place:
    """A place for the pieces of a long job. What an earlier run of the same job left there is kept; what is left of
    another job of this name is removed."""
    place = Place(directory)
    if not place.trouble(job):
        return place
    with writing(directory):
        mark = _mark_of(directory, job.name)
        begun = placing.unfinished(mark)  # by a run that was killed at once
        left = [each for each in directory.iterdir() if each not in begun] if directory.exists() else []
        if directory.is_symlink() or (left and mark not in left):
            problem = "is a symbolic link" if directory.is_symlink() else "has other things in it"
            raise StorageError(problem, path=directory, hint="choose another name or empty it")
        place.begin(job.name)
        for each in left:
            if each != mark:
                shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    place.finish(job)
    return place


def remove_scratch(directory: Path, job: str) -> None:
    """Removes a place for the pieces of a job of this name. Its mark goes last, so that a later run knows what a kill
    has left of it."""
    if not directory.is_dir() or directory.is_symlink():
        return
    with contextlib.suppress(OSError):
        for each in directory.iterdir():
            if each != _mark_of(directory, job):
                placing.remove(each)
    placing.remove(directory)


def _mark_of(directory: Path, job: str) -> Path:
    return directory / f"{job}.done"
