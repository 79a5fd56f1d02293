"""The journal: whatever is cut off or altered, whole records survive and nothing else is believed."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import base
from pentaglot.errors import InputError, OutputError, StorageError
from pentaglot.index.journal import Journal

RECORDS = [{"n": 1}, {"word": "Straße  \n"}, {"n": [1, 2, {"deep": None}]}]


def _written(path: Path) -> bytes:
    Journal(path).append(*RECORDS)
    return path.read_bytes()


def test_round_trip(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep" / "journal")
    assert journal.read() == []
    assert journal.append(RECORDS[0]) == RECORDS[:1]
    assert journal.append(*RECORDS[1:]) == RECORDS[1:]
    again = Journal(journal.path)
    assert again.read() == RECORDS
    assert again.read() == []
    assert (again.name, again.records) == (journal.name, 3)
    assert again.append({"n": 4}) == [{"n": 4}]
    assert journal.append({"n": 5}) == [{"n": 4}, {"n": 5}], "what another wrote comes first"


def test_every_torn_end_is_passed_over_by_readers_and_cut_by_writers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal"
    whole = _written(path)
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole)):
        caplog.clear()
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends)
        reader = Journal(path)
        assert reader.read() == RECORDS[: max(0, complete - 1)]
        assert ("the last record is incomplete" in caplog.text) == (size not in (0, *ends))
        caplog.clear()
        assert reader.read() == [] and not caplog.text, "said once"
        assert path.read_bytes() == whole[:size], "a reader writes nothing"
        Journal(path).append({"after": size})
        assert Journal(path).read() == [*RECORDS[: max(0, complete - 1)], {"after": size}]
        assert path.read_bytes().startswith(whole[: max([0, *(end for end in ends if end <= size)])])
        assert reader.read() == [{"after": size}], "a reader that saw the torn line goes on where it ought to"


def test_every_flipped_bit_of_the_last_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = _written(path)
    lines = whole.count(b"\n")
    for at in range(whole.rindex(b"\n", 0, len(whole) - 1) + 1, len(whole)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << bit
            path.write_bytes(damaged)
            for use in (Journal(path).read, lambda: Journal(path).append({"n": 4})):
                with pytest.raises(StorageError, match=f"journal:{lines}: was altered"):
                    use()
            assert path.read_bytes() == damaged, "an acknowledged record is not thrown away"


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damage_before_the_end_is_named(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal"
    whole = bytearray(_written(path))
    last = whole.rindex(b"\n", 0, len(whole) - 1)
    at = data.draw(st.integers(0, last - 1))
    line = whole.count(b"\n", 0, at) + 1
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)
    with pytest.raises(StorageError, match=f"journal:{line}: was altered"):
        Journal(path).read()


_APPEND = """
import sys
from pentaglot.index.journal import Journal
journal = Journal(sys.argv[1])
for number in range(50):
    journal.append({"name": sys.argv[2], "number": number})
"""


def test_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    workers = [subprocess.Popen([sys.executable, "-c", _APPEND, str(path), name]) for name in "ab"]
    assert [worker.wait() for worker in workers] == [0, 0]
    records = Journal(path).read()
    for name in "ab":
        assert [record["number"] for record in records if record["name"] == name] == list(range(50))


@contextlib.contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """A limit on the size of files stands in for a full disk: the write fails half-way with an error."""
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("size", [100, 5_000, 100_000])
@pytest.mark.parametrize("room", [0, 1, 50, 4_096])
def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, size: int, room: int) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    journal.append({"n": 1})
    before = path.read_bytes()
    if size > room:
        with _largest_file(len(before) + room), pytest.raises(OutputError, match="larger than allowed.*nothing was"):
            journal.append({"long": "x" * size})
    assert path.read_bytes() == before
    journal.append({"n": 2})
    assert Journal(path).read() == [{"n": 1}, {"n": 2}]


def test_a_full_disk_at_the_first_record_leaves_no_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    with _largest_file(60), pytest.raises(OutputError, match="larger than allowed"):
        journal.append({"long": "x" * 100})
    assert list(tmp_path.iterdir()) == []
    journal.append({"n": 1})
    assert Journal(journal.path).read() == [{"n": 1}]


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_others_wrote_is_not_forgotten_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    journal, other = Journal(tmp_path / "journal"), Journal(tmp_path / "journal")
    journal.append({"n": 1})
    other.append({"n": 2})
    before = journal.path.read_bytes()

    def fail(handle: int, data: memoryview, at: int) -> int:
        os.lseek(handle, at, os.SEEK_SET)
        os.write(handle, data[:10])
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", fail)
        with pytest.raises((OutputError, KeyboardInterrupt)):
            journal.append({"n": 3})
    assert journal.path.read_bytes() == before
    assert journal.append({"n": 4}) == [{"n": 2}, {"n": 4}]


def test_a_writer_that_waited_for_a_first_one_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    waiting = threading.Thread(target=lambda: Journal(path).append({"n": 2}))
    real = os.pwrite

    def fail(handle: int, data: memoryview, at: int) -> int:
        monkeypatch.setattr(os, "pwrite", real)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive(), "one at a time"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", fail)
    with pytest.raises(OutputError):
        Journal(path).append({"n": 1})
    waiting.join()
    assert Journal(path).read() == [{"n": 2}]


def _signed(*texts: bytes) -> bytes:
    """A journal of these records, with the checksums that belong to them."""
    sums = itertools.accumulate(texts, lambda before, text: base.checksum(text, before), initial=0)
    return b"".join(b"%016x %b\n" % (checksum, text) for checksum, text in zip(list(sums)[1:], texts, strict=True))


@pytest.mark.parametrize(
    "text",
    [b"", b"[1]", b"7", b'"journal"', b"{", b'{"n":"\xff"}', b'\x00{\x00"\x00', b"[" * 100_000, b"9" * 10_000, b"\r"],
)
def test_records_of_odd_shape_are_named(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(_signed(b'{"journal":"a"}', b'{"n":1}'))
    assert Journal(path).read() == [{"n": 1}]
    for records, line in (([b'{"journal":"a"}', b'{"n":1}', text, b'{"n":2}'], 3), ([text, b'{"n":1}'], 1)):
        path.write_bytes(_signed(*records))
        with pytest.raises(StorageError, match=f"journal:{line}: this is not a journal record"):
            Journal(path).read()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("years of work")
    path = tmp_path / "journal"
    for target in ("victim", "nothing there yet"):
        path.unlink(missing_ok=True)
        path.symlink_to(target)
        for use in (Journal(path).read, lambda: Journal(path).append({"n": 1})):
            with pytest.raises(StorageError, match="journal: is a symbolic link"):
                use()
    assert victim.read_text() == "years of work"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal", "victim"]


def test_nothing_waits_for_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    os.mkfifo(path)
    for use in (Journal(path).read, lambda: Journal(path).append({"n": 1})):
        with pytest.raises(StorageError, match="neither a file nor a directory"):
            use()
    path.unlink()
    path.mkdir()
    for use in (Journal(path).read, lambda: Journal(path).append({"n": 1})):
        with pytest.raises((InputError, OutputError), match="this is a directory"):
            use()


def test_a_journal_that_shrinks_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append({"n": 1})
    journal.path.unlink()
    for use in (journal.read, lambda: journal.append({"n": 2})):
        with pytest.raises(StorageError, match="became shorter"):
            use()
    assert not journal.path.exists()
