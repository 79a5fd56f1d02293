"""Words without a rule are treated like others, and only they."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import OptionError
from pentaglot.index import Additions, Index
from pentaglot.options import read_options
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, TableRules, extract_table, feature_space
from pentaglot.rules.fallbacks import spelt
from pentaglot.rules.features import FALLBACK_FEATURES, SPELLING_DISTANCE

PAIRS = [
    ("das alte Haus", "the old house"),
    ("die alten Häuser", "the old houses"),
    ("der Schlüssel", "the key"),
    ("die Schlüssel", "the keys"),
    ("das Haus", "the house"),
    ("ein StarChart Bericht", "a StarChart report"),
    ("in Λόγος", "in word"),
    ("das Schloss", "the castle"),
    ("￭s Mutter", "￭s mother"),
]


def index_of(pairs: list[tuple[str, str]]) -> Index:
    sides = [[line.split() for line in side] for side in zip(*pairs, strict=True)]
    links = [[(at, at) for at in range(len(words))] for words in sides[0]]
    return Index.build(Bitext.from_sentences(*sides), Alignment.from_links(links))


INDEX = index_of(PAIRS)


def found_for(words: str, **options: object) -> SentenceRules:
    return IndexRules(INDEX, feature_space(), RuleOptions(max_gaps=0, **options)).rules(words.split())  # type: ignore[arg-type]


def guesses(found: SentenceRules) -> set[tuple[str, str, str, str]]:
    """Kind, word, what it is treated like, and translation."""
    return {
        (
            stand_in.kind,
            found.source_side(pattern)[0],
            " ".join(map(found.source_word, stand_in.like)),
            " ".join(found.target_side(rule)),
        )
        for pattern, stand_in in found.stand_ins.items()
        for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
    }


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("λογος", {("alike", "λογος", "Λόγος", "word")}),
        ("haus", {("alike", "haus", "Haus", "house")}),
        ("Hauser", {("alike", "Hauser", "Häuser", "houses")}),
        ("alter", {("forms", "alter", "alte", "old"), ("forms", "alter", "alten", "old")}),
        (
            "Hausschlüssel",
            {
                ("compounds", "Hausschlüssel", "Haus Schlüssel", "house key"),
                ("compounds", "Hausschlüssel", "Haus Schlüssel", "house keys"),
            },
        ),
        (
            "Hausesschlüssel",
            {
                ("compounds", "Hausesschlüssel", "Haus Schlüssel", "house key"),
                ("compounds", "Hausesschlüssel", "Haus Schlüssel", "house keys"),
            },
        ),
        # A product and a shouted name are no words that have forms, but a line in capitals has.
        ("das HAUS", set()),
        ("HAUS", {("alike", "HAUS", "Haus", "house")}),
        ("das Starchart", set()),
        # A capital inside of a sentence says that a word is no form of one in small letters; elsewhere it says nothing.
        ("das Alter", set()),
        ("das Hauses", {("forms", "Hauses", "Haus", "house"), ("forms", "Hauses", "Häuser", "houses")}),
        ("Alter", {("forms", "Alter", "alte", "old"), ("forms", "Alter", "alten", "old")}),
        ("das Haus : Alter", {("forms", "Alter", "alte", "old"), ("forms", "Alter", "alten", "old")}),
        ("das hauses", {("forms", "hauses", "Haus", "house"), ("forms", "hauses", "Häuser", "houses")}),
        # What is joined to the word before it is another word.
        ("￭S", {("alike", "￭S", "￭s", "￭s")}),
        ("das S Haus", set()),
        # Known words, numbers, signs, marks without letters, and words that are like no other.
        ("das Haus 17 Haus17 ... \u0301 zebra \ufdfa", set()),
    ],
)
def test_what_words_are_treated_like(words: str, wanted: set[tuple[str, str, str, str]]) -> None:
    assert guesses(found_for(words)) == wanted


def test_rules_are_those_of_the_other_word_and_say_so() -> None:
    space = feature_space()
    found = IndexRules(INDEX, space, RuleOptions(max_gaps=0)).rules(["alter", "alte"])
    own = next(at for at in range(found.table.patterns) if found.source_side(at) == ["alte"])
    pattern = next(at for at, each in found.stand_ins.items() if found.source_word(each.like[0]) == "alte")
    of_own, of_guess = (int(found.table.rule_offsets[each]) for each in (own, pattern))
    differing = {
        name: float(found.table.feature(space.id(name))[of_guess])
        for name in space.names
        if found.table.feature(space.id(name))[of_guess] != found.table.feature(space.id(name))[of_own]
    }
    assert differing == {"other_form": 1.0, SPELLING_DISTANCE: pytest.approx(1 - 8 / 9)}
    assert found.table.sightings(of_guess) == found.table.sightings(of_own) != []
    found.table.check()


def test_a_copy_remains_possible() -> None:
    found = found_for("alter")
    sides = [found.target_side(rule) for rule in range(found.table.rules)]
    assert ["alter"] in sides and ["old"] in sides


def test_the_lexicon_helps_where_links_give_no_rule() -> None:
    bitext = Bitext.from_sentences([["kein", "Wort"]], [["no", "word"]])
    index = Index.build(bitext, Alignment.from_links([[(0, 0), (0, 1), (1, 1)]]))
    for kinds, wanted in ((("lexicon",), {("lexicon", "Wort", "Wort", "word")}), (("forms",), set())):
        rules = IndexRules(index, feature_space(), RuleOptions(fallbacks=kinds)).rules(["Wort"])  # type: ignore[arg-type]
        assert guesses(rules) == wanted


@pytest.mark.parametrize("words", ["das alter Haus", "Hausschlüssel", "haus Zebra"])
def test_turned_off_nothing_is_added(words: str) -> None:
    space = feature_space()
    off = IndexRules(INDEX, space, RuleOptions(fallbacks=())).rules(words.split())
    on = IndexRules(INDEX, space, RuleOptions()).rules(words.split())
    assert not off.stand_ins
    assert not any(off.table.feature(space.id(name)).any() for name in FALLBACK_FEATURES.values())
    kept = off.table.rules
    assert on.table.target_symbols[: len(off.table.target_symbols)].tolist() == off.table.target_symbols.tolist()
    for name in space.names:
        assert np.array_equal(on.table.feature(space.id(name))[:kept], off.table.feature(space.id(name)))
    assert {kind for kind, *_ in guesses(found_for(words, fallbacks=("forms",)))} <= {"forms"}


def test_added_words_stand_in_for_others() -> None:
    additions = Additions(INDEX)
    rules = IndexRules(additions, feature_space(), RuleOptions(max_gaps=0))
    assert not guesses(rules.rules(["Zebras"]))
    pair = additions.add(["Zebra"], ["zebra"], [(0, 0)])
    assert guesses(rules.rules(["Zebras"])) == {("forms", "Zebras", "Zebra", "zebra")}
    additions.remove(pair.number)
    assert not guesses(rules.rules(["Zebras"]))


def test_tables_and_further_corpora_have_them_too(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    options = RuleOptions(max_gaps=0, reordering=True)
    table = extract_table(INDEX, tmp_path / "table", options)
    assert guesses(TableRules(table, feature_space(), options).rules(["haus"])) == {("alike", "haus", "Haus", "house")}
    rules = IndexRules(INDEX, feature_space(), options, corpora={"same": INDEX}).rules(["haus", "Hausschlüssel"])
    assert {kind for kind, *_ in guesses(rules)} == {"alike", "compounds"}
    rules.table.check()


def test_the_same_with_any_number_of_threads() -> None:
    lines = ["alter haus", "Hausschlüssel", "λογος Häusern", "HAUS"] * 8
    rules = IndexRules(INDEX, feature_space(), RuleOptions())
    with ThreadPoolExecutor(8) as pool:
        many = list(pool.map(lambda line: guesses(rules.rules(line.split())), lines))
    assert many == [guesses(found_for(line)) for line in lines]


def test_odd_words() -> None:
    found_for(f"{'a' * 10_000} {'Haus' * 2_000} ￭ ￭￭ א שלוםם \u0301\u0302")
    empty = Index.build(Bitext.from_sentences([], []), Alignment.from_links([]))
    assert not IndexRules(empty, feature_space(), RuleOptions()).rules(["Haus"]).stand_ins


def test_right_to_left_words_have_forms() -> None:
    index = index_of([("ספרים", "books")])
    rules = IndexRules(index, feature_space(), RuleOptions()).rules(["ספריו"])
    assert guesses(rules) == {("forms", "ספריו", "ספרים", "books")}


def test_how_words_are_compared() -> None:
    assert spelt("Ärger￭") == ("arger", 2) and spelt("￭") == spelt("7b") == ("", 0) and spelt("iPad") == ("ipad", 4)


def test_unknown_names_of_fallbacks_are_refused() -> None:
    assert read_options(RuleOptions, {"fallbacks": []}).fallbacks == ()
    with pytest.raises(OptionError, match="cannot hold 'form'.*did you mean 'forms'"):
        read_options(RuleOptions, {"fallbacks": ["form"]})
    with pytest.raises(OptionError, match="must be a list"):
        read_options(RuleOptions, {"fallbacks": "forms"})
