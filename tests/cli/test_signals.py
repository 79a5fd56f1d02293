"""One Ctrl-C or one SIGTERM ends every command, whatever it is doing; so does a reader that has seen enough."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import EXAMPLES, PENTAGLOT, listen_to_interrupts

from pentaglot.align import Alignment
from pentaglot.corpus import Tokenizer, Vocabulary, read_bitext
from pentaglot.forest import FeatureSpace, ForestBuilder, tail
from pentaglot.index import Index

LINE = "Der Lehrer sieht das Buch. "
ENDLESS = f"{LINE}\n" * 1000
PATIENCE = 100  # seconds; every job here would take far longer if it was left alone

INT, TERM = signal.SIGINT, signal.SIGTERM

# What is done, with which signal it is ended, and whether lines come in without end. "M" is a trained model.
JOBS: dict[str, tuple[list[str], signal.Signals, bool]] = {
    "reading": (["lm", "build", "-", "-o", "out/lm"], INT, True),
    "scoring": (["lm", "score", "M/lm", "-"], TERM, True),
    "checking": (["corpus", "check", "-", "large"], INT, True),
    "aligning": (["align", "large", "large", "-o", "out/links", "--iterations", "1000", "--stop", "0"], TERM, False),
    "translating": (["translate", "M", "-o", "out/text", "--threads", "1"], INT, True),
    "translating by threads": (["translate", "M", "-o", "out/text", "--threads", "4", "--nbest", "9"], TERM, True),
    "one hard line": (
        ["translate", "M", "long", "-o", "out/text", "--threads", "1", "--pop-limit", "999999"],
        TERM,
        False,
    ),
    "hard lines by threads": (
        ["translate", "M", "long", "-o", "out/text", "--threads", "4", "--pop-limit", "999999"],
        INT,
        False,
    ),
    "tuning": (["tune", "M", "--dev", "few", "few", "-o", "out/weights", "--mira-epochs", "100000000"], TERM, False),
    "resampling": (["evaluate", "large", "large", "--metrics", "bleu", "--resamples", "1000000"], TERM, False),
    "edits": (["evaluate", "longest", "farthest", "--metrics", "ter"], INT, False),
    "extracting": (
        [
            "table",
            "extract",
            "index",
            "-o",
            "out/table",
            "--max-gaps",
            "6",
            "--max-symbols",
            "30",
            "--max-span",
            "30",
        ],
        INT,
        False,
    ),
    "derivations": (["forest", "forest", "--nbest", "100000000"], TERM, False),
    "adding": (["add", "M", "--from", "-", "large"], INT, True),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Path:
    place = tmp_path_factory.mktemp("signals")
    (place / "M").symlink_to(model)
    sample = (EXAMPLES / "train.de").read_text("utf-8")
    (place / "large").write_text(sample * 30, "utf-8")
    (place / "few").write_text(sample[:2000], "utf-8")
    spoken = sample.split()
    dice = random.Random(1)
    for name in ("long", "other"):
        lines = (" ".join(dice.choices(spoken, k=90)) for _ in range(300))
        (place / name).write_text("\n".join(lines) + "\n", "utf-8")
    for name in ("longest", "farthest"):  # edits are found quickly
        lines = (" ".join(dice.choices(spoken, k=3000)) for _ in range(100))
        (place / name).write_text("\n".join(lines) + "\n", "utf-8")
    (place / "forest").write_text(forest() + "\n", "utf-8")
    words = Tokenizer()
    bitext = read_bitext(place / "large", place / "large", source_tokenizer=words, target_tokenizer=words)
    links = Alignment.from_links([[(at, at) for at in range(len(bitext.pair(n)[0]))] for n in range(len(bitext))])
    Index.build(bitext, links).save(place / "index")
    return place


def forest() -> str:
    """More derivations than anybody can list."""
    vocabulary, builder = Vocabulary(), ForestBuilder()
    node = builder.node()
    builder.edge(node, target=[vocabulary.add("x")])
    for place in range(30):
        above = builder.node()
        for word in range(10):
            builder.edge(above, [node], [tail(0), vocabulary.add(f"{place}.{word}")], {0: float(word)})
        node = above
    return builder.finish(node, weights=[0.1]).to_json(vocabulary, FeatureSpace(["score"]))


def start(folder: Path, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PENTAGLOT, *command], cwd=folder, stderr=subprocess.PIPE, preexec_fn=listen_to_interrupts, **options
    )


def feed(process: subprocess.Popen[bytes]) -> None:
    """Lines without end."""

    pipe, process.stdin = process.stdin, None
    assert pipe is not None

    def write() -> None:
        with pipe, contextlib.suppress(OSError):
            while True:
                pipe.write(ENDLESS.encode())

    threading.Thread(target=write, daemon=True).start()


def wait_for_work(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Until the process has been at work for so long, however many others the machine is working for."""
    ticks = os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / ticks >= seconds:
            return
        time.sleep(0.02)


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """How it ended, and what it said; not what it had said of its progress before."""
    _, said = process.communicate(timeout=PATIENCE)
    lines = said.decode().splitlines()
    return process.returncode, "\n".join(line for line in lines if line.startswith("pentaglot: ") or "rror" in line)


def leftovers(folder: Path) -> list[str]:
    """What was half-written. Extraction keeps what it has done, to go on from there."""
    written = [path for path in (folder / "out").rglob("*") if ".work" not in str(path)]
    return [str(path) for path in (*written, *folder.rglob(".*.tmp"))]


@pytest.mark.parametrize("job", JOBS)
def test_ends_in_the_middle(folder: Path, tmp_path: Path, job: str) -> None:
    command, number, endless = JOBS[job]
    (tmp_path / "out").mkdir()
    for each in folder.iterdir():
        (tmp_path / each.name).symlink_to(each)
    stdin = subprocess.PIPE if endless else subprocess.DEVNULL
    with start(tmp_path, command, stdin=stdin, stdout=subprocess.DEVNULL, bufsize=0) as process:
        if endless:
            feed(process)
        wait_for_work(process, 1.2 + random.Random(job).random())
        assert process.poll() is None, "still at work"
        process.send_signal(number)
        sentence = "pentaglot: interrupted; nothing is left half-written" if number == INT else ""
        assert ended(process) == (128 + number, sentence)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("number", [INT, TERM, signal.SIGHUP])
@pytest.mark.parametrize(("module", "command"), [("click", "--help"), ("numpy", "translate")])
def test_while_modules_are_loaded(tmp_path: Path, module: str, command: str, number: signal.Signals) -> None:
    """A module that takes its time, and meanwhile somebody loses patience."""
    (tmp_path / module).mkdir()
    slow = f"import os, time\nos.kill(os.getpid(), {int(number)})\ntime.sleep(100)\n"
    (tmp_path / module / "__init__.py").write_text(slow)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with start(tmp_path, [command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        code, said = ended(process)
    assert code == 128 + number
    assert said in ("", "pentaglot: interrupted; nothing is left half-written")


SCRIPT = """
import os, signal, sys, threading, time
from pentaglot.cli import main, start
import click

@click.command()
def work():
{body}

main.command = work
sys.argv = ["pentaglot"]
start.main()
"""


def run_script(tmp_path: Path, body: str, act: Callable[[subprocess.Popen[bytes]], None] = lambda _: None) -> Any:
    """A command of our own, which says 'ready' when something can be done to it: exit code and all that it said."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(body=lines)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen_to_interrupts,
    ) as process:
        assert process.stderr is not None and process.stderr.readline() == b"ready\n"
        act(process)
        try:
            code = process.wait(PATIENCE)
        finally:
            process.kill()
        return code, process.stderr.read().decode()


READY = "print('ready', file=sys.stderr, flush=True)\n"
INTERRUPTED = "pentaglot: interrupted; nothing is left half-written\n"


def test_a_signal_that_python_swallows(tmp_path: Path) -> None:
    """What is raised while an object is taken apart can only be printed; it is raised again where it counts."""
    body = (
        "class Odd:\n    def __del__(self):\n        os.kill(os.getpid(), signal.SIGINT)\n        time.sleep(0.2)\n"
        + READY
        + "odd = Odd()\ndel odd\ntime.sleep(300)\n"
    )
    assert run_script(tmp_path, body) == (130, INTERRUPTED)


def test_impatience_does_not_keep_it_from_cleaning_up(tmp_path: Path) -> None:
    body = (
        "from pentaglot import storage\nwith storage.create('out', kind='numbers', version=1) as new:\n"
        "    try:\n        " + READY.strip() + "\n        time.sleep(300)\n"
        "    finally:\n        for _ in range(20): os.kill(os.getpid(), signal.SIGINT); time.sleep(0.01)\n"
    )
    assert run_script(tmp_path, body, lambda process: process.send_signal(INT)) == (130, INTERRUPTED)
    assert list(tmp_path.iterdir()) == []


def test_threads_are_not_waited_for(tmp_path: Path) -> None:
    body = "threading.Thread(target=time.sleep, args=(300,)).start()\n" + READY + "time.sleep(300)\n"
    assert run_script(tmp_path, body, lambda process: process.send_signal(TERM)) == (143, "")


def test_nobody_reads_and_nobody_closes(tmp_path: Path) -> None:
    """A pipe that is full keeps nobody from ending."""
    body = READY + "while True: print('word ' * 100)\n"

    def end(process: subprocess.Popen[bytes]) -> None:
        time.sleep(1)
        process.send_signal(TERM)

    assert run_script(tmp_path, body, end) == (143, "")


READERS = [
    *(["--help"], ["train", "--help"], ["translate", "M", "large"], ["translate", "M", "few", "--nbest", "5"]),
    *(["find", "M", "das"], ["rules", "M", "das"], ["explain", "M", "das Buch"], ["lm", "score", "M/lm", "large"]),
    *(["corpus", "check", "few", "few"], ["evaluate", "few", "few", "--metrics", "bleu"], ["index", "info", "M/index"]),
    *(
        ["align", "large", "large", "-o", "-", "-q"],
        ["lm", "convert", "M/lm", "-"],
        ["forest", "forest", "--nbest", "99"],
    ),
]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_a_reader_that_is_gone(folder: Path, command: list[str]) -> None:
    unread, closed = os.pipe()
    os.close(unread)
    with start(folder, command, stdin=subprocess.DEVNULL, stdout=closed) as process:
        os.close(closed)
        assert ended(process) == (141, "")
