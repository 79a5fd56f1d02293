"""Gettext files: what is translated, plural forms, other encodings, broken files."""

from __future__ import annotations

import sys
from pathlib import Path

import polib
import pytest

from pentaglot.corpus.pair import Pair
from pentaglot.corpus.po import read_po, write_po
from pentaglot.errors import InputError, MissingDependencyError

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=%s\\n"\n\n'
TEXT = """msgid "Open"
msgstr "Öffnen"

#, fuzzy
msgid "Close"
msgstr "Schluss"

msgid "Save"
msgstr ""

msgid "one\\n"
"two"
msgstr "eins\\nzwei"

#~ msgid "old"
#~ msgstr "alt"
"""
PLURAL = 'msgid "%d file"\nmsgid_plural "%d files"\n'


def _read(path: Path, text: str, charset: str = "UTF-8") -> list[Pair]:
    path.write_bytes((HEADER % charset + text).encode(charset))
    return list(read_po(path))


@pytest.mark.parametrize("charset", ["UTF-8", "ISO-8859-1", "UTF-16"])
def test_only_finished_translations(tmp_path: Path, charset: str) -> None:
    if charset == "UTF-16":
        with pytest.raises(InputError, match="not valid UTF-8"):
            _read(tmp_path / "a.po", TEXT, charset)
        return
    assert _read(tmp_path / "a.po", TEXT, charset) == [Pair("Open", "Öffnen", 4), Pair("one two", "eins zwei", 14)]


@pytest.mark.parametrize(
    ("forms", "pairs"),
    [
        (["Datei", "Dateien"], [("%d file", "Datei"), ("%d files", "Dateien")]),
        (["ファイル"], [("%d files", "ファイル")]),
        (["plik", "pliki", "plików"], [("%d file", "plik"), ("%d files", "pliki"), ("%d files", "plików")]),
    ],
)
def test_plural_forms(tmp_path: Path, forms: list[str], pairs: list[tuple[str, str]]) -> None:
    text = PLURAL + "".join(f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms))
    assert [pair[:2] for pair in _read(tmp_path / "a.po", text)] == pairs


def test_half_translated_plurals_are_left_out(tmp_path: Path) -> None:
    assert _read(tmp_path / "a.po", PLURAL + 'msgstr[0] "Datei"\nmsgstr[1] ""\n') == []


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text('msgid "a"\nmsgstr "b"\nnonsense\n')
    with pytest.raises(InputError, match=r"a\.po:3: is not a valid PO file"):
        list(read_po(path))
    path.write_bytes(b'msgid "a"\nmsgstr "\xff"\n')
    with pytest.raises(InputError, match=r"a\.po:2: not valid UTF-8"):
        list(read_po(path))
    path.write_bytes((HEADER % "KLINGON-8").encode())
    with pytest.raises(InputError, match="cannot be read as KLINGON-8"):
        list(read_po(path))


def test_written_files_satisfy_polib(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    pairs = [Pair('"a"\\', "b"), Pair("c", "d"), Pair("c", "e"), Pair("", "f")]
    assert write_po(path, pairs, ("en", "de")) == 4
    parsed = polib.pofile(str(path), check_for_duplicates=True)
    assert parsed.metadata["Language"] == "de"
    assert [(entry.msgctxt, entry.msgid, entry.msgstr) for entry in parsed] == [
        (None, '"a"\\', "b"),
        (None, "c", "d"),
        ("2", "c", "e"),
        ("1", "", "f"),
    ]


def test_without_polib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polib", None)
    with pytest.raises(MissingDependencyError, match=r"needs the package polib; pip install 'pentaglot\[formats\]'"):
        list(read_po(tmp_path / "a.po"))


@pytest.mark.parametrize("text", ['msgid "a', 'msgid "a"b"', 'msgid "a\\"', '"a', 'msgid "'])
def test_quotation_marks_that_are_missing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.po"
    path.write_text(f'msgid "x"\nmsgstr "y"\n\n# "a comment\n{text}\nmsgstr "b"\n')
    with pytest.raises(InputError, match=rf"^{path}:5: is not a valid PO file: a quotation mark is missing"):
        list(read_po(path))


def test_quotation_marks_and_backslashes_in_texts(tmp_path: Path) -> None:
    path = tmp_path / "marks.po"
    path.write_bytes(b'msgid "say \\"a\\""\r\nmsgstr "C:\\\\" \r\n')
    assert [pair[:2] for pair in read_po(path)] == [('say "a"', "C:\\")]
