"""The rules of a phrase: those that a translation would use, with what is known of them."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from pentaglot import PentaglotError
from pentaglot.explain.rule_search import _covers
from pentaglot.systems import Translator


def test_rules_of_a_phrase(trained: Path) -> None:
    translator = Translator.open(trained)
    found = translator.look_up("die Katze")
    assert {rule.source for rule in found} == {("die", "Katze")}
    assert found[0].target == ("the", "cat")
    rules = translator.rules.rules(["die", "Katze"])
    scores = {
        tuple(rules.target_side(rule)): score
        for rule, score in enumerate(
            sum(
                rules.table.feature(translator.features.id(name)) * np.float32(weight)
                for name, weight in translator.weights.items()
            )
        )
    }
    for rule in found:
        assert rule.count / rule.translated == pytest.approx(math.exp(rule.features["translation"]), rel=1e-4)
        assert rule.sample <= rule.occurrences
        assert rule.score == pytest.approx(scores[rule.target], abs=1e-4)
        for example in rule.examples:
            assert [example.source[at] for at in example.source_places] == ["die", "Katze"]
            assert tuple(example.target[at] for at in example.target_places) == rule.target
    assert found[0].examples
    assert found[0].as_json()["examples"][0]["sentence"] >= 1


def test_scopes(trained: Path) -> None:
    translator = Translator.open(trained)
    whole, gaps, parts = (
        {rule.source for rule in translator.look_up("der Lehrer sieht die Katze", scope)}
        for scope in ("whole", "gaps", "parts")
    )
    assert whole <= gaps < parts or not translator.rules.options.max_gaps
    assert ("die", "Katze") in parts and ("die", "Katze") not in gaps
    if translator.rules.options.max_gaps:
        assert ("der", "Lehrer", "X1") in gaps
        written = translator.look_up("der Lehrer X")
        assert {rule.source for rule in written} == {("der", "Lehrer", "X1")}
        assert all("X1" in rule.target for rule in written)


def test_what_is_added_is_there(trained: Path, tmp_path: Path) -> None:
    translator = Translator.open(shutil.copytree(trained, tmp_path / "model"))
    (rule,) = translator.look_up("Quastenflosser")
    assert rule.target == ("Quastenflosser",) and rule.features["unknown"] == 1
    translator.add("Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.", weight=2.5)
    rule = translator.look_up("Quastenflosser")[0]
    assert (rule.target, rule.count, rule.occurrences) == (("coelacanth",), 2.5, 1)
    assert [(each.corpus, each.sentence) for each in rule.examples] == [("added", 1)]
    found = translator.find("der X sieht die Katze.")
    added = [hit for each in found.translations for hit in each.examples if "coelacanth" in hit.target]
    assert len(added) == 1 and added[0].corpus == 1 and added[0].weight == 2.5


def test_punctuation_is_found_however_it_is_written(trained: Path) -> None:
    translator = Translator.open(trained)
    counts = {translator.find(pattern).count for pattern in ("weiß, dass X", "weiß , dass X", "weiß, dass ...")}
    assert len(counts) == 1 and counts.pop() > 0
    assert translator.find("ich X, dass").count == translator.find("ich X , dass").count > 0


def test_what_was_added_is_found_as_it_was_written(trained: Path, tmp_path: Path) -> None:
    translator = Translator.open(shutil.copytree(trained, tmp_path / "model"))
    pairs = [
        ('Ich habe "Star Wars" zweimal gesehen.', 'I have seen "Star Wars" twice.'),
        ('"Star Wars", sagt er, sei gut (sehr gut).', '"Star Wars", he says, is good (very good).'),
        ("Hab' ich 'ne Wahl?", "Do I have a choice?"),
    ]
    translator.add_all(pairs)
    for line, _ in pairs:
        words = line.split()
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                found = translator.find(" ".join(words[begin:end]))
                assert found.exact and found.count > 0
                hits = [hit.pair for each in found.translations for hit in each.examples if hit.corpus == 1]
                assert pairs.index((line, _)) in hits or found.count > 3
    assert translator.find('"Star Wars"').count == 2
    assert translator.find("Star wars").count == 2 and not translator.find("Star wars").exact


def test_rules_of_all_ways_to_write_a_phrase(trained: Path, tmp_path: Path) -> None:
    translator = Translator.open(shutil.copytree(trained, tmp_path / "model"))
    translator.add_all([('Er sagt "ja".', 'He says "yes".'), ('Er sagt" ja "so.', 'He says" yes "so.')])
    ways = {rule.source for rule in translator.look_up('"')}
    assert {('"￭',), ('￭"',)} <= ways
    assert all(rule.occurrences for rule in translator.look_up('"'))
    assert {rule.source for rule in translator.look_up('"ja"')} == {('"￭', "ja", '￭"')}


def test_bad_patterns(trained: Path) -> None:
    translator = Translator.open(trained)
    for pattern, message in (("", "no word"), ("X", "no word"), ("a X Y b", "two gaps")):
        with pytest.raises(PentaglotError, match=message):
            translator.look_up(pattern)
    assert translator.look_up("überhaupt nicht bekannt") == []


def test_covering() -> None:
    words = ["a", "b", "c", "b", "d"]
    assert _covers(["a", "X", "d"], words)
    assert _covers(["X", "b", "d"], words)
    assert _covers(["X", "c", "X"], words)
    assert not _covers(["X", "a", "X"], words), "a gap is never empty"
    assert not _covers(["a", "X", "c"], words)
    assert not _covers(["a", "b"], words)
