"""Words as an aligner sees them: without joiner marks, if wished without capitals; and their spellings for comparison.

>>> normal_form("￭Häuser", lowercase=True), spelling_key("häuser")
('häuser', 'hauser')
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.align import Spellings
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Vocabulary

__all__ = ["normal_form", "renumber", "spelling_key", "spellings", "words_of"]

_JOINER = "￭"


def normal_form(word: str, *, lowercase: bool) -> str:
    """The word without joiner marks (unless it is one) and, if wished, in lower case."""
    word = word.strip(_JOINER) or word
    return word.lower() if lowercase else word


def spelling_key(word: str) -> str:
    """The word in lower case without accents, by which words of two languages are compared."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def words_of(vocabulary: Vocabulary) -> list[str]:
    """All words of a vocabulary by id, from `FIRST_WORD` on."""
    return vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))


def spellings(words: Iterable[str]) -> Spellings:
    """Keys of words by id for the native code; the special ids have none."""
    keys = [b""] * FIRST_WORD + [spelling_key(word).encode("utf-8", "surrogatepass") for word in words]
    offsets = np.zeros(len(keys) + 1, np.uint64)
    np.cumsum([len(key) for key in keys], out=offsets[1:])
    return Spellings(np.frombuffer(b"".join(keys), np.uint8), offsets)


def renumber(words: list[str], vocabulary: Vocabulary, *, lowercase: bool, add: bool) -> NDArray[np.uint32]:
    """For each id of a text with these words the id in `vocabulary`, which grows if `add`."""
    give = vocabulary.add if add else vocabulary.find
    ids = np.arange(FIRST_WORD + len(words), dtype=np.uint32)
    ids[FIRST_WORD:] = [give(normal_form(word, lowercase=lowercase)) for word in words]
    ids[UNKNOWN] = UNKNOWN
    return ids
