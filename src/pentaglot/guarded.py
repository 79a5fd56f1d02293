"""Files inside stored directories, opened so that nothing in them can lead elsewhere or block for ever.

A model may come from anybody. A symbolic link in it could lead to a file of the user's, which writing would destroy,
and a pipe in it would never end. So inside a stored thing there are plain files and directories; anything else is
refused. The path that the user gives may go through links.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pentaglot.errors import StorageError

__all__ = ["check_entries", "exclusive", "inside", "open_file", "share", "sync_directory"]


def inside(directory: str | os.PathLike[str], name: str) -> Path:
    """The path of this name in a stored directory or a model, whether it exists or not; raises an error if it is a link
    or anything else that is neither file nor directory, or if the name leads out of the directory.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> inside(place, "index").name
    'index'
    >>> (place / "index").symlink_to("/etc")
    >>> try: inside(place, "index")
    ... except StorageError as error: print(error.message)
    is a symbolic link; links are not followed inside stored directories
    """
    path = Path(directory) / name
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise StorageError(f"names a file that is not in it: {name!r}", path=directory, hint="restore a copy")
    with contextlib.suppress(OSError):
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise _refused(path, link=stat.S_ISLNK(mode))
    return path


def check_entries(directory: Path) -> None:
    """Raises an error if anything in a stored directory is neither a file nor a directory."""
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)):
                raise _refused(directory / entry.name, link=entry.is_symlink())


def open_file(path: str | os.PathLike[str], flags: int = os.O_RDONLY) -> int:
    """A descriptor of a plain file; never of one that a link leads to."""
    try:
        # Without waiting: a pipe would keep us here until somebody opens its other end.
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise _refused(Path(path), link=error.errno == errno.ELOOP) from error
        raise
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        raise _refused(Path(path), link=False)
    return handle


def share(handle: int) -> None:
    """Waits until nobody writes to an open file, and keeps writers waiting until it is closed. File systems without
    locks, or without locks for readers, do not prevent reading."""
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_SH)


@contextlib.contextmanager
def exclusive(path: str | os.PathLike[str]) -> Iterator[None]:
    """Holds an exclusive lock. The file at `path` stands for it; its contents stay as they are."""
    handle = open_file(path, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sync_directory(directory: Path) -> None:
    """Writes the names in a directory to disk, where the file system can do that for directories."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _refused(path: Path, *, link: bool) -> StorageError:
    if link:
        return StorageError(
            "is a symbolic link; links are not followed inside stored directories",
            path=path,
            hint="put a copy of what it points to in its place",
        )
    return StorageError("is neither a file nor a directory", path=path, hint="remove it or restore a copy")
