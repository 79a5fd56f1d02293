"""Checksums of stored files, whole or of some pages."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import base
from pentaglot.contents import HINT
from pentaglot.errors import StorageError, describe_os_error

__all__ = ["check_file", "mapped", "sample_checksum"]

_PAGE = 4096
_SAMPLED_PAGES = 64


def check_file(file: Path, recorded: dict[str, Any], verify: bool | None, whole_check_bytes: int) -> None:
    """Raises an error if a file is not as the table of contents has `recorded` it."""
    try:
        size = file.stat().st_size
    except OSError as error:
        raise StorageError(f"cannot be read: {describe_os_error(error)[0]}", path=file, hint=HINT) from error
    if size != recorded["bytes"]:
        problem = "is cut short" if size < recorded["bytes"] else "is longer than it was written"
        raise StorageError(f"{problem}: {size} bytes instead of {recorded['bytes']}", path=file, hint=HINT)
    if verify is False:
        return
    data = mapped(file)
    whole = verify or size <= whole_check_bytes
    found = base.checksum(data) if whole else sample_checksum(data)
    if f"{found:016x}" != recorded["checksum" if whole else "sample"]:
        raise StorageError("was altered after it was written (its checksum differs)", path=file, hint=HINT)


def mapped(file: Path) -> NDArray[np.uint8]:
    """The bytes of a file, read when they are used."""
    if file.stat().st_size == 0:
        return np.empty(0, np.uint8)
    with file.open("rb") as handle:
        return np.frombuffer(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def sample_checksum(data: NDArray[np.uint8]) -> int:
    """A checksum of some pages, spread over the data."""
    pages = max(1, -(-len(data) // _PAGE))
    total = len(data)
    chosen: Sequence[int] = range(pages)
    if pages > _SAMPLED_PAGES:
        chosen = np.unique(np.linspace(0, pages - 1, _SAMPLED_PAGES).astype(np.int64)).tolist()
    for page in chosen:
        total = base.checksum(data[page * _PAGE : (page + 1) * _PAGE], total)
    return total
