"""Long jobs as steps: each is done once, and a rerun goes on with the first that is missing or was made otherwise."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from pentaglot import storage
from pentaglot._core import base
from pentaglot.errors import reading

__all__ = ["Step", "file_key", "run_steps"]


def file_key(path: str | os.PathLike[str]) -> str:
    """What a file holds, as a short text that changes when the file does."""
    with reading(path):
        return f"{base.checksum(Path(path).read_bytes()):016x}"


@dataclass(frozen=True)
class Step:
    """One part of a job: what it depends on, what it does, and what is there when it is done."""

    name: str
    key: Mapping[str, Any]
    work: Callable[[], None]
    makes: tuple[Path, ...] = ()


def run_steps(directory: Path, steps: Sequence[Step]) -> dict[str, float]:
    """Does the steps that were not done before with the same key after the same steps, and says how many seconds each
    of them took. What was done is remembered in `directory`; once all is done, what a step made may be removed.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> list(run_steps(place, [Step("knead", {}, lambda: None), Step("bake", {"minutes": 30}, lambda: None)]))
    ['knead', 'bake']
    >>> list(run_steps(place, [Step("knead", {}, lambda: None), Step("bake", {"minutes": 45}, lambda: None)]))
    ['bake']
    """
    chain, marks = "", []
    for step in steps:
        text = json.dumps(step.key, sort_keys=True, default=str)
        chain = f"{base.checksum(f'{chain}|{step.name}|{text}'.encode()):016x}"
        marks.append(chain)
    finished = directory / "all.done"
    if finished.exists() and finished.read_text("utf-8") == chain:
        return {}
    seconds = {}
    for step, mark in zip(steps, marks, strict=True):
        file = directory / f"{step.name}.done"
        if file.exists() and file.read_text("utf-8") == mark and all(path.exists() for path in step.makes):
            continue
        file.unlink(missing_ok=True)
        begun = monotonic()
        step.work()
        seconds[step.name] = monotonic() - begun
        storage.write_text(file, mark)
    storage.write_text(finished, chain)
    return seconds
