"""Words as letters of a script, as they are compared when words are spelt in another script.

>>> folded("Ἀβραάμ"), kind_of_word("Ἀβραάμ"), kind_of_word("テニス"), kind_of_word("the")
('αβρααμ', 'GREEK capital', 'KATAKANA', 'LATIN')
"""

from __future__ import annotations

import codecs
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "chances_of_words",
    "code_points",
    "folded",
    "is_spelt",
    "kind_of_word",
    "letter_arrays",
    "letters_of",
    "scripts_of",
]

# Marks of lower classes change what a letter is (voiced kana, Indic signs); from here on they are accents.
_FIRST_ACCENT = 200
_EDGE = ""
_NUMBERED = codecs.getencoder("utf-32-le")  # now: Python looks a codec up on first use


def letters_of(word: str) -> list[tuple[str, str]]:
    """The letters of a word, each as it is compared (small, without accents) and as it is written (small).

    >>> letters_of("Nǵo"), letters_of("ガ")
    ([('n', 'n'), ('g', 'ǵ'), ('o', 'o')], [('ガ', 'ガ')])
    """
    found: list[tuple[str, str]] = []
    for letter in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", word).lower()):
        kind = unicodedata.combining(letter)
        if kind == 0 or not found:
            found.append((letter, letter))
            continue
        plain, written = found[-1]
        kept = plain if kind >= _FIRST_ACCENT else unicodedata.normalize("NFC", plain + letter)
        if len(kept) == 1:
            found[-1] = kept, unicodedata.normalize("NFC", written + letter)
        else:
            found.append((letter, letter))
    return found


def folded(word: str) -> str:
    """The letters of a word as they are compared."""
    return "".join(plain for plain, _ in letters_of(word))


def is_spelt(word: str) -> bool:
    """Whether a word consists only of letters and their marks."""
    return word.isalpha() or (any(map(str.isalpha, word)) and all(map(_is_letter, word)))


def _is_letter(letter: str) -> bool:
    return letter.isalpha() or unicodedata.category(letter).startswith("M")


def scripts_of(word: str) -> frozenset[str]:
    """The scripts that a word is written in."""
    if word.isascii():
        return _LATIN
    return frozenset(_script(each) for each in word if each.isalpha())


_LATIN = frozenset({"LATIN"})


@lru_cache(1 << 14)
def _script(letter: str) -> str:
    """The script of a letter: the first word of its Unicode name."""
    name = unicodedata.name(unicodedata.normalize("NFKC", letter)[:1] or letter, "?")
    return name.replace("-", " ").partition(" ")[0]


def kind_of_word(word: str) -> str:
    """The scripts of a word, and whether it begins with a capital, as many names do."""
    return " ".join(sorted(scripts_of(word))) + " capital" * word[:1].isupper()


def letter_arrays(words: Iterable[str]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """Words for the native core: all their letters, and where each word begins."""
    words = list(words)
    offsets = np.zeros(len(words) + 1, np.uint64)
    np.cumsum([len(word) for word in words], out=offsets[1:])
    return code_points("".join(words)), offsets


def code_points(text: str) -> NDArray[np.uint32]:
    """The letters of a text as numbers.

    >>> code_points("aé").tolist()
    [97, 233]
    """
    return np.frombuffer(_NUMBERED(text, "surrogatepass")[0], np.uint32)


def chances_of_words(words: Sequence[str]) -> NDArray[np.float64]:
    """The probability of each word by a letter bigram model (Witten-Bell) of all other words: counting its own letters
    would make a rare word too likely."""
    types = sorted(set(words))
    pairs = Counter(pair for word in types for pair in _steps(word))
    before, after = Counter[str](), Counter[str]()
    for (first, second), count in pairs.items():
        before[first] += count
        after[second] += count
    followers = Counter(first for first, _ in pairs)
    total, letters = after.total(), len(after)
    chances = {}
    for word in types:
        steps = list(_steps(word))
        own, own_before, own_after = Counter(steps), Counter(one for one, _ in steps), Counter(two for _, two in steps)
        chance = 1.0
        for first, second in steps:
            alone = (after[second] - own_after[second] + 1) / (total - len(steps) + letters)
            seen = pairs[first, second] - own[first, second]
            chance *= (seen + followers[first] * alone) / (before[first] - own_before[first] + followers[first])
        chances[word] = min(chance, 1.0)
    return np.array([chances[word] for word in words], np.float64)


def _steps(word: str) -> Iterable[tuple[str, str]]:
    return pairwise((_EDGE, *word, _EDGE))
