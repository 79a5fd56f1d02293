"""Translation memories (TMX 1.4), read and written unit by unit, so that size does not matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

import pentaglot
from pentaglot.corpus.compression import StrPath, readable_stream, shown
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Languages, Pair, one_line
from pentaglot.errors import InputError, OptionError

__all__ = ["read_tmx", "write_tmx"]

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
# What stands inside these elements is the markup of another program, not text.
_CODES = {"bpt", "ept", "it", "ph", "ut"}
# Characters that XML 1.0 cannot hold.
_NOT_XML = {code: None for code in [*range(0x20), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)] if code not in (9, 10, 13)}


def read_tmx(path: StrPath, languages: Languages | None = None) -> Iterator[Pair]:
    """The pairs of a translation memory; `Pair.line` is the line on which the unit begins.

    A language asked for as `de` is found as `de`, `de-DE` or `DE_at`; one asked for as `de-AT` is found as such or, if
    a unit has no such text, as `de`. Units without one of the two sides are left out.
    """
    found: Languages | None = languages
    header_language = ""
    codes: set[str] = set()
    read = 0
    for element in _elements(path):
        if element.tag == "header":
            header_language = element.get("srclang", "")
            continue
        texts = _texts(element)
        codes.update(texts)
        if found is None:
            found = _guessed(list(texts), header_language, path, element.sourceline)
        if found is None:
            continue
        source, target = _text_of(texts, found[0]), _text_of(texts, found[1])
        if source is not None and target is not None:
            read += 1
            yield Pair(source, target, element.sourceline or 0)
    if not codes:
        raise InputError("holds no translation units", path=shown(path), hint="is it a TMX file?")
    if not read:
        wanted = "two languages" if found is None else f"both '{found[0]}' and '{found[1]}'"
        languages_there = ", ".join(f"'{code}'" for code in sorted(codes))
        raise InputError(f"no unit is in {wanted}", path=shown(path), hint=f"there are units in {languages_there}")


def write_tmx(path: StrPath, pairs: Iterable[Pair], languages: Languages | None) -> int:
    """Writes pairs as TMX 1.4, which needs the languages, and returns how many."""
    if languages is None:
        raise OptionError("a TMX file must name its languages", hint="give them, such as 'de' and 'en'")
    source, target = (quoteattr(code) for code in languages)
    written = 0
    with open_output(path) as out:
        out.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
            f'<header creationtool="pentaglot" creationtoolversion={quoteattr(pentaglot.__version__)} '
            'segtype="sentence" o-tmf="plain" adminlang="en" '
            f'srclang={source} datatype="plaintext"/>\n<body>\n'
        )
        for pair in pairs:
            out.write(
                f"<tu><tuv xml:lang={source}><seg>{_escaped(pair.source)}</seg></tuv>"
                f"<tuv xml:lang={target}><seg>{_escaped(pair.target)}</seg></tuv></tu>\n"
            )
            written += 1
        out.write("</body>\n</tmx>\n")
    return written


def _elements(path: StrPath) -> Iterator[Any]:
    """Headers and units, each forgotten when the next is asked for."""
    stream = readable_stream(path)
    # No entities, no network, no DTD: a memory from a stranger can neither fetch nor blow up.
    parser = etree.iterparse(
        stream, events=("end",), tag=("header", "tu"), resolve_entities=False, no_network=True, load_dtd=False
    )
    try:
        for _, element in parser:
            yield element
            parent = element.getparent()
            element.clear()
            while parent is not None and element.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError as error:
        # The parser's own log says where; the exception may only say that the document is incomplete.
        first = next(iter(parser.error_log), None)
        message = "there is nothing in it" if first is None else first.message.strip()
        line = None if first is None else first.line
        raise InputError(
            f"is not well-formed XML: {message}", path=shown(path), line=line, hint="export it again"
        ) from error


def _texts(unit: Any) -> dict[str, str]:
    texts: dict[str, str] = {}
    for variant in unit.iterchildren("tuv"):
        code = variant.get(_LANGUAGE) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            texts.setdefault(_plain_code(code), one_line("".join(_text_parts(segment))))
    return texts


def _text_parts(element: Any) -> Iterator[str]:
    """The text of a segment without foreign markup; its depth is that of the XML, which the parser limits."""
    if element.tag is etree.Entity:
        yield element.text  # an entity that nobody declared, as it is written
    elif isinstance(element.tag, str) and element.tag not in _CODES:
        yield element.text or ""
        for child in element:
            yield from _text_parts(child)
            yield child.tail or ""


def _text_of(texts: dict[str, str], language: str) -> str | None:
    wanted = _plain_code(language)
    if wanted in texts:
        return texts[wanted]
    for code, text in texts.items():
        if code.startswith(wanted + "-"):
            return text
    return texts.get(wanted.partition("-")[0])


def _guessed(codes: list[str], header_language: str, path: StrPath, line: int | None) -> Languages | None:
    """Source and target from the first unit that has both."""
    if len(codes) < 2:
        return None
    first = _plain_code(header_language)
    sources = [code for code in codes if code == first or code.startswith(first + "-")] if first else []
    if len(codes) > 2:
        raise InputError(
            f"holds more than two languages: {', '.join(sorted(codes))}",
            path=shown(path),
            line=line,
            hint="name the two to use",
        )
    source = sources[0] if sources else codes[0]
    return source, next(code for code in codes if code != source)


def _plain_code(code: str) -> str:
    return code.lower().replace("_", "-")


def _escaped(text: str) -> str:
    return escape(one_line(text).translate(_NOT_XML))
