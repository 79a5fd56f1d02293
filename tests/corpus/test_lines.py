"""Lines end at '\\n' only; whatever cannot be read is named with file and line."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import compression
from pentaglot.corpus.lines import read_line_batches, read_line_blocks, read_lines, read_raw_batches
from pentaglot.corpus.outputs import open_output
from pentaglot.errors import InputError


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
    for packed, suffix in ((gzip.compress(b"drei\n"), ".gz"), (b"\x28\xb5\x2f\xfd\x00", ".zst")):
        path.write_bytes(packed)
        with pytest.raises(InputError, match=f"is compressed by .*, not text; give it a name that ends in {suffix}$"):
            list(read_lines(path))


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.de: no such file"):
        list(read_lines(tmp_path / "nothing.de"))
    with pytest.raises(InputError, match="this is a directory"):
        list(read_lines(tmp_path))


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
