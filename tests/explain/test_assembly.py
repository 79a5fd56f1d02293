"""Steps of a derivation: their places are those of a recursive reading of the tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.explain.assembly import placed_edges
from pentaglot.forest import Derivation, Forest
from pentaglot.systems import Translator

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:10]


def laid(forest: Forest, derivation: Derivation, place: int, begin: int) -> tuple[int, dict[int, tuple[int, int, int]]]:
    """Where a place ends, and for it and all below it: begin, end, and how many words are its own."""
    at, own, found = begin, 0, {}
    for symbol in forest.template(int(derivation.edges[place])):
        if symbol >= 0:
            at, own = at + 1, own + 1
        else:
            at, below = laid(forest, derivation, derivation.children(place)[-symbol - 1], at)
            found |= below
    return at, found | {place: (begin, at, own)}


@pytest.mark.parametrize("line", LINES)
def test_places(trained: Path, line: str) -> None:
    translator = Translator.open(trained)
    part = translator.translate(line).parts[0]
    table, derivation = part.rules.table, part.hypotheses[0].derivation
    steps, pieces = placed_edges(part.forest, derivation, lambda rule: bool((table.target(rule) < 0).any()))
    length, expected = laid(part.forest, derivation, 0, 0)
    assert length == len(part.hypotheses[0].words)
    assert sorted(steps) == sorted(expected) == list(range(len(derivation)))
    for place, (begin, end, own) in expected.items():
        step = steps[place]
        assert len(step.target_places) == own
        assert step.target_span[1] == end
        if step.rule is None or step.children:
            assert step.target_span[0] == begin
        else:
            assert step.target_span == (end - own, end)
        if step.rule is not None:
            words = [symbol for symbol in table.target(step.rule).tolist() if symbol >= 0]
            assert [derivation.words[at] for at in step.target_places] == words
    # What fills no gap follows one another without holes.
    assert [steps[place].target_span[0] for place in pieces] == [
        0,
        *(steps[place].target_span[1] for place in pieces[:-1]),
    ]
    inside = {child for step in steps.values() for child in step.children}
    assert inside | set(pieces) == {place for place, step in steps.items() if step.rule is not None}
    assert not inside & set(pieces)
