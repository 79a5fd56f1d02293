"""Files that are no plain text are recognised, by name and by content, and nothing else is."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given

from pentaglot.corpus import Tokenizer, check, prepare, read_bitext, read_lines, read_pairs
from pentaglot.corpus.formats import FormatError, format_of, refuse_foreign
from pentaglot.corpus.lines import read_line_batches, read_line_blocks

from .texts import texts

TMX = """<?xml version="1.0" encoding="{}"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de"/><body>
<tu><tuv xml:lang="de"><seg>Haus</seg></tuv><tuv xml:lang="en"><seg>house</seg></tuv></tu>
</body></tmx>
"""
PO = """# Translations
#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

#: file.c:1
msgid "house"
msgstr "Haus"
"""
XLIFF = '<?xml version="1.0"?>\n<xliff version="1.2"><file/></xliff>\n'
TREEBANK = "# sent_id = 1\n# text = Er geht\n1\tEr\ter\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
FORMATS = {"TMX": TMX.format("UTF-8"), "PO": PO, "XLIFF": XLIFF, "CoNLL-U": TREEBANK}


@pytest.mark.parametrize(("name", "text"), FORMATS.items(), ids=FORMATS.keys())
def test_by_content(name: str, text: str) -> None:
    for beginning in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n").encode()):
        assert format_of("text", beginning) == format_of("-", beginning) == name
    if name in ("TMX", "XLIFF"):
        assert format_of("memory.xml", text.encode("utf-16")) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.tmx", "TMX"), ("a.TMX.gz", "TMX"), ("a.po", "PO"), ("a.pot.zst", "POT"), ("a.xlf", "XLIFF"), ("a.de", None)],
)
def test_by_name(path: str, name: str | None) -> None:
    assert format_of(path, b"Guten Tag\n") == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "msgid",
        'Der Eintrag msgid "x" fehlt.\nmsgid "x"\n',
        "<b>fett</b>\n",
        "<?xml version='1.0'?>\n<html>\n",
        "Das Element <tmx> ist das erste.\n",
        "# Titel\n\nEin Satz.\n",
        "1\tEr\tgeht\n",
        "1-1 2-2\n",
    ],
)
def test_other_text_is_text(text: str) -> None:
    assert format_of("text", text.encode()) is None
    refuse_foreign("text", text.encode())


@given(texts())
def test_sentences_are_text(text: str) -> None:
    assert format_of("a.de", text.encode("utf-8", "surrogatepass")) is None


@pytest.mark.parametrize("name", ["memory.tmx", "memory.tmx.gz", "memory.xml", "memory"])
def test_a_memory_is_read_where_pairs_are_wanted_and_refused_as_text(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = TMX.format("UTF-8").encode()
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert [pair[:2] for pair in read_pairs([path])] == [("Haus", "house")]
    assert check([path]).pairs == {"train": 1}
    assert prepare([path], tmp_path / "out").facts["pairs"]["read"] == 1
    (tmp_path / "plain").write_text("house\n")
    for read in (
        lambda: list(read_lines(path)),
        lambda: list(read_pairs([path, tmp_path / "plain"])),
        lambda: list(read_pairs([tmp_path / "plain", path])),
        lambda: check([path, tmp_path / "plain"]),
        lambda: check([tmp_path / "plain", path]),
        lambda: read_bitext(path, tmp_path / "plain", source_tokenizer=Tokenizer(), target_tokenizer=Tokenizer()),
    ):
        with pytest.raises(FormatError, match=r"is a translation memory \(TMX\), not plain text; .*corpus convert"):
            read()


def test_messages_are_read_where_pairs_are_wanted_and_refused_as_text(tmp_path: Path) -> None:
    path = tmp_path / "messages.txt"
    path.write_text(PO)
    assert [pair[:2] for pair in read_pairs([path])] == [("house", "Haus")]
    with pytest.raises(FormatError, match="rename it to messages.po and make two text files"):
        list(read_lines(path))


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    for name, text, message in (
        ("a.xlf", XLIFF, "XLIFF file, which Pentaglot does not read; convert it to TMX or PO"),
        ("a.xml", XLIFF, "XLIFF file, which Pentaglot does not read; convert it to TMX or PO"),
        ("a.pot", PO, "template for messages"),
    ):
        (tmp_path / name).write_text(text)
        for read in (lambda path: list(read_lines(path)), lambda path: list(read_pairs([path]))):
            with pytest.raises(FormatError, match=message):
                read(tmp_path / name)


@pytest.mark.parametrize("name", ["a.conllu", "a.txt"])
def test_a_treebank_is_read_as_text(tmp_path: Path, name: str) -> None:
    rows = TREEBANK + "2\tgeht\tgehen\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
    (tmp_path / name).write_text(rows.replace("Er geht\n", "Er geht.\n"))
    assert list(read_lines(tmp_path / name)) == ["Er geht."]
    assert list(read_line_blocks(tmp_path / name)) == [b"Er geht.\n"]
    assert list(read_line_batches(tmp_path / name, spaced=True)) == [["Er geht ."]]


def test_a_table_is_no_side(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("Haus\thouse\n")
    (tmp_path / "plain").write_text("house\n")
    for read in (
        lambda: list(read_pairs([tmp_path / "a.tsv", tmp_path / "plain"])),
        lambda: check([tmp_path / "plain", tmp_path / "a.tsv"]),
        lambda: read_bitext(
            tmp_path / "a.tsv", tmp_path / "plain", source_tokenizer=Tokenizer(), target_tokenizer=Tokenizer()
        ),
    ):
        with pytest.raises(FormatError, match=r"a\.tsv: is a table with both sides \(TSV\), not plain text"):
            read()


@pytest.mark.parametrize(
    ("text", "ending"), [('<tmx version="1.4"><header/></tmx>', "tmx"), ('msgid "a"\nmsgstr "b"\n', "po")]
)
def test_the_advice_for_pipes_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, ending: str
) -> None:
    """A pipe has no name to go by, and cannot be read again: it has to be saved first."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    advice = f"save it as text.{ending} and make two text files of it: 'pentaglot corpus convert text.{ending} -o"
    with pytest.raises(FormatError, match=advice):
        list(read_pairs(["-"]))
    os.mkfifo(tmp_path / "63")
    writer = Thread(target=(tmp_path / "63").write_text, args=(text,))
    writer.start()
    with pytest.raises(FormatError, match=advice):
        list(read_pairs([tmp_path / "63"]))
    writer.join()
