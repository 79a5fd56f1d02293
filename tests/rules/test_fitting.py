"""Operators fitted on the rules of an index, without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Sentence
from pentaglot.errors import PentaglotError
from pentaglot.index import Index
from pentaglot.rules import (
    FittingContext,
    IndexRules,
    Inducer,
    RuleOptions,
    SentenceRules,
    feature_space,
    fit_induction,
)
from pentaglot.rules.operators import (
    CutIntoBins,
    Domains,
    Operator,
    SourceNgrams,
    TargetNgrams,
    TargetWords,
    Triggers,
    WordPairs,
)

SOURCE = [["a", "b"], ["b", "a"], ["a", "a"], ["a"]]
TARGET = [["b", "a"], ["a", "b"], ["a", "a"], ["a"]]


@pytest.fixture
def rules() -> IndexRules:
    bitext = Bitext.from_sentences(SOURCE, TARGET)
    links = Alignment.from_links([[(0, 1), (1, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1)], [(0, 0)]])
    return IndexRules(Index.build(bitext, links), feature_space(), RuleOptions(max_gaps=0, fallbacks=()))


def fitted(rules: IndexRules, *operators: Operator) -> list[str]:
    """The names of the features, which the source of rules gives from then on."""

    def found() -> Iterator[SentenceRules]:
        return (rules.rules(Sentence(words, metadata={"domain": "x"})) for words in SOURCE)

    text = rules.view.indexes[0].bitext
    context = FittingContext(rules.features, dense=("words",), text=(text.target, text.target_vocabulary))
    induction = fit_induction(operators, found, context)
    rules.inducer = Inducer(induction, rules.features)
    return list(induction.names())


def test_order_repetition_and_side_make_features_of_their_own(rules: IndexRules) -> None:
    names = fitted(rules, WordPairs(linked=False), SourceNgrams(), TargetNgrams(), TargetWords())
    assert sorted(names) == sorted(
        [
            *(f"any_pair={one}>{other}" for one in "ab" for other in "ab"),
            *(f"{side}_ngram={pair}" for side in ("source", "target") for pair in ("a>b", "b>a", "a>a")),
            "target_word=a",
            "target_word=b",
        ]
    )
    table = rules.rules(["a", "a"]).table
    fired = Counter(rules.features.name(id_) for id_ in table.features_of(table.rules - 1)[0])
    assert {name: times for name, times in fired.items() if "=" in name} == {
        "any_pair=a>a": 4,
        "source_ngram=a>a": 1,
        "target_ngram=a>a": 1,
        "target_word=a": 2,
    }


def test_every_kind_of_operator(rules: IndexRules) -> None:
    names = fitted(
        rules,
        CutIntoBins(("pair_count", "words"), bins=2),
        WordPairs(),
        TargetNgrams(across=True),
        Triggers(least=1),
        Domains(("words", "words=")),
    )
    assert {"words=1", "words=2+", "domain=x^words", "domain=x^words=2+", "pair=a>a", "pair=b>b"} <= set(names)
    assert {"ngram=<s\\>>a", "ngram=a>a", "ngram=b></s\\>", "trigger=a>a", "trigger=b>a"} <= set(names)
    found = rules.rules(Sentence(["a"], metadata={"domain": "x/y"}))
    assert found.conjoined and not rules.rules(Sentence(["a"], metadata={"domain": "y"})).conjoined


@pytest.mark.parametrize("operator", [WordPairs(classes=2), TargetNgrams(classes=2, across=True), Triggers(classes=2)])
def test_no_text_to_find_classes_in(rules: IndexRules, operator: Operator) -> None:
    with pytest.raises(PentaglotError, match="no text to find word classes in"):
        fitted(rules, operator)
