"""Stored directories: nothing half-written is ever seen, and every kind of damage is named."""

from __future__ import annotations

import os
import resource
import signal
import tomllib
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from pentaglot import storage
from pentaglot._core import base
from pentaglot.contents import CONTENTS
from pentaglot.errors import OutputError, StorageError


def _write(path: Path, numbers: int = 1000, version: int = 1) -> None:
    with storage.create(path, kind="numbers", version=version) as new:
        new.add("values", np.arange(numbers, dtype=np.uint32))
        new.add("nothing", np.empty((0, 3), np.float32))
        new.facts["note"] = "first"


def _open(path: Path, **options: bool) -> storage.StoredDirectory:
    return storage.open_directory(path, kind="numbers", version=1, **options)


def test_round_trip(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    stored = _open(tmp_path / "a")
    assert np.array_equal(stored.array("values"), np.arange(1000))
    assert stored.array("nothing").shape == (0, 3)
    assert stored.array("nothing").dtype == np.float32
    assert stored.facts == {"note": "first"}
    assert storage.kind_of(tmp_path / "a") == "numbers"


def test_names_of_arrays(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    assert sorted(_open(tmp_path / "a").names()) == ["nothing", "values"]


def test_large_files_are_checked_by_samples(tmp_path: Path) -> None:
    _write(tmp_path / "a", numbers=1_000_000)
    file = tmp_path / "a" / "values.npy"
    damaged = bytearray(file.read_bytes())
    damaged[5000] ^= 1  # in the second page, which a sample of 64 pages in a thousand leaves out
    file.write_bytes(damaged)
    sampled = storage.open_directory(tmp_path / "a", kind="numbers", version=1, whole_check_bytes=1000)
    assert len(sampled.array("values")) == 1_000_000
    with pytest.raises(StorageError, match="altered"):
        _open(tmp_path / "a")
    damaged[100] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(StorageError, match="altered"):
        storage.open_directory(tmp_path / "a", kind="numbers", version=1, whole_check_bytes=1000)


def test_replacing_is_whole(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    before = _open(tmp_path / "a").array("values")
    _write(tmp_path / "a", numbers=7)
    assert len(_open(tmp_path / "a").array("values")) == 7
    assert len(before) == 1000 and before[-1] == 999, "a reader keeps what it had mapped"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_failure_leaves_what_was_there(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    with pytest.raises(KeyboardInterrupt), storage.create(tmp_path / "a", kind="numbers", version=1) as new:
        new.add("values", np.arange(3))
        raise KeyboardInterrupt
    assert len(_open(tmp_path / "a").array("values")) == 1000
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["values.npy", "nothing.npy", "contents.toml"])
def test_every_flipped_byte_is_found(tmp_path: Path, name: str) -> None:
    _write(tmp_path / "a", numbers=20)
    file = tmp_path / "a" / name
    whole = file.read_bytes()
    for position in range(len(whole)):
        file.write_bytes(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        with pytest.raises(StorageError) as caught:
            _open(tmp_path / "a")
        assert str(tmp_path / "a") in str(caught.value)


def test_truncated_missing_and_foreign(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    file = tmp_path / "a" / "values.npy"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(StorageError, match="cut short"):
        _open(tmp_path / "a")
    file.unlink()
    with pytest.raises(StorageError, match=r"values\.npy: cannot be read: no such file"):
        _open(tmp_path / "a")
    with pytest.raises(StorageError, match="there is no numbers here"):
        _open(tmp_path / "b")
    with pytest.raises(StorageError, match=r"has no contents\.toml"):
        _open(tmp_path)
    with pytest.raises(StorageError, match="holds something else .numbers., not the expected bitext"):
        storage.open_directory(tmp_path / "a", kind="bitext", version=1)


def test_newer_version(tmp_path: Path) -> None:
    _write(tmp_path / "a", version=2)
    with pytest.raises(StorageError, match="written by a newer Pentaglot .*upgrade pentaglot"):
        _open(tmp_path / "a")


def test_large_files_are_sampled_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "WHOLE_CHECK_BYTES", 1 << 16)
    _write(tmp_path / "a", numbers=1 << 20)
    file = tmp_path / "a" / "values.npy"
    data = bytearray(file.read_bytes())
    data[4096 * 5] ^= 1  # between two sampled pages
    file.write_bytes(data)
    _open(tmp_path / "a")
    with pytest.raises(StorageError, match="altered"):
        _open(tmp_path / "a", verify=True)
    data[-1] ^= 1  # the last page is always sampled
    file.write_bytes(data)
    with pytest.raises(StorageError, match="altered"):
        _open(tmp_path / "a")


def test_other_peoples_directories_are_safe(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("years of work")
    with pytest.raises(StorageError, match="other things in it"):
        _write(tmp_path / "thesis")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="is a file"):
        _write(tmp_path / "file")
    assert (tmp_path / "thesis" / "chapter1.tex").read_text() == "years of work"
    with (
        pytest.raises(StorageError, match="other things in it"),
        storage.create(tmp_path / "new", kind="numbers", version=1),
    ):
        (tmp_path / "thesis").rename(tmp_path / "new")
    assert (tmp_path / "new" / "chapter1.tex").read_text() == "years of work"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "new"]


@pytest.mark.parametrize("name", ["values.npy", "contents.toml", "further"])
def test_no_link_and_no_pipe_is_followed(tmp_path: Path, name: str) -> None:
    _write(tmp_path / "a")
    file = tmp_path / "a" / name
    if file.exists():
        file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=f"{name}: is a symbolic link; links are not followed"):
        _open(tmp_path / "a")
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(StorageError, match=f"{name}: is neither a file nor a directory"):
        _open(tmp_path / "a")
    assert storage.kind_of(tmp_path / "a") == (None if name == "contents.toml" else "numbers")


def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    (tmp_path / "link").symlink_to("a")
    assert len(_open(tmp_path / "link").array("values")) == 1000


@pytest.mark.parametrize("name", ["../victim.npy", "/etc/passwd", "a/b.npy", "..", "", "\0"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "victim.npy").write_bytes(b"mine")
    with storage.create(tmp_path / "a", kind="numbers", version=1) as new:
        new._files[name] = {"bytes": 4, "checksum": "0", "sample": "0"}
    with pytest.raises(StorageError, match=r"contents\.toml: is damaged"):
        _open(tmp_path / "a")


def test_full_disk(tmp_path: Path) -> None:
    """A file-size limit stands in for a full disk: the write fails half-way with an error from the system."""
    _write(tmp_path / "a")
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            _write(tmp_path / "a", numbers=1_000_000)
        except OutputError as error:
            os._exit(0 if "nothing was changed" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(_open(tmp_path / "a").array("values")) == 1000
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def _sign(path: Path, change: dict[str, object]) -> None:
    """Changes a table of contents and signs it again, as somebody would who means harm."""
    file = path / CONTENTS
    contents = tomllib.loads(file.read_text("utf-8"))
    del contents["contents_checksum"]
    text = tomli_w.dumps(contents | change)
    file.write_text(f'contents_checksum = "{base.checksum(text.encode()):016x}"\n{text}', "utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"../a/values.npy": {"bytes": 1, "checksum": "0", "sample": "0"}}},
        {"files": {"/etc/passwd": {"bytes": 1, "checksum": "0", "sample": "0"}}},
        {"files": {"": {"bytes": 1, "checksum": "0", "sample": "0"}}},
        {"files": {"values.npy": 3}},
        {"files": {"values.npy": {"bytes": "1", "checksum": "0", "sample": "0"}}},
        {"files": {"values.npy": {"bytes": True, "checksum": "0", "sample": "0"}}},
        {"files": {"values.npy": {"bytes": -1, "checksum": "0", "sample": "0"}}},
        {"files": {"values.npy": {"bytes": 1, "checksum": 0, "sample": "0"}}},
        {"files": []},
        {"facts": 3},
        {"kind": ["numbers"]},
        {"version": True},
        {"version": 0},
        {"version": "1"},
    ],
)
def test_contents_of_the_wrong_kind(tmp_path: Path, change: dict[str, object]) -> None:
    _write(tmp_path / "a")
    _sign(tmp_path / "a", change)
    with pytest.raises(StorageError, match=r"contents\.toml: is damaged"):
        _open(tmp_path / "a")


def test_contents_that_go_deep(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    (tmp_path / "a" / CONTENTS).write_text("a = " + "[" * 100_000, "utf-8")
    with pytest.raises(StorageError, match="cannot be read"):
        _open(tmp_path / "a")
    assert storage.kind_of(tmp_path / "a") is None


def test_facts_have_kinds(tmp_path: Path) -> None:
    with storage.create(tmp_path / "a", kind="numbers", version=1) as new:
        new.facts.update(order=3, flag=True, share=0.5, names=["a", "b"], mixed=["a", 1])
    stored = _open(tmp_path / "a")
    assert stored.fact("order", int) == 3 and stored.fact("flag", bool) is True
    assert stored.fact("share", float) == 0.5 and stored.fact("order", float) == 3
    assert stored.list_fact("names", str) == ["a", "b"] and stored.fact("other", str, "x") == "x"
    for name, kind in (("flag", int), ("order", str), ("order", bool), ("missing", int), ("names", str)):
        with pytest.raises(StorageError, match=f"'{name}' is not what it should be"):
            stored.fact(name, kind)
    with pytest.raises(StorageError, match="'mixed' is not what it should be"):
        stored.list_fact("mixed", str)


def test_arrays_have_kinds(tmp_path: Path) -> None:
    _write(tmp_path / "a")
    stored = _open(tmp_path / "a")
    assert len(stored.array("values", np.uint32)) == 1000
    assert stored.array("nothing", np.float32, 2).shape == (0, 3)
    for name, kind, dimensions in (("values", np.int32, 1), ("values", np.uint32, 2), ("nothing", np.float32, 1)):
        with pytest.raises(StorageError, match=rf"{name}\.npy: is damaged: it holds no {np.dtype(kind).name} in"):
            stored.array(name, kind, dimensions)


def test_damage_is_told_where_it_is() -> None:
    with pytest.raises(StorageError, match="^place: is damaged: it does not hold"), storage.damage_at("place"):
        raise TypeError
    with pytest.raises(StorageError, match="^place: is damaged: odd; build it again"), storage.damage_at("place"):
        raise StorageError("is damaged: odd")
    with pytest.raises(StorageError, match="^inner: odd$"), storage.damage_at("place"):
        raise StorageError("odd", path="inner")


def test_moving(tmp_path: Path) -> None:
    for name in ("old", "new"):
        with storage.create(tmp_path / name, kind=name, version=1) as made:
            made.add("numbers", np.arange(3))
    storage.move(tmp_path / "new", tmp_path / "old")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert storage.kind_of(tmp_path / "old") == "new"
    storage.move(tmp_path / "old", tmp_path / "deep" / "place")
    (tmp_path / "file").write_text("x")
    (tmp_path / "deep" / "file").write_text("y")
    storage.move(tmp_path / "file", tmp_path / "deep" / "file")
    assert (tmp_path / "deep" / "file").read_text() == "x"
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").write_text("z")
    with pytest.raises(StorageError, match="other things in it"):
        storage.move(tmp_path / "deep" / "place", tmp_path / "thesis")
    assert storage.kind_of(tmp_path / "deep" / "place") == "new"


def test_pipes_stay_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)
    storage.write_text(pipe, "words")
    assert pipe.is_fifo() and os.read(end, 10) == b"words"
    os.close(end)
