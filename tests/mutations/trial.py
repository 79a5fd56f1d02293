"""Tries many damaged copies of a stored thing in processes that may crash."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

# A case takes far less than a second; whoever is silent for so long on a busy machine hangs.
_PATIENCE = 120.0
_ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Trial:
    """What went wrong, by the number of the case."""

    kind: str
    failures: dict[int, str] = field(default_factory=dict)
    done: int = 0

    def __str__(self) -> str:
        return "\n".join(f"{self.kind} {number}: {what}" for number, what in sorted(self.failures.items()))


def run_trial(kind: str, whole: Path, work: Path, first: int, last: int) -> Trial:
    """Runs the cases from `first` up to, not including, `last`; after a crash or a hang the others go on."""
    trial = Trial(kind)
    while first < last:
        first = _run_child(trial, whole, work, first, last)
    return trial


def _run_child(trial: Trial, whole: Path, work: Path, first: int, last: int) -> int:
    """Runs a child until it ends; gives the first case that is left."""
    command = [sys.executable, "-m", "tests.mutations.child", trial.kind, str(whole), str(work), str(first), str(last)]
    environment = os.environ | {"MALLOC_ARENA_MAX": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONFAULTHANDLER": "1"}
    errors = work.parent / "errors"
    with errors.open("w") as told:
        child = subprocess.Popen(command, cwd=_ROOT, env=environment, stdout=subprocess.PIPE, stderr=told)
    assert child.stdout is not None
    number, about, failing = first - 1, "", False
    with selectors.DefaultSelector() as ready, child.stdout as output:
        ready.register(output, selectors.EVENT_READ)
        pending = b""
        while True:
            if not ready.select(_PATIENCE):
                child.kill()
                trial.failures[number] = f"hangs: {about}"
                break
            data = os.read(output.fileno(), 1 << 16)
            *lines, pending = (pending + data).split(b"\n")
            for line in map(bytes.decode, lines):
                if line.startswith("case "):
                    number, about, failing = int(line.removeprefix("case ")), "", False
                    trial.done += 1
                elif line.startswith("about ") and not failing:
                    about = line.removeprefix("about ")
                elif line.startswith("failed ") or failing:
                    failing = True
                    trial.failures[number] = trial.failures.get(number, about + "\n") + line + "\n"
            if not data:
                break
    if child.wait() != 0:
        said = errors.read_text("utf-8", "replace")[-3000:]
        trial.failures.setdefault(number, f"ends with {child.returncode}: {about}\n{said}")
        return last if number < first else number + 1  # if it could not even begin
    if number < last - 1:
        trial.failures[number + 1] = "ended too early"
    return last
