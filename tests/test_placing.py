"""Putting things in place: whole or not at all, also by several writers; what killed ones leave is removed, and what
living ones are working on is not."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from pentaglot import placing, storage
from pentaglot.errors import OutputError, StorageError

_CREATE = """
import os, signal, sys
from pathlib import Path
import numpy as np
from pentaglot import placing, storage
if sys.argv[3] == "by turns":
    placing._swap = lambda one, other: False
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
"""


def _child(program: str, place: Path, value: int, way: str = "at once") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _CREATE + program, str(place), str(value), way]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _value(path: Path) -> int:
    stored = storage.open_directory(path, kind="number", version=1)
    return int(stored.facts["value"])


def _create(path: Path, value: int) -> None:
    with storage.create(path, kind="number", version=1) as new:
        new.facts["value"] = value


def _names(place: Path) -> list[str]:
    return sorted(each.name for each in place.iterdir())


_WHILE_WRITING = """
with storage.create(sys.argv[1], kind="number", version=1) as new:
    new.add("numbers", np.arange(10))
    die()
"""
_BEFORE_THE_SWAP = """
placing.put_in_place = die
with storage.create(sys.argv[1], kind="number", version=1) as new:
    new.facts["value"] = int(sys.argv[2])
"""
_AFTER_THE_SWAP = """
placing.shutil.rmtree = die
with storage.create(sys.argv[1], kind="number", version=1) as new:
    new.facts["value"] = int(sys.argv[2])
"""
_BETWEEN_TWO_TURNS = """
placing._renamed = die
with storage.create(sys.argv[1], kind="number", version=1) as new:
    new.facts["value"] = int(sys.argv[2])
"""


@pytest.mark.parametrize(
    ("program", "way", "seen"),
    [
        (_WHILE_WRITING, "at once", 1),
        (_BEFORE_THE_SWAP, "at once", 1),
        (_AFTER_THE_SWAP, "at once", 2),
        (_AFTER_THE_SWAP, "by turns", 2),
        (_BETWEEN_TWO_TURNS, "by turns", None),
    ],
)
def test_what_a_killed_writer_left_is_removed_by_the_next(
    tmp_path: Path, program: str, way: str, seen: int | None
) -> None:
    path = tmp_path / "a"
    _create(path, 1)
    with _child(program, path, 2, way) as killed:
        assert killed.wait() == -signal.SIGKILL
    assert len(_names(tmp_path)) > 1
    others = [".a.txt", ".a.tmp", ".b.00000000.tmp", ".a.0000000g.tmp", ".aa.00000000.tmp", "a.00000000.tmp"]
    for name in others:
        (tmp_path / name).write_text("not ours")
    if seen is not None:
        assert _value(path) == seen
    with pytest.raises(ZeroDivisionError), storage.create(path, kind="number", version=1):
        if seen is None:
            assert _value(path) == 1, "what was put aside is there again"
        raise ZeroDivisionError
    assert _names(tmp_path) == sorted(["a", *others])
    assert _value(path) == (seen or 1)


def test_a_reader_is_told_what_a_killed_writer_did(tmp_path: Path) -> None:
    """Where names cannot be swapped, a kill at the worst moment leaves nothing at the place."""
    from pentaglot.corpus import Vocabulary, open_vocabulary, save_vocabulary

    path = tmp_path / "a"
    save_vocabulary(Vocabulary(), path)
    path.rename(tmp_path / ".a.0123abcd.old")
    with pytest.raises(StorageError, match=r"a: was being replaced when the writer was killed; rename .*\.old to it"):
        open_vocabulary(path)
    assert _names(tmp_path) == [".a.0123abcd.old"], "a reader changes nothing"


@pytest.mark.parametrize("way", ["at once", "by turns"])
def test_what_a_living_writer_works_on_is_left_alone(tmp_path: Path, way: str) -> None:
    program = """
with storage.create(sys.argv[1], kind="number", version=1) as new:
    new.facts["value"] = int(sys.argv[2])
    print("at work", flush=True)
    sys.stdin.read()
"""
    path = tmp_path / "a"
    with _child(program, path, 1, way) as slow:
        assert slow.stdout is not None and slow.stdout.readline() == "at work\n"
        _create(path, 2)
        assert _value(path) == 2 and len(_names(tmp_path)) == 2
        slow.communicate()
        assert slow.returncode == 0
    assert _value(path) == 1 and _names(tmp_path) == ["a"]


@pytest.mark.parametrize("way", ["at once", "by turns"])
def test_many_writers_at_once(tmp_path: Path, way: str) -> None:
    program = """
for number in range(15):
    with storage.create(sys.argv[1], kind="number", version=1) as new:
        new.add("numbers", np.arange(int(sys.argv[2])))
        new.facts["value"] = int(sys.argv[2])
"""
    path = tmp_path / "a"
    writers = [_child(program, path, value, way) for value in (1, 2, 3)]
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    stored = storage.open_directory(path, kind="number", version=1)
    assert len(stored.array("numbers")) == stored.facts["value"]
    assert _names(tmp_path) == ["a"]


def test_a_writer_that_is_taken_for_a_leftover_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def flock(handle: int, kind: int) -> None:
        if not taken:
            taken.extend(tmp_path.iterdir())
            shutil.rmtree(taken[0])
        real(handle, kind)

    real = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", flock)
    _create(tmp_path / "a", 1)
    assert len(taken) == 1 and _names(tmp_path) == ["a"]


def test_without_locks_nothing_is_taken_for_a_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(handle: int, kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    (tmp_path / ".a.00000000.tmp").mkdir()
    _create(tmp_path / "a", 1)
    _create(tmp_path / "a", 2)
    storage.write_text(tmp_path / "a.txt", "text")
    assert _value(tmp_path / "a") == 2
    assert _names(tmp_path) == [".a.00000000.tmp", "a", "a.txt"]


@pytest.mark.parametrize("target", ["old", "nothing"])
def test_a_link_is_replaced_and_not_followed(tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _create(tmp_path / "old", 1)
    for number, swap in enumerate((placing._swap, lambda one, other: False), 2):
        monkeypatch.setattr(placing, "_swap", swap)
        path = tmp_path / f"link{number}"
        path.symlink_to(target)
        _create(path, number)
        assert not path.is_symlink() and _value(path) == number
    assert _value(tmp_path / "old") == 1
    assert _names(tmp_path) == ["link2", "link3", "old"]
    (tmp_path / "text").symlink_to("old/contents.toml")
    storage.write_text(tmp_path / "text", "new")
    assert _value(tmp_path / "old") == 1


def test_files_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / ".a.0123abcd.tmp").write_text("left by a killed writer")
    with pytest.raises(ZeroDivisionError), placing.new_file(tmp_path / "a") as out:
        out.write(b"half of it")
        raise ZeroDivisionError
    assert _names(tmp_path) == ["a"] and (tmp_path / "a").read_text() == "old"
    with placing.new_file(tmp_path / "a") as out:
        out.write(b"new")
        assert (tmp_path / "a").read_text() == "old"
    assert _names(tmp_path) == ["a"] and (tmp_path / "a").read_text() == "new"


def test_a_failed_turn_puts_back_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(new: Path, path: Path) -> bool:
        raise OSError(errno.EIO, "Input/output error")

    _create(tmp_path / "a", 1)
    monkeypatch.setattr(placing, "_swap", lambda one, other: False)
    monkeypatch.setattr(placing, "_renamed", fail)
    with pytest.raises(OutputError, match="Input/output error"):
        _create(tmp_path / "a", 2)
    assert _value(tmp_path / "a") == 1 and _names(tmp_path) == ["a"]


def test_taking_away(tmp_path: Path) -> None:
    _create(tmp_path / "a", 1)
    with pytest.raises(ZeroDivisionError), placing.take_away(tmp_path / "a"):
        assert not (tmp_path / "a").exists()
        raise ZeroDivisionError
    assert _value(tmp_path / "a") == 1
    with placing.take_away(tmp_path / "a"):
        pass
    assert _names(tmp_path) == []


def test_a_private_directory_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        for private, mode in ((True, 0o700), (False, 0o777)):
            with placing.new_directory(tmp_path / "a", private=private) as place:
                assert place.stat().st_mode & 0o777 == mode
    finally:
        os.umask(before)


class _Asked(BaseException):
    """Somebody wants an end."""


def _interrupted_at(step: int, work: Callable[[], None]) -> bool:
    """Whether the work was interrupted before a step of the code that puts things in place."""
    left = step

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        nonlocal left
        if frame.f_code.co_filename != placing.__file__:
            return None
        if event == "line":
            left -= 1
            if not left:
                raise _Asked
        return trace

    sys.settrace(trace)
    try:
        work()
    except _Asked:
        return True
    finally:
        sys.settrace(None)
    return False


@pytest.mark.parametrize("kind", ["file", "directory", "removal"])
def test_an_interruption_anywhere_leaves_old_or_new(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"

    def work() -> None:
        if kind == "file":
            with placing.new_file(place) as out:
                out.write(b"new")
        elif kind == "directory":
            with placing.new_directory(place) as beside:
                (beside / "words").write_text("new")
                placing.put_in_place(beside, place)
        else:
            with placing.take_away(place):
                pass

    for step in range(1, 200):
        placing.remove(place)
        if kind == "file":
            place.write_text("old")
        else:
            place.mkdir()
            (place / "words").write_text("old")
        interrupted = _interrupted_at(step, work)
        placing.remove_begun()
        there = [each.name for each in tmp_path.iterdir()]
        assert there == ["place"] or (kind == "removal" and there == [])
        if there:
            assert (place if kind == "file" else place / "words").read_text() in ("old", "new")
        if not interrupted:
            break
    assert step > 8 and not interrupted


def test_a_place_where_nothing_can_be_made_is_an_error_and_no_endless_loop(tmp_path: Path) -> None:
    def nowhere(beside: Path) -> int:
        raise FileNotFoundError(errno.ENOENT, "nothing can be made here", str(beside))

    with pytest.raises(FileNotFoundError):
        placing._made(tmp_path / "file", nowhere)
