"""Replacing files and directories: readers see the old or the new one, and a kill leaves nothing behind for long.

What is being written has a hidden name beside its place (`.NAME.1a2b3c4d.tmp`), and its writer holds a lock on it. So
the next writer to the same place can tell what a killed writer left behind from what a living one is working on, and
removes it.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "words"
>>> for words in ("old", "new"):
...     with new_directory(place) as beside:
...         _ = (beside / "list").write_text(words)
...         put_in_place(beside, place)
>>> (place / "list").read_text(), [each.name for each in place.parent.iterdir()]
('new', ['words'])
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from pentaglot.errors import writing
from pentaglot.guarded import sync_directory

__all__ = [
    "in_work",
    "interrupted",
    "new_directory",
    "new_file",
    "put_in_place",
    "remove",
    "remove_begun",
    "take_away",
    "unfinished",
]

# What this process is writing. A signal may raise an exception between any two steps, also when something has just been
# made and no block is entered yet that would remove it.
_begun: set[Path] = set()
_TRIALS = 100  # of other writers to take a new file for a leftover, one after the other


@contextlib.contextmanager
def new_directory(path: Path, *, private: bool = False) -> Iterator[Path]:
    """An empty directory beside `path`; if it still has its hidden name when the block ends, it is removed. Nobody
    else may look into a `private` one."""

    def make(beside: Path) -> int:
        beside.mkdir(0o700 if private else 0o777)
        return os.open(beside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)

    with writing(path):
        beside, lock = _made(path, make)
    try:
        yield beside
    finally:
        remove(beside)
        _begun.discard(beside)
        os.close(lock)


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """An empty file beside `path`, which gets its name when the block ends, unless it fails."""

    def make(beside: Path) -> int:
        return os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)

    with writing(path):
        beside, lock = _made(path, make)
    try:
        with os.fdopen(lock, "wb", closefd=False) as out:
            yield out
            out.flush()
            os.fsync(lock)
        beside.replace(path)
        sync_directory(path.parent)
    finally:
        remove(beside)
        _begun.discard(beside)
        os.close(lock)


def put_in_place(new: Path, path: Path) -> None:
    """Gives `new` the name `path`, in one step where the system can swap two names. What was there before is gone, or
    has the hidden name now. A link at `path` is replaced, not followed."""
    done = False
    while not done:  # another writer may be faster, and there is something else then
        there = os.path.lexists(path)
        done = _swap(new, path) or _put_by_turns(new, path) if there else _renamed(new, path)
    sync_directory(path.parent)


@contextlib.contextmanager
def take_away(path: Path) -> Iterator[None]:
    """Removes a directory when the block ends; it is hidden meanwhile, and there again if the block fails."""
    aside = _hidden(path, "tmp")
    try:
        path.rename(aside)
        yield
        _begun.add(aside)  # from here on it is to be removed
    except BaseException:
        if os.path.lexists(aside) and not os.path.lexists(path):
            aside.rename(path)
        raise
    remove(aside)
    _begun.discard(aside)


def remove_begun() -> None:
    """Removes what this process was still writing, for when it is asked to end."""
    for each in sorted(_begun):
        remove(each)
        _begun.discard(each)


def remove(path: Path) -> None:
    """Removes a file, a link or a directory as far as possible; never what a link leads to."""
    try:
        _remove(path)
    except BaseException:  # a signal, which comes once
        _remove(path)
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def interrupted(path: Path) -> Path | None:
    """What was at `path` before a writer that cannot swap names put it aside to make room, if there is nothing now."""
    path = Path(os.path.realpath(path))
    if os.path.lexists(path):
        return None
    return next((each for each, kind in _hidden_beside(path) if kind == "old"), None)


def unfinished(path: Path) -> set[Path]:
    """What writers to `path` are working on, or left behind when they were killed."""
    return {each for each, _ in _hidden_beside(path)}


def in_work(hidden: Path) -> bool:
    """Whether a writer is at work on something with a hidden name, as far as can be known."""
    try:
        handle = os.open(hidden, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _hidden(path: Path, kind: str) -> Path:
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}.{kind}")


def _hidden_beside(path: Path) -> list[tuple[Path, str]]:
    """What writers to `path` are working on, or left behind, and its kind."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.(tmp|old)")
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        found = [(path.parent / entry.name, pattern.fullmatch(entry.name)) for entry in entries]
        return [(each, match[1]) for each, match in sorted(found) if match]
    return []


def _made(path: Path, make: Callable[[Path], int]) -> tuple[Path, int]:
    """Something new beside `path`, and the open file by which it is locked."""
    _remove_leftovers(path)
    trials = 0
    while True:
        beside = _hidden(path, "tmp")
        _begun.add(beside)
        try:
            lock = make(beside)
        except OSError as error:
            remove(beside)
            _begun.discard(beside)
            # Gone again: another writer took it for a leftover. Or nothing can be made there at all, as in /proc.
            if not isinstance(error, FileNotFoundError) or not path.parent.is_dir() or trials >= _TRIALS:
                raise
            trials += 1
            continue
        # Before it was locked, another writer may have taken it for a leftover.
        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), beside.lstat()):
                return beside, lock
        _begun.discard(beside)
        os.close(lock)


def _remove_leftovers(path: Path) -> None:
    """Removes what writers to `path` left behind when they were killed, and puts back what they had put aside. Without
    locks that show who is alive, everything stays."""
    for left, kind in _hidden_beside(path):
        if left.is_symlink():
            remove(left)  # was at `path` before it was replaced
            continue
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if kind == "old" and not os.path.lexists(path):
                    left.rename(path)
                else:
                    remove(left)
            finally:
                os.close(handle)


def _renamed(new: Path, path: Path) -> bool:
    try:
        new.rename(path)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR) and os.path.lexists(path):
            return False
        raise
    return True


def _swap(one: Path, other: Path) -> bool:
    """Exchanges two names atomically (Linux renameat2); False where that cannot be done."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    at_cwd, exchange = -100, 2
    return bool(renameat2(at_cwd, os.fsencode(one), at_cwd, os.fsencode(other), exchange) == 0)


def _put_by_turns(new: Path, path: Path) -> bool:
    """The same in two steps. Between them there is nothing at `path`: readers wait, and if we are killed there, the
    next writer puts back what was there before. False if another writer was faster."""
    aside = _hidden(path, "old")
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            held.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX)  # others see that somebody is at work
        try:
            path.rename(aside)
        except FileNotFoundError:
            return False
        try:
            done = _renamed(new, path)
        except BaseException:
            if not os.path.lexists(path):
                aside.rename(path)
            raise
        remove(aside)
    return done
