"""Rules whose words are not adjacent, explained: the places of their words, links, pictures and lists."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console
from tests.explain.nodes import phrase
from tests.explain.test_picture import boxes, drawn, overlap
from tests.explain.test_rule_list import joined, listed
from tests.systems.conftest import EXAMPLES

from pentaglot.cli.explain import shown_explanation
from pentaglot.explain import Node, explain
from pentaglot.explain.assembly import word_links
from pentaglot.explain.picture import blocks_of
from pentaglot.rules import SentenceRules
from pentaglot.search import SearchOptions
from pentaglot.systems import Model, Translator

LINE = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[1]
PLACES = (0, 2, 3)


def far_apart(found: SentenceRules) -> dict[str, NDArray[np.float32]]:
    """One more rule, for some words of this very sentence, that is better than all others."""
    first, *_ = (symbol for symbol in found.table.target_symbols.tolist() if symbol >= 0)
    found.table.add_pattern([int(found.source[at]) for at in PLACES], places=PLACES)
    found.table.add_rule([first, first], [(0, 1), (2, 0)])
    return {"far_apart": np.eye(1, found.table.rules, found.table.rules - 1, np.float32)[0]}


@pytest.fixture
def translator(trained: Path) -> Translator:
    model = Model.open(trained)
    weights = {**model.weights, "far_apart": 50.0, "phrase_gaps": -0.5}
    return Translator(model, weights=weights, search=SearchOptions(search="stack"), hooks=[far_apart])


def test_explained(translator: Translator) -> None:
    explanation = explain(translator, LINE)
    (root,), part = explanation.roots, explanation.translation.parts[0]
    assert sum(node.score for node in root.walk()) == pytest.approx(explanation.translation.score, rel=1e-4)
    assert sorted(at for node in root.children for at in node.source_places) == list(range(len(part.rules.words)))
    (apart,) = (node for node in root.children if node.source_places == PLACES)
    assert apart.span == (0, 4) and apart.stretches() == ((0, 1), (2, 4))
    assert [part.rules.words[at] for at in PLACES] == list(apart.source)
    assert {each.feature: each.value for each in apart.contributions}["phrase_gaps"] == 1.0
    links = word_links(part.rules, part.forest, part.hypotheses[0].derivation)
    assert [links[at] for at in apart.target_places] == [(3,), (0,)]
    assert "1, 3–4 →" in explanation.to_html()
    console = Console(width=200)
    with console.capture() as shown:
        console.print(shown_explanation(explanation, 0, coloured=False))
    assert "  words 1, 3-4 → " in shown.get()


def apart(places: tuple[int, ...], target: tuple[int, int]) -> Node:
    whole = phrase((places[0], places[-1] + 1), target)
    words = tuple(f"s{at}" for at in places)
    return Node("rule", whole.span, target, words, whole.target, places, whole.target_places, (), None, (), ())


def test_blocks() -> None:
    """What lies between the words of a piece is in its block."""
    pieces = [apart((0, 2), (0, 1)), phrase((1, 2), (1, 2)), phrase((3, 4), (2, 3))]
    assert blocks_of(pieces) == [tuple(pieces[:2]), tuple(pieces[2:])]
    crossing = [apart((0, 2), (0, 1)), apart((1, 3), (1, 2)), phrase((4, 5), (2, 3))]
    assert blocks_of(crossing) == [tuple(crossing[:2]), tuple(crossing[2:])]


def test_bars_of_pieces_that_cross_do_not_overlap() -> None:
    block = [apart((0, 2), (0, 1)), apart((1, 4), (1, 2)), phrase((3, 4), (2, 3))]
    picture = drawn(block, [f"s{at}" for at in range(5)], [f"t{at}" for at in range(3)])
    words, bars = boxes(picture, "word"), boxes(picture, "bar")
    assert len(words) == 8 and sorted(bars) == ["1", "2", "3"]
    everything = [box for group in (words, bars) for each in group.values() for box in each]
    assert not any(overlap(one, other) for one, other in combinations(everything, 2))


def test_places_in_a_list() -> None:
    page = listed(joined(apart((0, 2, 3, 7), (0, 1))))
    assert "11, 13–14, 18 → 21" in "".join(page.itertext())
