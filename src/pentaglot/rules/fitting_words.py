"""Finds the features of words that rules have, or can have across their borders."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import END, FIRST_WORD, START, Vocabulary
from pentaglot.corpus import Text
from pentaglot.errors import PentaglotError
from pentaglot.rules.fitting_context import FittingContext
from pentaglot.rules.induced import WordClassMaps, WordFeatures
from pentaglot.rules.operators import WordOperator
from pentaglot.rules.sentence_rules import SentenceRules
from pentaglot.rules.text_ngrams import frequent_ngrams
from pentaglot.rules.triggers import trigger_pairs
from pentaglot.rules.word_names import SIDES, joined_words

__all__ = ["CrossingWords", "WordCounts"]

_NO_CLASSES = np.empty(0, np.uint32)


class WordCounts:
    """Counts what rules have by a template of words."""

    def __init__(self, operator: WordOperator, context: FittingContext) -> None:
        self.operator = operator
        self.maps = _maps(operator, context)
        self._counter: native.WordCounter | None = None
        self._vocabularies: tuple[Vocabulary, Vocabulary] | None = None

    def add(self, found: SentenceRules) -> None:
        vocabularies = found.source_vocabulary, found.target_vocabulary
        if self._counter is None:
            maps = (_NO_CLASSES, _NO_CLASSES) if self.maps is None else self.maps.arrays(*vocabularies)
            template = native.WordTemplate(self.operator.template, self.operator.longest, *maps)
            self._counter = native.WordCounter(template)
        self._vocabularies = vocabularies
        self._counter.add(found.table)

    def fitted(self) -> WordFeatures:
        assert self._counter is not None and self._vocabularies is not None
        lengths = self.operator.longest > 1  # this many of each
        offsets, symbols, _ = self._counter.counted(self.operator.least, 0 if lengths else self.operator.most)
        source, target = (_Spelling(each, self.operator.classes) for each in self._vocabularies)
        ends, numbers = offsets.tolist(), symbols.tolist()
        keys = [numbers[begin:end] for begin, end in pairwise(ends)]
        if lengths and self.operator.most:
            keys = _most_of_each_length(keys, self.operator.most)
        return WordFeatures(self.operator, tuple(_joined(key, self.operator.template, source, target) for key in keys))


class CrossingWords:
    """Finds the n-grams or triggers of the training text that rules can say."""

    def __init__(self, operator: WordOperator, context: FittingContext) -> None:
        if context.text is None or len(context.text[0]) == 0:
            raise PentaglotError("there is no training text to find n-grams in")
        self.operator, self._text = operator, context.text
        self.maps = _maps(operator, context)
        self._vocabulary = self._text[1]  # of the rules: a table may have another than the text
        self._said = np.zeros(len(self._vocabulary), np.bool_)

    def add(self, found: SentenceRules) -> None:
        self._vocabulary, words = found.target_vocabulary, found.table.target_symbols
        if len(self._said) < len(self._vocabulary):
            self._said = np.concatenate([self._said, np.zeros(len(self._vocabulary) - len(self._said), np.bool_)])
        self._said[words[(words >= 0) & (words < len(self._said))]] = True

    def _said_in_text(self) -> NDArray[np.bool_]:
        """Which words of the text the rules can say."""
        words = self._text[1]
        said = np.zeros(len(words), np.bool_)
        ids = self._vocabulary.ids_in(words)
        said[ids[self._said[: len(ids)]]] = True
        said[:FIRST_WORD] = False
        return said

    def fitted(self) -> WordFeatures:
        text, vocabulary = self._text
        said, names = self._said_in_text(), _Spelling(vocabulary, 0)
        if self.operator.operator != "triggers":
            # In the names of n-grams, words that are spelt <s> would be the beginnings of sentences.
            said[[vocabulary.find(vocabulary.word(end)) for end in (START, END)]] = False
        if self.maps is not None:
            numbers = self.maps.arrays(vocabulary, vocabulary)[1]
            classes = np.where(np.arange(len(numbers)) < FIRST_WORD, np.arange(len(numbers)), numbers + FIRST_WORD)
            text = Text(classes.astype(np.uint32)[text.tokens], np.asarray(text.offsets))
            spoken, said = said, np.zeros(self.operator.classes + FIRST_WORD + 1, np.bool_)
            said[classes[spoken]] = True
            said[FIRST_WORD] = False  # words without a class
            spelt = {FIRST_WORD + each: str(each) for each in range(1, self.operator.classes + 1)}
            names = _Spelling(vocabulary, 0, spelt)
        if self.operator.operator == "triggers":
            found = trigger_pairs(text, self.operator.least, self.operator.most, said)
        else:
            found = frequent_ngrams(text, self.operator.longest, self.operator.least, self.operator.most, said)
        return WordFeatures(self.operator, tuple(joined_words(list(map(names, ngram))) for ngram in found))


def _maps(operator: WordOperator, context: FittingContext) -> WordClassMaps | None:
    """The classes that an operator takes in place of words, if it does."""
    if not operator.classes:
        return None
    if context.find_classes is None:
        raise PentaglotError("there is no text to find word classes in")
    return context.find_classes(operator.classes)


def _most_of_each_length(keys: list[list[int]], most: int) -> list[list[int]]:
    seen: Counter[int] = Counter()
    kept = []
    for key in keys:  # the most frequent first
        seen[len(key)] += 1
        if seen[len(key)] <= most:
            kept.append(key)
    return kept


class _Spelling:
    """The spelling of words or classes."""

    def __init__(self, vocabulary: Vocabulary, classes: int, known: dict[int, str] | None = None) -> None:
        self._vocabulary, self._classes = vocabulary, classes
        self._known = known or {}

    def __call__(self, number: int) -> str:
        if number not in self._known:
            self._known[number] = str(number) if self._classes else self._vocabulary.word(number)
        return self._known[number]


def _joined(key: list[int], template: str, source: _Spelling, target: _Spelling) -> str:
    if template == "rules":
        between = key.index(native.BETWEEN_SIDES)
        sides = [source] * between + [source] + [target] * (len(key) - between - 1)
        words = [
            SIDES if at == between else f"[{-symbol}]" if symbol < 0 else sides[at](symbol)
            for at, symbol in enumerate(key)
        ]
        return joined_words(words, [symbol < 0 and at != between for at, symbol in enumerate(key)])
    if template in ("linked_pairs", "all_pairs"):
        return joined_words([source(key[0]), target(key[1])])
    return joined_words(list(map(target if template.startswith("target") else source, key)))
