"""Files that are opened inside of what is stored: nothing leads elsewhere, nothing waits, nothing is cut."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pentaglot import guarded
from pentaglot.errors import StorageError


def test_plain_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    handle = guarded.open_file(tmp_path / "file")
    assert os.read(handle, 10) == b"abc"
    os.close(handle)
    with pytest.raises(FileNotFoundError):
        guarded.open_file(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        guarded.open_file(tmp_path)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_RDWR | os.O_CREAT])
def test_other_things_are_refused(tmp_path: Path, flags: int) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"abc")
    (tmp_path / "link").symlink_to("victim")
    (tmp_path / "dangling").symlink_to("nothing")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "dangling", "pipe"):
        with pytest.raises(StorageError, match=f"{name}: is "):
            guarded.open_file(tmp_path / name, flags)
        with pytest.raises(StorageError, match=f"{name}: is "):
            guarded.inside(tmp_path, name)
    with pytest.raises(StorageError, match="is a symbolic link|is neither"):
        guarded.check_entries(tmp_path)
    assert victim.read_bytes() == b"abc" and not (tmp_path / "nothing").exists()


def test_names(tmp_path: Path) -> None:
    assert guarded.inside(tmp_path, "a.b") == tmp_path / "a.b"
    for name in ("", ".", "..", "a/b", "/etc", "../a", "a/", "a\0b"):
        with pytest.raises(StorageError, match="names a file that is not in it"):
            guarded.inside(tmp_path, name)


def test_a_lock_is_held_by_one_and_its_file_stays_as_it_is(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_bytes(b"what was in it")
    program = (
        "import sys\nfrom pentaglot import guarded\n"
        "with guarded.exclusive(sys.argv[1]):\n    print('mine', flush=True)\n    sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "mine\n"
        got = threading.Event()

        def take() -> None:
            with guarded.exclusive(lock):
                got.set()

        waiting = threading.Thread(target=take)
        waiting.start()
        assert not got.wait(0.2), "held by another process"
        other.kill()
    assert got.wait(60), "a killed process holds nothing"
    waiting.join()
    assert lock.read_bytes() == b"what was in it"
