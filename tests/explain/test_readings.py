"""Rules whose words are not neighbours: their training examples are the pairs they were seen in, words marked."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError
from pentaglot.explain.examples import Example, Examples
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, feature_space

Links = list[tuple[int, int]]


def searched(source: list[str], target: list[str], links: Links, line: list[str]) -> tuple[IndexRules, SentenceRules]:
    index = Index.build(Bitext.from_sentences([source], [target]), Alignment.from_links([links]))
    rules = IndexRules(index, feature_space(), RuleOptions(sightings=5))
    return rules, rules.rules(line)


def example_of(
    rules: IndexRules, found: SentenceRules, words: tuple[int, ...], target: list[str], seen: tuple[int, int, int]
) -> tuple[Example, ...]:
    """The examples of one more rule, for words of the sentence, that was seen at a place."""
    table = found.table
    table.add_pattern([int(found.source[at]) for at in words], places=words)
    table.add_rule([found.target_vocabulary.find(word) for word in target], sightings=[seen])
    return Examples(found, rules).of(table.patterns - 1, table.rules - 1)


def test_a_particle_verb() -> None:
    source, target = ["heute", "fängt", "das", "alte", "Spiel", "an"], ["today", "the", "old", "game", "begins"]
    links = [(0, 0), (1, 4), (2, 1), (3, 2), (4, 3), (5, 4)]
    rules, found = searched(source, target, links, ["es", "fängt", "nun", "an"])
    (example,) = example_of(rules, found, (1, 3), ["begins"], (0, 0, 1))
    assert example.source_places == (1, 5) and example.target_places == (4,)
    assert example.label == "training pair 1"
    assert found.table.sightings(found.table.rules - 1) == [(0, 0, 1)]


def test_links_decide_between_equal_words() -> None:
    source, target = ["a", "b", "a", "c", "b"], ["x", "y", "x", "z"]
    rules, found = searched(source, target, [(0, 0), (1, 1), (2, 2), (4, 3)], ["a", "b"])
    (example,) = example_of(rules, found, (0, 1), ["x", "z"], (0, 0, 0))
    assert example.source_places == (0, 4) and example.target_places == (0, 3)
    rules, found = searched(source, target, [(0, 0), (1, 1), (2, 2), (4, 3)], ["a", "b"])
    assert example_of(rules, found, (0, 1), ["z"], (0, 0, 0)) == ()  # the other word is linked, too


def test_sightings_that_do_not_exist() -> None:
    rules, found = searched(["a", "b"], ["x", "y"], [(0, 0), (1, 1)], ["a", "b"])
    assert example_of(rules, found, (0, 1), ["x", "y"], (0, 0, 7)) == ()
    for seen in ((0, 1, 0), (1, 0, 0)):
        rules, found = searched(["a", "b"], ["x", "y"], [(0, 0), (1, 1)], ["a", "b"])
        with pytest.raises(PentaglotError, match="which does not exist"):
            example_of(rules, found, (0, 1), ["x", "y"], seen)


@given(st.data())
def test_equals_trying_everything(data: st.DataObject) -> None:
    source = data.draw(st.lists(st.sampled_from("abc"), min_size=2, max_size=6))
    target = data.draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=5))
    links = sorted({
        (data.draw(st.integers(0, len(source) - 1)), data.draw(st.integers(0, len(target) - 1)))
        for _ in range(data.draw(st.integers(0, 5)))
    })  # fmt: skip
    line = data.draw(st.lists(st.sampled_from(source), min_size=2, max_size=2))
    wanted = data.draw(st.lists(st.sampled_from(target), min_size=1, max_size=2))
    position = data.draw(st.integers(0, len(source) - 1))
    good = []
    for places in combinations(range(len(source)), 2):
        if places[0] != position or [source[at] for at in places] != line:
            continue
        for laid in combinations(range(len(target)), len(wanted)):
            inside = [(one in places) == (other in laid) for one, other in links if one in places or other in laid]
            if [target[at] for at in laid] == wanted and inside and all(inside):
                good.append((places, laid))
    rules, found = searched(source, target, links, line)
    examples = example_of(rules, found, (0, 1), wanted, (0, 0, position))
    best = min(good, key=lambda way: (way[0][-1], way[0], way[1][-1] - way[1][0], way[1]), default=None)
    assert [(each.source_places, each.target_places) for each in examples] == ([] if best is None else [best])
