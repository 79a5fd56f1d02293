"""Directories of arrays on disk: versioned, checksummed, written beside and renamed into place, opened by memory map.

A stored thing is a directory of `.npy` arrays and one small `contents.toml` that says what kind of thing it is, its
format version, and the size and checksum of every array. It appears at its final name only when the last byte is on the
disk, so a reader never sees half of one.

>>> import tempfile, numpy as np
>>> place = Path(tempfile.mkdtemp()) / "numbers"
>>> with create(place, kind="numbers", version=1) as new:
...     new.add("squares", np.arange(5) ** 2)
...     new.facts["made_by"] = "a docstring"
>>> stored = open_directory(place, kind="numbers", version=1)
>>> stored.array("squares").tolist(), stored.facts["made_by"]
([0, 1, 4, 9, 16], 'a docstring')
"""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import tomli_w
from numpy.typing import DTypeLike, NDArray

from pentaglot import guarded, placing, steady
from pentaglot._core import base
from pentaglot.contents import CONTENTS, HINT, is_fact, read_contents
from pentaglot.errors import PentaglotError, StorageError, writing
from pentaglot.file_checks import check_file, mapped, sample_checksum
from pentaglot.npy import array_in
from pentaglot.wording import number_of

Fact = TypeVar("Fact")

# Files up to this size are checked whole on opening (a few milliseconds); of larger ones only their size and some
# of their pages, so that opening does not read what will not be used. `verify=True` checks everything.
WHOLE_CHECK_BYTES = 64 << 20


class NewDirectory:
    """A directory being written; `facts` goes into its table of contents."""

    def __init__(self, path: Path, kind: str, version: int) -> None:
        self.path = path
        self.facts: dict[str, Any] = {}
        self._kind = kind
        self._version = version
        self._files: dict[str, dict[str, Any]] = {}

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Writes one array as `name.npy`."""
        file = self.path / f"{name}.npy"
        with file.open("wb") as out:
            # Not np.save: it hides from us that a disk is full.
            array = np.ascontiguousarray(array)
            np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(array))
            out.write(array.reshape(-1).view(np.uint8).data)
        self._record(file)

    def add_file(self, name: str) -> None:
        """Records a file that was written into `path` by other means."""
        self._record(self.path / name)

    def _record(self, file: Path) -> None:
        with file.open("r+b") as handle:
            os.fsync(handle.fileno())
        data = mapped(file)
        self._files[file.name] = {
            "bytes": file.stat().st_size,
            "checksum": f"{base.checksum(data):016x}",
            "sample": f"{sample_checksum(data):016x}",
        }

    def _finish(self) -> None:
        contents = {"kind": self._kind, "version": self._version, "facts": self.facts, "files": self._files}
        text = tomli_w.dumps(contents)
        # The table of contents vouches for itself too: facts that were altered by accident are found.
        text = f'contents_checksum = "{base.checksum(text.encode()):016x}"\n' + text
        write_text(self.path / CONTENTS, text)


class StoredDirectory:
    """An opened directory; arrays are memory-mapped read-only when asked for."""

    def __init__(self, path: Path, facts: dict[str, Any], files: dict[str, dict[str, Any]], version: int) -> None:
        self.path = path
        self.facts = facts
        self.version = version
        self._files = files

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._files

    def names(self) -> list[str]:
        """The names of all arrays."""
        return [file.removesuffix(".npy") for file in self._files if file.endswith(".npy")]

    def array(self, name: str, kind: DTypeLike | None = None, dimensions: int = 1) -> NDArray[Any]:
        """One array, mapped from disk; raises an error if it is not of that kind."""
        if name not in self:
            raise StorageError(f"holds no array '{name}'", path=self.path, hint="build it again")
        file = self.path / f"{name}.npy"
        try:
            found = array_in(mapped(file))
        except (ValueError, OSError) as error:
            raise StorageError("is not a readable array", path=file, hint="build it again") from error
        if kind is not None and (found.dtype != np.dtype(kind) or found.ndim != dimensions):
            problem = f"is damaged: it holds no {np.dtype(kind).name} in {number_of(dimensions, 'dimension')}"
            raise StorageError(problem, path=file, hint=HINT)
        return found

    def fact(self, name: str, kind: type[Fact], default: Fact | None = None) -> Fact:
        """A fact of that kind; raises an error if it is of another, or missing without a default."""
        value = self.facts.get(name, default)
        if not is_fact(value, kind):
            raise StorageError(f"is damaged: '{name}' is not what it should be", path=self.path / CONTENTS, hint=HINT)
        return cast(Fact, value)

    def list_fact(self, name: str, each: type[Fact], default: list[Fact] | None = None) -> list[Fact]:
        """A list of such facts."""
        values = self.fact(name, list, default)
        if not all(is_fact(value, each) for value in values):
            raise StorageError(f"is damaged: '{name}' is not what it should be", path=self.path / CONTENTS, hint=HINT)
        return values

    def table_fact(self, name: str, each: type[Fact]) -> dict[str, Fact]:
        """Such facts by their names."""
        table = self.fact(name, dict)
        if not all(is_fact(value, each) for value in table.values()):
            raise StorageError(f"is damaged: '{name}' is not what it should be", path=self.path / CONTENTS, hint=HINT)
        return table


@contextlib.contextmanager
def damage_at(path: str | os.PathLike[str]) -> Iterator[None]:
    """Adds the path to errors that the core raises inside the block about stored arrays."""
    try:
        yield
    except (PentaglotError, TypeError) as error:
        if isinstance(error, StorageError) and error.path is not None:
            raise
        # A TypeError comes from arrays that are missing, too many or of another kind.
        what = error.message if isinstance(error, PentaglotError) else "it does not hold what it should"
        raise StorageError(f"is damaged: {what.removeprefix('is damaged: ')}", path=path, hint=HINT) from error


def write_text(path: Path, text: str) -> None:
    """Writes a small text file that is on the disk when this returns, or not there at all."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """The same for bytes. What is written to a pipe or a device goes through it."""
    with writing(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        with placing.new_file(path) as out:
            out.write(data)


def check_place(path: Path) -> None:
    """Raises an error if a stored directory cannot be written at `path`: for long jobs, before they begin."""
    steady.read_steadily([path], lambda: _check_place(path))


def _check_place(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise StorageError("is a file; a directory would be written here", path=path, hint="choose another name")
    if path.is_dir() and any(path.iterdir()) and not (path / CONTENTS).exists():
        raise StorageError("is a directory with other things in it", path=path, hint="choose another name or empty it")


@contextlib.contextmanager
def create(
    path: str | os.PathLike[str],
    *,
    kind: str,
    version: int,
    swapping: contextlib.AbstractContextManager[object] | None = None,
) -> Iterator[NewDirectory]:
    """A new directory that replaces what is at `path` when the block ends, and leaves no trace if it fails. The last
    step is done within `swapping`, which may fail too."""
    path = Path(path)
    with writing(path):
        check_place(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with placing.new_directory(path) as beside:
            new = NewDirectory(beside, kind, version)
            yield new
            new._finish()
            check_place(path)  # once more: long jobs give people time to put other things there
            with swapping or contextlib.nullcontext():
                placing.put_in_place(beside, path)


def open_directory(
    path: str | os.PathLike[str],
    *,
    kind: str,
    version: int,
    verify: bool | None = None,
    whole_check_bytes: int | None = None,
) -> StoredDirectory:
    """Opens and checks a directory. `verify`: True reads every byte, False only sizes, None as much as is quick: files
    up to `whole_check_bytes` (WHOLE_CHECK_BYTES if not given) whole, of larger ones some pages."""
    path = Path(path)
    guarded.check_entries(path)
    contents = read_contents(path, kind)
    found, stored_version = contents["kind"], contents["version"]
    if found != kind:
        raise StorageError(f"holds something else ({found}), not the expected {kind}", path=path, hint="check the path")
    if stored_version > version:
        raise StorageError(
            f"was written by a newer Pentaglot ({kind} format {stored_version}; this one reads up to {version})",
            path=path,
            hint="upgrade pentaglot or build it again",
        )
    for name, recorded in contents["files"].items():
        file = guarded.inside(path, name)
        check_file(file, recorded, verify, WHOLE_CHECK_BYTES if whole_check_bytes is None else whole_check_bytes)
    return StoredDirectory(path, contents["facts"], contents["files"], stored_version)


def move(new: Path, path: Path) -> None:
    """Moves a stored directory, or a file, to another place on the same disk, replacing what is there in one step."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not new.is_dir():
            new.replace(path)
            return
        check_place(path)
        placing.put_in_place(new, path)
        if os.path.lexists(new):  # what was at `path`; hidden first, so that a kill never leaves half of it here
            with placing.take_away(new):
                pass


def kind_of(path: str | os.PathLike[str]) -> str | None:
    """What kind of thing is stored at `path`; None if it is not a stored directory."""
    try:
        return str(tomllib.loads(guarded.inside(path, CONTENTS).read_text("utf-8"))["kind"])
    except (OSError, KeyError, ValueError, RecursionError, StorageError):
        return None
