"""Explanations: they add up to the translation and to its score, and every example holds the rule it is shown for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.systems import Node, Translator, explain

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:12]


def spelt(node: Node) -> list[str]:
    """The target words below a node, put together from the rules alone."""
    parts = [spelt(child) for child in node.children]
    if node.kind != "rule":
        return [word for part in parts for word in part]
    words: list[str] = []
    for symbol in node.target:
        gap = symbol[1:]
        words += parts[int(gap) - 1] if symbol.startswith("X") and gap.isdigit() and parts else [symbol]
    return words


@pytest.mark.parametrize("line", LINES)
def test_rules_make_up_the_translation(trained: Path, line: str) -> None:
    translator = Translator.open(trained)
    explanation = explain(translator, line)
    (root,) = explanation.roots
    assert spelt(root) == list(explanation.translation.parts[0].hypotheses[0].words)
    assert sum(node.score for node in root.walk()) == pytest.approx(explanation.translation.score, rel=1e-4)
    covered = []
    for node in root.walk():
        if node.kind == "rule":
            below = {at for child in node.children for each in child.walk() for at in range(*each.span)}
            covered += [at for at in range(*node.span) if at not in below]
    assert sorted(covered) == list(range(len(explanation.translation.parts[0].rules.words)))


def test_examples_hold_the_rule(trained: Path) -> None:
    translator = Translator.open(trained)
    seen = 0
    for line in LINES:
        for node in explain(translator, line).roots[0].walk():
            if node.kind != "rule":
                continue
            for example in node.examples:
                words = [word for word in node.source if not (word.startswith("X") and word[1:].isdigit())]
                target = [word for word in node.target if not (word.startswith("X") and word[1:].isdigit())]
                assert [example.source[at] for at in example.source_places] == words
                assert [example.target[at] for at in example.target_places] == target
                seen += 1
    assert seen > 30


def test_json(trained: Path) -> None:
    explanation = explain(Translator.open(trained), LINES[0])
    again = json.loads(json.dumps(explanation.to_json()))
    assert again["text"] == explanation.translation.text
    assert again["derivations"][0]["kind"] == "end"
    assert explain(Translator.open(trained), "").to_json()["derivations"] == []
