"""`pentaglot experiment` as a user runs it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.systems.test_experiment import HEAD, SYSTEMS, place

__all__ = ["place"]


def test_dry_run_run_and_run_again(pentaglot: Run, place: Path) -> None:
    file = place / "plan.toml"
    file.write_text(HEAD + SYSTEMS, "utf-8")
    planned = pentaglot("experiment", file, "--dry-run")
    assert planned.returncode == 0, planned.stderr
    assert "weights of pulled, seed 2: for the first time" in planned.stdout.splitlines()
    assert not (place / "plan.results").exists()
    done = pentaglot("experiment", file)
    assert done.returncode == 0, done.stderr
    assert "about" in done.stderr and " left" in done.stderr and "(13 of 13)" in done.stderr
    assert done.stdout.splitlines()[0].split()[:2] == ["system", "n"]
    assert (place / "plan.results" / "report.html").exists()
    again = pentaglot("experiment", file, "-q")
    assert (again.stdout, again.stderr) == (done.stdout, "")
    together = pentaglot("experiment", file, "-q", "--processes", "2", "-o", place / "together")
    assert (together.returncode, together.stdout) == (0, done.stdout)
    kept = pentaglot("experiment", file, "--dry-run")
    assert all(line.endswith(": kept") for line in kept.stdout.splitlines())


def test_mistakes(pentaglot: Run, place: Path) -> None:
    (place / "plan.toml").write_text(HEAD, "utf-8")
    shown = pentaglot("experiment", place / "plan.toml")
    assert shown.returncode == 2 and "has nothing to compare; describe two systems" in shown.stderr
    assert pentaglot("experiment", place / "none.toml").returncode == 2
    shown = pentaglot("experiment", place / "plan.toml", "--processes", "0")
    assert shown.returncode == 2 and "option '--processes' must be a whole number, at least 1" in shown.stderr
