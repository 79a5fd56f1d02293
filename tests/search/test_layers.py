"""What is known of an input besides its words: columns, edges, spans and their labels. Nothing odd gets in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.search.grammars import WORDS, Rule, chart_options, search_model, stack_options, table_of

from pentaglot import PentaglotError
from pentaglot._core import search as core

THREE = np.array(WORDS[:3], np.uint32)


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def rows(*values: tuple[int, ...]) -> np.ndarray:
    return np.array(values, np.uint32).reshape(len(values), -1)


def test_columns() -> None:
    made = core.sentence(THREE, {"tag": numbers(7, 8, 9), "head": numbers(1, -1, 1)})
    assert made.columns == ["head", "tag"] and made.column("tag").tolist() == [7, 8, 9]
    with pytest.raises(PentaglotError, match="the input has no column 'class'"):
        made.column("class")
    assert core.sentence(THREE).columns == []


def test_columns_of_a_lattice_lose_what_leads_nowhere() -> None:
    arcs = [(0, 1, 5), (0, 2, 6), (1, 3, 7), (0, 3, 8)]
    made = core.lattice(4, arcs, [0.0] * 4, {"tag": numbers(1, 2, 3, 4)})
    assert made.column("tag").tolist() == [1, 3, 4]


@pytest.mark.parametrize(
    ("layers", "problem"),
    [
        ({"columns": {"tag": numbers(1, 2)}}, "the input has 3 words, but 2 values of 'tag'"),
        ({"columns": {"head": numbers(1, -1)}}, "the input has 3 words, but 2 values of 'head'"),
        ({"columns": {"head": numbers(1, -1, 3)}}, "word 2 has head 3; a head is one of the 3 words"),
        ({"columns": {"head": numbers(-2, -1, 0)}}, "word 0 has head -2"),
        ({"columns": {"head": numbers(1, 2, 0)}}, "form a cycle: from word 0 to 1 to 2 to 0"),
        ({"columns": {"head": numbers(-1, 1, 0)}}, "form a cycle: from word 1 to 1"),
        ({"edges": rows((0, 3, 0))}, "from word 0 to word 3; it must join two of the 3 words"),
        ({"edges": rows((1, 1, 0))}, "from word 1 to word 1"),
        ({"edges": rows((0, 1, 65_536))}, "the kind of an edge is a number up to 65535"),
        ({"edges": rows((0, 1))}, "three numbers each"),
        ({"spans": np.ones((3, 4), np.bool_)}, "a row and a column for each of the 4 nodes"),
        ({"spans": np.ones((2, 8), np.bool_)}, "a row and a column for each of the 4 nodes"),
        ({"spans": np.ones((0, 0), np.bool_)}, "a row and a column for each of the 4 nodes"),
        ({"span_labels": rows((0, 4, 1))}, "a label from node 0 to node 4"),
        ({"span_labels": rows((2, 2, 1))}, "a label from node 2 to node 2"),
        ({"span_labels": rows((0, 1, 2**31))}, "a label is a number below 2147483648"),
        ({"span_labels": rows((0, 1))}, "three numbers each"),
    ],
)
def test_what_is_refused(layers: dict[str, Any], problem: str) -> None:
    with pytest.raises(PentaglotError, match=problem):
        core.sentence(THREE, **layers)


def test_what_lattices_refuse() -> None:
    arcs = [(0, 1, 5), (0, 2, 6), (1, 2, 7)]
    for layers, problem in [
        ({"columns": {"head": numbers(1, -1, 0)}}, "the words of a lattice cannot have heads"),
        ({"columns": {"tag": numbers(1)}}, "the input has 3 words, but 1 values of 'tag'"),
        ({"spans": np.ones((4, 4), np.bool_)}, "each of the 3 nodes"),
        ({"span_labels": rows((1, 3, 0))}, "from node 1 to node 3"),
    ]:
        with pytest.raises(PentaglotError, match=problem):
            core.lattice(3, arcs, [], **layers)  # type: ignore[arg-type]


def search(kind: str, words: core.Input, rules: list[Rule]) -> None:
    if kind == "stack":
        core.search_stacks(words, table_of(rules), search_model(False), stack_options())
    else:
        options = chart_options(growing=kind == "growing")
        core.search_chart(words, table_of(rules), search_model(False), options)


@pytest.mark.parametrize("kind", ["chart", "growing", "stack"])
def test_rules_that_do_not_suit_the_input(kind: str) -> None:
    plain = [Rule((word,), (word,), 0.0) for word in WORDS]
    signed = [*plain, Rule((WORDS[0],), (WORDS[0],), 0.0, signature=())]
    placed = [*plain, Rule((WORDS[0],), (WORDS[0],), 0.0, places=(3,))]
    with pytest.raises(PentaglotError, match="pattern 4 has a signature, but the words of the input have no heads"):
        search(kind, core.sentence(THREE), signed)
    search(kind, core.sentence(THREE, {"head": numbers(-1, -1, -1)}), signed)
    search(kind, core.sentence(THREE, {}, np.zeros((0, 3), np.uint32)), signed)
    with pytest.raises(PentaglotError, match="pattern 4 has place 3, but the input has 3 words"):
        search(kind, core.sentence(THREE), placed)
    lattice = core.lattice(3, [(0, 1, WORDS[0]), (0, 2, WORDS[1]), (1, 2, WORDS[2])])
    with pytest.raises(PentaglotError, match="pattern 4 has places, which the words of a lattice do not have"):
        search(kind, lattice, placed)


@pytest.mark.parametrize("kind", ["chart", "growing", "stack"])
def test_no_span_at_all(kind: str) -> None:
    rules = [Rule((word,), (word,), 0.0) for word in WORDS]
    for layers in ({"spans": np.zeros((4, 4), np.bool_)}, {"span_labels": np.zeros((0, 3), np.uint32)}):
        with pytest.raises(PentaglotError, match="cover the input"):
            search(kind, core.sentence(THREE, **layers), rules)  # type: ignore[arg-type]
