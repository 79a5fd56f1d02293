"""What a rule source knows of a sentence goes with its rules into the search."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

from pentaglot import PentaglotError
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Sentence
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, Structure, feature_space
from pentaglot.search import Searcher, SearchOptions

WEIGHTS = {"rules": -1.0, "translation": 0.1, "distortion": -1.0}


@pytest.fixture
def rules() -> SentenceRules:
    """A phrase of two words that is worth more than its words, one by one."""
    bitext = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]] * 2))
    sentence = Sentence(["das", "Haus"], {"head": [2, 0]})
    return IndexRules(index, feature_space(), RuleOptions(max_gaps=0)).rules(sentence)


def used(rules: SentenceRules, search: str) -> int:
    """How many rules the best translation uses."""
    searcher = Searcher(WEIGHTS, feature_space(), None, options=SearchOptions(search=search))
    best = searcher.search(rules).forest.viterbi()
    return round(best.features[feature_space().id("rules")])


@pytest.mark.parametrize("search", ["chart", "stack"])
def test_spans_that_are_no_constituents_are_not_covered(rules: SentenceRules, search: str) -> None:
    assert used(rules, search) == 1
    spans = np.zeros((3, 3), np.bool_)
    spans[0, 1] = spans[1, 2] = True
    assert used(replace(rules, structure=Structure(spans=spans)), search) == 2
    spans[0, 2] = True
    assert used(replace(rules, structure=Structure(spans=spans)), search) == 1


def test_heads_come_from_the_layers_of_the_sentence(rules: SentenceRules) -> None:
    structure = Structure.of(rules.sentence)
    assert {name: column.tolist() for name, column in structure.columns.items()} == {"head": [1, -1]}
    assert used(replace(rules, structure=structure), "stack") == 1
    assert not Structure.of(Sentence(["a"], {"upos": ["X"]})).columns


def test_it_travels_with_its_rules(rules: SentenceRules) -> None:
    spans = np.zeros((3, 3), np.bool_)
    spans[0, 1] = spans[1, 2] = True
    sent = replace(rules, structure=Structure(spans=spans))
    assert used(copy.deepcopy(sent), "chart") == 2


def test_structure_of_another_sentence_is_refused(rules: SentenceRules) -> None:
    with pytest.raises(PentaglotError, match="a row and a column for each of the 3"):
        used(replace(rules, structure=Structure(spans=np.ones((5, 5), np.bool_))), "chart")
    with pytest.raises(PentaglotError, match="3 values of 'head'"):
        used(replace(rules, structure=Structure({"head": np.array([-1, 0, 0], np.int32)})), "chart")
