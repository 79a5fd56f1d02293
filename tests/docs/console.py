"""Runs the `console` blocks of a page as a reader would, and holds what it shows against what comes out.

In a block, a line that begins with `$ ` is a command, and the lines after it are its output. Shown lines must come out
in that order; `…` stands for anything, and lines of the real output that are not shown do not matter.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Command:
    """A command of a page and the lines that the page shows as its output."""

    line: int
    text: str
    shown: list[str]


def commands(page: str) -> Iterator[Command]:
    """All commands of the page's console blocks."""
    for block in re.finditer(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        line = page.count("\n", 0, block.start()) + 1
        found: list[Command] = []
        for text in block[1].splitlines():
            line += 1
            if text.startswith("$ "):
                found.append(Command(line, text[2:], []))
            elif found:
                found[-1].shown.append(text)
        yield from found


def first_missing(shown: list[str], output: str) -> str | None:
    """The first shown line that does not come out, in order; None if all do."""
    remaining = iter(_squeezed(line) for line in output.splitlines())
    for line in map(_squeezed, shown):
        if line in ("", "…"):
            continue
        pattern = re.compile(".*".join(map(re.escape, line.split("…"))))
        if not any(pattern.fullmatch(real) for real in remaining):
            return line
    return None


def run_page(page: Path, folder: Path, environment: Mapping[str, str], programs: Path) -> int:
    """Runs a page's commands in `folder`, with the programs of `programs`; returns how many there were."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    found = list(commands(page.read_text("utf-8")))
    for command in found:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command.text],
            cwd=folder,
            env={**environment, "PATH": f"{programs}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        where = f"{page.name}:{command.line}: {command.text}\n{done.stdout}"
        assert done.returncode == 0, f"exit code {done.returncode} from {where}"
        missing = first_missing(command.shown, done.stdout)
        assert missing is None, f"the page shows a line that does not come out: {missing!r}\n{where}"
    return len(found)


def _squeezed(line: str) -> str:
    return " ".join(line.split())
