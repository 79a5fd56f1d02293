"""Placeables that were never seen get the rules of others of their kind, and only they."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot._core import rules as native
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Placeables, Sentence
from pentaglot.index import Additions, Index
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, TableRules, extract_table, feature_space
from pentaglot.rules.features import FALLBACK_FEATURES

PAIRS = [
    ("Seite 12 von 30", "page 12 of 30"),
    ("auf Seite 12", "on page 12"),
    ("im Jahr 1999", "in 1999"),
    ("der Wert $(ARG1) fehlt", "the value $(ARG1) lacks"),
    ("￭7 Uhr", "￭7 hours"),
]
FEATURES = feature_space()


def index_of(pairs: list[tuple[str, str]]) -> Index:
    sides = [[line.split() for line in side] for side in zip(*pairs, strict=True)]
    links = []
    for source, target in zip(*sides, strict=True):
        shift = len(source) - len(target)  # "im Jahr" has one translation
        links.append([(at, max(0, at - shift)) for at in range(len(source))])
    return Index.build(Bitext.from_sentences(*sides), Alignment.from_links(links))


INDEX = index_of(PAIRS)


def found_for(words: str, index: Index | Additions = INDEX, **options: object) -> SentenceRules:
    chosen = RuleOptions(max_gaps=0, **options)  # type: ignore[arg-type]
    return IndexRules(index, FEATURES, chosen, placeables=Placeables()).rules(words.split())


def shown(found: SentenceRules) -> set[tuple[str, str, str]]:
    """Source side, target side, and what it was looked up as, of the rules that were lent."""
    return {
        (
            " ".join(found.source_side(pattern)),
            " ".join(found.target_side(rule)),
            " ".join(map(found.source_word, stand_in.like)),
        )
        for pattern, stand_in in found.stand_ins.items()
        if stand_in.kind == "placeables"
        for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
    }


def test_a_number_never_seen_is_translated_with_the_words_around_it() -> None:
    found = found_for("Seite 47 von 88")
    assert ("Seite 47", "page 47", "12") in shown(found)
    assert ("Seite 47 von 88", "page 47 of 88", "12 30") in shown(found)
    assert found.words == ("Seite", "47", "von", "88")
    lent = found.table.feature(FEATURES.id(FALLBACK_FEATURES["placeables"]))
    patterns = np.searchsorted(found.table.rule_offsets, np.flatnonzero(lent), side="right") - 1
    assert set(patterns.tolist()) == set(found.stand_ins)
    # Rules for words that were seen are those of a sentence without such numbers.
    known = found_for("Seite von")
    assert {("Seite", "page"), ("von", "of")} <= {
        (" ".join(found.source_side(at)), " ".join(found.target_side(rule)))
        for at in range(found.table.patterns)
        for rule in range(*found.table.rule_offsets[at : at + 2].tolist())
        if at not in found.stand_ins
    }
    assert not known.stand_ins


@pytest.mark.parametrize(
    ("words", "lent"),
    [
        ("im Jahr 2024", {("2024", "1999"), ("im Jahr 2024", "1999")}),  # four digits
        ("$(ARG9)", {("$(ARG9)", "$(ARG1)")}),
        ("￭8 Uhr", {("￭8", "￭7"), ("￭8 Uhr", "￭7")}),
        ("8 Uhr", {("8", "12")}),  # not joined, so it is no ￭7; with another number of digits
        ("Seite 12", set()),  # seen
        ("12 88", {("88", "30")}),  # 12 itself is in the sentence, and lends nothing
        ("b@c.org", set()),  # no address was ever seen
        ("%FORMULA", set()),
        ("v1.2.3", set()),
    ],
)
def test_what_lends(words: str, lent: set[tuple[str, str]]) -> None:
    assert {(source, like) for source, _, like in shown(found_for(words))} == lent


def test_the_same_number_twice_and_as_many_as_lend() -> None:
    found = found_for("88 von 88")
    assert ("88", "88", "12") in shown(found)
    numbers = " ".join(map(str, range(50, 70)))  # more than there are to borrow from
    found = found_for(numbers)
    assert len({like for _, _, like in shown(found)}) == 3  # 12, 30, and of other digits 1999
    assert all(any(found.source_side(at) == [word] for at in range(found.table.patterns)) for word in numbers.split())


def outputs(found: SentenceRules) -> set[str]:
    """All words of target sides."""
    return {word for rule in range(found.table.rules) for word in found.target_side(rule)}


def test_no_number_of_a_lender_is_ever_said() -> None:
    """A percentage that changes its form, and one number joined and not joined."""
    index = index_of([("12 ￭%", "%12"), ("￭% 12", "12 ￭%"), ("Seite 30", "page 30"), ("￭7 Uhr", "￭7 hours")])
    for words in ("47 ￭%", "Seite 47 ￭47 Uhr", "￭47 Seite 47 ￭%"):
        found = found_for(words, index)
        assert found.stand_ins
        assert not outputs(found) & {"12", "%12", "30", "7", "￭7"}
    assert "%47" in outputs(found_for("47 ￭%", index))


def test_it_can_be_turned_off_and_needs_placeables() -> None:
    assert not found_for("Seite 47", fallbacks=("forms", "letters")).stand_ins
    rules = IndexRules(INDEX, FEATURES, RuleOptions(max_gaps=0))
    assert not rules.rules(["Seite", "47"]).stand_ins


def test_unknown_words_may_be_marked_or_dropped() -> None:
    for unknown in ("mark", "drop"):
        found = found_for("Seite 47 unbekannt", unknown=unknown)
        assert ("Seite 47", "page 47", "12") in shown(found)


def test_a_remembered_pair_is_not_lent() -> None:
    additions = Additions(INDEX)
    additions.add(["Seite", "12"], ["see", "p.", "12"], [(0, 0), (1, 2)])
    exact = found_for("Seite 12", additions)
    remembered = FEATURES.id("remembered")
    assert exact.table.feature(remembered).any()
    assert not found_for("Seite 47", additions).table.feature(remembered).any()


def test_layers_and_metadata_stay() -> None:
    sentence = Sentence(["Seite", "47"], {"upos": ["NOUN", "NUM"]}, {"domain": "news"})
    found = IndexRules(INDEX, FEATURES, RuleOptions(max_gaps=0), placeables=Placeables()).rules(sentence)
    assert found.sentence == sentence and found.stand_ins


def test_from_a_table(tmp_path: Path) -> None:
    table = extract_table(INDEX, tmp_path / "table", RuleOptions(max_gaps=0))
    rules = TableRules(table, feature_space(), RuleOptions(max_gaps=0, source="table"), placeables=Placeables())
    assert ("Seite 47", "page 47") in {each[:2] for each in shown(rules.rules(["Seite", "47"]))}


def test_new_pairs_lend_at_once_and_threads_change_nothing() -> None:
    additions = Additions(INDEX)
    assert not shown(found_for("%FORMULA", additions))
    rules = IndexRules(additions, feature_space(), RuleOptions(max_gaps=0), placeables=Placeables())
    assert not rules.rules(["%FORMULA"]).stand_ins
    additions.add(["die", "%TABLE"], ["the", "%TABLE"], [(0, 0), (1, 1)])
    sentences = [["%FORMULA"], ["Seite", "47"], ["im", "Jahr", "2024"]] * 20
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(rules.rules, sentences))
    assert ("%FORMULA", "%FORMULA", "%TABLE") in shown(found[0])
    assert [shown(each) for each in found] == [shown(rules.rules(each)) for each in sentences]


SYMBOLS = st.integers(4, 9)
SIDES = st.lists(SYMBOLS, min_size=1, max_size=4)
TABLES = st.lists(st.tuples(SIDES, st.lists(st.tuples(SIDES, st.booleans()), min_size=1, max_size=3)), max_size=6)
EXEMPT, KIND = 3, 7


@given(TABLES, st.sets(SYMBOLS, max_size=3), st.sets(SYMBOLS, max_size=3))
def test_as_a_slow_twin(
    patterns: list[tuple[list[int], list[tuple[list[int], bool]]]], sources: set[int], targets: set[int]
) -> None:
    table, exempt = native.RuleTable(), []
    first = 1 << 30
    wanted = []
    for source, rules in patterns:
        table.add_pattern(source)
        lent = bool(sources & set(source))
        for target, excused in rules:
            exempt.append(float(excused))
            table.add_rule(target, [(0, 0)], 1.0)
            if not (lent and excused):
                own = [first + each if each in sources else each for each in source]
                wanted.append((own, [first + each if each in targets else each for each in target], float(lent)))
    if exempt:
        table.set_feature(EXEMPT, np.array(exempt, np.float32))
    loans = [[(each, first + each) for each in sorted(side)] for side in (sources, targets)]
    changed = native.lend_rules(table, loans[0], loans[1], EXEMPT, KIND)
    table.check()
    numbers = np.searchsorted(table.rule_offsets, np.arange(table.rules), side="right") - 1
    kinds = table.feature(KIND)
    assert wanted == [
        (table.source(int(pattern)).tolist(), table.target(rule).tolist(), float(kinds[rule]))
        for rule, pattern in enumerate(numbers.tolist())
    ]
    assert changed == [at for at in range(table.patterns) if any(each >= first for each in table.source(at).tolist())]


def test_a_word_lends_to_one() -> None:
    with pytest.raises(PentaglotError, match="looked up for one word"):
        native.lend_rules(native.RuleTable(), [(4, 8), (4, 9)], [], 0, 1)
    with pytest.raises(PentaglotError, match="looked up for one word"):
        native.lend_rules(native.RuleTable(), [(-4, 8)], [], 0, 1)
