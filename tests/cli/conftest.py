"""The command line as a user starts it: a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pentaglot.systems import TrainOptions, train

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def listen_to_interrupts() -> None:
    """For the child of a test that runs in the background, where a shell has switched Ctrl-C off, or nohup a hangup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def read_terminal(ours: int) -> str:
    """All that a process writes to a terminal of which this is our end, which is then closed."""
    shown = b""
    try:
        while block := os.read(ours, 65536):
            shown += block
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    return shown.decode()


PENTAGLOT = [sys.executable, "-m", "pentaglot"]


@pytest.fixture
def pentaglot(tmp_path: Path) -> Run:
    """Runs `pentaglot` with the given arguments in an empty directory and returns the finished process."""

    def run(*arguments: str | os.PathLike[str], stdin: str | bytes = "", **environment: str) -> object:
        done = subprocess.run(
            [*PENTAGLOT, *map(os.fspath, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1", **environment},
            timeout=120,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run  # type: ignore[return-value]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model directory that nobody changes."""
    place = tmp_path_factory.mktemp("cli") / "de-en"
    train(EXAMPLES / "train.de", EXAMPLES / "train.en", place, options=TrainOptions(order=3))
    return place


@pytest.fixture
def grown(model: Path, tmp_path: Path) -> Path:
    """A model of one's own, to be changed."""
    return Path(shutil.copytree(model, tmp_path / "own"))
