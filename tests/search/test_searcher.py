"""The searcher: options reach the native search, and both searches agree where they must (spec lopez2008, 7.7)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest

from pentaglot import PentaglotError
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, encode
from pentaglot.errors import OptionError
from pentaglot.index import Index
from pentaglot.lm import BuildOptions, ClassModel, LanguageModel, build
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, feature_space
from pentaglot.search import (
    Cancellation,
    LanguageUse,
    Searcher,
    SearchOptions,
    WordClasses,
    language_features,
)

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


def searcher(
    setting: tuple[IndexRules, LanguageModel, Index],
    weights: dict[str, float] | None = None,
    further: Sequence[LanguageUse] = (),
    classes: WordClasses | None = None,
    **options: object,
) -> Searcher:
    rules, language, index = setting
    ids = language.map_vocabulary(index.bitext.target_vocabulary)
    how = SearchOptions(**options)  # type: ignore[arg-type]
    return Searcher(WEIGHTS | (weights or {}), rules.features, language, ids, how, further=further, classes=classes)


def model_of(*lines: str) -> LanguageModel:
    logging.disable()
    model = build(*encode([line.split() for line in lines]), BuildOptions(order=2))
    logging.disable(logging.NOTSET)
    return model


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


@pytest.mark.parametrize("search", ["chart", "stack"])
def test_a_further_language_model_has_its_say(setting: tuple[IndexRules, LanguageModel, Index], search: str) -> None:
    """A second model that has seen another order of words, and the word that is copied from the input."""
    vocabulary = setting[2].bitext.target_vocabulary
    rules = setting[0].rules(["ein", "Zug"])
    other = LanguageUse.over("rail", model_of("Zug a", "Zug a", "Zug a"), vocabulary)
    score, unknown = language_features("rail")
    said = {weight: searcher(setting, {score: weight}, [other], search=search).search(rules) for weight in (0.0, 5.0)}
    assert words(rules, said[0.0]).split()[-1] == "Zug"
    assert said[0.0].forest.viterbi().features[setting[0].features.id(score)] != 0
    # It knows 'Zug', which the first model does not; of the other words it knows one.
    known = {"a", "Zug"}
    for found in said.values():
        value = found.forest.viterbi().features.get(setting[0].features.id(unknown), 0.0)
        assert value == sum(word not in known for word in words(rules, found).split())


def test_a_model_over_classes_prefers_their_order(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    vocabulary = setting[2].bitext.target_vocabulary
    classes = {"an": "D", "a": "D", "the": "D", "old": "J", "red": "J", "house": "N", "book": "N"}
    rules = setting[0].rules(["ein", "Buch"])
    backwards = LanguageUse.over("classes", ClassModel.of_mapping(model_of("N D", "N D", "N D"), classes), vocabulary)
    score, unknown = language_features("classes")
    found = searcher(setting, {score: 20.0}, [backwards], search="stack").search(rules)
    assert [classes[word] for word in words(rules, found).split()] == ["N", "D"]
    assert setting[0].features.id(unknown) not in found.forest.viterbi().features
    with pytest.raises(PentaglotError, match="two language models are called 'classes'"):
        searcher(setting, {}, [backwards, backwards])


def test_features_that_are_there_if_they_have_a_weight(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = setting[0].rules(["das", "das", "Haus"])
    space = setting[0].features
    plain, weighed = searcher(setting), searcher(setting, {"repeated_words": 0.0})
    assert words(rules, plain.search(rules)) == "the the house"
    repeated = space.id("repeated_words")
    assert repeated not in plain.search(rules).forest.viterbi().features
    assert weighed.search(rules).forest.viterbi().features[repeated] == 1
    assert "the the" not in words(rules, searcher(setting, {"repeated_words": -50.0}, search="stack").search(rules))


def test_pairs_of_classes(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    vocabulary = setting[2].bitext.target_vocabulary
    classes = WordClasses.over(vocabulary, {"the": "D", "a": "D", "book": "N"})
    rules = setting[0].rules(["das", "Buch"])
    best = searcher(setting, {}, classes=classes).search(rules).forest.viterbi()
    names = {setting[0].features.name(id_): value for id_, value in best.features.items()}
    assert {name: value for name, value in names.items() if name.startswith("next_classes=")} == {
        "next_classes=<s>_D": 1.0,
        "next_classes=D_N": 1.0,
        "next_classes=N_</s>": 1.0,
    }
    turned = {"next_classes=<s>_N": 9.0, "next_classes=N_D": 9.0}
    assert words(rules, searcher(setting, turned, classes=classes, search="stack").search(rules)) == "book the"


def test_labels_of_whole_translations(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    """Rules without labels are glued unless the options say otherwise; a phrase for everything may be a start."""
    rules = setting[0].rules(["ein", "altes", "Haus"])
    for search in ("chart", "stack"):
        usual = searcher(setting, search=search).search(rules).forest
        both = searcher(setting, search=search, glue_labels=(3, 0), start_labels=(5,)).search(rules).forest
        assert usual.viterbi().words == both.viterbi().words and usual.viterbi().score == both.viterbi().score
        with pytest.raises(PentaglotError, match="cover the input"):
            searcher(setting, search=search, glue_labels=(3,)).search(rules)
        alone = searcher(setting, search=search, glue_labels=(), start_labels=(0,)).search(rules, whole_forest=True)
        assert alone.forest.count() == sum(
            rules.table.source(pattern).tolist() == rules.source.tolist() for pattern in range(rules.table.patterns)
        )
    for labels in ((-1,), (2**31,)):
        with pytest.raises(OptionError, match="option 'glue_labels' is .* it must be from 0 to 2147483647"):
            searcher(setting, glue_labels=labels)


def test_a_weight_that_is_too_large_is_named(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    with pytest.raises(
        PentaglotError, match=r"the weight -2e\+20 of 'lexical_target' is too large to search with; only"
    ):
        searcher(setting, {"lexical_target": -2e20})
