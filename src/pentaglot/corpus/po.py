"""Gettext message files (PO)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from pentaglot.corpus.compression import StrPath, read_blocks, shown
from pentaglot.corpus.lines import decode_line
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Languages, Pair, one_line
from pentaglot.errors import InputError, MissingDependencyError

__all__ = ["read_po", "write_po"]

# polib cuts lines at these too; meanwhile noncharacters stand for them.
_SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_SHIELD = {ord(character): 0xFDE0 + number for number, character in enumerate(_SEPARATORS)}
_UNSHIELD = {shield: code for code, shield in _SHIELD.items()}
_CLOSED = re.compile(r'(?:[^"\\]|\\.)*"')
_CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]+)")


def read_po(path: StrPath) -> Iterator[Pair]:
    """The translated messages of a PO file. Fuzzy, untranslated and obsolete ones are left out.

    Of a message with plural forms, the singular goes with the first form and the plural with each of the others; in a
    language with only one form, the plural goes with that.
    """
    for entry in _parsed(path):
        if entry.obsolete or entry.fuzzy or not entry.translated():
            continue
        if not entry.msgid_plural:
            yield _pair(entry.msgid, entry.msgstr, entry.linenum)
            continue
        forms = [entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural, key=int)]
        sources = [entry.msgid, *[entry.msgid_plural] * (len(forms) - 1)] if len(forms) > 1 else [entry.msgid_plural]
        for source, target in zip(sources, forms, strict=True):
            yield _pair(source, target, entry.linenum)


def write_po(path: StrPath, pairs: Iterable[Pair], languages: Languages | None) -> int:
    """Writes pairs as a PO file and returns how many. Where a source occurs again, its number becomes its context,
    because a PO file may hold a message only once."""
    polib = _polib(path)
    written = 0
    seen: dict[str, int] = {}
    with open_output(path) as out:
        language = f"Language: {languages[1]}\n" if languages else ""
        header = f"MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n{language}"
        out.write(f"{polib.POEntry(msgid='', msgstr=header).__unicode__(wrapwidth=0)}\n")
        for pair in pairs:
            source, target = (one_line(side).translate(_SHIELD) for side in pair[:2])
            times = seen[source] = seen.get(source, 0) + 1
            context = str(times) if times > 1 or not source else None
            entry = polib.POEntry(msgid=source, msgstr=target, msgctxt=context)
            out.write(f"{entry.__unicode__(wrapwidth=0)}\n".translate(_UNSHIELD))
            written += 1
    return written


def _pair(source: str, target: str, line: int) -> Pair:
    return Pair(one_line(source.translate(_UNSHIELD)), one_line(target.translate(_UNSHIELD)), line)


def _parsed(path: StrPath) -> Iterable[Any]:
    polib = _polib(path)
    data = b"".join(read_blocks(path))
    declared = _CHARSET.search(data)
    charset = declared[1].decode() if declared else "utf-8"
    if charset.lower() in ("utf-8", "utf8", "charset"):  # the last is what templates say
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        text = "\n".join(decode_line(line, path, number) for number, line in enumerate(lines, 1))
    else:
        try:
            text = data.decode(charset)
        except (UnicodeDecodeError, LookupError) as error:
            raise InputError(
                f"cannot be read as {charset}, which it declares", path=shown(path), hint="convert it to UTF-8"
            ) from error
    _check_quotes(text, path)
    try:
        # With a line end at its beginning it cannot be mistaken for the name of a file.
        parsed: Iterable[Any] = polib.pofile("\n" + text.translate(_SHIELD), encoding="utf-8")
    except (OSError, ValueError) as error:
        line = re.search(r"line (\d+)", str(error))
        number = int(line[1]) - 1 if line else None
        raise InputError(
            "is not a valid PO file", path=shown(path), line=number, hint="check it with msgfmt"
        ) from error
    for entry in parsed:
        entry.linenum -= 1
    return parsed


def _check_quotes(text: str, path: StrPath) -> None:
    """Raises an error where a text is not closed: polib would drop its last letter, or the message."""
    for number, line in enumerate(text.split("\n"), 1):
        _, opened, rest = line.strip().partition('"')
        if opened and not line.lstrip().startswith("#") and not _CLOSED.fullmatch(rest):
            raise InputError(
                "is not a valid PO file: a quotation mark is missing, or lacks its backslash",
                path=shown(path),
                line=number,
                hint="check it with msgfmt",
            )


def _polib(path: StrPath) -> ModuleType:
    try:
        import polib
    except ImportError as error:
        raise MissingDependencyError(
            "reading and writing .po needs the package polib", path=shown(path), hint="pip install 'pentaglot[formats]'"
        ) from error
    module: ModuleType = polib
    return module
