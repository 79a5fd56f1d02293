"""The frame around all commands: exit codes, one sentence for every failure, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests.cli.conftest import PENTAGLOT, Run, listen_to_interrupts

import pentaglot as package
from pentaglot.cli import main
from pentaglot.cli.main import COMMANDS
from pentaglot.errors import InputError


def test_version_and_help(pentaglot: Run) -> None:
    shown = pentaglot("--version")
    assert (shown.returncode, shown.stderr) == (0, "") and package.__version__ in shown.stdout
    for flag in ("-h", "--help"):
        shown = pentaglot(flag)
        assert (shown.returncode, shown.stderr) == (0, "")
        for name, text in COMMANDS.items():
            assert f"  {name} " in shown.stdout and text in shown.stdout


# What takes long to import, and what only some commands need.
HEAVY = ("numpy", "rich", "lxml", "sacrebleu", "scipy", "pyonmttok", "importlib.metadata", "email", "logging")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["nonsense"]])
def test_little_is_imported_for_little(arguments: list[str]) -> None:
    """So that the command starts at once; how long that takes, bench/lm.py measures."""
    code = f"""
import atexit, sys
before = set(sys.modules)
import pentaglot.cli.start
atexit.register(lambda: print("imported:", *sorted(set(sys.modules) - before), file=sys.stderr))
sys.argv = ["pentaglot", *{arguments!r}]
pentaglot.cli.start.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    imported = done.stderr.splitlines()[-1].removeprefix("imported: ").split()
    assert "click" in imported and "pentaglot.cli.main" in imported
    heavy = {*HEAVY} - ({"email", "logging"} if arguments == ["nonsense"] else set())
    assert not heavy & set(imported)
    rooms = [name for name in imported if name.startswith("pentaglot.") and name.count(".") == 1]
    assert set(rooms) <= {"pentaglot.cli", "pentaglot.errors", "pentaglot.options"}


def test_shell_completion(pentaglot: Run) -> None:
    shown = pentaglot(_PENTAGLOT_COMPLETE="bash_source")
    assert shown.returncode == 0 and "complete -o nosort -F _pentaglot_completion pentaglot" in shown.stdout
    shown = pentaglot(_PENTAGLOT_COMPLETE="bash_complete", COMP_WORDS="pentaglot --ver", COMP_CWORD="1")
    assert sorted(shown.stdout.split()) == ["plain,--verbose", "plain,--version"]


def _outcome(error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(main, "command", failing)
    with pytest.raises(SystemExit) as ended:
        main.main([])
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    return ended.value.code, printed.err.strip()


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (InputError("is broken", path="a", line=2, hint="mend it"), 2, "pentaglot: a:2: is broken; mend it"),
        (FileNotFoundError(2, "x", "b"), 2, "pentaglot: b: no such file; check the path"),
        (OSError("strange"), 2, "pentaglot: strange"),
        (MemoryError(), 2, "pentaglot: out of memory; use a smaller input or a machine with more memory"),
        (KeyboardInterrupt(), 130, "pentaglot: interrupted; nothing is left half-written"),
        (click.Abort(), 130, "pentaglot: interrupted; nothing is left half-written"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_failures(
    error: BaseException,
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _outcome(error, monkeypatch, capsys) == (code, sentence)


def test_our_own_mistakes_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def failing() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main, "command", failing)
    with pytest.raises(ZeroDivisionError):
        main.main([])


def test_reader_that_has_seen_enough(tmp_path: Path) -> None:
    script = "from pentaglot.cli import main\nimport click\n@click.command()\ndef talk():\n"
    script += "    for _ in range(100000): click.echo('word ' * 20)\nmain.command = talk\nmain.main([])\n"
    talker = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert talker.stdout is not None and talker.stderr is not None
    talker.stdout.read(10)
    talker.stdout.close()
    assert (talker.stderr.read(), talker.wait(timeout=60)) == (b"", 141)
    talker.stderr.close()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_clean_up(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """The process ends with the code that shells expect, and what it was writing is gone."""
    script = (
        "from pentaglot.cli import main\nfrom pentaglot import storage\nimport click, time\nimport numpy as np\n"
        "@click.command()\ndef work():\n"
        "    with storage.create('out', kind='numbers', version=1) as new:\n"
        "        new.add('a', np.arange(9))\n        print('ready', flush=True)\n        time.sleep(60)\n"
        "main.command = work\nmain.main([])\n"
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=listen_to_interrupts
    )
    assert worker.stdout is not None and worker.stdout.readline() == b"ready\n"
    assert list(tmp_path.iterdir()) != []
    os.kill(worker.pid, number)
    assert worker.wait(timeout=60) == code
    assert list(tmp_path.iterdir()) == []
    worker.stdout.close()


def test_help_is_quick_because_nothing_is_loaded() -> None:
    """Not a time, which depends on the machine, but what costs it: the list of commands needs none of the rooms."""
    script = (
        "import sys\nfrom pentaglot.cli import main\ntry:\n    main.main(['--help'])\nexcept SystemExit:\n    pass\n"
    )
    script += "print([m for m in sys.modules if m in ('numpy', 'rich', 'sacrebleu', 'pentaglot._core')])"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_module_and_script_are_the_same() -> None:
    script = Path(sys.executable).with_name("pentaglot")
    one = subprocess.run([script, "--version"], capture_output=True, check=True).stdout
    assert one == subprocess.run([*PENTAGLOT, "--version"], capture_output=True, check=True).stdout
