"""Bad input, across all commands: one sentence, exit code 2, no traceback, nothing half-written."""

from __future__ import annotations

import gzip
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, Run, listen_to_interrupts

from pentaglot._core import base

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with good and bad files; `out` in it is where results go, and has one that must not be harmed."""
    for name in ("de", "en"):
        text = (EXAMPLES / f"train.{name}").read_text("utf-8")
        (tmp_path / f"good.{name}").write_text(text)
        (tmp_path / f"large.{name}").write_text(text * 100)
        (tmp_path / f"short.{name}").write_text("".join(text.splitlines(keepends=True)[:-3]))
        (tmp_path / f"empty.{name}").write_text("")
        (tmp_path / f"broken.{name}").write_bytes(text.encode()[:-20] + b"\xff\xfe broken\n")
        (tmp_path / f"cut.{name}.gz").write_bytes(gzip.compress(text.encode())[:-500])
    (tmp_path / "folder").mkdir()
    (tmp_path / "wrong.arpa").write_text("\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n-1\t<s>\n-1\t</s>\n\n\\end\\\n")
    (tmp_path / "out").mkdir()
    return tmp_path


def _start(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PENTAGLOT, *arguments],
        cwd=folder,
        capture_output="stdout" not in options,
        stderr=subprocess.PIPE if "stdout" in options else None,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=120,
        **options,  # type: ignore[call-overload]
    )


def _complaint(done: subprocess.CompletedProcess[str], folder: Path) -> str:
    """The one sentence of a failed command, after all else about it was checked."""
    # Steps that were done before say so; the sentence is the last line.
    *steps, sentence = done.stderr.splitlines()
    assert done.returncode == 2, done.stderr
    assert sentence.startswith("pentaglot: ")
    assert all(re.fullmatch(r"[^:]+: (done in .*|\d.*)", line) for line in steps), done.stderr
    assert not (done.stdout or "").strip()
    assert list((folder / "out").iterdir()) == []
    return sentence


# Commands that read two texts or one; {} is where the bad file goes, and the good ones stand beside it.
READERS = {
    "align": ["align", "{}", "good.en", "-o", "out/links"],
    "align, target": ["align", "good.de", "{}", "-o", "out/links"],
    "align, saving": ["align", "{}", "good.en", "-o", "out/links", "--save", "out/aligner"],
    "corpus prepare": ["corpus", "prepare", "{}", "good.en", "-o", "out/corpus"],
    "corpus tokenise": ["corpus", "tokenise", "{}", "-o", "out/words"],
    "lm build": ["lm", "build", "{}", "-o", "out/model"],
    "lm build, ARPA": ["lm", "build", "{}", "-o", "out/model.arpa.gz"],
    "evaluate": ["evaluate", "{}", "good.en"],
    "evaluate, reference": ["evaluate", "good.en", "{}"],
}
readers = pytest.mark.parametrize("command", READERS.values(), ids=READERS.keys())


def _with(command: list[str], bad: str) -> list[str]:
    return [bad if part == "{}" else part for part in command]


@readers
def test_missing_file(folder: Path, command: list[str]) -> None:
    sentence = _complaint(_start(folder, *_with(command, "none.de")), folder)
    assert sentence == "pentaglot: none.de: no such file; check the path"


@readers
def test_directory_instead_of_file(folder: Path, command: list[str]) -> None:
    sentence = _complaint(_start(folder, *_with(command, "folder")), folder)
    assert sentence.startswith("pentaglot: folder: this is a directory, a file is needed")


@pytest.mark.parametrize("name", ["align", "corpus prepare", "evaluate"])
def test_unequal_line_counts(folder: Path, name: str) -> None:
    sentence = _complaint(_start(folder, *_with(READERS[name], "short.de")), folder)
    assert "short.de" in sentence and "good.en" in sentence and "397" in sentence and "400" in sentence


@readers
def test_broken_utf8(folder: Path, command: list[str]) -> None:
    sentence = _complaint(_start(folder, *_with(command, "broken.de")), folder)
    assert re.match(r"pentaglot: broken\.de:\d+: not valid UTF-8 .*; convert the file to UTF-8$", sentence)


@readers
def test_gz_cut_short(folder: Path, command: list[str]) -> None:
    sentence = _complaint(_start(folder, *_with(command, "cut.de.gz")), folder)
    assert sentence.startswith("pentaglot: cut.de.gz: ") and "cut short" in sentence


@pytest.mark.parametrize("name", ["align", "corpus prepare", "lm build", "evaluate"])
def test_empty_corpus(folder: Path, name: str) -> None:
    command = [part.replace("good.en", "empty.en") for part in READERS[name]]
    sentence = _complaint(_start(folder, *_with(command, "empty.de")), folder)
    assert sentence.startswith("pentaglot: empty.de: ")


@pytest.mark.parametrize(
    "command",
    [
        ["lm", "perplexity", "wrong.arpa", "good.en"],
        ["lm", "score", "wrong.arpa", "good.en"],
        ["lm", "convert", "wrong.arpa", "out/model"],
    ],
    ids=lambda command: command[1],
)
def test_arpa_with_a_wrong_count(folder: Path, command: list[str]) -> None:
    sentence = _complaint(_start(folder, *command), folder)
    assert re.match(r"pentaglot: wrong\.arpa:\d+: .*1-grams.*4", sentence)


def _small_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


@pytest.mark.parametrize(
    "command",
    [
        ["align", "good.de", "good.en", "-o", "out/links"],
        ["align", "good.de", "good.en", "-o", os.devnull, "--save", "out/aligner"],
        ["corpus", "prepare", "good.de", "good.en", "-o", "out/corpus"],
        ["corpus", "tokenise", "good.de", "-o", "out/words"],
        ["lm", "build", "good.en", "-o", "out/model"],
        ["lm", "build", "good.en", "-o", "out/model.arpa"],
    ],
    ids=lambda command: f"{command[0]} {command[-1]}",
)
def test_full_disk(folder: Path, command: list[str]) -> None:
    """A limit on the size of files stands in for a full disk: writing fails half-way with an error from the system."""
    # Python would store cut-off bytecode of modules that have changed, and every later run would fail.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    sentence = _complaint(_start(folder, *command, preexec_fn=_small_disk, env=environment), folder)
    assert "the file would be larger than allowed here" in sentence and "out/" in sentence


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "good.en", "good.en", "--metrics", "chrf", "--no-confidence"],
        ["evaluate", "good.en", "good.en", "--metrics", "chrf", "--no-confidence", "--json"],
        ["align", "good.de", "good.en", "-o", "-"],
        ["corpus", "tokenise", "good.de"],
        ["corpus", "check", "good.de", "good.en"],
        ["--help"],
    ],
    ids=lambda command: " ".join(command[:1] + command[-1:]),
)
def test_full_disk_behind_standard_output(folder: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        sentence = _complaint(_start(folder, *command, stdout=full), folder)
    assert sentence == "pentaglot: standard output: no space left on the device; free some space and run again"


def _make_newer(directory: Path) -> None:
    """Gives a stored directory the version of some later year, with a checksum that fits."""
    file = directory / "contents.toml"
    text = re.sub(r"^version = \d+$", "version = 99", file.read_text("utf-8").partition("\n")[2], flags=re.MULTILINE)
    file.write_text(f'contents_checksum = "{base.checksum(text.encode()):016x}"\n{text}', "utf-8")


@pytest.mark.parametrize(
    ("make", "use"),
    [
        (["lm", "build", "good.en", "-o", "stored", "-q"], ["lm", "perplexity", "stored", "good.en"]),
        (
            ["align", "good.de", "good.en", "-o", os.devnull, "--save", "stored", "-q"],
            ["align", "good.de", "good.en", "--load", "stored", "-o", "out/links"],
        ),
    ],
    ids=["lm", "align"],
)
def test_model_of_a_newer_version(folder: Path, make: list[str], use: list[str]) -> None:
    assert _start(folder, *make).returncode == 0
    assert _start(folder, *use).returncode == 0
    for file in (folder / "out").iterdir():
        file.unlink()
    _make_newer(folder / "stored")
    sentence = _complaint(_start(folder, *use), folder)
    assert sentence.startswith("pentaglot: stored: was written by a newer Pentaglot (")
    assert sentence.endswith("; upgrade pentaglot or build it again")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "command",
    [
        ["align", "large.de", "large.en", "-o", "out/links", "--save", "out/aligner"],
        ["lm", "build", "large.en", "large.de", "large.en", "-o", "out/model"],
        ["corpus", "prepare", "large.de", "large.en", "-o", "out/corpus"],
    ],
    ids=lambda command: command[0],
)
def test_interrupted_while_working(folder: Path, command: list[str], number: signal.Signals) -> None:
    """Stopped when the first step is done and the work goes on, with results begun or not."""
    process = subprocess.Popen(
        [*PENTAGLOT, *command],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_interrupts,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "done in" in first
    process.send_signal(number)
    said = process.stderr.read().splitlines()
    process.stderr.close()
    assert process.wait(timeout=60) == 128 + number
    assert list((folder / "out").iterdir()) == []
    if number == signal.SIGINT:
        assert said[-1] == "pentaglot: interrupted; nothing is left half-written"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [READERS["align"], READERS["lm build"], READERS["evaluate"]], ids=lambda c: c[0])
def test_interrupted_while_reading(folder: Path, command: list[str], number: signal.Signals) -> None:
    """Stopped while it waits for input that does not come."""
    os.mkfifo(folder / "slow")
    process = subprocess.Popen(
        [*PENTAGLOT, *_with(command, "slow")],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_interrupts,
    )
    with (folder / "slow").open("w") as pipe:  # opens when the command has begun to read
        pipe.write("Ein Satz.\n")
        pipe.flush()
        time.sleep(0.5)  # until it sleeps in its read: a signal that comes just before that is seen after it
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert list((folder / "out").iterdir()) == []
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "one=hyp", "two=other", "-r", "ref", "--html", "hyp"),
        ("compare", "one=hyp", "two=other", "-r", "ref", "--markdown", "ref"),
        ("evaluate", "hyp", "ref", "--links", "ref"),
        ("align", "hyp", "ref", "-o", "hyp"),
        ("align", "hyp", "ref", "--tokens", "words", "ref"),
        ("corpus", "tokenise", "hyp", "-o", "hyp"),
        ("corpus", "detokenise", "hyp", "-o", "hyp"),
        ("beer", "train", "--rankings", "hyp", "ref", "-o", "ref"),
        ("preorder", "apply", "grammar", "hyp", "-o", "hyp"),
        ("preorder", "lattice", "grammar", "hyp", "--svg", "hyp"),
        ("translate", "model", "hyp", "-o", "hyp"),
        ("explain", "model", "--input", "hyp", "--html", "hyp"),
    ],
)
def test_an_output_never_takes_the_place_of_an_input(pentaglot: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    names = {"hyp": "a b c\n", "other": "a c b\n", "ref": "a b d\n"}
    for name, text in names.items():
        (tmp_path / name).write_text(text)
    done = pentaglot(*command)
    assert done.returncode == 2
    assert done.stderr == f"pentaglot: {command[-1]}: is an input; it would be overwritten; choose another name\n"
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == names


def test_an_empty_development_text_cannot_be_compared(pentaglot: Run, tmp_path: Path) -> None:
    for name, text in {"hyp": "a b c\n", "other": "a c b\n", "ref": "a b d\n", "none": ""}.items():
        (tmp_path / name).write_text(text)
    dev = ("--dev", "one=none", "--dev", "two=none", "--dev-reference", "none")
    done = pentaglot("compare", "one=hyp", "two=other", "-r", "ref", *dev)
    assert (done.returncode, done.stderr) == (2, "pentaglot: none: is empty: there is no development text\n")
