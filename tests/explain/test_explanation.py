"""Explanations: they add up to the translation and to its score, and every example holds the rule it is shown for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.explain import Node, explain
from pentaglot.systems import Model, Translator, find_system

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:12]


def spelt(node: Node) -> list[str]:
    """The target words below a node, put together from the rules alone."""
    parts = [spelt(child) for child in node.children]
    if node.kind == "joined":
        return [word for part in parts for word in part]
    words: list[str] = []
    for symbol in node.target:
        words += parts[symbol - 1] if isinstance(symbol, int) else [symbol]
    return words


@pytest.mark.parametrize("line", LINES)
def test_rules_make_up_the_translation(trained: Path, line: str) -> None:
    translator = Translator.open(trained)
    explanation = explain(translator, line)
    (root,) = explanation.roots
    assert spelt(root) == list(explanation.translation.parts[0].hypotheses[0].words)
    assert sum(node.score for node in root.walk()) == pytest.approx(explanation.translation.score, rel=1e-4)
    part = explanation.translation.parts[0]
    for side, words in (("source", part.rules.words), ("target", part.hypotheses[0].words)):
        covered = []
        for node in root.walk():
            places = getattr(node, f"{side}_places")
            assert [words[at] for at in places] == [each for each in getattr(node, side) if isinstance(each, str)]
            begin, end = node.span if side == "source" else node.target_span
            assert all(begin <= at < end for at in places)
            covered += places
        assert sorted(covered) == list(range(len(words)))
    for node in root.walk():
        for child in node.children:
            for inner, outer in ((child.span, node.span), (child.target_span, node.target_span)):
                assert outer[0] <= inner[0] <= inner[1] <= outer[1]


def test_examples_hold_the_rule(trained: Path) -> None:
    translator = Translator.open(trained)
    seen = 0
    for line in LINES:
        for node in explain(translator, line).roots[0].walk():
            for example in node.examples:
                words = [word for word in node.source if isinstance(word, str)]
                target = [word for word in node.target if isinstance(word, str)]
                assert [example.source[at] for at in example.source_places] == words
                assert [example.target[at] for at in example.target_places] == target
                seen += 1
    assert seen > 30


def test_json(trained: Path) -> None:
    explanation = Translator.open(trained).explain(LINES[0])
    again = json.loads(json.dumps(explanation.to_json()))
    assert again["text"] == explanation.translation.text
    assert again["derivations"][0]["kind"] == "joined"
    assert explain(Translator.open(trained), "").to_json()["derivations"] == []


def test_unknown_words_and_numbers(trained: Path) -> None:
    explanation = explain(Translator.open(trained), "Der Lehrer sieht Quastenflosser X1.")
    nodes = {node.source: node for node in explanation.roots[0].walk()}
    for word in ("Quastenflosser", "X1"):
        assert nodes[word,].kind == "unknown" and nodes[word,].target == (word,)
        assert nodes[word,].examples == ()
    assert {node.kind for node in explanation.roots[0].walk()} == {"joined", "rule", "unknown"}


def test_evidence_is_what_the_text_has(trained: Path) -> None:
    """Against counting by hand, for rules of one word, where no sample is taken."""
    translator = Translator.open(trained)
    pairs = [translator.model.index.bitext.pair(number)[0] for number in range(len(translator.model.index))]
    seen = 0
    for line in (*LINES, *(word for each in LINES for word in each.split())):
        for node in explain(translator, line).roots[0].walk():
            if node.kind == "rule" and len(node.source) == 1 and node.evidence is not None:
                assert node.evidence.occurrences == sum(pair.count(str(node.source[0])) for pair in pairs)
                assert 1 <= node.evidence.count <= node.evidence.translated <= node.evidence.sampled <= 300
                seen += 1
    assert seen > 1


def test_totals_are_the_score(trained: Path) -> None:
    explanation = explain(Translator.open(trained), LINES[0])
    features = explanation.translation.parts[0].hypotheses[0].features
    assert {each.feature: each.value for each in explanation.totals()} == pytest.approx(features, rel=1e-5)
    assert sum(each.score for each in explanation.totals()) == pytest.approx(explanation.translation.score, rel=1e-4)


def test_guessed_words_say_what_they_are_treated_like(trained: Path) -> None:
    rules = replace(Model.open(trained).description.rules, fallbacks=("alike", "forms"))
    weights = {**find_system("hiero").weights, "unknown": -50.0}
    translator = Translator(Model.open(trained), rules=rules, weights=weights)
    explanation = explain(translator, "lehrers")
    (node,) = (node for root in explanation.roots for node in root.walk() if node.kind == "guessed")
    assert node.fallback in ("alike", "forms") and node.like == ("Lehrer",)
    assert node.reason == f"like Lehrer ({'another form' if node.fallback == 'forms' else 'other capitals or accents'})"
    assert node.examples
    for example in node.examples:
        assert [example.source[at] for at in example.source_places] == ["Lehrer"]
        assert [example.target[at] for at in example.target_places] == list(node.target)
    (as_json,) = (each for each in explanation.to_json()["derivations"][0]["children"] if each["kind"] == "guessed")
    assert as_json["like"] == ["Lehrer"] and as_json["fallback"] == node.fallback
    assert "guessed, like Lehrer" in explanation.to_html()
    off = Translator(Model.open(trained), rules=replace(rules, fallbacks=()), weights=weights)
    assert off.translate("lehrers").text.casefold() == "lehrers"
