"""What every system made of a tiny corpus when somebody last looked at it and found it good.

A folder beside this file is a system: `settings.toml`, and for each source of its rules what it gave, `index.txt` and
`table.txt`: three translations of every line of `corpus/input.de`, with features and scores. They are made as a user
would make them. After a change that is meant to change them,

    python -m tests.systems.gold

writes them anew, and `git diff` shows what the change did.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
SYSTEMS = sorted(file.parent.name for file in HERE.glob("*/settings.toml"))
SOURCES = ("index", "table")


def gold(system: str, source: str) -> Path:
    """Where the output of a system is kept."""
    return HERE / system / f"{source}.txt"


def train(system: str, source: str, model: Path) -> None:
    """Makes the model of a system."""
    files = [CORPUS / "train.de", CORPUS / "train.en", "-o", model, "--config", HERE / system / "settings.toml"]
    _pentaglot("train", *files, "--rules", source, "--quiet")


def translate(model: Path, *, threads: int = 1) -> str:
    """What a model says now."""
    return _pentaglot("translate", model, CORPUS / "input.de", "--nbest", "3", "--threads", str(threads))


def _pentaglot(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pentaglot", *map(str, arguments)], capture_output=True, check=True, encoding="utf-8"
    )
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        for system in SYSTEMS:
            for source in SOURCES:
                model = Path(place) / f"{system}.{source}"
                train(system, source, model)
                said = translate(model)
                before = gold(system, source).read_text("utf-8") if gold(system, source).exists() else ""
                gold(system, source).write_text(said, "utf-8")
                print(f"{system} from {'a table' if source == 'table' else 'the index'}: {_compared(before, said)}")


def _compared(before: str, after: str) -> str:
    if before == after:
        return "as it was"
    old, new = (text.splitlines() for text in (before, after))
    changed = sum(one != other for one, other in zip(old, new, strict=False)) + abs(len(old) - len(new))
    return f"{changed} of {len(new)} lines are new"


if __name__ == "__main__":
    main()
