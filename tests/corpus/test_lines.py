"""Lines end at '\\n' only; whatever cannot be read is named with file and line; outputs appear whole or not at all."""

from __future__ import annotations

import gzip
import io
import resource
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import compression
from pentaglot.corpus.lines import open_output, read_line_batches, read_line_blocks, read_lines, read_raw_batches
from pentaglot.errors import InputError, OutputError


@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))), blocks=st.integers(1, 9)
)
def test_lines_are_those_between_newlines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], blocks: int
) -> None:
    path = tmp_path_factory.mktemp("lines") / "text"
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    expected = [line.removesuffix("\r") for line in lines]
    if lines and lines[0].startswith("\ufeff"):
        expected[0] = expected[0][1:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compression, "_BLOCK", blocks)  # cut characters and line ends at every place
        assert list(read_lines(path)) == expected
        assert [line.decode() for batch in read_raw_batches(path) for line in batch] == expected
        assert b"".join(read_line_blocks(path)).decode() == "".join(line + "\n" for line in expected)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf", []),
        ("a\u2028b\u0085c\x0bd\x0ce\x1cf\rg\n".encode(), ["a\u2028b\u0085c\x0bd\x0ce\x1cf\rg"]),
    ],
)
@pytest.mark.parametrize("extension", ["", ".gz", ".zst"])
def test_line_ends(tmp_path: Path, data: bytes, lines: list[str], extension: str) -> None:
    path = tmp_path / f"text{extension}"
    path.write_bytes(_packed(data, extension))
    assert list(read_lines(path)) == lines
    assert [line for batch in read_line_batches(path) for line in batch] == lines


def test_invalid_utf8_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "text.de"
    path.write_bytes(b"gut\n" * 300_000 + b"schl\xe4cht\n" + b"gut\n" * 10)
    with pytest.raises(InputError) as caught:
        list(read_lines(path))
    assert str(caught.value) == (f"{path}:300001: not valid UTF-8 (byte 0xe4 at column 5); convert the file to UTF-8")
    path.write_bytes("zwei".encode("utf-16"))
    with pytest.raises(InputError, match="looks like UTF-16"):
        list(read_lines(path))


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.de: no such file"):
        list(read_lines(tmp_path / "nothing.de"))
    with pytest.raises(InputError, match="this is a directory"):
        list(read_lines(tmp_path))


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
    with pytest.raises(OutputError, match="no such file"), open_output(tmp_path / "missing" / "a"):
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


def test_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("ä\nb".encode())))
    assert list(read_lines("-")) == ["ä", "b"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(InputError, match="^standard input:1: not valid UTF-8"):
        list(read_lines("-"))
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    with open_output("-") as out:
        out.write("ü\n")
    assert written.getvalue() == "ü\n".encode()


def _packed(data: bytes, extension: str) -> bytes:
    import zstandard

    if extension == ".gz":
        return gzip.compress(data)
    return zstandard.compress(data) if extension == ".zst" else data


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
