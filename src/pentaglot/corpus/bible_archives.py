"""Archives with a Bible, read in memory, member by member; nothing of them is unpacked to disk."""

from __future__ import annotations

import csv
import io
import re
import tarfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from lxml import etree

from pentaglot.errors import InputError, reading

__all__ = ["Chapter", "read_tokens", "read_zefania"]

# The largest book is under a megabyte and the largest table under twenty: more is not a Bible.
_LARGEST_BOOK = 8 << 20
_LARGEST_TABLE = 64 << 20

Chapter = list[str]


def read_zefania(path: Path) -> dict[tuple[str, int], Chapter]:
    """All chapters of a Bible in Zefania XML, one file for each book, in the order of the books."""
    books: dict[int, list[tuple[str, int, Chapter]]] = {}
    for name, data in _members(path):
        root = _parse(data, path, name)
        for book in root.iter("BIBLEBOOK"):
            # The file's name is the book's name in both languages; the attribute is translated.
            label = PurePosixPath(name).stem
            books[int(book.get("bnumber", "0"))] = [
                (label, int(chapter.get("cnumber", "0")), _verses(chapter)) for chapter in book.iter("CHAPTER")
            ]
    if not books:
        raise InputError("holds no book of the Bible", path=path, hint="delete it and run again")
    return {(label, number): verses for _, each in sorted(books.items()) for label, number, verses in each}


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    with reading(path), _damage_named(path), tarfile.open(path, "r:gz") as archive:
        for member in archive:
            if not member.isfile() or not member.name.endswith(".xml"):
                continue
            if member.size > _LARGEST_BOOK:
                raise InputError(f"its member {member.name} is too large for a book", path=path)
            data = archive.extractfile(member)
            assert data is not None, "a regular file has contents"
            yield member.name, data.read()


def _parse(data: bytes, path: Path, name: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"its member {name} is not valid XML: {error.msg}", path=path) from error
    if root.getroottree().docinfo.doctype:
        raise InputError(f"its member {name} declares a document type, which no Bible needs", path=path)
    return root


def _verses(chapter: etree._Element) -> Chapter:
    texts = (_clean("".join(_spoken(verse))) for verse in chapter.iter("VERS"))
    return [text for text in texts if text]


def _spoken(element: etree._Element) -> Iterator[str]:
    """The text of a verse without the notes inside it, which are separate elements."""
    yield element.text or ""
    for inner in element:
        yield inner.tail or ""


def _clean(text: str) -> str:
    """Removes brackets, which mark words that the translators supplied."""
    return " ".join(re.sub(r"[\[\]<>]", "", text).split())


def read_tokens(path: Path, *names: str) -> list[dict[str, str]]:
    """Verses by their identity (book, chapter, verse as eight digits), from tables of tokens of these names."""
    with reading(path), _damage_named(path), zipfile.ZipFile(path) as archive:
        return [_token_table(archive, name, path) for name in names]


def _token_table(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, str]:
    try:
        if archive.getinfo(name).file_size > _LARGEST_TABLE:
            raise InputError(f"its member {name} is too large", path=path)
        text = archive.read(name).decode("utf-8")
    except (KeyError, UnicodeDecodeError) as error:
        raise InputError(f"its member {name} is missing or damaged", path=path) from error
    verses: dict[str, list[str]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        identity = row.get("source_verse") or row["id"].removeprefix("n")[:8]
        verses[identity].append(row["text"] + ("" if row.get("skip_space_after") == "y" else " "))
    return {identity: _clean("".join(words)) for identity, words in verses.items()}


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Turns the archive modules' errors into an `InputError` that names the file."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise InputError("is damaged and cannot be unpacked", path=path, hint="delete it and run again") from error
