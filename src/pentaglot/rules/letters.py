"""Spells words in another script: mostly names, which are not translated.

The spelling is learnt from the training text: from linked words in two scripts, where those that sound alike are told
apart from translations (`letter_pairs`). They are cut into units of one or two
letters, and a language model of units spells other words.
"""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pentaglot import storage
from pentaglot._core import lm as native_lm
from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD
from pentaglot.corpus import Bitext, encode
from pentaglot.errors import StorageError
from pentaglot.guarded import inside
from pentaglot.index.parts import Arrays
from pentaglot.lm import LanguageModel
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.letter_pairs import MinedPair, linked_words, mined_pairs
from pentaglot.rules.letter_words import folded, is_spelt, kind_of_word, letter_arrays
from pentaglot.steady import opens

__all__ = ["KindOfWord", "Letters", "Spelling"]

_KIND, _VERSION = "letters", 1
_BETWEEN = "→"  # not a letter: separates the two sides of a unit
_ORDER = 3
_DISCOUNTS = (0.5, 1.0, 1.5)  # for too little data, as in other language models
_FEWEST = 30  # pairs; fewer teach nothing
_BEAM = 50
# If a smaller share of a kind of words is spelt in the other script, a spelling is hardly ever right, and a copy tells
# a reader more: Greek verbs in Latin letters are useless.
_LEAST_SHARE = 0.05
_LOG_10 = math.log(10)


@dataclass(frozen=True)
class KindOfWord:
    """What is known about words of some scripts, with or without a capital letter."""

    share: float  # of words that are spelt in the other script, not translated
    capital: bool  # whether these begin with a capital there


@dataclass(frozen=True)
class Spelling:
    """A word in other letters, and the log probability that it is right."""

    text: str
    score: float


@dataclass(frozen=True, eq=False)
class Letters:
    """Spells words in another script; without `units`, it spells none.

    >>> Letters().spellings("Ἀβραάμ")
    []
    """

    kinds: dict[str, KindOfWord] = field(default_factory=dict)
    units: LanguageModel | None = None
    _search: native.LetterSearch | None = None

    @classmethod
    def learn(cls, bitext: Bitext, links: Arrays, *, threads: int = 1, progress: Progress = SILENT) -> Letters:
        """Learns from the linked words of a bitext; `links` are those of an index."""
        return cls.from_pairs(linked_words(bitext, links), threads=threads, progress=progress)

    @classmethod
    def from_pairs(cls, pairs: list[tuple[str, str]], *, threads: int = 1, progress: Progress = SILENT) -> Letters:
        """Learns from pairs of words in different scripts, many of which may be translations."""
        if len(pairs) < _FEWEST:
            return cls()
        mined, shares = mined_pairs(pairs, threads=threads, progress=progress)
        return cls._of(_language_of(mined), _kinds(mined, shares)) if len(mined) >= _FEWEST else cls()

    @classmethod
    def _of(cls, units: LanguageModel, kinds: dict[str, KindOfWord]) -> Letters:
        words = units.vocabulary.words(np.arange(FIRST_WORD, len(units.vocabulary), dtype=np.uint32))
        sides = [word.partition(_BETWEEN) for word in words]
        arrays = *letter_arrays(side[0] for side in sides), *letter_arrays(side[2] for side in sides)
        return cls(kinds, units, native.LetterSearch(*arrays, FIRST_WORD))

    def spellings(self, word: str, most: int = 5) -> list[Spelling]:
        """The spellings of a word in the other script, best first; none if words of its kind are not spelt."""
        kind = self.kinds.get(kind_of_word(word)) if is_spelt(word) else None
        if self._search is None or self.units is None or kind is None or kind.share < _LEAST_SHARE:
            return []
        letters, _ = letter_arrays([folded(word)])
        found = self._search.spell(letters, self.units.native, most, _BEAM)
        if not found:
            return []
        scores = np.array([score for _, score in found]) * _LOG_10
        scores += math.log(kind.share) - np.logaddexp.reduce(scores)
        return [
            Spelling(_written(spelt, kind.capital), float(score))
            for (spelt, _), score in zip(found, scores.tolist(), strict=True)
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves to a directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.facts["kinds"] = sorted(self.kinds)
            new.facts["shares"] = [self.kinds[kind].share for kind in sorted(self.kinds)]
            new.facts["capitals"] = [self.kinds[kind].capital for kind in sorted(self.kinds)]
            if self.units is not None:
                self.units.save(new.path / "units")

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> Letters:
        """Opens a saved directory."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        names, capitals = stored.list_fact("kinds", str), stored.list_fact("capitals", bool)
        shares = [float(each) for each in stored.list_fact("shares", float)]
        if not len(names) == len(shares) == len(capitals) or not all(0 <= share <= 1 for share in shares):
            raise StorageError("is damaged: it has no kinds of words", path=stored.path, hint="train it again")
        place = inside(stored.path, "units")
        if not place.exists():
            return cls()
        kinds = {name: KindOfWord(*each) for name, each in zip(names, zip(shares, capitals, strict=True), strict=True)}
        units = LanguageModel.open(place)
        with storage.damage_at(place):
            return cls._of(units, kinds)


def _language_of(mined: Sequence[MinedPair]) -> LanguageModel:
    """A language model of the units of words."""
    text, vocabulary = encode([[_BETWEEN.join(unit) for unit in pair.units] for pair in mined])
    run = native_lm.count_ngrams(text, len(vocabulary), _ORDER, 1)
    estimate = native_lm.estimate([run], _ORDER, len(vocabulary), [0] * _ORDER, _DISCOUNTS, 1)
    return LanguageModel(vocabulary, ngrams=estimate.ngrams, facts={"smoothing": "modified Kneser-Ney"})


def _kinds(mined: Sequence[MinedPair], shares: dict[str, float]) -> dict[str, KindOfWord]:
    """Each kind of word, with a capital if most words of the kind have one."""
    capitals: dict[str, int] = {}
    for pair in mined:
        kind = kind_of_word(pair.source)
        capitals[kind] = capitals.get(kind, 0) + (1 if pair.target[:1].isupper() else -1)
    return {kind: KindOfWord(shares[kind], count > 0) for kind, count in sorted(capitals.items())}


def _written(letters: list[int], capital: bool) -> str:
    text = unicodedata.normalize("NFC", "".join(map(chr, letters)))
    return text[:1].upper() + text[1:] if capital else text
