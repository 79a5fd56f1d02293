"""How to measure: whole commands, alternately, several times; medians; ratios within one run.

Absolute times on a shared machine mean little, so every row compares two commands that were run alternately.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(os.environ.get("PENTAGLOT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
REPEATS = int(os.environ.get("PENTAGLOT_BENCH_REPEATS", "5"))


@dataclass(frozen=True)
class Cost:
    """What one command used: medians over the repeats."""

    user: float
    wall: float
    peak_megabytes: float


@dataclass(frozen=True)
class Row:
    """One line of the report: a figure, what it is compared with, and its target."""

    what: str
    ours: str
    against: str
    theirs: str
    ratio: float | None
    wanted: str
    reached: bool
    # Where their figure comes from, if it was not measured in the same run.
    elsewhere: str = ""

    @property
    def measured(self) -> str:
        """Where their figure was measured; nothing if there is none."""
        return self.elsewhere or ("here" if self.theirs and self.against != "(recorded)" else "")

    @property
    def verdict(self) -> str:
        """Whether the target was reached; a figure without a target cannot fail."""
        if self.wanted.strip("()") in ("", "recorded"):
            return ""
        return "yes" if self.reached else "no"


OTHER_MACHINE = "on another machine"
THESIS = "in the thesis"

_missing: list[Path] = []


def missing() -> list[Path]:
    """The files that `data` did not find since the last call."""
    found, _missing[:] = _missing[:], []
    return found


def data(*parts: str) -> Path | None:
    """A file of the benchmark data; None, with a message, if it is missing."""
    path = DATA.joinpath(*parts)
    if path.exists():
        return path
    _missing.append(path)
    print(f"bench: {path} is missing; set PENTAGLOT_DATA to a folder that has it", file=sys.stderr)
    return None


def measure(commands: Mapping[str, Sequence[str]], repeats: int = REPEATS) -> dict[str, Cost]:
    """Run the commands alternately, `repeats` times each, and return the median cost of each."""
    seen: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            seen[name].append(_run(name, command))
    return {
        name: Cost(
            statistics.median(cost.user for cost in costs),
            statistics.median(cost.wall for cost in costs),
            statistics.median(cost.peak_megabytes for cost in costs),
        )
        for name, costs in seen.items()
    }


def _run(name: str, command: Sequence[str]) -> Cost:
    # As after an installation, with compiled modules; some environments forbid keeping them.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"bench: '{name}' failed with exit code {process.returncode}: {' '.join(command)}")
    return Cost(usage.ru_utime, time.monotonic() - begun, usage.ru_maxrss / 1024)


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    columns = ("what", "ours", "against", "theirs", "measured", "ratio", "wanted", "reached")
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}x"
        cells = (row.what, row.ours, row.against, row.theirs, row.measured, ratio, row.wanted, row.verdict)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
