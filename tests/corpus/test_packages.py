"""Packages by name: fetched once, checked, kept; every failure named. A made-up npm stands in for the real one."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from pentaglot.corpus import packages
from pentaglot.corpus.packages import Package, cache_directory, fetch, is_cached
from pentaglot.errors import InputError, MissingDependencyError, OutputError

CONTENT = b"In principio erat verbum"
PACKAGE = Package("npm", "verbum", "1.0.0", "verbum-1.0.0.tgz", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "cache" / "pentaglot"


def _npm(folder: Path, script: str) -> None:
    program = folder / "bin" / "npm"
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\n{script}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def _good_npm(folder: Path, content: bytes = CONTENT) -> None:
    _npm(folder, f"printf '%s' '{content.decode()}' > verbum-1.0.0.tgz")


def test_fetched_once_then_kept(tmp_path: Path, cache: Path) -> None:
    _good_npm(tmp_path)
    assert not is_cached(PACKAGE)
    assert fetch(PACKAGE).read_bytes() == CONTENT
    assert is_cached(PACKAGE)
    (tmp_path / "bin" / "npm").unlink()  # the second time nothing is asked
    assert fetch(PACKAGE) == cache / "verbum-1.0.0.tgz"
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 1 and calls[0].startswith("pack ") and calls[0].endswith(" verbum@1.0.0")
    assert [path.name for path in cache.iterdir()] == ["verbum-1.0.0.tgz"]


def test_damaged_cache_is_fetched_again(tmp_path: Path, cache: Path) -> None:
    _good_npm(tmp_path)
    fetch(PACKAGE).write_bytes(b"damaged")
    assert fetch(PACKAGE).read_bytes() == CONTENT


def test_wrong_checksum_is_refused(tmp_path: Path, cache: Path) -> None:
    _good_npm(tmp_path, b"something else")
    with pytest.raises(InputError, match=r"verbum@1\.0\.0 is not what was published"):
        fetch(PACKAGE)
    assert list(cache.iterdir()) == []


def test_offline(tmp_path: Path, cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    _npm(tmp_path, "echo 'npm error network' >&2; exit 1")
    with caplog.at_level("INFO"), pytest.raises(InputError, match=r"npm could not fetch verbum@1\.0\.0; check the net"):
        fetch(PACKAGE)
    assert "npm error network" in caplog.text
    assert list(cache.iterdir()) == []


def test_too_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_SECONDS", 0.2)
    _npm(tmp_path, "exec /bin/sleep 30")
    with pytest.raises(InputError, match=r"took more than 0\.2 s"):
        fetch(PACKAGE)


def test_no_file_given(tmp_path: Path) -> None:
    _npm(tmp_path, "true")
    with pytest.raises(InputError, match=r"gave no file verbum-1\.0\.0\.tgz"):
        fetch(PACKAGE)


def test_npm_missing() -> None:
    with pytest.raises(MissingDependencyError, match="npm is needed"):
        fetch(PACKAGE)


def test_pip_without_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(InputError, match="pip could not fetch verbum==1"):
        fetch(Package("pip", "verbum", "1", "verbum-1-py3-none-any.whl", "0" * 64))


def test_cache_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(OutputError, match="not a directory"):
        fetch(PACKAGE)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for relative_or_unset in ("", "relative/path"):
        monkeypatch.setenv("XDG_CACHE_HOME", relative_or_unset)
        assert cache_directory() == Path.home() / ".cache" / "pentaglot"
