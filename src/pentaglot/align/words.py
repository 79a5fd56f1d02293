"""Words as an aligner sees them: without joiner marks, optionally without capitals; and their spellings for comparison.

>>> normal_form("￭Häuser", lowercase=True), spelling_key("häuser")
('häuser', 'hauser')
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.align import Spellings
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Vocabulary

__all__ = ["normal_form", "normal_forms", "renumber", "spelling_key", "spellings", "words_of"]

_JOINER = "￭"


def normal_form(word: str, *, lowercase: bool) -> str:
    """The word without joiner marks (unless it is one) and, if asked for, in lower case."""
    return normal_forms([word], lowercase=lowercase)[0]


def normal_forms(words: Sequence[str], *, lowercase: bool) -> list[str]:
    """The normal form of each word."""
    plain = [word.strip(_JOINER) or word for word in words]
    return [word.lower() for word in plain] if lowercase else plain


def spelling_key(word: str) -> str:
    """The word in lower case without accents, by which words of two languages are compared."""
    return word.lower() if word.isascii() else _without_accents(word)


def _without_accents(word: str) -> str:
    parts = unicodedata.normalize("NFD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def words_of(vocabulary: Vocabulary) -> list[str]:
    """All words of a vocabulary by id, from `FIRST_WORD` on."""
    return vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))


def spellings(words: Iterable[str]) -> Spellings:
    """Keys of words by id for the native code; the special ids have none."""
    # As spelling_key() does it, without a call for each word: this part of an alignment runs on one thread.
    plain = [word.lower() if word.isascii() else _without_accents(word) for word in words]
    keys = [key.encode("utf-8", "surrogatepass") for key in plain]
    offsets = np.zeros(FIRST_WORD + len(keys) + 1, np.uint64)
    np.cumsum([len(key) for key in keys], out=offsets[FIRST_WORD + 1 :])
    return Spellings(np.frombuffer(b"".join(keys), np.uint8), offsets)


def renumber(words: Sequence[str], vocabulary: Vocabulary, *, lowercase: bool, add: bool) -> NDArray[np.uint32]:
    """For each id of a text with these words the id in `vocabulary`, which grows if `add`."""
    give = vocabulary.add if add else vocabulary.find
    ids = np.arange(FIRST_WORD + len(words), dtype=np.uint32)
    ids[FIRST_WORD:] = [give(word) for word in normal_forms(words, lowercase=lowercase)]
    ids[UNKNOWN] = UNKNOWN
    return ids
