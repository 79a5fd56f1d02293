"""Constraints on translations: a reference to reach, or words to begin with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentaglot._core.search import TargetConstraint
from pentaglot.rules import SentenceRules

__all__ = ["prefix_constraint", "reference_constraint"]


def reference_constraint(rules: SentenceRules, words: Sequence[str]) -> TargetConstraint:
    """Translations must consist of exactly these words."""
    return TargetConstraint([rules.target_symbols(word) for word in words])


def prefix_constraint(
    rules: SentenceRules, words: Sequence[str], *, unfinished: bool = False, ignore_case: bool = False
) -> TargetConstraint:
    """Translations must begin with these words. If the last is `unfinished`, any word that begins with it will do."""
    places = [rules.target_symbols(word) for word in words]
    if unfinished and words:
        places[-1] = sorted({*places[-1], *_beginning_with(rules, words[-1], ignore_case)})
    return TargetConstraint(places, True)


def _beginning_with(rules: SentenceRules, begun: str, ignore_case: bool) -> list[int]:
    """All target symbols of the rules that begin with these letters."""
    wanted = begun.lower() if ignore_case else begun
    symbols = np.unique(rules.table.target_symbols)
    return [
        symbol
        for symbol in symbols[symbols >= 0].tolist()
        if (word := rules.target_word(symbol)) and (word.lower() if ignore_case else word).startswith(wanted)
    ]
