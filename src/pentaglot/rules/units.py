"""Input words whose translation is fixed: no other rule may cover them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot._core.rules import RuleTable
from pentaglot.forest import FeatureSpace
from pentaglot.rules.sentence_rules import SENTENCE_WORDS, SentenceRules

__all__ = ["Unit", "set_last", "with_units"]


@dataclass(frozen=True)
class Unit:
    """One input word (perhaps a stand-in for several) and its translation."""

    source: str
    target: tuple[str, ...]


def with_units(
    rules: SentenceRules, units: Mapping[int, Unit], features: FeatureSpace, language: Vocabulary
) -> SentenceRules:
    """Returns the rules of a sentence with units at some places. A unit has its own source symbol, which only one rule
    covers; its target words have their own symbols, too, so that they can be found in a translation. `language` is the
    vocabulary of the language model. `rules` is not changed."""
    table, source, copies = rules.table.copy(), rules.source.copy(), list(rules.copies)
    known_to_language = [UNKNOWN] * len(copies)
    first = SENTENCE_WORDS + len(rules.words)
    for number, (place, unit) in enumerate(sorted(units.items())):
        source[place] = first + number
        table.add_pattern([first + number])
        begin = SENTENCE_WORDS + len(copies)
        table.add_rule(list(range(begin, begin + len(unit.target))), count=0.0)
        for word in unit.target:
            copies.append(word)
            known_to_language.append(language.find(word))
    lengths = np.array([len(unit.target) for _, unit in sorted(units.items())], np.float32)
    set_last(table, features, {"words": lengths, "rules": np.ones_like(lengths)})
    return replace(
        rules,
        source=source,
        table=table,
        copies=tuple(copies),
        units=tuple(unit.source for _, unit in sorted(units.items())),
        language_ids=np.array(known_to_language, np.uint32),
    )


def set_last(table: RuleTable, features: FeatureSpace, values: Mapping[str, NDArray[np.float32]]) -> None:
    """Sets features of the last rules of a table; all other rules keep theirs."""
    for name, last in values.items():
        column = table.feature(features.add(name))
        column[len(column) - len(last) :] = last
        table.set_feature(features.add(name), column)
