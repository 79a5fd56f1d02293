"""Features of words that are found in training text."""

from __future__ import annotations

import numpy as np

from pentaglot._core.rules import RuleTable
from pentaglot.corpus import Sentence, encode
from pentaglot.forest import FeatureSpace
from pentaglot.rules import FittingContext, SentenceRules
from pentaglot.rules.fitting_words import CrossingWords
from pentaglot.rules.operators import TargetNgrams, Triggers
from pentaglot.search.ngrams import NgramUse


def test_words_that_are_spelt_as_the_ends_of_sentences() -> None:
    """They are ordinary words, which may be triggers; n-grams with them would have the names of those at the ends."""
    lines = [["<s>", "a", "b", "</s>"], ["a", "b"], ["b", "<s>", "a"], ["<s>", "a"], ["a", "</s>"]]
    text, vocabulary = encode(lines)
    table = RuleTable()
    table.add_pattern([vocabulary.find("a")])
    table.add_rule([vocabulary.find(word) for word in ("a", "b", "<s>", "</s>")])
    found = SentenceRules(Sentence(("a",)), np.zeros(1, np.uint32), table, vocabulary, vocabulary, ())
    context = FittingContext(FeatureSpace(), text=(text, vocabulary))
    fitted = {}
    for operator in (TargetNgrams(across=True), Triggers(least=2)):
        words = CrossingWords(operator, context)
        words.add(found)
        fitted[operator.operator] = words.fitted()
    ngrams = fitted["target_ngrams"].split()
    assert sorted(ngrams) == [["<s>", "a"], ["<s>", "b"], ["a", "</s>"], ["a", "b"], ["b", "</s>"]]
    assert NgramUse.over(vocabulary, ngrams, np.arange(5, dtype=np.uint32)).order == 2
    assert ["<s>", "a"] in fitted["triggers"].split()
