"""The searcher: options reach the native search, and both searches agree where they must (spec lopez2008, 7.7)."""

from __future__ import annotations

import logging

import pytest

from pentaglot import PentaglotError
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Index
from pentaglot.lm import BuildOptions, LanguageModel, build
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, feature_space
from pentaglot.search import Cancellation, Searcher, SearchOptions

SOURCE = ["ein altes Haus", "ein Buch", "das Haus", "das alte Buch", "ein rotes Haus"]
TARGET = ["an old house", "a book", "the house", "the old book", "a red house"]
WEIGHTS = {"translation": 1.0, "lexical_target": 0.3, "language_model": 0.5, "words": 0.4, "unknown": -5.0}


@pytest.fixture(scope="module")
def setting() -> tuple[IndexRules, LanguageModel, Index]:
    bitext = Bitext.from_sentences([line.split() for line in SOURCE], [line.split() for line in TARGET])
    links = [[(at, at) for at in range(len(line.split()))] for line in SOURCE]
    index = Index.build(bitext, Alignment.from_links(links))
    logging.disable()
    language = build(bitext.target, bitext.target_vocabulary, BuildOptions(order=3))
    logging.disable(logging.NOTSET)
    return IndexRules(index, feature_space(), RuleOptions(max_gaps=0)), language, index


def searcher(setting: tuple[IndexRules, LanguageModel, Index], **options: object) -> Searcher:
    rules, language, index = setting
    ids = language.map_vocabulary(index.bitext.target_vocabulary)
    return Searcher(WEIGHTS, rules.features, language, ids, SearchOptions(**options))  # type: ignore[arg-type]


def words(rules: SentenceRules, found: object) -> str:
    return " ".join(rules.target_word(symbol) for symbol in found.forest.viterbi().words)  # type: ignore[attr-defined]


def test_translates(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = setting[0].rules(["das", "rotes", "Buch"])
    assert words(rules, searcher(setting).search(rules)) == "the red book"


def test_chart_and_monotone_stacks_agree(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    for line in (*SOURCE, "das rotes Buch Haus ein", "ein Zug"):
        rules = setting[0].rules(line.split())
        everything = {"pop_limit": 100_000, "translations": 0}
        chart = searcher(setting, **everything).search(rules)
        stack = searcher(setting, search="stack", distortion_limit=0, stack_size=100_000, **everything).search(rules)
        assert chart.forest.viterbi().score == pytest.approx(stack.forest.viterbi().score, abs=1e-4)
        assert words(rules, chart) == words(rules, stack)


def test_a_threshold_drops_what_is_far_behind(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = setting[0].rules(["das", "kleine", "Haus", "ist", "rot"])
    everything = searcher(setting, search="stack").search(rules)
    some = searcher(setting, search="stack", threshold=0.5).search(rules)
    assert some.hypotheses < everything.hypotheses
    assert some.forest.viterbi().score <= everything.forest.viterbi().score + 1e-6
    wide = searcher(setting, search="stack", threshold=1e6).search(rules)
    assert wide.hypotheses == everything.hypotheses


def test_whole_forest_has_more(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = setting[0].rules(["ein", "rotes", "Buch"])
    best = searcher(setting).search(rules)
    whole = searcher(setting).search(rules, whole_forest=True)
    assert best.forest.count() == 1
    assert whole.forest.count() > 1
    assert whole.forest.viterbi().words == best.forest.viterbi().words


def test_limits_and_cancellation(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = setting[0].rules(["ein"] * 50)
    assert searcher(setting, hypotheses=10).search(rules).limited
    assert not searcher(setting).search(rules).limited
    stop = Cancellation()
    stop.cancel()
    with pytest.raises(PentaglotError, match="cancelled"):
        searcher(setting).search(rules, cancellation=stop)
