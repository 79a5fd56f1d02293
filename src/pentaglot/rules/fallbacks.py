"""Words without a rule: treated like other words that have rules.

The vocabulary of the training text is searched for words that differ only in capitals and accents, for other forms of
the same word (words with the same beginning; no grammar is used), and for the parts of a compound. A word that is in
the training text but gave no rule is translated by the lexicon. A word in another script than the target language is
spelt letter by letter, if such words have been seen. All these compete with a copy of the word; each has its own
feature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.align.words import normal_form, spelling_key
from pentaglot.forest import FeatureSpace
from pentaglot.rules.features import FALLBACK_FEATURES, INVERSE_ESTIMATE, LETTER_SCORE, SPELLING_DISTANCE
from pentaglot.rules.letter_words import code_points
from pentaglot.rules.letters import Letters

__all__ = ["Fallback", "Fallbacks", "KnownWords", "StandIn"]

Fallback = Literal["alike", "forms", "compounds", "lexicon", "letters", "placeables"]

_JOINER = "￭"
_JOINED = 0b011  # traits: joined to the word before, to the word after
_CAPITALS = 0b100  # trait: capitals after the first letter
_LARGE = 0b1000  # trait: a capital first letter
_EVERYTHING = _JOINED | _CAPITALS

# Other forms: least likeness, largest distance behind the nearest, fewest common letters, most forms.
_NEAR = (0.6, 0.1, 4, 5)
# Compounds: fewest letters of a part, most letters between parts, most parts, fewest occurrences of each.
_SPLIT = (4, 2, 3, 2)
_LOWEST = math.log(1e-7)


@dataclass(frozen=True)
class StandIn:
    """How a word without a rule was translated: like another word, or (`compounds`) like several. A word that was spelt
    letter by letter is like itself. Several `placeables` of a rule are each like another."""

    kind: Fallback
    like: tuple[int, ...]  # source words, by id


@dataclass(frozen=True)
class KnownWords:
    """What is known about single words of the source vocabulary."""

    vocabulary: Vocabulary
    counts: NDArray[np.uint64]  # occurrences of each word, by id
    rules: Callable[[NDArray[np.uint32]], native.RuleTable]  # whose source side is one of the words alone
    # Words that a word is linked to: target word, its chance given the word, and the chance of the word given it.
    translations: Callable[[int], list[tuple[int, float, float]]]
    target_symbol: Callable[[str], int]  # id of a target word, which may be new


class Fallbacks:
    """Finds and adds rules for words that have none; any number of threads may use it."""

    def __init__(self, features: FeatureSpace, kinds: Sequence[Fallback], letters: Letters | None = None) -> None:
        self.kinds = tuple(kinds)
        self._letters = letters or Letters()
        self._kind_features = {kind: features.add(name) for kind, name in FALLBACK_FEATURES.items()}
        self._features = [features.add(name) for name in (SPELLING_DISTANCE, "rules", "words")]
        names = ("translation", "lexical_target", "lexical_source", INVERSE_ESTIMATE)
        self._lexical_features = [features.add(name) for name in names]
        self._letter_score = features.add(LETTER_SCORE)
        self._forms: native.WordForms | None = None
        self._lock = Lock()

    def add(
        self,
        table: native.RuleTable,
        words: Sequence[str],
        unknown: dict[int, str],
        known: KnownWords,
        keep: Callable[[native.RuleTable], None],
    ) -> dict[int, StandIn]:
        """Adds rules for the unknown words of a sentence, given by symbol; `keep` removes unwanted rules. Returns the
        stand-in for each new source side of the table."""
        heeded = _EVERYTHING if any(map(_has_small_letters, words)) else _JOINED
        inside = {word for before, word in pairwise(words) if any(map(str.isalnum, before))}
        found = [
            (symbol, stand_in, distance)
            for symbol, word in unknown.items()
            for stand_in, distance in self._found(symbol, word, heeded, known, word in inside)
        ]
        looked_up = {like for _, stand_in, _ in found if stand_in.kind != "lexicon" for like in stand_in.like}
        stand_ins = {}
        if found:
            of_words = known.rules(np.array(sorted(looked_up), np.uint32))
            lexical = [stand_in.like[0] for _, stand_in, _ in found if stand_in.kind == "lexicon"]
            self._add_lexical(of_words, lexical, known)
            keep(of_words)
            stand_ins = self._add_stand_ins(table, of_words, found)
        spelt_out = native.RuleTable()
        found = [(symbol, StandIn("letters", (symbol,)), 0.0) for symbol in self._spell(spelt_out, unknown, known)]
        if found:  # only letters: nothing for `keep` to remove
            stand_ins |= self._add_stand_ins(table, spelt_out, found)
        return stand_ins

    def _add_stand_ins(
        self, table: native.RuleTable, of_words: native.RuleTable, found: list[tuple[int, StandIn, float]]
    ) -> dict[int, StandIn]:
        first = table.patterns
        wanted = [
            (symbol, list(stand_in.like), self._kind_features[stand_in.kind], distance)
            for symbol, stand_in, distance in found
        ]
        added = native.add_stand_ins(table, of_words, wanted, self._features)
        return {first + at: found[number][1] for at, number in enumerate(added)}

    def _found(
        self, symbol: int, word: str, heeded: int, known: KnownWords, inside: bool
    ) -> Iterator[tuple[StandIn, float]]:
        """The possible stand-ins for a word, and how far each is from it. Inside of a sentence, a capital says that the
        word is a name or (in German) a noun, and no form of a word in small letters."""
        key, traits = spelt(word)
        if not key:
            return
        letters, counts, forms = code_points(key), known.counts, self._forms_of(known.vocabulary)
        same = [each for each in forms.alike(letters, traits, heeded, counts) if each != symbol]
        if "alike" in self.kinds:
            yield from ((StandIn("alike", (each,)), 0.0) for each in same)
        if "forms" in self.kinds and not ("alike" in self.kinds and same):
            large = _large(word) if inside and heeded & _CAPITALS else 0
            for each, likeness in forms.near(letters, traits | large, heeded | large, counts, *_NEAR):
                if each != symbol:
                    yield StandIn("forms", (each,)), 1.0 - likeness
        if "compounds" in self.kinds and not traits & _JOINED:
            parts = forms.split(letters, traits, heeded, counts, *_SPLIT)
            if parts:
                yield StandIn("compounds", tuple(parts)), 0.0
        if "lexicon" in self.kinds and symbol < len(known.vocabulary) and known.translations(symbol):
            yield StandIn("lexicon", (symbol,)), 0.0

    def _spell(self, table: native.RuleTable, unknown: dict[int, str], known: KnownWords) -> list[int]:
        """Adds rules that spell words in other letters; returns the symbols of the words that got any."""
        scores: list[float] = []
        spelt_out = []
        for symbol, word in unknown.items() if "letters" in self.kinds else ():
            plain = normal_form(word, lowercase=False)
            spellings = self._letters.spellings(plain)
            if spellings:
                spelt_out.append(symbol)
                table.add_pattern([symbol])
            for each in spellings:
                table.add_rule([known.target_symbol(word.replace(plain, each.text))], [(0, 0)], 0.0)
                scores.append(each.score)
        if scores:
            table.set_feature(self._letter_score, np.array(scores, np.float32))
        return spelt_out

    def _forms_of(self, vocabulary: Vocabulary) -> native.WordForms:
        """The spellings of all words. The vocabulary may have grown since the last call; ids do not change."""
        with self._lock:
            begin = FIRST_WORD + (0 if self._forms is None else len(self._forms))
            if self._forms is None or begin < len(vocabulary):
                words = vocabulary.words(np.arange(begin, len(vocabulary), dtype=np.uint32))
                new = [(key, traits | _large(word)) for word in words for key, traits in [spelt(word)]]
                offsets = np.zeros(len(new) + 1, np.uint64)
                np.cumsum([len(key) for key, _ in new], out=offsets[1:])
                arrays = (
                    code_points("".join(key for key, _ in new)),
                    offsets,
                    np.array([each for _, each in new], np.uint8),
                )
                self._forms = (
                    native.WordForms(*arrays, FIRST_WORD) if self._forms is None else self._forms.extended(*arrays)
                )
            return self._forms

    def _add_lexical(self, table: native.RuleTable, words: Sequence[int], known: KnownWords) -> None:
        """Adds rules for words from the lexicon alone."""
        values: list[list[float]] = []
        before = table.rules
        for word in words:
            table.add_pattern([word])
            for target, given_source, given_target in known.translations(word):
                table.add_rule([target], [(0, 0)], 1.0)
                forward, backward = _logarithm(given_source), _logarithm(given_target)
                values.append([forward, forward, backward, backward])
        for at, feature in enumerate(self._lexical_features if values else []):
            column = table.feature(feature)
            column[before:] = [each[at] for each in values]
            table.set_feature(feature, column)


def spelt(word: str) -> tuple[str, int]:
    """The letters of a word as they are compared, and its traits; nothing for words without letters or with digits,
    which have no other forms.

    >>> spelt("￭Λόγος"), spelt("x86"), spelt("StarChart")
    (('λογοσ', 1), ('', 0), ('starchart', 4))
    """
    plain = normal_form(word, lowercase=False)
    if not plain.isalpha() and (not any(map(str.isalpha, plain)) or any(map(str.isdigit, plain))):
        return "", 0
    capitals = not plain.islower() and any(map(str.isupper, plain[1:]))
    return spelling_key(plain), word.startswith(_JOINER) + 2 * word.endswith(_JOINER) + _CAPITALS * capitals


def _large(word: str) -> int:
    return _LARGE if normal_form(word, lowercase=False)[:1].isupper() else 0


def _has_small_letters(word: str) -> bool:
    return any(map(str.islower, word))


def _logarithm(chance: float) -> float:
    return max(math.log(chance), _LOWEST) if chance > 0 else _LOWEST
