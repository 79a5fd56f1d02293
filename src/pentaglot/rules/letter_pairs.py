"""Finds pairs of words in a bitext that are one word in two scripts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD
from pentaglot.align.words import normal_forms
from pentaglot.corpus import Bitext
from pentaglot.index.parts import Arrays
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.letter_words import (
    chances_of_words,
    folded,
    is_spelt,
    kind_of_word,
    letter_arrays,
    letters_of,
    scripts_of,
)

__all__ = ["MinedPair", "linked_words", "mined_pairs"]

_UNALIGNED = 0xFFFF
_SHARE = 0.2  # least share of the occurrences of either word that is linked to the other
_LONGEST = 40  # letters of a word, as in core/rules/letter_pairs.hpp
_MOST = 50_000  # pairs to learn from

# Rounds of EM; how much less likely units of three letters, or one, are at first; last rounds, without units that only
# one pair uses.
_ROUNDS, _LONGER, _LAST_ROUNDS, _ALONE = 15, 0.1, 5, 1.01


@dataclass(frozen=True)
class MinedPair:
    """A source word, its spelling in the target language, and the units that make up both."""

    source: str
    target: str
    units: tuple[tuple[str, str], ...]  # compared letters of the source, written letters of the target


def linked_words(bitext: Bitext, links: Arrays) -> list[tuple[str, str]]:
    """Distinct pairs of words in different scripts that are often linked, and only to each other."""
    ids = _linked_ids(bitext, links)
    sides = [
        normal_forms(vocabulary.words(np.ascontiguousarray(ids[:, side])), lowercase=False)
        for side, vocabulary in enumerate((bitext.source_vocabulary, bitext.target_vocabulary))
    ]
    found: dict[tuple[str, str], tuple[str, str]] = {}  # once, whatever the accents
    for source, target in zip(*sides, strict=True):
        if not is_spelt(source) or not is_spelt(target) or scripts_of(source) & scripts_of(target):
            continue
        plain = folded(source), folded(target)
        if len(plain[0]) <= _LONGEST and 1 < len(plain[1]) <= _LONGEST:
            found.setdefault(plain, (source, target))
            if len(found) == _MOST:
                break
    return list(found.values())


def _linked_ids(bitext: Bitext, links: Arrays) -> NDArray[np.uint32]:
    """The ids of such pairs, the most exclusively linked first."""
    first, last = np.asarray(links["source_first"]), np.asarray(links["source_last"])
    places = np.flatnonzero((first == last) & (first != _UNALIGNED))
    sentences = np.searchsorted(bitext.source.offsets, places.astype(np.uint64), side="right") - 1
    others = bitext.target.offsets[sentences].astype(np.int64) + first[places]
    single = np.asarray(links["target_first"])[others] == np.asarray(links["target_last"])[others]
    tokens = np.asarray(bitext.source.tokens), np.asarray(bitext.target.tokens)
    counts = [np.bincount(each).astype(np.int64) if len(each) else np.zeros(1, np.int64) for each in tokens]
    both = tokens[0][places[single]].astype(np.uint64) << np.uint64(32) | tokens[1][others[single]]
    found, together = np.unique(both, return_counts=True)
    pairs = np.stack([found >> np.uint64(32), found & np.uint64(0xFFFFFFFF)], axis=1).astype(np.int64)
    one, other = counts[0][pairs[:, 0]], counts[1][pairs[:, 1]]
    good = (together >= _SHARE * one) & (together >= _SHARE * other) & (pairs >= FIRST_WORD).all(axis=1)
    order = np.argsort(-(2 * together / (one + other))[good], kind="stable")
    return np.asarray(pairs[good][order], np.uint32)


def mined_pairs(
    pairs: list[tuple[str, str]], *, threads: int = 1, progress: Progress = SILENT
) -> tuple[list[MinedPair], dict[str, float]]:
    """The pairs that are one word in two scripts, and their share for each kind of source word."""
    sides = [[folded(source) for source, _ in pairs], [folded(target) for _, target in pairs]]
    kinds = [f"{kind_of_word(source)} {kind_of_word(target.lower())}" for source, target in pairs]
    numbers = {kind: number for number, kind in enumerate(sorted(set(kinds)))}
    mixture = native.LetterMixture(
        *letter_arrays(sides[0]),
        *letter_arrays(sides[1]),
        chances_of_words(sides[0]) * chances_of_words(sides[1]),
        np.array([numbers[kind] for kind in kinds], np.uint32),
        _LONGER,
    )
    with progress.task("learning letters", total=_ROUNDS + _LAST_ROUNDS) as task:
        for number in range(_ROUNDS + _LAST_ROUNDS):
            if number >= _ROUNDS:
                mixture.drop_rare(_ALONE)
            mixture.round(threads)
            task.advance()
    made = mixture.posteriors
    found = [_cut(mixture, number, *pairs[number]) for number in np.flatnonzero(made > 0.5).tolist()]
    return [each for each in found if each.units], _shares([kind_of_word(source) for source, _ in pairs], made)


def _cut(mixture: native.LetterMixture, number: int, source: str, target: str) -> MinedPair:
    """A pair cut into its most likely units, with the accents of the target word."""
    plain, written = folded(source), [letter for _, letter in letters_of(target)]
    units, at, to = [], 0, 0
    for left, right in mixture.best_cut(number):
        units.append((plain[at : at + left], "".join(written[to : to + right])))
        at, to = at + left, to + right
    return MinedPair(source, target, tuple(units))


def _shares(kinds: list[str], made: NDArray[np.float64]) -> dict[str, float]:
    return {kind: float(np.mean(made[[each == kind for each in kinds]])) for kind in sorted(set(kinds))}
