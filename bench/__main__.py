"""`python -m bench [ROOM...]` runs the benchmarks of rooms, prints their tables and writes them to docs/benchmarks.md.

A room's benchmarks are in `bench/<room>.py`: `rows()` returns its `harness.Row`s, and `NOTES`, if there are any, is a
paragraph to print below the table (what was compared, signatures of scores).
"""

from __future__ import annotations

import importlib
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench import harness
from bench.harness import Row

HERE = Path(__file__).parent
REPORT = HERE.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Written by `make bench`; `python -m bench ROOM...` updates some of the tables. Times are user CPU seconds, medians of
{repeats} runs, alternating with those that they are compared with. Ratios within one run can be compared across
machines; absolute times cannot. A ratio above 1 means that ours is better. Python modules are already compiled, as
after an installation. "measured" says where the other figure comes from: the same run (here), or somewhere else, which
allows only a rough comparison. Figures without a target have nothing under "reached".

The data is not part of the project: set `PENTAGLOT_DATA` to its folder.
"""


def rooms() -> list[str]:
    """The rooms that have something to measure."""
    tools = ("__init__", "__main__", "bibles", "harness", "replicas")
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in tools)


def main(arguments: Sequence[str]) -> int:
    """Run benchmarks; the exit code is 1 if a target was missed."""
    unknown = sorted(set(arguments) - set(rooms()))
    if unknown:
        print(f"bench: nothing to measure in {', '.join(unknown)}; there are {', '.join(rooms())}", file=sys.stderr)
        return 2
    sections = _sections(REPORT.read_text("utf-8")) if REPORT.exists() else {}
    missed = 0
    for room in arguments or rooms():
        module = importlib.import_module(f"bench.{room}")
        rows = sorted(module.rows(), key=lambda row: row.ratio is None)  # ratios first: they matter most
        missed += sum(not row.reached for row in rows)
        body = _section(rows, getattr(module, "NOTES", ""), harness.missing())
        print(f"## {room}\n\n{body}", flush=True)
        sections[room] = body
        _write(sections)  # after every room: an interrupted run keeps its results
    return 1 if missed else 0


def _section(rows: Sequence[Row], notes: str, missing: Iterable[Path]) -> str:
    parts = [harness.table(rows)] if rows else ["Nothing was measured.\n"]
    if notes:
        parts.append(notes.strip() + "\n")
    absent = sorted({str(path.relative_to(harness.DATA)) for path in missing})
    if absent:
        parts.append("Not measured, because data is missing: " + ", ".join(f"`{name}`" for name in absent) + ".\n")
    parts.append(f"Measured on {machine()}.\n")
    return "\n".join(parts)


def _sections(report: str) -> dict[str, str]:
    """The tables of an earlier report, by room."""
    parts = re.split(r"^## (.+)\n\n", report, flags=re.MULTILINE)[1:]
    return {name: body.rstrip() + "\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _write(sections: dict[str, str]) -> None:
    REPORT.parent.mkdir(exist_ok=True)
    tables = (f"## {room}\n\n{sections[room]}" for room in sorted(sections))
    REPORT.write_text("\n".join([HEAD.format(repeats=harness.REPEATS), *tables]), "utf-8")


def machine() -> str:
    """A description of this machine, without its name."""
    facts = [_processor(), f"{len(os.sched_getaffinity(0))} threads", _memory(), platform.system()]
    return ", ".join(filter(None, [*facts, f"Python {platform.python_version()}", _compiler()]))


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def _compiler() -> str:
    try:
        shown = subprocess.run([os.environ.get("CXX", "g++"), "-dumpfullversion"], capture_output=True, text=True)
    except OSError:
        return ""
    return f"g++ {shown.stdout.strip()}" if shown.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
