"""Parts of a line whose translation is fixed: in Python as `Fixed`, in text as markup, or listed in a glossary."""

from __future__ import annotations

import html
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pentaglot.corpus import read_lines
from pentaglot.corpus.case_mapping import CaseMapping
from pentaglot.errors import InputError, OptionError

__all__ = ["Fixed", "Glossary", "check_marks", "read_markup"]

_TAG = re.compile(r'<(?P<keep>keep)>|<fix\s+translation="(?P<translation>[^"<]*)"\s*>|</(?P<end>fix|keep)>')
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
# Scripts without spaces between words: a term may begin and end anywhere.
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True)
class Fixed:
    """The characters of a line from `start` to `end` are translated as exactly `translation`; if `cased`, it gets a
    capital at the beginning of a sentence."""

    start: int
    end: int
    translation: str
    cased: bool = False


def check_marks(line: str, marks: Iterable[Fixed]) -> list[Fixed]:
    """The marks in order; raises an error if one is empty, outside the line, or overlaps another."""
    ordered = sorted(marks, key=lambda mark: mark.start)
    for mark in ordered:
        if not 0 <= mark.start < mark.end <= len(line) or not line[mark.start : mark.end].strip():
            raise OptionError(
                f"a fixed part goes from character {mark.start} to {mark.end} of a line of {len(line)} characters",
                hint="it must hold at least one visible character of the line",
            )
    for one, other in itertools.pairwise(ordered):
        if other.start < one.end:
            raise OptionError(f"two fixed parts overlap at character {other.start}", hint="leave one of them out")
    return ordered


def read_markup(
    text: str, *, path: str | os.PathLike[str] | None = None, line: int | None = None
) -> tuple[str, list[Fixed]]:
    """Takes markup out of a line: `<fix translation="...">...</fix>` and `<keep>...</keep>` (which stays as it is). In
    such a line, literal `<` and `&` are written `&lt;` and `&amp;`.

    >>> read_markup('Er ging zum <fix translation="city hall">Rathaus</fix> &amp; blieb.')
    ('Er ging zum Rathaus & blieb.', [Fixed(start=12, end=19, translation='city hall', cased=False)])
    """

    def wrong(what: str, at: int, hint: str) -> InputError:
        return InputError(f"{what} (column {at + 1})", path=path, line=line, hint=hint)

    def plain(begin: int, end: int) -> str:
        for found in re.finditer("[&<]", text[begin:end]):
            at, sign = begin + found.start(), found.group()
            if sign == "<" or not _ENTITY.match(text, at):
                shown = text[at : at + 20].split()[0]
                raise wrong(f"'{shown}' is not valid markup", at, f"write '{html.escape(sign)}' for the sign itself")
        return html.unescape(text[begin:end])

    made, marks, position = "", [], 0
    opened: tuple[int, re.Match[str]] | None = None  # place in the output, and the tag
    for tag in _TAG.finditer(text):
        made += plain(position, tag.start())
        position = tag.end()
        if tag["end"] is None:
            if opened is not None:
                raise wrong(f"'{tag.group()}' inside another mark", tag.start(), "close the first one before it")
            opened = len(made), tag
            continue
        if opened is None or tag["end"] != (opened[1]["keep"] or "fix"):
            raise wrong(f"'{tag.group()}' closes nothing", tag.start(), "open it before, or leave it out")
        inside = made[opened[0] :]
        if not inside.strip():
            raise wrong(f"nothing is between '{opened[1].group()}' and '{tag.group()}'", tag.start(), "mark a word")
        fixed = inside if opened[1]["keep"] else plain(*opened[1].span("translation"))
        marks.append(Fixed(opened[0], len(made), fixed))
        opened = None
    made += plain(position, len(text))
    if opened is not None:
        raise wrong(f"'{opened[1].group()}' is never closed", opened[1].start(), "close it in the same line")
    return made, marks


class Glossary:
    """Terms and their translations, found in a line as whole words, the longest first. Case is ignored (an exact match
    comes first), and the translation takes the case of its place; kept terms stay as they are in the line.

    >>> glossary = Glossary({"New York": "New York", "Rat": "council"})
    >>> [mark.translation for mark in glossary.marks("Der Rat von New York, nicht das Rathaus")]
    ['council', 'New York']
    >>> [mark.translation for mark in Glossary({"city hall": "Rathaus", "walk": "gehen"}).marks("CITY HALL! Walk!")]
    ['RATHAUS', 'Gehen']
    """

    def __init__(self, terms: dict[str, str]) -> None:
        self.terms = {term.strip(): translation.strip() for term, translation in terms.items() if term.strip()}
        self._by_beginning: dict[str, list[str]] = {}
        for term in sorted(self.terms, key=len, reverse=True):
            self._by_beginning.setdefault(_beginning(term, 0).casefold(), []).append(term)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Glossary:
        """Reads a file of terms and translations separated by a tab, one pair per line."""
        terms: dict[str, str] = {}
        for number, line in enumerate(read_lines(path), 1):
            if not line.strip():
                continue
            fields = line.split("\t")
            if len(fields) != 2 or not fields[0].strip():
                raise InputError("a line needs a term, a tab and its translation", path=path, line=number)
            if terms.setdefault(fields[0].strip(), fields[1].strip()) != fields[1].strip():
                raise InputError(f"'{fields[0].strip()}' already has another translation", path=path, line=number)
        return cls(terms)

    @classmethod
    def open_kept(cls, path: str | os.PathLike[str]) -> Glossary:
        """Reads a file of terms to keep, one per line."""
        return cls({line.strip(): line.strip() for line in read_lines(path) if line.strip()})

    def __or__(self, other: Glossary) -> Glossary:
        return Glossary(self.terms | other.terms)

    def marks(self, line: str, beside: Sequence[Fixed] = (), letters: CaseMapping | None = None) -> list[Fixed]:
        """The terms in a line that do not overlap existing marks; `letters` are those of the target language."""
        found: list[Fixed] = []
        taken = sorted((mark.start, mark.end) for mark in beside)
        at = 0
        while at < len(line):
            free = min((start for start, end in taken if end > at), default=len(line))
            term = self._term_at(line, at, free)
            if term is None:
                at += 1
                continue
            written, translation = line[at : at + len(term)], self.terms[term]
            if term == translation:
                found.append(Fixed(at, at + len(term), written))
            else:
                translation = _cased_like(translation, written, term, letters or CaseMapping())
                found.append(Fixed(at, at + len(term), translation, cased=True))
            at += len(term)
        return found

    def _term_at(self, line: str, at: int, end: int) -> str | None:
        if line[at].isspace() or not _boundary(line, at):
            return None
        best = None
        for term in self._by_beginning.get(_beginning(line, at).casefold(), ()):
            written = line[at : min(at + len(term), end)]
            if best is not None and len(term) < len(best):
                break
            if written.casefold() == term.casefold() and _boundary(line, at + len(written)):
                if written == term:
                    return term
                best = best or term
        return best


def _cased_like(translation: str, written: str, term: str, letters: CaseMapping) -> str:
    """A translation in capitals, or with a capital, if the term is written so here and not in the glossary."""
    if written == term:
        return translation
    if written.isupper() and sum(map(str.isalpha, written)) > 1:
        return letters.upper(translation)
    if written[:1].isupper() and not term[:1].isupper():
        return letters.capitalised(translation)
    return translation


_WORD = re.compile(r"\w+|\S")


def _beginning(text: str, at: int) -> str:
    """The key of a term: its first word, or its first character in scripts without spaces."""
    found = _WORD.match(text, at)
    word = found.group() if found else ""
    return word[:1] if _SPACELESS.match(word) else word


def _boundary(line: str, at: int) -> bool:
    """Whether a word may begin or end between two characters."""
    if at in (0, len(line)):
        return True
    before, after = line[at - 1], line[at]
    letters = (before.isalnum() or before == "_") and (after.isalnum() or after == "_")
    return not letters or bool(_SPACELESS.match(before) and _SPACELESS.match(after))
