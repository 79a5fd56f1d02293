"""Bibles from archives, made up here with every oddity of the real ones and some that a stranger might try."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from pentaglot.corpus.bible import read_german_english, read_greek_english
from pentaglot.errors import InputError


def _book(number: int, *chapters: list[str]) -> bytes:
    body = "".join(
        f'<CHAPTER cnumber="{chapter}">'
        + "".join(f'<VERS vnumber="{verse}">{text}</VERS>' for verse, text in enumerate(verses, 1))
        + "</CHAPTER>"
        for chapter, verses in enumerate(chapters, 1)
    )
    xml = f'<?xml version="1.0" encoding="utf-8"?><XMLBIBLE><BIBLEBOOK bnumber="{number}">{body}</BIBLEBOOK></XMLBIBLE>'
    return b"\xef\xbb\xbf" + xml.encode()


def _archive(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def test_verses_are_paired(tmp_path: Path) -> None:
    german = _archive(
        tmp_path / "de.tgz",
        {
            "package/package.json": b"{}",
            "package/text/0.xml": b"<XMLBIBLE><INFORMATION/></XMLBIBLE>",
            "package/text/Röm.xml": _book(45, ["Paulus\u00a0schrieb."]),
            "package/text/1Mo.xml": _book(
                1, ["Am Anfang.", "Licht <DIV><NOTE>Glanz</NOTE></DIV> ward.", ""], ["a", "b"]
            ),
        },
    )
    english = _archive(
        tmp_path / "en.tgz",
        {
            "package/text/1Mo.xml": _book(1, ["In the  beginning. ", "Light [was] made."], ["a b"], ["more"]),
            "package/text/Röm.xml": _book(45, ["&lt;To Romans&gt; Paul wrote."]),
        },
    )
    bible = read_german_english(german, english)
    assert [(str(verse), verse.source, verse.target) for verse in bible.verses] == [
        ("1Mo 1:1", "Am Anfang.", "In the beginning."),
        ("1Mo 1:2", "Licht ward.", "Light was made."),
        ("Röm 1:1", "Paulus schrieb.", "To Romans Paul wrote."),
    ]
    assert (bible.chapters, bible.left_out) == (2, 1)
    assert (bible.source_language, bible.target_language) == ("German", "English")


BOMB = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><XMLBIBLE>&b;</XMLBIBLE>'
THIEF = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><XMLBIBLE>&a;</XMLBIBLE>'


@pytest.mark.parametrize(
    ("member", "complaint"),
    [
        (BOMB, "declares a document type"),
        (THIEF, "declares a document type"),
        (b"<XMLBIBLE>", r"package/1Mo\.xml is not valid XML"),
        (b"<XMLBIBLE/>", "holds no book of the Bible"),
    ],
)
def test_strange_members(tmp_path: Path, member: bytes, complaint: str) -> None:
    archive = _archive(tmp_path / "a.tgz", {"package/1Mo.xml": member})
    with pytest.raises(InputError, match=rf"a\.tgz: .*{complaint}"):
        read_german_english(archive, archive)


def test_links_and_paths_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        link = tarfile.TarInfo("package/text/1Mo.xml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
        data = _book(1, ["Am Anfang."])
        outside = tarfile.TarInfo("../../outside.xml")
        outside.size = len(data)
        archive.addfile(outside, io.BytesIO(data))
    before = set(tmp_path.rglob("*"))
    bible = read_german_english(tmp_path / "a.tgz", tmp_path / "a.tgz")
    assert [verse.source for verse in bible.verses] == ["Am Anfang."]
    assert set(tmp_path.rglob("*")) == before


def test_damaged_archives(tmp_path: Path) -> None:
    whole = _archive(tmp_path / "whole.tgz", {"package/1Mo.xml": _book(1, [str(n) for n in range(5000)])})
    cut = tmp_path / "cut.tgz"
    cut.write_bytes(whole.read_bytes()[:-200])
    with pytest.raises(InputError, match=r"cut\.tgz: is damaged"):
        read_german_english(whole, cut)
    cut.write_bytes(b"no archive at all")
    with pytest.raises(InputError, match=r"cut\.tgz: is damaged"):
        read_german_english(cut, whole)
    with pytest.raises(InputError, match=r"cut\.tgz: is damaged"):
        read_greek_english(cut)
    with pytest.raises(InputError, match="no such file"):
        read_german_english(tmp_path / "none.tgz", whole)


def _wheel(path: Path, source: str, target: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/sources/SBLGNT.tsv", source)
        if target:
            archive.writestr("data/eng/targets/BSB/nt_BSB.tsv", target)
    return path


def test_greek(tmp_path: Path) -> None:
    source = "id\ttext\nn40001001001\tΒίβλος\nn40001001002\tγενέσεως\nn40002001001\tμόνος\n"
    target = (
        "id\tsource_verse\ttext\tskip_space_after\n"
        "40001001001\t40001001\tThis\t\n40001001002\t40001001\tis\ty\n40001001003\t40001001\t.\t\n"
    )
    bible = read_greek_english(_wheel(tmp_path / "a.whl", source, target))
    assert [(str(v), v.source, v.target) for v in bible.verses] == [("Mt 1:1", "Βίβλος γενέσεως", "This is.")]
    assert (bible.chapters, bible.left_out) == (1, 1)
    with pytest.raises(InputError, match=r"nt_BSB\.tsv is missing or damaged"):
        read_greek_english(_wheel(tmp_path / "b.whl", source, ""))
