"""Placeables: parts of a text that are not language and are copied letter by letter in translation.

>>> text = 'Send %1$d files of <b>{name}</b> (3.5 MB) to user@example.org or /usr/share/doc.'
>>> [(each.kind, each.text) for each in Placeables().find(text)][:4]
[('placeholder', '%1$d'), ('tag', '<b>'), ('placeholder', '{name}'), ('tag', '</b>')]
>>> [(each.kind, each.text) for each in Placeables().find(text)][4:]
[('number', '3.5'), ('e-mail', 'user@example.org'), ('path', '/usr/share/doc')]
>>> [each.text for each in Placeables(("QX-[A-Z]+",)).find("Der QX-AB 7 ist da.")]
['QX-AB', '7']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pentaglot.corpus.casing import HIDDEN
from pentaglot.corpus.placeable_kinds import HINT, kind_of, kinds
from pentaglot.corpus.splitters import plain
from pentaglot.errors import OptionError

__all__ = ["Placeable", "Placeables"]

_PERCENT = re.compile(r"%(\d+)")
_LONGEST = 2000  # characters of a placeable: longer ones do not count, and would take long to find
_REMEMBERED = 1 << 20  # words whose placeables are remembered


@dataclass(frozen=True)
class Placeable:
    """A part of a line that is not language."""

    start: int
    end: int
    kind: str
    text: str


class Placeables:
    """Finds placeables; `protect` are regular expressions for more of them, which come first. Without `inner_spaces`,
    for text that is cut only at spaces, none has a space in it.

    >>> [each.text for each in Placeables(inner_spaces=False).find('<a href="b.org"> {0}, `c d`')]
    ['{0}']
    """

    def __init__(self, protect: tuple[str, ...] = (), *, inner_spaces: bool = True) -> None:
        self.protect = tuple(protect)
        self.inner_spaces = inner_spaces
        self._own = [_compiled(expression) for expression in self.protect]
        self._atoms: dict[str, tuple[str, ...]] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placeables):
            return False
        return (self.protect, self.inner_spaces) == (other.protect, other.inner_spaces)

    def __hash__(self) -> int:
        return hash((self.protect, self.inner_spaces))

    def find(self, line: str) -> list[Placeable]:
        """All placeables of a line, in order; they do not overlap."""
        own = self._protected(line) if self._own else []
        found = []
        for begin, end in self._looked_at(line, own):
            for match in kinds().finditer(line, begin, end):
                found.append(Placeable(*match.span(), kind_of(match), match[0]))
        return sorted(own + found, key=lambda each: each.start) if own else found

    def atoms(self, word: str) -> tuple[str, ...]:
        """The placeables in a word of tokenised text, which must come out again. 30% may become %30, so these two are
        the same, and percent signs count; so does a tilde by itself, which marks a key of a menu.

        >>> [Placeables().atoms(word) for word in ("￭{0}", "Haus", "%30", "￭%")]
        [('{0}',), (), ('30', '%'), ('%',)]
        """
        known = self._atoms.get(word)
        if known is None:
            if len(self._atoms) >= _REMEMBERED:
                self._atoms.clear()
            bare = plain(word)
            known = self._atoms[word] = self._atoms_of(bare) if bare != "~" else ("~",)
        return known

    def of_line(self, line: str) -> Counter[str]:
        """The atoms of a line, and how often it has each."""
        return Counter(self._atoms_of(line))

    def hidden(self, line: str, found: list[Placeable] | None = None) -> str:
        """The line with its placeables hidden, of the same length: tags become blanks, others `HIDDEN` signs, which are
        not opening marks of a sentence.

        >>> Placeables().hidden("<b>Open</b> {0}").replace(HIDDEN, "*")
        '   Open     ***'
        """
        found = self.find(line) if found is None else found
        return _replaced(line, found, lambda each: (" " if each.kind == "tag" else HIDDEN) * len(each.text))

    def changed(self, line: str, change: Callable[[str], str]) -> str:
        """A line after a change of its casing, which does not touch placeables.

        >>> Placeables().changed("Open %PRODUCTNAME NOW", str.lower)
        'open %PRODUCTNAME now'
        """
        found = self.find(line)
        if not found:
            return change(line)
        text = change(self.hidden(line, found))
        if len(text) != len(line):  # as with some letters that get longer: change what is between them
            ends = [0, *(each.end for each in found)]
            starts = [*(each.start for each in found), len(line)]
            between = [change(line[end:start]) for end, start in zip(ends, starts, strict=True)]
            return between[0] + "".join(each.text + after for each, after in zip(found, between[1:], strict=True))
        return _replaced(text, found, lambda each: each.text)

    def _protected(self, line: str) -> list[Placeable]:
        found: list[Placeable] = []
        matches = [match for pattern in self._own for match in pattern.finditer(line)]
        for match in sorted(matches, key=lambda each: (each.start(), -each.end())):
            start, end = match.span()
            if not self.inner_spaces and " " in match[0]:
                continue
            if start < end and (not found or start >= found[-1].end):
                found.append(Placeable(start, end, "own", match[0]))
        return found

    def _looked_at(self, line: str, taken: list[Placeable]) -> Iterator[tuple[int, int]]:
        """Where placeables may be: in words with the right signs in them; in all that is free, if some may hold
        spaces. Longer pieces than anybody would write are left alone."""
        spaced = self.inner_spaces and ("`" in line or "<" in line or "{" in line)
        if spaced and len(line) > _LONGEST and max(map(len, line.split(" "))) > _LONGEST:
            return
        for begin, end in _between(line, taken):
            if spaced:
                yield begin, end
                continue
            for piece in line[begin:end].split(" "):
                if len(piece) <= _LONGEST and not piece.isalpha() and HINT.search(piece) is not None:
                    yield begin, begin + len(piece)
                begin += len(piece) + 1

    def _atoms_of(self, text: str) -> tuple[str, ...]:
        atoms: list[str] = []
        rest = text.count("%") if "%" in text else 0
        for each in self.find(text):
            percent = _PERCENT.fullmatch(each.text)
            rest -= each.text.count("%")
            atoms += (percent[1], "%") if percent else (each.text,)
        return (*atoms, *("%" * rest))


def _replaced(line: str, found: list[Placeable], by: Callable[[Placeable], str]) -> str:
    parts, at = list[str](), 0
    for each in found:
        parts += line[at : each.start], by(each)
        at = each.end
    return "".join(parts) + line[at:]


def _between(line: str, taken: list[Placeable]) -> Iterator[tuple[int, int]]:
    """The stretches between those already found."""
    begin = 0
    for each in taken:
        yield begin, each.start
        begin = each.end
    yield begin, len(line)


def _compiled(expression: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(expression)
    except re.error as error:
        raise OptionError(f"'{expression}' is not a regular expression: {error}") from error
    if pattern.fullmatch("") is not None:
        raise OptionError(f"'{expression}' would protect nothing", hint="it must match at least one character")
    return pattern
