"""Byte streams by extension: plain, `.gz`, `.zst`, and standard input or output as `-`."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import IO, Any, BinaryIO

from pentaglot.errors import InputError, MissingDependencyError, reading

__all__ = ["StrPath", "compressing", "is_standard", "read_blocks", "readable_stream", "shown", "stem_and_format"]

StrPath = str | os.PathLike[str]

_BLOCK = 1 << 16
_COMPRESSIONS = (".gz", ".zst")
# What compressed files begin with, which no text does, and what to do about them.
_SIGNATURES = (
    (b"\x1f\x8b", "gzip", "give it a name that ends in .gz"),
    (b"\x28\xb5\x2f\xfd", "zstandard", "give it a name that ends in .zst"),
    (b"\xfd7zXZ\0", "xz", "decompress it first: unxz FILE"),
    (b"PK\x03\x04", "zip", "unpack it first: unzip FILE"),
)
_BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")


def is_standard(path: StrPath) -> bool:
    """Whether `path` means standard input or output."""
    return os.fspath(path) == "-"


def shown(path: StrPath, standard: str = "standard input") -> str:
    """The name of a file in a message."""
    return standard if is_standard(path) else os.fspath(path)


def stem_and_format(path: StrPath) -> tuple[str, str, str]:
    """A path's name without extensions, the extension of its format, and that of its compression.

    >>> stem_and_format("corpora/News.de-en.TMX.gz")
    ('News.de-en', '.tmx', '.gz')
    >>> stem_and_format("train.de")
    ('train', '.de', '')
    """
    name = Path(path).name
    compression = ""
    for ending in _COMPRESSIONS:
        if name.lower().endswith(ending):
            name, compression = name[: -len(ending)], ending
    stem, dot, extension = name.rpartition(".")
    return (stem, dot + extension.lower(), compression) if stem else (name, "", compression)


def read_blocks(path: StrPath) -> Iterator[bytes]:
    """The (decompressed) bytes of a file in blocks; every failure is an `InputError`."""
    with reading(shown(path)):
        compression = stem_and_format(path)[2]
        if is_standard(path):
            # What is there, so that lines can be answered as they come. Not through the buffer: a thread that waits in
            # it for input would hold its lock, and the interpreter cannot end then.
            stream: Any = sys.stdin.buffer
            read = stream.raw.read if isinstance(stream, io.BufferedReader) else stream.read1
            yield from _text_blocks(iter(lambda: read(_BLOCK), b""), path)
            return
        with Path(path).open("rb") as file:
            if compression == ".gz":
                yield from _gzip_blocks(file, path)
            elif compression == ".zst":
                yield from _zstandard_blocks(file, path)
            else:
                yield from _text_blocks(iter(lambda: file.read(_BLOCK), b""), path)


def readable_stream(path: StrPath) -> BinaryIO:
    """The same as a file object, for parsers that want one; reading it may raise `InputError`."""
    return io.BufferedReader(_Blocks(read_blocks(path)), _BLOCK)


@contextmanager
def compressing(file: IO[bytes], path: StrPath) -> Iterator[IO[bytes]]:
    """A stream that compresses into `file` as the extension of `path` asks; equal input gives equal bytes."""
    compression = stem_and_format(path)[2]
    if compression == ".gz":
        # Neither name nor time go into the header.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif compression == ".zst":
        with _zstandard(path).ZstdCompressor(level=6).stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file


class _Blocks(io.RawIOBase):
    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _text_blocks(blocks: Iterator[bytes], path: StrPath) -> Iterator[bytes]:
    """The blocks, unless they are compressed although no name says so."""
    for first in blocks:
        for kind, hint in _compressed_by(first):
            told = "decompress it before" if is_standard(path) else hint
            raise InputError(f"is compressed by {kind}, not text", path=shown(path), hint=told)
        yield first
        break
    yield from blocks


def _compressed_by(block: bytes) -> Iterator[tuple[str, str]]:
    for signature, kind, hint in _SIGNATURES:
        if block.startswith(signature):
            yield kind, hint
    if _BZIP2.match(block):
        yield "bzip2", "decompress it first: bunzip2 FILE"


def _gzip_blocks(file: IO[bytes], path: StrPath) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=file) as stream:
            while block := stream.read(_BLOCK):
                yield block
    except EOFError as error:
        raise _cut_short(path) from error
    except gzip.BadGzipFile as error:
        if file.tell() == 0 or "Not a gzipped file" in str(error):
            raise InputError("is not gzip data", path=path, hint="rename it or compress it again") from error
        raise InputError("is damaged gzip data", path=path, hint="fetch or compress it again") from error
    except zlib.error as error:
        raise InputError("is damaged gzip data", path=path, hint="fetch or compress it again") from error


def _zstandard_blocks(file: IO[bytes], path: StrPath) -> Iterator[bytes]:
    # Not zstandard's own reader: it takes a truncated file for a complete one.
    zstandard = _zstandard(path)
    decompressor = zstandard.ZstdDecompressor()
    frame = decompressor.decompressobj()
    inside = False
    try:
        while data := file.read(_BLOCK // 8):
            while data:
                block = frame.decompress(data)
                inside = not frame.eof
                data = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame = decompressor.decompressobj()
                if block:
                    yield block
    except zstandard.ZstdError as error:
        raise InputError("is not valid zstandard data", path=path, hint="fetch or compress it again") from error
    if inside:
        raise _cut_short(path)


def _cut_short(path: StrPath) -> InputError:
    return InputError("the compressed file is cut short", path=path, hint="fetch or compress it again")


def _zstandard(path: StrPath) -> ModuleType:
    try:
        import zstandard
    except ImportError as error:
        raise MissingDependencyError(
            "reading and writing .zst needs the package zstandard", path=path, hint="pip install 'pentaglot[formats]'"
        ) from error
    return zstandard
