"""Rules that let translations begin with given words, such as those that a user has typed already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pentaglot.forest import FeatureSpace
from pentaglot.rules.sentence_rules import SENTENCE_WORDS, SentenceRules
from pentaglot.rules.units import set_last

__all__ = ["with_given_words"]

_RUN = 3  # most given words for one input word, unless it stands for all that are left


def with_given_words(rules: SentenceRules, words: Sequence[str], features: FeatureSpace) -> SentenceRules:
    """Returns rules that let a translation begin with any words: each input word may stand for up to three of them in a
    row, or for all that are left. The feature `given` counts these words. `rules` is not changed."""
    copies = list(rules.copies)
    symbols = []
    for word in words:
        known = rules.target_symbols(word)
        if not known and word not in copies[len(rules.copies) :]:
            copies.append(word)
        symbols.append(known[0] if known else SENTENCE_WORDS + copies.index(word))
    runs = {
        tuple(symbols[begin:end])
        for begin in range(len(symbols))
        for end in (*range(begin + 1, min(begin + _RUN, len(symbols)) + 1), len(symbols))
    }
    table = rules.table.copy()
    free = SENTENCE_WORDS + len(rules.words)  # symbols from here on are units, which stay as they are
    sources = [source for source in dict.fromkeys(rules.source.tolist()) if source < free]
    for source in sources:
        table.add_pattern([source])
        for run in sorted(runs):
            table.add_rule(list(run), count=0.0)
    lengths = np.array([len(run) for run in sorted(runs)] * len(sources), np.float32)
    set_last(table, features, {"given": lengths, "words": lengths, "rules": np.ones_like(lengths)})
    return replace(rules, table=table, copies=tuple(copies))
