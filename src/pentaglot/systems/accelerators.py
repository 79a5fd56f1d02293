"""Keyboard accelerators of menus (`~File`, `E~xit`, `&Open`): removed before translation, and put back once, into the
word that translates theirs.

>>> accelerator, line = Accelerator.taken_out("Save ~As...", Placeables())
>>> line, accelerator.word
('Save As...', 'As')
>>> accelerator.put_in(["Farklı", "kaydet", "￭..."], [(1,), (0,), (2,)], 1)
['\ufdd6Farklı', 'kaydet', '￭...']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pentaglot.corpus import Placeables
from pentaglot.corpus.casing import INSERTED
from pentaglot.corpus.spaceless import spaceless
from pentaglot.corpus.splitters import JOINER, plain

__all__ = ["Accelerator"]

# A tilde before a letter; an ampersand or an underscore only where a word begins, with a capital.
_SIGN = re.compile(r"(?<![~\d./])~(?=[^\W\d_])|(?<![\w&])&(?=[^\W\d_]\w*(?!\w*;))|(?<!\w)_(?=[^\W\d_]{2})")
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
_END = re.compile(r"\s*(?:\.\.\.|…|[:：。.])?\Z")


@dataclass(frozen=True)
class Accelerator:
    """A sign before a letter of a word."""

    sign: str
    letter: str
    word: str

    @classmethod
    def taken_out(cls, line: str, placeables: Placeables) -> tuple[Accelerator | None, str]:
        """The accelerator of a line, and the line without it; a line with several signs counts as having none."""
        found = [match.start() for match in _SIGN.finditer(line) if _is_sign(line, match.start())]
        if len(found) != 1:
            return None, line
        at = found[0]
        if any(each.start <= at < each.end for each in placeables.find(line)):
            return None, line
        without = line[:at] + line[at + 1 :]
        word = next(each[0] for each in _WORD.finditer(without) if each.end() > at)
        return cls(line[at], without[at], word), without

    def place(self, words: Sequence[str]) -> int | None:
        """The place of the word that has it."""
        wanted = self.word.casefold()
        return next((at for at, word in enumerate(words) if plain(word).casefold() == wanted), None)

    def put_in(self, words: Sequence[str], links: Sequence[tuple[int, ...]], place: int | None) -> list[str]:
        """The words of a translation, with a mark where the sign belongs."""
        made = list(words)
        lettered = [at for at, word in enumerate(made) if _LETTER.search(plain(word))]
        linked = [at for at in lettered if place is not None and place in links[at]]
        for at in (linked or lettered)[:1]:
            if not spaceless(made[at]):
                touching = JOINER if made[at].startswith(JOINER) else ""
                made[at] = touching + INSERTED + made[at].removeprefix(JOINER)
        return made

    def finished(self, text: str) -> str:
        """A translation with the sign in place of its mark, or at the end in brackets if no word has letters for a
        key."""
        if INSERTED in text:
            return text.replace(INSERTED, self.sign)
        return _END.sub(lambda end: f"({self.sign}{self.letter.upper()}){end[0]}", text, count=1)


def _is_sign(line: str, at: int) -> bool:
    """Whether the letters after a sign are cased as those of a menu's word are."""
    sign, first, second = line[at], line[at + 1], line[at + 2 : at + 3]
    return sign == "~" or (first.isupper() and (sign == "&" or second.islower()))
