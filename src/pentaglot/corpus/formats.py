"""Files given as plain text that are not, recognised by their names and by how they begin.

>>> format_of("memory.xml", b'<?xml version="1.0"?>\\n<tmx version="1.4">')
'TMX'
>>> format_of("train.de", "Das ist <tmx>.".encode())
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import Literal

from pentaglot.corpus.compression import StrPath, is_standard, shown, stem_and_format
from pentaglot.errors import InputError

__all__ = ["FormatError", "FormatName", "format_of", "is_undecided", "refuse_foreign", "refuse_tables"]

FormatName = Literal["TMX", "PO", "POT", "XLIFF", "CoNLL-U"]

_EXTENSIONS: dict[str, FormatName] = {
    ".tmx": "TMX",
    ".po": "PO",
    ".pot": "POT",
    ".xliff": "XLIFF",
    ".xlf": "XLIFF",
    ".sdlxliff": "XLIFF",
    ".conllu": "CoNLL-U",
}
# An XML file says what it is within its first elements; a PO file begins with comments and a message.
_XML = re.compile(r"\s*(?:<\?xml\b|<!DOCTYPE\b|<!--|<tmx\b|<xliff\b)")
_ROOT = re.compile(r"<(tmx|xliff)\b")
_MESSAGE = re.compile(r'(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:msgid|msgctxt)[ \t]+"')
_TREEBANK = re.compile(r"(?:#[^\n]*\n)*1(?:-\d+)?\t[^\t\n]+(?:\t[^\t\n]*){8}(?:\n|$)")
# What only the comments of a treebank say; a pipe may end after them for a while.
_COMMENTS = re.compile(
    r"# *(?:(?:sent_id|text|global\.columns) *=[^\n]*|new(?:doc|par)(?: +id *=[^\n]*)?)\r?\n"
    r"(?:#[^\n]*\n)*(?:[#1][^\n]*)?"
)
_BEGINNING = 1 << 14

# Treebanks are read as text.
_WHAT: dict[FormatName, tuple[str, str]] = {
    "TMX": ("is a translation memory (TMX), not plain text", "make two text files of it: {convert}"),
    "PO": ("is a file of messages (PO), not plain text", "make two text files of it: {convert}"),
    "POT": ("is a template for messages (POT), which has no translations", "use the .po files made from it"),
    "XLIFF": ("is an XLIFF file, which Pentaglot does not read", "convert it to TMX or PO with another tool first"),
}


class FormatError(InputError):
    """A file is not of the format that it was given as."""


def format_of(path: StrPath, beginning: bytes) -> FormatName | None:
    """The format of a file by its name or by its first bytes; None if it may be plain text."""
    named = None if is_standard(path) else _EXTENSIONS.get(stem_and_format(path)[1])
    return named or _looks_like(_decoded(beginning[:_BEGINNING]))


def is_undecided(beginning: bytes) -> bool:
    """Whether the first bytes of a pipe are comments of a treebank whose first word is still to come.

    >>> [is_undecided(each) for each in (b"# sent_id = 1\\n# text = Ja\\n", b"# 1\\n", b"# 1", b"Ja")]
    [True, False, True, False]
    """
    if len(beginning) >= _BEGINNING or _looks_like(_decoded(beginning)) is not None:
        return False
    if b"\n" not in beginning:
        return beginning.startswith((b"#", b"1"))  # no line is complete yet
    return _COMMENTS.fullmatch(_decoded(beginning)) is not None


def refuse_foreign(path: StrPath, beginning: bytes) -> None:
    """Raises an error with advice if a file is not plain text."""
    found = format_of(path, beginning)
    if found is None or found not in _WHAT:
        return
    piped = is_standard(path) or not Path(path).is_file()  # a pipe cannot be read again, nor renamed
    stem = "text" if piped else stem_and_format(path)[0]
    file = shown(path)
    # A converter goes by the name.
    named = file if stem_and_format(file)[1] == f".{found.lower()}" and not piped else f"{stem}.{found.lower()}"
    rename = "" if named == file else f"save it as {named} and " if piped else f"rename it to {named} and "
    convert = f"'pentaglot corpus convert {named} -o {stem}.source -p {stem}.target'"
    message, hint = _WHAT[found]
    hint = hint.format(convert=convert)
    raise FormatError(message, path=shown(path), hint=rename + hint if "{convert}" in _WHAT[found][1] else hint)


def refuse_tables(*paths: StrPath) -> None:
    """Raises an error with advice if a table of both sides was given for one of them."""
    for path in paths:
        stem, extension, _ = ("", "", "") if is_standard(path) else stem_and_format(path)
        if extension == ".tsv" and Path(path).exists():
            convert = f"'pentaglot corpus convert {shown(path)} -o {stem}.source -p {stem}.target'"
            hint = f"make two text files of it: {convert}"
            raise FormatError("is a table with both sides (TSV), not plain text", path=shown(path), hint=hint)


def _looks_like(text: str) -> FormatName | None:
    if _XML.match(text):
        root = _ROOT.search(text)
        return None if root is None else "TMX" if root[1] == "tmx" else "XLIFF"
    if _MESSAGE.match(text):
        return "PO"
    return "CoNLL-U" if _TREEBANK.match(text) else None


def _decoded(beginning: bytes) -> str:
    wide = beginning[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    text = beginning.removeprefix(codecs.BOM_UTF8).decode("utf-16" if wide else "utf-8", "replace")
    return text.replace("\r\n", "\n")
