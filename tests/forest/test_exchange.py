"""JSON and PLF: round trips, and one sentence for whatever cannot be read."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.corpus import Vocabulary
from pentaglot.errors import InputError, PentaglotError
from pentaglot.forest import (
    FeatureSpace,
    Forest,
    Lattice,
    example_forest,
    lattice_from_json,
    lattice_from_plf,
    lattice_to_json,
)

from .brute import random_forest, seeds
from .test_lattice import random_lattice

many = settings(max_examples=300, deadline=None)


def _names() -> tuple[Vocabulary, FeatureSpace]:
    vocabulary = Vocabulary()
    for word in ("a", 'quote " and \\', "日本"):
        vocabulary.add(word)
    return vocabulary, FeatureSpace(["lm", "length", "x^y", "0"])


@many
@given(seeds, st.booleans())
def test_forests_survive(seed: int, named: bool) -> None:
    forest = random_forest(seed)
    names = _names() if named else (None, None)
    again = Forest.from_json(forest.to_json(*names), *names)
    assert again.scores.tolist() == forest.scores.tolist() and again.goal == forest.goal
    for name in ("node_payloads", "edge_payloads", "edge_offsets", "tails", "tail_offsets"):
        assert getattr(again.packed, name).tolist() == getattr(forest.packed, name).tolist()
    for edge in range(forest.edges):
        assert again.template(edge) == forest.template(edge)
        assert again.local_vector(edge) == forest.local_vector(edge)


@many
@given(seeds, st.booleans())
def test_lattices_survive(seed: int, named: bool) -> None:
    lattice = random_lattice(seed)
    names = _names() if named else (None, None)
    assert lattice_from_json(lattice_to_json(lattice, *names), *names) == lattice


@many
@given(st.data())
def test_no_damage_gets_through_as_anything_else(data: st.DataObject) -> None:
    whole = json.loads(example_forest().to_json())
    place = data.draw(st.sampled_from(["goal", "nodes", "payload", "edges", "tails", "target", "features", "score"]))
    wrong = data.draw(st.sampled_from([None, -1, "x", [], {}, [[]], 1.5, True, 99, [9], {"a": "b"}, [[5]], 2**70]))
    holder = whole
    if place not in whole:
        holder = whole["nodes"][2]
        if place not in ("payload", "edges"):
            holder = holder["edges"][0]
    if data.draw(st.booleans()):
        holder[place] = wrong
    else:
        del holder[place]
    with contextlib.suppress(PentaglotError):
        assert Forest.from_json(json.dumps(whole)).count() >= 0


def test_what_is_not_a_forest() -> None:
    for text, message in {
        "{": "not valid JSON",
        "[]": "not a pentaglot forest",
        lattice_to_json(Lattice.from_words([4])): "not a pentaglot forest of version 1",
        "[" * 100_000: "not valid JSON",
    }.items():
        with pytest.raises(InputError, match=message):
            Forest.from_json(text)


def test_plf() -> None:
    words = Vocabulary()
    line = r"""((('it\'s',1.0,1),("b",0.5,2),),(('c',1.0,1),('*EPS*',-1,1),),)"""
    lattice = lattice_from_plf(line, words.add)
    assert lattice.nodes == 3 and lattice.finals == (2,)
    assert [[words.word(each) for each in path.words] for path in lattice.kbest(9)] == [["it's", "c"], ["b"], ["it's"]]
    two = lattice_from_plf("((('a', -1.5, 0.25, 1),),)", words.add)
    assert two.arcs[0].features == {0: -1.5, 1: 0.25} and two.arcs[0].score == -1.5
    assert lattice_from_plf("()", words.add) == Lattice(1, (), (0,))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "parenthesis is missing"),
        ("((('a',1,1),)", "parenthesis is missing"),
        ("((('a',1,1),),))", "parenthesis too many"),
        ("((('a',x,1),),)", "'x' in the lattice, before character 9, is not a number"),
        ("((('a',nan,1),),)", "not a number"),
        ("((('a',1),),)", "node 0 .* tuple"),
        ("(('a',1,1),)", "node 0 .* tuple"),
        ("((('a',1,0),),)", "no distance"),
        ("((('a',1,1.5),),)", "no distance"),
        ("((('a',1,2),),(('b',1,2),))", "beyond its last node"),
        ("((('a,1,1),),)", "cannot read the lattice at character 4"),
        ("(" * 100_000, "parenthesis is missing"),
    ],
)
def test_bad_plf(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        lattice_from_plf(line, lambda word: 4)


def test_a_string_is_no_list_of_words() -> None:
    text = lattice_to_json(Lattice.from_words([4])).replace("[4]", '"Haus"')
    with pytest.raises(InputError, match="missing or misshapen parts"):
        lattice_from_json(text, Vocabulary())
