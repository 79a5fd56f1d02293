"""Where sentences and lines begin, and the capitals that output gets there.

>>> recase("das alte Haus steht.")
'Das alte Haus steht.'
>>> recase("ikinci ışık", letters=CaseMapping(dotted=True))
'İkinci ışık'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pentaglot.corpus.case_mapping import PLAIN, CaseMapping

__all__ = [
    "CLOSING",
    "HIDDEN",
    "INITIAL",
    "INSERTED",
    "LETTERS",
    "OPENING",
    "WORD",
    "beginning",
    "begins_after",
    "first_word",
    "has_case",
    "in_capitals",
    "recase",
]

# Stands for a letter of a placeable; a noncharacter, so no text has it.
HIDDEN = "\ufdd5"
# Stands where a sign will be put into a word; it does not keep a sentence from beginning with a capital.
INSERTED = "\ufdd6"

Begins = Literal["large", "small", "no"]

LETTERS = r"[^\W\d_]"
WORD = re.compile(f"{LETTERS}+")
OPENING = rf"[\"'«»„“”‚‘’(\[{{¿¡–—\-\s{INSERTED}]*"
CLOSING = r"[\"'»«“”’)\]]*"
_BEGINS_HIDDEN = re.compile(f"{OPENING}{HIDDEN}")
# Where a capital may say nothing about the word: at the beginning, and after a mark that ends a sentence or opens one.
INITIAL = re.compile(rf"((?:\A|[.!?…:]{CLOSING}\s){OPENING})({LETTERS}+)")
# Where output gets a capital: not after a colon, nor after what may be an abbreviation.
_SENTENCE = re.compile(rf"((?:\A|(?:[!?…]|(?:{LETTERS}{{4}}|\d)\.){CLOSING}\s){OPENING})({LETTERS}+)")


def begins_after(line: str) -> bool:
    """Whether a word that follows a line, after a space, stands where a capital may say nothing about it.

    >>> begins_after("„"), begins_after("das Haus."), begins_after("das Haus")
    (True, True, False)
    """
    followed = f"{line} X"
    return any(match.end() == len(followed) for match in INITIAL.finditer(followed))


def beginning(line: str) -> Begins | None:
    """Whether a line begins with a large letter, a small one, or something without case, such as a letter of another
    script, a placeable, or a name such as iPhone; None if it has no letter.

    >>> [beginning(line) for line in ("„Halt!“", "3 mal", "これ", "iPhone", "42")]
    ['large', 'small', 'no', 'no', None]
    """
    first = WORD.search(line)
    if first is None:
        return None
    if not has_case(first[0][0]) or _BEGINS_HIDDEN.match(line) is not None:
        return "no"
    # A title-cased letter such as ǅ is large.
    return "large" if not first[0][0].islower() else "small" if first[0].islower() else "no"


def first_word(line: str) -> str:
    """The first word of a line that consists of letters; empty if there is none."""
    found = WORD.search(line)
    return "" if found is None else found[0]


def recase(
    line: str,
    like: str | None = None,
    letters: CaseMapping = PLAIN,
    *,
    capitals: bool = True,
    begins: Mapping[str, bool] | None = None,
    inner: Mapping[int, bool] | None = None,
) -> str:
    """A line with capitals where its sentences begin. `like` is the line it translates: one that begins with a small
    letter asks for no capital, one in capitals asks for capitals throughout; where it is of a script without capitals
    or begins with a placeable, `capitals` says whether lines begin with one. `begins`, if given, decides instead by how
    `like` begins, and `inner` for some places inside the line.

    >>> recase("das Haus. „es“ steht.", like="The house. It stands."), recase("datei öffnen", like="open file")
    ('Das Haus. „Es“ steht.', 'datei öffnen')
    >>> recase("datei öffnen", like="OPEN FILE")
    'DATEI ÖFFNEN'
    """
    wanted = True
    if like is not None:
        if in_capitals(like):
            return letters.upper(line)
        how = beginning(like)
        hint = how is None or (capitals if how == "no" else how == "large")
        wanted = hint if how is None or begins is None else begins.get(how, hint)
    decided = {match.start(2): True for match in _SENTENCE.finditer(line)} if wanted else {}
    decided |= inner or {}
    places = {place for place, large in decided.items() if large}
    return WORD.sub(lambda word: _capitalised(word[0], letters) if word.start() in places else word[0], line)


def in_capitals(line: str) -> bool:
    """Whether a line of several words is in capitals throughout. One of a script without capitals is not, whatever
    names or keys it has in another; a few such letters, as in HAWAIʻI, do not count.

    >>> [in_capitals(line) for line in ("OPEN FILE", "OPEN", "MAUI, HAWAIʻI", "他在 IBM 工作", "退出(X)")]
    [True, False, True, False, False]
    """
    words = WORD.findall(line) if line.isupper() else []
    letters = "".join(words)
    return len(words) > 1 and 4 * sum(map(has_case, letters)) > 3 * len(letters)


def _capitalised(word: str, letters: CaseMapping) -> str:
    return letters.capitalised(word) if word.islower() else word


def has_case(letter: str) -> bool:
    """Whether a letter is of a script with capitals."""
    return letter.lower() != letter.upper()
