"""Upper and lower case: how a word is cased inside a sentence, and restoring the capitals of output.

>>> truecaser = Truecaser.train(["Das Haus ist alt.", "Alt ist das Haus.", "Er sieht das Haus."])
>>> truecaser.truecase("Das Haus steht. Alt ist es.")
'das Haus steht. alt ist es.'
>>> recase("das alte Haus steht.")
'Das alte Haus steht.'
>>> truecaser.restore("das alte haus")
'das alte Haus'
>>> recase("ikinci ışık", letters=letters_of("tr")), letters_of("tr").upper("iki ışık")
('İkinci ışık', 'İKİ IŞIK')
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary

__all__ = [
    "CLOSING",
    "HIDDEN",
    "INSERTED",
    "LETTERS",
    "OPENING",
    "CaseMapping",
    "Truecaser",
    "beginning",
    "begins_after",
    "first_word",
    "guess_dotted",
    "letters_of",
    "recase",
]

# Stands for a letter of a placeable; a noncharacter, so no text has it.
HIDDEN = "\ufdd5"
# Stands where a sign will be put into a word; it does not keep a sentence from beginning with a capital.
INSERTED = "\ufdd6"

Begins = Literal["large", "small", "no"]

LETTERS = r"[^\W\d_]"
_WORD = re.compile(f"{LETTERS}+")
OPENING = rf"[\"'«»„“”‚‘’(\[{{¿¡–—\-\s{INSERTED}]*"
CLOSING = r"[\"'»«“”’)\]]*"
_BEGINS_HIDDEN = re.compile(f"{OPENING}{HIDDEN}")
# Where a capital may say nothing about the word: at the beginning, and after a mark that ends a sentence or opens one.
_INITIAL = re.compile(rf"((?:\A|[.!?…:]{CLOSING}\s){OPENING})({LETTERS}+)")
# Where output gets a capital: not after a colon, nor after what may be an abbreviation.
_SENTENCE = re.compile(rf"((?:\A|(?:[!?…]|(?:{LETTERS}{{4}}|\d)\.){CLOSING}\s){OPENING})({LETTERS}+)")


@dataclass(frozen=True)
class CaseMapping:
    """Lower and upper case in a language; `dotted` where i and ı are two letters, each with its own capital."""

    dotted: bool = False

    def lower(self, text: str) -> str:
        return text.replace("İ", "i").replace("I", "ı").lower() if self.dotted else text.lower()

    def upper(self, text: str) -> str:
        return text.replace("i", "İ").upper() if self.dotted else text.upper()

    def capitalised(self, word: str) -> str:
        """A word with a capital first letter."""
        return ("İ" if self.dotted and word[:1] == "i" else word[:1].title()) + word[1:]


_DOTTED_LANGUAGES = frozenset(("tr", "tur", "az", "aze", "azj", "azb", "crh", "gag"))
_DOTTED, _PLAIN = CaseMapping(dotted=True), CaseMapping()
# Of a hundred letters of Turkish about five are ı; elsewhere there are names.
_DOTLESS_SHARE = 0.01


def letters_of(language: str | None) -> CaseMapping:
    """The letters of a language, given as a code such as tr or tr-TR."""
    return _DOTTED if (language or "").lower().replace("_", "-").split("-")[0] in _DOTTED_LANGUAGES else _PLAIN


def guess_dotted(lines: Iterable[str]) -> bool:
    """Whether a text seems to be in a language with a dotless i.

    >>> guess_dotted(["Kullanıcı dosyayı açar."]), guess_dotted(["The user opens the file."])
    (True, False)
    """
    letters = dotless = 0
    for line in lines:
        letters += sum(map(str.isalpha, line))
        dotless += line.count("ı")
    return dotless > _DOTLESS_SHARE * letters


class Truecaser:
    """Knows the most frequent casing of each word where position does not explain a capital, and whether lines begin
    with capitals."""

    def __init__(self, forms: Mapping[str, str], letters: CaseMapping = _PLAIN, capitals: bool = True) -> None:
        self._forms = dict(forms)
        self.letters = letters
        self.capitals = capitals

    def __len__(self) -> int:
        return len(self._forms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Truecaser):
            return False
        return (self._forms, self.letters, self.capitals) == (other._forms, other.letters, other.capitals)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def train(cls, lines: Iterable[str], letters: CaseMapping = _PLAIN) -> Truecaser:
        """Counts the casings in normalised text; lines in capitals and words at the beginning of a sentence do not
        count."""
        counts: Counter[str] = Counter()
        begun: Counter[bool] = Counter()
        for line in lines:
            first = _WORD.search(line)
            if first is not None and _has_case(first[0][0]):
                begun[first[0][0].isupper()] += 1
            if not line.isupper():
                counts.update(_WORD.findall(_INITIAL.sub(r"\1", line)))
        casings: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for form, count in counts.items():
            casings[letters.lower(form)].append((-count, form))
        forms = {word: min(forms)[1] for word, forms in casings.items()}
        return cls(forms, letters, begun[True] >= begun[False])

    def truecase(self, line: str) -> str:
        """The line with words at sentence beginnings cased as elsewhere; a line in all capitals is changed as a
        whole."""
        if line.isupper():
            return _WORD.sub(self._known_form, line)
        return _INITIAL.sub(self._initial_form, line)

    def restore(self, line: str) -> str:
        """A lower-case line with each word as it is written most often."""
        return _WORD.sub(self._known_form, line)

    def inside(self, word: str) -> str:
        """A word as it is written most often inside of sentences; unchanged if it was never seen there."""
        return self._forms.get(self.letters.lower(word), word)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the forms as a vocabulary."""
        vocabulary = Vocabulary()
        for form in sorted(self._forms.values()):
            vocabulary.add(form)
        save_vocabulary(vocabulary, path)

    @classmethod
    def open(cls, path: str | os.PathLike[str], letters: CaseMapping = _PLAIN, capitals: bool = True) -> Truecaser:
        """Reads what `save` wrote."""
        vocabulary = open_vocabulary(path)
        forms = vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))
        return cls({letters.lower(form): form for form in forms}, letters, capitals)

    def _known_form(self, match: re.Match[str]) -> str:
        return self.inside(match[0])

    def _initial_form(self, match: re.Match[str]) -> str:
        before, word = match.groups()
        # "US" at the beginning is not the pronoun "us"; only a capital that position explains is in doubt.
        if not word[0].isupper() or not (len(word) == 1 or word[1:].islower()):
            return match[0]
        return str(before) + self.inside(word)


def begins_after(line: str) -> bool:
    """Whether a word that follows a line, after a space, stands where a capital may say nothing about it.

    >>> begins_after("„"), begins_after("das Haus."), begins_after("das Haus")
    (True, True, False)
    """
    followed = f"{line} X"
    return any(match.end() == len(followed) for match in _INITIAL.finditer(followed))


def beginning(line: str) -> Begins | None:
    """Whether a line begins with a large letter, a small one, or something without case, such as a letter of another
    script, a placeable, or a name such as iPhone; None if it has no letter.

    >>> [beginning(line) for line in ("„Halt!“", "3 mal", "これ", "iPhone", "42")]
    ['large', 'small', 'no', 'no', None]
    """
    first = _WORD.search(line)
    if first is None:
        return None
    if not _has_case(first[0][0]) or _BEGINS_HIDDEN.match(line) is not None:
        return "no"
    # A title-cased letter such as ǅ is large.
    return "large" if not first[0][0].islower() else "small" if first[0].islower() else "no"


def first_word(line: str) -> str:
    """The first word of a line that consists of letters; empty if there is none."""
    found = _WORD.search(line)
    return "" if found is None else found[0]


def recase(
    line: str,
    like: str | None = None,
    letters: CaseMapping = _PLAIN,
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
        if like.isupper() and len(_WORD.findall(like)) > 1:
            return letters.upper(line)
        how = beginning(like)
        hint = how is None or (capitals if how == "no" else how == "large")
        wanted = hint if how is None or begins is None else begins.get(how, hint)
    decided = {match.start(2): True for match in _SENTENCE.finditer(line)} if wanted else {}
    decided |= inner or {}
    places = {place for place, large in decided.items() if large}
    return _WORD.sub(lambda word: _capitalised(word[0], letters) if word.start() in places else word[0], line)


def _capitalised(word: str, letters: CaseMapping) -> str:
    return letters.capitalised(word) if word.islower() else word


def _has_case(letter: str) -> bool:
    return letter.lower() != letter.upper()
