"""What a translation must be, or begin with: references to be reached, and words that somebody has typed already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pentaglot._core.corpus import UNKNOWN
from pentaglot._core.search import TargetConstraint
from pentaglot.forest import FeatureSpace
from pentaglot.rules import SentenceRules
from pentaglot.rules.source import SENTENCE_WORDS

__all__ = ["add_given_words", "prefix_constraint", "reference_constraint"]

_RUN = 3  # given words that one word of the input may stand for, unless nothing shorter will do


def reference_constraint(rules: SentenceRules, words: Sequence[str]) -> TargetConstraint:
    """Translations must have just these words."""
    return TargetConstraint([_symbols(rules, word) for word in words])


def prefix_constraint(
    rules: SentenceRules, words: Sequence[str], *, unfinished: bool = False, ignore_case: bool = False
) -> TargetConstraint:
    """Translations must begin with these words. If the last is `unfinished`, any word that begins with it will do."""
    places = [_symbols(rules, word) for word in words]
    if unfinished and words:
        places[-1] = sorted({*places[-1], *_beginning_with(rules, words[-1], ignore_case)})
    return TargetConstraint(places, True)


def add_given_words(rules: SentenceRules, words: Sequence[str], features: FeatureSpace) -> SentenceRules:
    """Rules with which every translation can begin with these words, whatever they are: each word of the input may
    stand for up to three of them in a row, or for all that are left. The feature `given` counts the words. The rules
    that are given stay as they are."""
    copies = list(rules.copies)
    symbols = []
    for word in words:
        known = _symbols(rules, word)
        if not known and word not in copies[len(rules.copies) :]:
            copies.append(word)
        symbols.append(known[0] if known else SENTENCE_WORDS + copies.index(word))
    runs = {
        tuple(symbols[begin:end])
        for begin in range(len(symbols))
        for end in (*range(begin + 1, min(begin + _RUN, len(symbols)) + 1), len(symbols))
    }
    table, before = rules.table.copy(), rules.table.rules
    free = SENTENCE_WORDS + len(rules.words)  # symbols from here on are units, which stay as they are
    sources = [source for source in dict.fromkeys(rules.source.tolist()) if source < free]
    for source in sources:
        table.add_pattern([source])
        for run in sorted(runs):
            table.add_rule(list(run), count=0.0)
    lengths = np.array([len(run) for run in sorted(runs)] * len(sources), np.float32)
    for name, values in (("given", lengths), ("words", lengths), ("rules", np.ones_like(lengths))):
        column = table.feature(features.add(name))
        column[before:] = values
        table.set_feature(features.add(name), column)
    return replace(rules, table=table, copies=tuple(copies))


def _symbols(rules: SentenceRules, word: str) -> list[int]:
    """All target symbols with this spelling."""
    known = rules.target_vocabulary.find(word)
    copies = [SENTENCE_WORDS + at for at, copy in enumerate(rules.copies) if copy == word]
    return copies if known == UNKNOWN else [known, *copies]


def _beginning_with(rules: SentenceRules, begun: str, ignore_case: bool) -> list[int]:
    """All target symbols of the rules whose spelling begins like this."""
    wanted = begun.lower() if ignore_case else begun
    symbols = np.unique(rules.table.target_symbols)
    return [
        symbol
        for symbol in symbols[symbols >= 0].tolist()
        if (word := rules.target_word(symbol)) and (word.lower() if ignore_case else word).startswith(wanted)
    ]
