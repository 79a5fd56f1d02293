"""Upper and lower case: what a word looks like inside a sentence, and giving output its capitals back.

>>> truecaser = Truecaser.train(["Das Haus ist alt.", "Alt ist das Haus.", "Er sieht das Haus."])
>>> truecaser.truecase("Das Haus steht. Alt ist es.")
'das Haus steht. alt ist es.'
>>> recase("das alte Haus steht.")
'Das alte Haus steht.'
>>> truecaser.restore("das alte haus")
'das alte Haus'
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary

__all__ = ["Truecaser", "begins_after", "recase"]

_LETTERS = r"[^\W\d_]"
_WORD = re.compile(f"{_LETTERS}+")
_OPENING = r"[\"'«»„“”‚‘’(\[{¿¡–—\-\s]*"
_CLOSING = r"[\"'»«“”’)\]]*"
# Where a capital may say nothing about the word: at the beginning, and after a mark that ends a sentence or opens one.
_INITIAL = re.compile(rf"((?:\A|[.!?…:]{_CLOSING}\s){_OPENING})({_LETTERS}+)")
# Where output gets a capital: not after a colon, nor after what may be an abbreviation.
_SENTENCE = re.compile(rf"((?:\A|(?:[!?…]|(?:{_LETTERS}{{4}}|\d)\.){_CLOSING}\s){_OPENING})({_LETTERS}+)")


class Truecaser:
    """Knows for each word the casing that it most often has where a capital is not due to its position."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = dict(forms)

    def __len__(self) -> int:
        return len(self._forms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Truecaser) and self._forms == other._forms

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def train(cls, lines: Iterable[str]) -> Truecaser:
        """Counts the casings in normalised text; lines in capitals and words at the beginning of a sentence do not
        count."""
        counts: Counter[str] = Counter()
        for line in lines:
            if not line.isupper():
                counts.update(_WORD.findall(_INITIAL.sub(r"\1", line)))
        casings: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for form, count in counts.items():
            casings[form.lower()].append((-count, form))
        return cls({word: min(forms)[1] for word, forms in casings.items()})

    def truecase(self, line: str) -> str:
        """The line with the words at its sentence beginnings as they are written elsewhere; a line that is all in
        capitals is changed as a whole."""
        if line.isupper():
            return _WORD.sub(self._known_form, line)
        return _INITIAL.sub(self._initial_form, line)

    def restore(self, line: str) -> str:
        """A lower-case line with each word as it is written most often."""
        return _WORD.sub(self._known_form, line)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the forms as a vocabulary."""
        vocabulary = Vocabulary()
        for form in sorted(self._forms.values()):
            vocabulary.add(form)
        save_vocabulary(vocabulary, path)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Truecaser:
        """Reads what `save` wrote."""
        vocabulary = open_vocabulary(path)
        forms = vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))
        return cls({form.lower(): form for form in forms})

    def _known_form(self, match: re.Match[str]) -> str:
        word = match[0]
        return self._forms.get(word.lower(), word)

    def _initial_form(self, match: re.Match[str]) -> str:
        before, word = match.groups()
        # "US" at the beginning is not the pronoun "us"; only a capital that position explains is in doubt.
        if not word[0].isupper() or not (len(word) == 1 or word[1:].islower()):
            return match[0]
        return str(before) + self._forms.get(word.lower(), word)


def begins_after(line: str) -> bool:
    """Whether a word that follows a line, after a space, stands where a capital may say nothing about it.

    >>> begins_after("„"), begins_after("das Haus."), begins_after("das Haus")
    (True, True, False)
    """
    followed = f"{line} X"
    return any(match.end() == len(followed) for match in _INITIAL.finditer(followed))


def recase(line: str, like: str | None = None) -> str:
    """A line with capitals where its sentences begin. `like` is the line it translates: one that begins with a small
    letter asks for no capital, one in capitals asks for capitals throughout.

    >>> recase("das Haus. „es“ steht.", like="The house. It stands."), recase("datei öffnen", like="open file")
    ('Das Haus. „Es“ steht.', 'datei öffnen')
    >>> recase("datei öffnen", like="OPEN FILE")
    'DATEI ÖFFNEN'
    """
    if like is not None:
        if like.isupper() and len(_WORD.findall(like)) > 1:
            return line.upper()
        first = _WORD.search(like)
        if first is not None and first[0][0].islower():
            return line
    return _SENTENCE.sub(lambda match: match[1] + _capitalised(match[2]), line)


def _capitalised(word: str) -> str:
    return word[0].title() + word[1:] if word.islower() else word
