"""Compressed files: sound ones are read, damaged ones are named, a missing package says what to install."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from pentaglot.corpus.compression import read_blocks, readable_stream, stem_and_format
from pentaglot.corpus.outputs import open_output
from pentaglot.errors import InputError, MissingDependencyError

DATA = bytes(range(256)) * 20_000


def _zipped(data: bytes) -> bytes:
    with zipfile.ZipFile(found := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("train.de", data)
    return found.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("extension", PACKERS)
def test_several_parts_are_one_file(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    path.write_bytes(PACKERS[extension](DATA) + PACKERS[extension](b"") + PACKERS[extension](b"more"))
    assert b"".join(read_blocks(path)) == DATA + b"more"
    with readable_stream(path) as stream:
        assert stream.read(7) == DATA[:7]
        assert stream.read() == DATA[7:] + b"more"


@pytest.mark.parametrize("extension", PACKERS)
def test_cut_short_anywhere(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    whole = PACKERS[extension](b"ein Text, der lang genug ist")
    for size in range(1, len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"cut short|not valid|not gzip") as caught:
            list(read_blocks(path))
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("extension", PACKERS)
def test_not_what_the_extension_says(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    path.write_bytes(b"this is plain text")
    with pytest.raises(InputError, match="is not gzip data|not valid zstandard data"):
        list(read_blocks(path))


@pytest.mark.parametrize(
    ("pack", "complaint"),
    [
        (gzip.compress, "is compressed by gzip, not text; give it a name that ends in .gz"),
        (zstandard.compress, "is compressed by zstandard, not text; give it a name that ends in .zst"),
        (lzma.compress, "is compressed by xz, not text; decompress it first: unxz FILE"),
        (bz2.compress, "is compressed by bzip2, not text; decompress it first: bunzip2 FILE"),
        (_zipped, "is compressed by zip, not text; unpack it first: unzip FILE"),
    ],
)
def test_compressed_though_no_name_says_so(tmp_path: Path, pack: Callable[[bytes], bytes], complaint: str) -> None:
    path = tmp_path / "train.de"
    path.write_bytes(pack("ein Häuschen\n".encode() * 20_000))
    with pytest.raises(InputError) as caught:
        list(read_blocks(path))
    assert str(caught.value) == f"{path}: {complaint}"
    for text in (b"", b"BZh9 is a text\n", b"PK\n", DATA):
        path.write_bytes(text)
        assert b"".join(read_blocks(path)) == text


def test_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    whole = bytearray(gzip.compress(DATA))
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(InputError, match="damaged gzip data"):
        list(read_blocks(path))


def test_empty_compressed_files_are_empty(tmp_path: Path) -> None:
    for extension in PACKERS:
        path = tmp_path / f"a{extension}"
        path.write_bytes(b"")
        assert list(read_blocks(path)) == []


def test_without_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.zst").write_bytes(zstandard.compress(b"a"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(
        MissingDependencyError, match=r"needs the package zstandard; pip install 'pentaglot\[formats\]'"
    ):
        list(read_blocks(tmp_path / "a.zst"))
    with pytest.raises(MissingDependencyError), open_output(tmp_path / "b.zst"):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["a.zst"]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b.de.gz", ("b", ".de", ".gz")),
        ("b.TSV", ("b", ".tsv", "")),
        ("b", ("b", "", "")),
        (".hidden", (".hidden", "", "")),
        ("b.gz", ("b", "", ".gz")),
        ("-", ("-", "", "")),
    ],
)
def test_names(path: str, parts: tuple[str, str, str]) -> None:
    assert stem_and_format(path) == parts
