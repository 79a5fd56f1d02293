"""What a model is safe from: a full disk, people who may only read it, and links in it that lead elsewhere."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, Run

from pentaglot.errors import StorageError
from pentaglot.systems.model import Model

LINE, ANSWER = "Der schöne Arzt kauft den großen Hund.", "That handsome physician acquires a huge puppy."


def _mounted(place: Path, options: str) -> bool:
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture
def small_disk(grown: Path, tmp_path: Path) -> Iterator[Path]:
    """A file system with a model and little space."""
    place = tmp_path / "disk"
    place.mkdir()
    size = sum(-(-each.stat().st_size // 4096) * 4096 for each in grown.rglob("*")) + (200 << 10)
    if shutil.which("mount") is None or not _mounted(place, f"size={size}"):
        pytest.skip("file systems can be mounted by an administrator only")
    try:
        yield Path(shutil.copytree(grown, place / "model"))
    finally:
        subprocess.run(["umount", place], check=True)


def _many_pairs(tmp_path: Path) -> list[str]:
    """Two files of 30 pairs: less than a buffer, more than a page."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("".join(f"Satz {number} mit {name}.\n" for number in range(30)), "utf-8")
    return [str(tmp_path / "a"), str(tmp_path / "b")]


def test_a_full_disk_while_adding(pentaglot: Run, small_disk: Path, tmp_path: Path) -> None:
    assert pentaglot("add", small_disk, "-q", LINE, ANSWER).stdout == "1\n"
    journal = small_disk / "index.additions"
    before = journal.read_bytes()
    filler = small_disk.parent / "filler"
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    filler.write_bytes(bytes(free))
    done = pentaglot("add", small_disk, "--from", *_many_pairs(tmp_path))
    assert done.returncode == 2
    assert done.stderr.endswith("no space left on the device; free some space and run again; nothing was changed\n")
    assert journal.read_bytes() == before
    filler.unlink()
    assert pentaglot("translate", small_disk, stdin=LINE + "\n").stdout == ANSWER + "\n"
    assert pentaglot("add", small_disk, "-q", "--from", *_many_pairs(tmp_path)).stdout.split()[-1] == "31"


def test_a_file_system_that_is_read_only(pentaglot: Run, small_disk: Path) -> None:
    assert pentaglot("add", small_disk, "-q", LINE, ANSWER).stdout == "1\n"
    subprocess.run(["mount", "-o", "remount,ro", small_disk.parent], check=True)
    done = pentaglot("translate", small_disk, stdin=LINE + "\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, ANSWER + "\n", "")
    for command in (["add", small_disk, "x", "y"], ["index", "merge", small_disk, "-q"]):
        done = pentaglot(*command)
        assert done.returncode == 2 and "this file system is read-only; write somewhere else" in done.stderr


@pytest.mark.parametrize("first", [False, True])
def test_a_file_that_may_not_grow_while_adding(pentaglot: Run, grown: Path, tmp_path: Path, first: bool) -> None:
    """The same without a file system of one's own."""
    journal = grown / "index.additions"
    if not first:
        pentaglot("add", grown, "-q", LINE, ANSWER)
    before = journal.read_bytes() if journal.exists() else None

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = len(before or b"") + 1000
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        [*PENTAGLOT, "add", grown, "--from", *_many_pairs(tmp_path)],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # or modules that have changed would be stored cut off
    )
    assert done.returncode == 2 and "nothing was changed" in done.stderr
    assert (journal.read_bytes() if journal.exists() else None) == before
    expected = pentaglot("translate", grown, stdin=LINE + "\n")
    assert expected.returncode == 0 and (first or expected.stdout == ANSWER + "\n")


@pytest.fixture
def readable(grown: Path, pentaglot: Run) -> Iterator[Path]:
    """A model with additions that everybody may read and only its owner may change."""
    pentaglot("add", grown, "-q", LINE, ANSWER)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        place = Path(shutil.copytree(grown, Path(name) / "model"))
        for each in (place, *place.rglob("*")):
            each.chmod(0o555 if each.is_dir() else 0o444)
        yield place
        for each in (place, *place.rglob("*")):
            each.chmod(0o755)


# The modules are loaded by somebody who may; an administrator would be allowed everything.
_AS_NOBODY = """
import os, sys
from pentaglot.cli import add, index, main, translate
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
main.main(sys.argv[1:])
"""


def test_people_who_may_not_write_can_read(readable: Path) -> None:
    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _AS_NOBODY, *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)

    done = run("translate", str(readable), stdin=LINE + "\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, ANSWER + "\n", "")
    assert run("add", str(readable), "--list").stdout == f"1\t1\t{LINE}\t{ANSWER}\n"
    refused = run("add", str(readable), "x", "y")
    assert refused.returncode == 2 and "index.additions: permission denied" in refused.stderr
    refused = run("index", "merge", str(readable), "-q")
    assert refused.returncode == 2 and "permission denied" in refused.stderr


READING = [
    ("translate",),
    ("explain", LINE),
    ("rules", "Hund"),
    ("find", "Hund"),
    ("add", "--list"),
    ("add", "--json"),
    ("index", "info", "--verify"),
    ("index", "added"),
]
_WATCHED = """
import os, sys
from pentaglot.cli.main import main
place, changes = os.path.realpath(sys.argv[1]), ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate",
    "os.link", "os.symlink", "os.chmod", "os.utime", "shutil.rmtree")
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and not isinstance(arguments[0], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND):
            if os.path.realpath(os.fsdecode(arguments[0])).startswith(place):
                sys.stderr.write(f"opened for writing: {arguments}\\n")
    elif event in changes and os.path.realpath(os.fsdecode(arguments[0])).startswith(place):
        sys.stderr.write(f"{event}: {arguments}\\n")
sys.addaudithook(watch)
main(sys.argv[2:])
"""


def _command(arguments: tuple[str, ...], model: Path) -> list[str]:
    """The arguments with the model in its place."""
    names = 2 if arguments[0] == "index" else 1
    return [*arguments[:names], str(model), *arguments[names:]]


def _all_bytes(place: Path) -> dict[str, tuple[int, bytes]]:
    files = [each for each in sorted(place.rglob("*")) if each.is_file()]
    return {str(each.relative_to(place)): (each.stat().st_mtime_ns, each.read_bytes()) for each in files}


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_reading_never_writes(pentaglot: Run, grown: Path, arguments: tuple[str, ...]) -> None:
    pentaglot("add", grown, "-q", LINE, ANSWER)
    with (grown / "index.additions").open("ab") as journal:
        journal.write(b"0123456789abcdef {")  # of a writer that was killed
    before = _all_bytes(grown)
    command = [sys.executable, "-c", _WATCHED, str(grown), *_command(arguments, grown)]
    done = subprocess.run(command, input=LINE, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "opened for" not in done.stderr and "os." not in done.stderr and "shutil" not in done.stderr
    assert done.stderr.count("\n") == 1 and "the last record is incomplete" in done.stderr
    assert _all_bytes(grown) == before


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("index.additions", ("translate",)),
        ("index.additions", ("find", "Hund")),
        ("index.additions", ("index", "added")),
        ("index.additions", ("add", "x", "y")),
        ("index.additions", ("index", "merge")),
        (".word-ids", ("index", "merge")),
        (".word-ids", ("add", "--remove-corpus", "x")),
    ],
)
def test_a_link_in_a_model_does_not_lead_to_the_users_files(
    pentaglot: Run, grown: Path, tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("years of work")
    (grown / name).unlink(missing_ok=True)
    (grown / name).symlink_to("../victim")
    done = pentaglot(*_command(arguments, grown), stdin=LINE + "\n")
    assert victim.read_text() == "years of work"
    assert done.returncode == 2
    assert done.stderr.endswith("put a copy of what it points to in its place\n") and done.stderr.count("\n") == 1


def test_every_link_in_a_model_is_refused(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("Eins.\n" * 5)
    assert pentaglot("add", grown, "-q", "--from", "a", "a", "--corpus", "news").returncode == 0
    parts = [each for each in sorted(grown.rglob("*")) if not {".train", ".word-ids", "aligner"} & set(each.parts)]
    assert len(parts) > 60
    for part in parts:
        aside = tmp_path / "aside"
        part.rename(aside)
        part.symlink_to(aside)
        with pytest.raises(StorageError, match="is a symbolic link; links are not followed") as caught:
            Model.open(grown)
        assert caught.value.path == part
        part.unlink()
        aside.rename(part)
    Model.open(grown)


def test_a_model_may_be_reached_through_links(pentaglot: Run, grown: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(grown)
    (tmp_path / "further").symlink_to("link")
    assert pentaglot("add", "further", "-q", LINE, ANSWER).stdout == "1\n"
    assert pentaglot("translate", "link", stdin=LINE + "\n").stdout == ANSWER + "\n"
    assert "1 pair folded in" in pentaglot("index", "merge", "further", "-q").stderr
    assert (tmp_path / "link").is_symlink() and (grown / "index").is_dir()
    assert pentaglot("translate", grown, stdin=LINE + "\n").stdout == ANSWER + "\n"


@pytest.mark.parametrize("arguments", [("explain", LINE, "--html"), ("weights", "--svg")])
def test_a_pipe_or_a_link_to_write_to_stays_one(
    pentaglot: Run, model: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    ours = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    command, *rest = arguments
    assert pentaglot(command, model, *rest, "pipe").returncode == 0
    written = os.read(ours, 1 << 20)
    os.close(ours)
    assert (tmp_path / "pipe").is_fifo() and written.startswith(b"<")
    (tmp_path / "link").symlink_to("page")
    assert pentaglot(command, model, *rest, "link").returncode == 0
    assert (tmp_path / "link").is_symlink() and (tmp_path / "page").read_bytes()[:200] == written[:200]
