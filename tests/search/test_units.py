"""Units: words with a translation of their own, in both searches against all derivations of a grammar."""

from __future__ import annotations

import numpy as np
import pytest
from tests.search.test_searcher import SOURCE, searcher, setting

from pentaglot._core.corpus import UNKNOWN
from pentaglot.index import Index
from pentaglot.lm import LanguageModel
from pentaglot.rules import IndexRules, SentenceRules, Unit, with_given_words, with_units
from pentaglot.rules.sentence_rules import SENTENCE_WORDS
from pentaglot.search import prefix_constraint

__all__ = ["setting"]


def units_in(setting: tuple[IndexRules, LanguageModel, Index], line: str, units: dict[int, Unit]) -> SentenceRules:
    rules, language, _ = setting
    return with_units(rules.rules(line.split()), units, rules.features, language.vocabulary)


@pytest.mark.parametrize("search", ["chart", "stack"])
@pytest.mark.parametrize("place", range(3))
def test_every_derivation_has_the_unit(
    setting: tuple[IndexRules, LanguageModel, Index], search: str, place: int
) -> None:
    rules = units_in(setting, "ein altes Haus", {place: Unit("x", ("the", "zorblax"))})
    rules.table.check()
    forest = searcher(setting, search=search, pop_limit=10_000, translations=0).search(rules, whole_forest=True).forest
    first = SENTENCE_WORDS + 3
    found = forest.kbest(1000)
    assert found
    for derivation in found:
        words = list(derivation.words)
        assert words[words.index(first) : words.index(first) + 2] == [first, first + 1]
        assert words.count(first) == 1
        assert rules.target_word(first) == "the" and rules.target_word(first + 1) == "zorblax"
        # The word itself is not translated besides.
        for word in ("a", "an", "old", "house"):
            translated = {"a": 0, "an": 0, "old": 1, "house": 2}[word] == place
            assert not (translated and word in [rules.target_word(symbol) for symbol in words])


def test_the_language_model_knows_its_words(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    """A unit with the usual translation scores as the rule would, but for what rules know of themselves."""
    plain = setting[0].rules(["das", "Haus"])
    unit = units_in(setting, "das Haus", {0: Unit("das", ("the",))})
    assert unit.language_ids is not None
    assert unit.language_ids.tolist()[:2] == [UNKNOWN, UNKNOWN] and unit.language_ids[2] != UNKNOWN
    language = setting[0].features.id("language_model")
    found = [searcher(setting).search(rules).forest.viterbi().features[language] for rules in (plain, unit)]
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_names_of_units(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    rules = units_in(setting, SOURCE[0], {1: Unit("altes X", ("old",)), 2: Unit("Haus", ())})
    assert [rules.source_word(symbol) for symbol in rules.source.tolist()] == ["ein", "altes X", "Haus"]
    assert rules.words == ("ein", "altes", "Haus")
    dropped = searcher(setting).search(rules).forest.viterbi().words
    assert len(dropped) == 2
    assert np.isfinite(rules.table.feature(setting[0].features.id("words"))).all()


def contents(rules: SentenceRules) -> list[object]:
    """All that a sentence's rules say."""
    table = rules.table
    said: list[object] = [rules.words, rules.source.tolist(), rules.copies, rules.units, table.rule_offsets.tolist()]
    said += [table.source(pattern).tolist() for pattern in range(table.patterns)]
    said += [(table.target(rule).tolist(), table.links(rule), table.sightings(rule)) for rule in range(table.rules)]
    said += [table.counts.tolist(), table.occurrences.tolist(), table.reordering.tolist()]
    return said + [(feature, table.feature(feature).tolist()) for feature in table.feature_ids.tolist()]


def test_what_is_added_leaves_the_rules_alone(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    source, language, _ = setting
    plain = source.rules(["ein", "rotes", "Haus"])
    before = contents(plain)
    units = with_units(plain, {1: Unit("rotes", ("crimson",))}, source.features, language.vocabulary)
    with_unit = contents(units)
    given = with_given_words(units, ["the", "zorblax"], source.features)
    assert contents(plain) == before and contents(units) == with_unit
    assert plain.table.rules < units.table.rules < given.table.rules
    # Nor does it matter how often words are given, or to whom.
    assert contents(with_given_words(units, ["the", "zorblax"], source.features)) == contents(given)
    for rules in (plain, units, given):
        rules.table.check()
    wanted = prefix_constraint(plain, ["zorblax"])
    assert searcher(setting).search(plain, constraint=wanted).nothing
    wanted = prefix_constraint(given, ["the", "zorblax"])
    assert searcher(setting).search(given, constraint=wanted).forest.nodes


def test_a_copy_is_a_table_of_its_own(setting: tuple[IndexRules, LanguageModel, Index]) -> None:
    table = setting[0].rules(["das", "Haus"]).table
    rules = table.rules
    twin = table.copy()
    twin.add_pattern([7])
    twin.add_rule([8], [(0, 0)], 2.0)
    twin.set_feature(99, np.ones(rules + 1, np.float32))
    assert (twin.rules, table.rules) == (rules + 1, rules) and 99 not in table.feature_ids
    table.check()
    twin.check()
