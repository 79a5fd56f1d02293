"""Outputs: they appear as a whole or not at all."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

import pytest

from pentaglot.corpus.lines import read_lines
from pentaglot.corpus.outputs import open_output
from pentaglot.errors import OutputError


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst"])
def test_output_appears_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with open_output(path) as out:
        out.write("erste\n")
        assert not path.exists()
    assert list(read_lines(path)) == ["erste"]
    with pytest.raises(KeyboardInterrupt), open_output(path) as out:
        out.write("zweite\n" * 100_000)
        raise KeyboardInterrupt
    assert list(read_lines(path)) == ["erste"]
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_equal_text_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as out:
            out.write("ein Text\n" * 1000)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_output_where_none_can_be(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a directory"), open_output(tmp_path):
        pass
    with pytest.raises(OutputError, match="no such directory to write to"), open_output(tmp_path / "missing" / "a"):
        pass
    with pytest.raises(OutputError, match=r"U\+D800"), open_output(tmp_path / "a") as out:
        out.write("\ud800")
    assert not (tmp_path / "a").exists()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("alt")
    (tmp_path / "link").symlink_to("real")
    with open_output(tmp_path / "link") as out:
        out.write("neu")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "neu"


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    """The limit on file sizes stands for the disk; the failure is the same but for its number."""
    path = tmp_path / name
    with open_output(path) as out:
        out.write("erste\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        with pytest.raises(OutputError, match="larger than allowed"), open_output(path) as out:
            for number in range(200_000):
                out.write(f"{number * number * number}\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert list(read_lines(path)) == ["erste"]
    assert [each.name for each in tmp_path.iterdir()] == [name]
