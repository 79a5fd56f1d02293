"""Looks up the rules for a phrase, with the training pairs they come from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from pentaglot.corpus.splitters import JOINER
from pentaglot.errors import OptionError
from pentaglot.explain.examples import Example, Examples
from pentaglot.explain.explained import ExplainedTranslator
from pentaglot.index.pattern import parse_pattern
from pentaglot.index.ways import Way, ways_written
from pentaglot.options import suggestion
from pentaglot.rules import SentenceRules, View
from pentaglot.rules.features import RULE_FEATURES

__all__ = ["FoundRule", "Scope", "look_up", "usual_forms"]

Scope = Literal["whole", "gaps", "parts"]

# Stands for a gap; no text has this word.
_FILLER = "\ufdef"

_MOST_WAYS = 20  # of writing a phrase; rarer ones are left out


@dataclass(frozen=True)
class FoundRule:
    """One rule. Gaps are written X1, X2, ... on both sides."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: float  # how often it was seen in the sample, weighted
    occurrences: int  # of the source side
    sample: int  # how many of them were looked at
    translated: int  # how many of those had a translation
    score: float  # what its features add to the score of a translation, without the language model
    features: dict[str, float]
    examples: tuple[Example, ...]
    meanings: dict[str, str] = dataclasses.field(default_factory=dict)  # of induced features, in words

    def as_json(self) -> dict[str, Any]:
        """The same as lists and dictionaries."""
        return dataclasses.asdict(self)


def look_up(translator: ExplainedTranslator, phrase: str, scope: Scope = "whole") -> list[FoundRule]:
    """The rules for a phrase, the most frequent first.

    A gap is written as in `find`: "nicht nur X, sondern auch". `scope` selects the rules: `whole`, those whose source
    side is the whole phrase; `gaps`, also those that cover it with gaps for some words; `parts`, also those of all its
    parts. If the training text writes a phrase in several ways, the rules of all of them are returned.
    """
    if scope not in (known_scopes := get_args(Scope)):
        raise OptionError(f"there is no scope '{scope}'", hint=suggestion(scope, known_scopes))
    found: list[FoundRule] = []
    for way in _ways(translator, phrase):
        known = {rule.source for rule in found}
        found += [rule for rule in _rules_for(translator, way, scope) if rule.source not in known]
    best = [(-len(each.source), -each.translated, each.source, -each.count, -each.score, each.target) for each in found]
    return [found[at] for at in sorted(range(len(found)), key=best.__getitem__)]


def _ways(translator: ExplainedTranslator, phrase: str) -> list[Way]:
    """The ways the training text writes a phrase; one that it lacks is cut like any input."""
    tokenizer, view = translator.source_tokenizer, translator.indexed.view
    typed = [index.typed for index in view.indexes]
    ways = ways_written(typed, phrase, translator.rules.options.limits, tokenizer)[:_MOST_WAYS]
    parts = parse_pattern(phrase)
    usual = [[None] if part is None else usual_forms(view, tokenizer.tokenise(part)) for part in parts]
    ways = ways or [tuple(word for words in usual for word in words)]
    # If the words of the text were put into another order, so are those of a phrase without gaps.
    ordered = [way if None in way else tuple(translator.ordered([word for word in way if word])) for way in ways]
    return list(dict.fromkeys((*ordered, *ways)))


def _rules_for(translator: ExplainedTranslator, way: Way, scope: Scope) -> Iterator[FoundRule]:
    words: list[str] = []
    for symbol in way:
        words += [_FILLER] * translator.rules.options.min_gap if symbol is None else [symbol]
    rules = translator.rules.rules(words)
    wanted = ["X" if symbol is None else symbol for symbol in way]
    for pattern in range(rules.table.patterns):
        if pattern in rules.stand_ins:  # not a rule of the phrase itself
            continue
        source = rules.source_side(pattern)
        if _FILLER in source:
            continue
        plain = ["X" if symbol < 0 else word for symbol, word in zip(rules.table.source(pattern), source, strict=True)]
        if plain == wanted or scope == "parts" or (scope == "gaps" and _covers(plain, words)):
            yield from _rules_of(translator, rules, pattern)


def usual_forms(view: View, words: Sequence[str]) -> list[str]:
    """Words in their most frequent form in the text: punctuation joined to its neighbours or not, and with a capital or
    not if the text has only one of these."""
    return [_most_frequent(view, word) for word in words]


def _most_frequent(view: View, word: str) -> str:
    if any(map(str.isalnum, word)):
        if any(index.count([word]) for index in view.indexes):
            return word
        forms = [word, word.lower(), word[:1].upper() + word[1:], word.upper()]
    else:
        bare = word.strip(JOINER)
        forms = [word, bare, JOINER + bare, bare + JOINER, JOINER + bare + JOINER]
    counts = [sum(index.count([form]) for index in view.indexes) if form else 0 for form in forms]
    return forms[counts.index(max(counts))]


def _covers(pattern: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a pattern with gaps matches all the words; a gap is one word or more."""
    ends = {0}
    for symbol in pattern:
        if symbol == "X":
            ends = set(range(min(ends, default=len(words)) + 1, len(words) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(words) and words[end] == symbol}
    return len(words) in ends


def _rules_of(translator: ExplainedTranslator, rules: SentenceRules, pattern: int) -> list[FoundRule]:
    table, names = rules.table, translator.features
    dense = set(table.feature_ids.tolist())
    columns = {names.name(number): table.feature(number) for number in table.feature_ids.tolist()}
    found = []
    examples = Examples(rules, translator.indexed)
    for rule in range(*table.rule_offsets[pattern : pattern + 2].tolist()):
        features = {
            name: float(column[rule]) for name, column in columns.items() if column[rule] or name in RULE_FEATURES
        }
        ids, values = table.features_of(rule)
        for number, value in zip(ids.tolist(), values.tolist(), strict=True):
            if number not in dense:
                features[names.name(number)] = features.get(names.name(number), 0.0) + value
        source = rules.source_side(pattern)
        occurrences, attempts = int(table.occurrences[pattern]), int(table.attempts[pattern])
        if "unknown" in features:  # it may be in the text and still have given no rule
            occurrences = sum(index.count(source) for index in translator.indexed.view.indexes)
            attempts = min(occurrences, translator.rules.options.sample or occurrences)
        found.append(
            FoundRule(
                tuple(source),
                tuple(rules.target_side(rule)),
                float(table.counts[rule]),
                occurrences,
                attempts,
                int(table.successes[pattern]),
                float(np.sum([value * translator.weights.get(name, 0.0) for name, value in features.items()])),
                features,
                examples.of(pattern, rule),
                {name: said for name in features if (said := translator.induced_meaning(name))},
            )
        )
    return found
