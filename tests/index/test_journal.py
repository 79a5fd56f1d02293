"""The journal: whatever is cut off or altered, whole records survive and nothing else is believed."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import OutputError, StorageError
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


def test_every_torn_end_is_cut(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "journal"
    whole = _written(path)
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole)):
        caplog.clear()
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends)
        assert Journal(path).read() == RECORDS[: max(0, complete - 1)]
        assert ("not written whole" in caplog.text) == (size not in (0, *ends))
        assert path.read_bytes() == whole[: max([0, *(end for end in ends if end <= size)])]
        Journal(path).append({"after": size})
        assert Journal(path).read()[-1] == {"after": size}


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


def test_a_full_disk_leaves_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    journal.append({"n": 1})
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limits[1]))
        with pytest.raises(OutputError, match="larger than allowed"):
            journal.append({"long": "x" * 100_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    journal.append({"n": 2})
    assert Journal(path).read() == [{"n": 1}, {"n": 2}]


def test_a_journal_that_shrinks_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append({"n": 1})
    journal.path.unlink()
    with pytest.raises(StorageError, match="became shorter"):
        journal.append({"n": 2})
